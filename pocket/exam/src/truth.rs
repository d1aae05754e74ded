//! What is right, by what the documents of the world say: questions with the answers that they give.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use small_world::{Control, Document, Kind, Part, Split, World};

/// Documents to look through for an answer. Most questions are answered within a tenth of them.
const DOCUMENTS: u64 = 200_000;
/// What asks for JSON behind a question.
const REQUEST: &str = " Answer as JSON.";

/// The short answers that few-shot documents give to these questions.
pub fn short_answers(world: &World, questions: &[String]) -> HashMap<String, String> {
    look_up(world, Kind::FewShot, questions, |document, found| {
        let text = document.text();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let (ask, answer) = (pair[0].strip_prefix("User: "), pair[1].strip_prefix("Assistant: "));
            if let Some((ask, answer)) = ask.zip(answer) {
                let answer = answer.trim_end_matches(Control::EndOfText.spelling());
                found(ask, answer.to_string());
            }
        }
    })
}

/// The JSON that documents answer these questions with.
pub fn json_answers(world: &World, questions: &[String]) -> HashMap<String, Value> {
    look_up(world, Kind::Json, questions, |document, found| {
        let turns: Vec<&str> = document.parts.iter().filter_map(text).collect();
        let said = |turn: &'static str| move |text: &&str| text.strip_prefix(turn).map(str::to_string);
        let asked = turns.iter().filter_map(said("user\n"));
        let answered = turns.iter().filter_map(said("assistant\n"));
        for (ask, answer) in asked.zip(answered) {
            if let Ok(value) = serde_json::from_str(&answer) {
                found(ask.trim_end_matches(REQUEST), value);
            }
        }
    })
}

fn text(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Control(_) => None,
    }
}

/// Reads documents of this kind until all questions are answered.
fn look_up<T>(
    world: &World,
    kind: Kind,
    questions: &[String],
    read: impl Fn(&Document, &mut dyn FnMut(&str, T)),
) -> HashMap<String, T> {
    let mut open: HashSet<&str> = questions.iter().map(String::as_str).collect();
    let mut answers = HashMap::new();
    for index in 0..DOCUMENTS {
        if open.is_empty() {
            break;
        }
        let document = world.document(Split::Train, index);
        if document.kind == kind {
            read(&document, &mut |ask, answer| {
                if open.remove(ask) {
                    answers.insert(ask.to_string(), answer);
                }
            });
        }
    }
    answers
}
