//! Patterns: rows that go on by a rule, and sentences that are hard to leave.

use crate::facts::Facts;
use crate::random::Random;
use crate::story::words_for;
use crate::template::{Slots, fill};

/// A sentence that repeats a part of itself: its start, the part, and the ways to end.
#[derive(Debug)]
pub(crate) struct Loop {
    start: &'static str,
    again: &'static str,
    ends: Vec<&'static str>,
}

/// Reads the loops of the data file.
pub(crate) fn read() -> Vec<Loop> {
    let rows = include_str!("../data/loops.tsv").lines();
    rows.filter_map(|row| {
        let (start, rest) = row.split_once('|')?;
        let (again, ends) = rest.split_once('|')?;
        Some(Loop { start, again, ends: ends.split(';').collect() })
    })
    .collect()
}

/// The text of a pattern document.
pub(crate) fn text(loops: &[Loop], facts: &Facts, random: &mut Random) -> String {
    if random.percent(60) { endless(random.pick(loops), facts, random) } else { row(facts, random) }
}

/// After each repeat another comes with a chance of 7 in 8: always the most probable, never sure.
fn endless(pattern: &Loop, facts: &Facts, random: &mut Random) -> String {
    let girl = random.percent(50);
    let mut slots = Slots::default();
    slots.set("name", facts.child(girl, random));
    let [_, he, him, his] = words_for(girl);
    slots.set("he", he);
    slots.set("him", him);
    slots.set("his", his);
    let mut text = fill(pattern.start, &slots, random);
    text.push_str(&pattern.again.repeat(random.repeats()));
    text.push_str(&fill(random.word(&pattern.ends), &slots, random));
    text
}

fn row(facts: &Facts, random: &mut Random) -> String {
    let length = random.between(8, 24);
    match random.below(6) {
        0 | 1 => {
            let step = *random.pick(&[1, 1, 2, 2, 3, 5, 10]);
            let start = if random.percent(50) { step } else { random.between(1, 20) };
            let row: Vec<String> = (0..length).map(|at| (start + at * step).to_string()).collect();
            row.join(", ")
        }
        2 => {
            let letters = ["A", "B", "C", "D"];
            let count = random.between(2, 4);
            cycle(&letters[..count], 0, length, " ")
        }
        3 => {
            let count = random.between(2, 3);
            let words: Vec<&str> = random.pick_some(facts.words("colours"), count).into_iter().copied().collect();
            cycle(&words, 0, length, " ")
        }
        4 => {
            let list = facts.words(random.word(&["weekdays", "months", "weekdays"]));
            cycle(list, random.below(list.len()), length, ", ")
        }
        _ => {
            let numbers = facts.words("numbers");
            let start = random.between(0, 8);
            let end = (start + length).min(numbers.len());
            numbers[start..end].join(", ")
        }
    }
}

fn cycle(words: &[&str], start: usize, length: usize, between: &str) -> String {
    let row: Vec<&str> = words.iter().copied().cycle().skip(start).take(length).collect();
    row.join(between)
}
