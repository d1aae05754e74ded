//! Thinking: the same problems answered at once and with written steps, and what either costs in passes.

use std::collections::BTreeSet;

use serde::Serialize;
use small_world::{ProblemKind, World, read_answer};

use crate::error::Result;
use crate::statistics::{Share, figure, mean};
use crate::subject::{How, Subject};
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thinking {
    pub sums: Comparison,
    pub words: Comparison,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub bare: Way,
    pub steps: Way,
    /// The first problem that only the steps solve.
    pub example: Option<Example>,
}

/// One way to answer, over all problems.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Way {
    pub right: Share,
    /// Mean number of tokens written, the one that ends the text among them.
    pub written: f64,
    /// Mean number of tokens computed, those of the prompt among them.
    pub passes: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    pub answer: String,
    pub bare: String,
    pub steps: String,
}

/// Different ones.
pub const PROBLEMS: usize = 200;
/// The longest right answers take about half of this.
const MOST_BARE: usize = 32;
const MOST_STEPS: usize = 112;

/// One problem answered in one way.
struct Answer {
    /// The prompt and what was written.
    text: String,
    right: bool,
    written: usize,
    passes: u64,
}

pub fn measure(workers: &Workers, world: &World) -> Result<Thinking> {
    Ok(Thinking {
        sums: compare(workers, world, ProblemKind::Sum)?,
        words: compare(workers, world, ProblemKind::Word)?,
    })
}

fn compare(workers: &Workers, world: &World, kind: ProblemKind) -> Result<Comparison> {
    let mut seen = BTreeSet::new();
    let all = (0..).map(|index| world.held_out_problem(kind, index));
    let problems: Vec<_> = all.filter(|problem| seen.insert(problem.bare.clone())).take(PROBLEMS).collect();
    let pairs = workers.map(&problems, |subject, problem| {
        let bare = answer(subject, &problem.bare, &problem.answer, MOST_BARE)?;
        let steps = answer(subject, &problem.steps, &problem.answer, MOST_STEPS)?;
        Ok((bare, steps))
    })?;
    let example = pairs.iter().zip(&problems).find(|((bare, steps), _)| !bare.right && steps.right);
    Ok(Comparison {
        bare: way(pairs.iter().map(|(bare, _)| bare)),
        steps: way(pairs.iter().map(|(_, steps)| steps)),
        example: example.map(|((bare, steps), problem)| Example {
            answer: problem.answer.clone(),
            bare: bare.text.clone(),
            steps: steps.text.clone(),
        }),
    })
}

fn answer(subject: &Subject, prompt: &str, right: &str, most: usize) -> Result<Answer> {
    let written = subject.write(&subject.ids(prompt)?, How::greedy(most))?;
    // The prompt with steps has no answer in it, so what is read was written by the model.
    let ended = subject.ended(&written)?;
    Ok(Answer {
        right: ended && read_answer(&written.text) == Some(right),
        text: format!("{prompt}{}", written.text),
        written: written.ids.len() + usize::from(ended),
        passes: written.passes,
    })
}

fn way<'a>(answers: impl Iterator<Item = &'a Answer> + Clone) -> Way {
    Way {
        right: Share::count(answers.clone().map(|a| a.right)),
        written: figure(mean(answers.clone().map(|a| a.written as f64))),
        passes: figure(mean(answers.map(|a| a.passes as f64))),
    }
}
