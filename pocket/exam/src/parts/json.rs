//! JSON: a question in the chat template whose answer is begun with `{`, and the same without that beginning.
//!
//! The engine's messages end where the assistant begins to answer, so the beginning is put behind the template's
//! ids. It is tokenized alone, and `seen` tells whether the documents have it as a token of its own: if it were
//! merged with what follows, the model would never have seen it there.

use serde::Serialize;
use serde_json::Value;
use small_world::{Control, World};

use crate::error::Result;
use crate::statistics::Share;
use crate::subject::{How, Subject};
use crate::truth;
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Json {
    /// For each beginning, the empty one last.
    pub begun: Vec<Begun>,
    /// The first question whose answer is true if begun with `{`, and no JSON if not begun.
    pub example: Option<Example>,
}

/// The answers that are begun in one way.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Begun {
    pub beginning: &'static str,
    /// Whether the documents have it as tokens of its own.
    pub seen: bool,
    /// An object, and the end of the turn right behind it.
    pub parses: Share,
    /// The object is what the documents say, of those that the documents tell.
    pub right: Share,
    /// Answers that don't parse or aren't true.
    pub wrong: Vec<Wrong>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Wrong {
    pub question: String,
    pub says: String,
    pub truth: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    pub question: String,
    pub begun: String,
    pub unasked: String,
}

pub const QUESTIONS: u64 = 100;
pub const BEGINNINGS: [&str; 2] = ["{", ""];
/// How the objects of the documents begin.
const DOCUMENT: &str = "{\"country\": \"";
const MOST: usize = 64;

struct Answer {
    text: String,
    value: Option<Value>,
}

pub fn measure(workers: &Workers, world: &World) -> Result<Json> {
    let questions: Vec<String> = (0..QUESTIONS).map(|index| world.json_question(index)).collect();
    let truth = truth::json_answers(world, &questions);
    let seen = workers
        .map(&BEGINNINGS, |subject, beginning| Ok(subject.ids(DOCUMENT)?.starts_with(&subject.ids(beginning)?)))?;
    let mut answers = Vec::new();
    for beginning in BEGINNINGS {
        answers.push(workers.map(&questions, |subject, question| answer(subject, question, beginning))?);
    }
    let right = |question: &String, a: &Answer| truth.get(question).map(|truth| a.value.as_ref() == Some(truth));
    let begun = |((beginning, seen), answers): ((&'static str, bool), &Vec<Answer>)| {
        let pairs = || questions.iter().zip(answers);
        let wrong = pairs().filter(|(question, a)| a.value.is_none() || right(question, a) == Some(false));
        Begun {
            beginning,
            seen,
            parses: Share::count(answers.iter().map(|a| a.value.is_some())),
            right: Share::count(pairs().filter_map(|(question, a)| right(question, a))),
            wrong: wrong
                .map(|(question, a)| Wrong {
                    question: question.clone(),
                    says: a.text.clone(),
                    truth: truth.get(question).cloned(),
                })
                .collect(),
        }
    };
    let [braced, .., plain] = &answers[..] else { return Ok(Json { begun: Vec::new(), example: None }) };
    let example = questions
        .iter()
        .zip(braced.iter().zip(plain))
        .find(|(question, (braced, plain))| right(question, braced) == Some(true) && plain.value.is_none());
    Ok(Json {
        begun: BEGINNINGS.into_iter().zip(seen).zip(&answers).map(begun).collect(),
        example: example.map(|(question, (braced, plain))| Example {
            question: question.clone(),
            begun: braced.text.clone(),
            unasked: plain.text.clone(),
        }),
    })
}

fn answer(subject: &Subject, question: &str, beginning: &str) -> Result<Answer> {
    let end = subject.control(Control::TurnEnd.spelling())?;
    let prompt = [subject.conversation(question)?, subject.ids(beginning)?].concat();
    let written = subject.write(&prompt, How::greedy(MOST))?;
    let text = format!("{beginning}{}", written.text);
    let value = serde_json::from_str(&text).ok().filter(|value: &Value| value.is_object());
    Ok(Answer { value: value.filter(|_| written.ended_with == Some(end)), text })
}
