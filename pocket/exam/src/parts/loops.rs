//! Loops: which prompts lead the most probable text into a circle that a little chance gets out of?

use serde::Serialize;

use crate::cycle::cycle;
use crate::error::Result;
use crate::statistics::figure;
use crate::subject::{How, Subject};
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loops {
    pub prompts: Vec<Prompt>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    pub prompt: String,
    /// What is written greedily, its first tokens if it goes round in a circle.
    pub greedy: String,
    /// The circle that the greedy text ends in.
    pub circle: Option<Circle>,
    /// Greedy text in a circle, and none of the drawn ones.
    pub qualifies: bool,
    /// Texts drawn at temperature 0.8, where the greedy one ends in a circle.
    pub drawn: Vec<Drawn>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Circle {
    /// The text of one turn.
    pub text: String,
    pub tokens: usize,
    pub repeats: usize,
    /// The least probability of a token in the last turn: how deep the groove is.
    pub least_p: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawn {
    pub seed: u32,
    pub text: String,
    /// Whether it came to an end by itself.
    pub ends: bool,
    pub circle: bool,
}

pub const TEMPERATURE: f64 = 0.8;
pub const SEEDS: std::ops::RangeInclusive<u32> = 1..=5;
/// Tokens a text may take.
pub const LENGTH: usize = 200;
/// The same cycle this many times to the end is a loop.
pub const REPEATS: usize = 8;

/// Beginnings that any reader would take for the beginning of a text; none is itself a loop.
pub const PROMPTS: [&str; 22] = [
    "The rain fell and",
    "They walked and",
    "It was very,",
    "The wheels go round and",
    "Once there was a",
    "The snow fell and",
    "The wind blew and",
    "The river flowed and",
    "The children laughed and",
    "The clock ticked and",
    "The tree grew and",
    "The road went on and",
    "The balloon went up and",
    "The dog ran and",
    "The train went on and",
    "The dragon was very,",
    "It was a very,",
    "The night was dark,",
    "Row,",
    "Drip,",
    "Far,",
    "No,",
];

pub fn measure(workers: &Workers) -> Result<Loops> {
    Ok(Loops { prompts: workers.map(&PROMPTS, |subject, prompt| examine(subject, prompt))? })
}

impl Loops {
    pub fn qualified(&self) -> impl Iterator<Item = &Prompt> {
        self.prompts.iter().filter(|p| p.qualifies)
    }
}

fn examine(subject: &Subject, prompt: &str) -> Result<Prompt> {
    let ids = subject.ids(prompt)?;
    let greedy = subject.write(&ids, How::greedy(LENGTH))?;
    let found = if greedy.ended_with.is_none() { cycle(&greedy.ids, REPEATS) } else { None };
    let circle = found.map(|c| {
        let last = greedy.ids.len() - c.length;
        Circle {
            // As it is first gone through.
            text: subject.text(&greedy.ids[c.from..c.from + c.length]),
            tokens: c.length,
            repeats: c.repeats,
            least_p: figure(greedy.p[last..].iter().copied().fold(1.0, f64::min)),
        }
    });
    let mut drawn = Vec::new();
    if circle.is_some() {
        for seed in SEEDS {
            let how = How { temperature: TEMPERATURE, seed, max_tokens: LENGTH, stop: None };
            let written = subject.write(&ids, how)?;
            let ends = written.ended_with.is_some();
            let circle = !ends && cycle(&written.ids, REPEATS).is_some();
            drawn.push(Drawn { seed, text: written.text, ends, circle });
        }
    }
    let shown = found.map_or(greedy.ids.len(), |c| (c.from + 3 * c.length).min(greedy.ids.len()));
    Ok(Prompt {
        prompt: prompt.into(),
        greedy: subject.text(&greedy.ids[..shown]),
        qualifies: circle.is_some() && drawn.iter().all(|d| !d.circle),
        circle,
        drawn,
    })
}
