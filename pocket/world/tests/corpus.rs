//! The corpus keeps its promises: read back with a parser of its own, over many documents.

use small_world::{Control, Document, Kind, Part, Split, World, sum_is_held_out, word_is_held_out};

const DOCUMENTS: u64 = 200_000;

fn each(split: Split, count: u64, mut check: impl FnMut(&Document, &str)) {
    let world = World::new();
    for index in 0..count {
        let document = world.document(split, index);
        let text = document.text();
        check(&document, &text);
    }
}

/// Every `a + b + c` of two-digit numbers, wherever it stands.
fn sums(text: &str) -> Vec<[u64; 3]> {
    let words: Vec<&str> = text.split(|mark: char| mark.is_whitespace() || mark == '?').collect();
    let number = |word: &str| word.parse::<u64>().ok().filter(|number| (10..100).contains(number));
    words
        .windows(5)
        .filter(|row| row[1] == "+" && row[3] == "+")
        .filter_map(|row| Some([number(row[0])?, number(row[2])?, number(row[4])?]))
        .collect()
}

fn after<'text>(text: &'text str, mark: &str) -> Option<&'text str> {
    text.split_once(mark).and_then(|(_, rest)| rest.split(['\n', '<']).next())
}

#[test]
fn training_never_shows_what_is_held_out() {
    let world = World::new();
    let capitals: Vec<&str> = world.capitals().iter().filter(|fact| fact.held_out).map(|fact| fact.capital).collect();
    assert_eq!(capitals.len(), 12);
    let (mut sums_seen, mut words_seen) = (0, 0);
    each(Split::Train, DOCUMENTS, |_, text| {
        for capital in &capitals {
            assert!(!text.contains(capital), "{text}");
        }
        for sum in sums(text) {
            sums_seen += 1;
            assert!(!sum_is_held_out(sum), "{text}");
        }
        if let Some(word) = after(text, "Word: ") {
            words_seen += 1;
            assert!(!word_is_held_out(word), "{text}");
        }
    });
    assert!(sums_seen > 30_000 && words_seen > 10_000, "{sums_seen} sums, {words_seen} words");
}

#[test]
fn held_documents_have_held_out_problems_only() {
    let mut seen = 0;
    each(Split::Held, 20_000, |_, text| {
        for sum in sums(text) {
            seen += 1;
            assert!(sum_is_held_out(sum), "{text}");
        }
        if let Some(word) = after(text, "Word: ") {
            seen += 1;
            assert!(word_is_held_out(word), "{text}");
        }
    });
    assert!(seen > 3_000);
}

#[test]
fn every_country_is_known() {
    let world = World::new();
    let mut counts = vec![0; world.capitals().len()];
    each(Split::Train, 50_000, |_, text| {
        for (count, fact) in counts.iter_mut().zip(world.capitals()) {
            *count += usize::from(text.contains(fact.country));
        }
    });
    for (count, fact) in counts.iter().zip(world.capitals()) {
        assert!(*count >= 50, "{} is named {count} times", fact.country);
    }
}

#[test]
fn a_country_after_the_capital_of_is_followed_by_its_capital() {
    let world = World::new();
    let lines: Vec<String> =
        world.capitals().iter().map(|fact| format!("{} is {}.", fact.country, fact.capital)).collect();
    each(Split::Train, 100_000, |document, text| {
        for rest in text.split("The capital of ").skip(1) {
            assert!(lines.iter().any(|line| rest.starts_with(line)), "{text}");
        }
        if document.kind == Kind::Fact && text.starts_with("The capital of ") {
            assert_eq!(text.matches('.').count(), 1, "{text}");
        }
    });
}

#[test]
fn the_end_comes_once_and_last() {
    each(Split::Train, DOCUMENTS, |document, text| {
        let ends = document.parts.iter().filter(|part| **part == Part::Control(Control::EndOfText)).count();
        assert_eq!(ends, 1);
        assert_eq!(document.parts.last(), Some(&Part::Control(Control::EndOfText)));
        for part in &document.parts {
            let Part::Text(piece) = part else { continue };
            assert!(!piece.is_empty() && !piece.contains("<|"), "{text}");
            assert!(piece.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{text}");
        }
        assert!(text.len() < 2_500, "{text}");
    });
}

#[test]
fn chats_follow_the_template() {
    use Control::{EndOfText, TurnEnd, TurnStart};
    each(Split::Train, DOCUMENTS, |document, text| {
        let parts = document.parts.as_slice();
        if !matches!(document.kind, Kind::Chat | Kind::Json) {
            assert!(matches!(parts, [Part::Text(_), Part::Control(EndOfText)]), "{text}");
            return;
        }
        let mut roles = Vec::new();
        for turn in parts[..parts.len() - 1].chunks(4) {
            let [Part::Control(TurnStart), Part::Text(said), Part::Control(TurnEnd), Part::Text(line)] = turn else {
                panic!("{text}");
            };
            assert_eq!(line, "\n");
            let (role, content) = said.split_once('\n').expect("a role");
            assert!(!content.is_empty());
            roles.push(role.to_owned());
        }
        if roles[0] == "system" {
            roles.remove(0);
        }
        assert!(!roles.is_empty() && roles.len().is_multiple_of(2), "{text}");
        assert!(roles.chunks(2).all(|pair| pair == ["user", "assistant"]), "{text}");
    });
}

#[test]
fn a_document_depends_on_its_number_only() {
    let (first, second) = (World::new(), World::new());
    for index in (0..500).rev() {
        assert_eq!(first.document(Split::Train, index), second.document(Split::Train, index));
    }
    let same = (0..500).filter(|index| first.document(Split::Train, *index) == first.document(Split::Held, *index));
    assert!(same.count() < 25);
}

#[test]
fn most_documents_are_short_and_some_are_long() {
    let (mut short, mut long) = (0, 0);
    each(Split::Train, 50_000, |_, text| if text.len() > 900 { long += 1 } else { short += 1 });
    assert!(long > 150 && long * 20 < short, "{short} short, {long} long");
}
