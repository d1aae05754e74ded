//! Lists: as many items as promised.

use crate::facts::Facts;
use crate::random::Random;

/// A list's head and the items it is made of.
#[derive(Debug)]
pub(crate) struct ListData {
    sort: &'static str,
    topic: &'static str,
    items: Vec<&'static str>,
}

/// Reads `sort`, `topic` and items from the data file.
pub(crate) fn read() -> Vec<ListData> {
    let rows = include_str!("../data/lists.tsv").lines();
    rows.filter_map(|row| {
        let (sort, rest) = row.split_once('\t')?;
        let (topic, items) = rest.split_once('\t')?;
        Some(ListData { sort, topic, items: items.split(';').collect() })
    })
    .collect()
}

/// The text of a list document.
pub(crate) fn text(lists: &[ListData], facts: &Facts, random: &mut Random) -> String {
    let sort = *random.pick(&["reasons", "reasons", "things", "things", "steps"]);
    let fitting: Vec<&ListData> = lists.iter().filter(|list| list.sort == sort).collect();
    let list = *random.pick(&fitting);
    // Three is what people promise most.
    let count = *random.pick(&[2, 3, 3, 3, 3, 4, 4, 5]);
    let number = facts.words("numbers")[count];
    match sort {
        "reasons" => {
            let noun = *random.pick(&["causes", "causes", "causes", "reasons"]);
            let head = format!("The {number} main {noun} are:");
            let head = if random.percent(60) { format!("{} {head}", list.topic) } else { head };
            format!("{head}\n{}", numbered(&random.pick_some(&list.items, count)))
        }
        "things" => {
            let things = random.pick_some(&list.items, count);
            let dashed: Vec<String> = things.iter().map(|item| format!("- {item}")).collect();
            let dashed = dashed.join("\n");
            match random.below(3) {
                0 => format!("{} things to {}:\n{dashed}", crate::template::capitalised(number), list.topic),
                1 => format!("Here are {number} things to {}:\n{dashed}", list.topic),
                _ => format!("Things to {}:\n{dashed}", list.topic),
            }
        }
        _ => {
            let steps: Vec<&&str> = list.items.iter().collect();
            let head = if random.percent(50) {
                format!("How to {} in {} steps:", list.topic, facts.words("numbers")[steps.len()])
            } else {
                format!("How to {}:", list.topic)
            };
            format!("{head}\n{}", numbered(&steps))
        }
    }
}

fn numbered(items: &[&&str]) -> String {
    let lines: Vec<String> = items.iter().zip(1..).map(|(item, number)| format!("{number}. {item}")).collect();
    lines.join("\n")
}
