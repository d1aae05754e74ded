//! A dialogue in plain text: does the model write the next question itself, and does a stop sequence prevent it?

use next_token::stop::FinishReason;
use serde::Serialize;
use small_world::World;

use crate::error::Result;
use crate::statistics::Share;
use crate::subject::{How, Subject};
use crate::truth;
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FewShot {
    /// Without a stop sequence, `User:` comes right after the answer.
    pub goes_on: Share,
    /// With it, the run ends by it and the text has nothing of it.
    pub stops: Share,
    /// The answers that are what the documents say, of those that the documents tell.
    pub right: Share,
    pub wrong: Vec<Wrong>,
    /// The first dialogue that goes on.
    pub example: Option<Example>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Wrong {
    pub question: String,
    pub says: String,
    pub truth: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    pub prompt: String,
    pub without_stop: String,
    pub with_stop: String,
}

pub const DIALOGUES: u64 = 50;
pub const STOP: &str = "\nUser:";
/// An answer, the next `User:`, and the beginning of a question.
const MOST: usize = 24;

struct Dialogue {
    without: String,
    with: String,
    finish: FinishReason,
}

pub fn measure(workers: &Workers, world: &World) -> Result<FewShot> {
    let prompts: Vec<String> = (0..DIALOGUES).map(|index| world.few_shot_prompt(index)).collect();
    let questions: Vec<String> = prompts.iter().map(|prompt| question(prompt)).collect();
    let truth = truth::short_answers(world, &questions);
    let dialogues = workers.map(&prompts, |subject, prompt| continue_twice(subject, prompt))?;

    let goes_on = |d: &Dialogue| d.without.split_once('\n').is_some_and(|(_, rest)| rest.starts_with(&STOP[1..]));
    // Cut before the stop, and nothing else changed.
    let stops = |d: &Dialogue| d.finish == FinishReason::Stop && d.without.starts_with(&format!("{}{STOP}", d.with));
    let answers: Vec<(&String, &str, &String)> = questions
        .iter()
        .zip(&dialogues)
        .filter_map(|(question, d)| Some((question, d.with.trim(), truth.get(question)?)))
        .collect();
    let wrong = answers.iter().filter(|(_, says, truth)| says != truth).map(|(question, says, truth)| Wrong {
        question: question.to_string(),
        says: says.to_string(),
        truth: truth.to_string(),
    });
    let example = prompts.iter().zip(&dialogues).find(|(_, d)| goes_on(d) && stops(d));
    Ok(FewShot {
        goes_on: Share::count(dialogues.iter().map(goes_on)),
        stops: Share::count(dialogues.iter().map(stops)),
        right: Share::count(answers.iter().map(|(_, says, truth)| says == truth)),
        wrong: wrong.collect(),
        example: example.map(|(prompt, d)| Example {
            prompt: prompt.clone(),
            without_stop: d.without.clone(),
            with_stop: d.with.clone(),
        }),
    })
}

/// The last question of a dialogue.
fn question(prompt: &str) -> String {
    prompt.lines().filter_map(|line| line.strip_prefix("User: ")).next_back().unwrap_or_default().to_string()
}

fn continue_twice(subject: &Subject, prompt: &str) -> Result<Dialogue> {
    let ids = subject.ids(prompt)?;
    let without = subject.write(&ids, How::greedy(MOST))?;
    let with = subject.write(&ids, How { stop: Some(STOP), ..How::greedy(MOST) })?;
    Ok(Dialogue { without: without.text, with: with.text, finish: with.finish })
}
