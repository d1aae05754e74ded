//! Stories: five drawn texts, their sentences, and whether they stay consistent: nobody turns up who wasn't
//! introduced, and nothing changes its colour.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use small_world::{Kind, Split, World};

use crate::error::Result;
use crate::sentences::{sentences, words};
use crate::subject::{How, Subject};
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stories {
    pub prompt: &'static str,
    pub temperature: f64,
    pub stories: Vec<Story>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Story {
    pub seed: u32,
    /// Prompt and continuation.
    pub text: String,
    pub sentences: usize,
    /// Whether it came to an end by itself.
    pub ends: bool,
    /// Names in the first sentence.
    pub names: BTreeSet<String>,
    /// Names that turn up only later.
    pub strangers: BTreeSet<String>,
    /// Things that are said to have two colours.
    pub two_colours: BTreeSet<String>,
}

impl Story {
    /// Ten sentences or more to a proper end, nobody new, every colour kept.
    pub fn holds(&self) -> bool {
        self.sentences >= 10 && self.ends && self.strangers.is_empty() && self.two_colours.is_empty()
    }
}

pub const PROMPT: &str = "Once upon a time";
pub const TEMPERATURE: f64 = 0.7;
const SEEDS: [u32; 5] = [1, 2, 3, 4, 5];
const MOST: usize = 400;
/// Everybody is introduced within these.
const INTRODUCTION: usize = 1;
/// Documents that tell every name many times.
const DOCUMENTS: u64 = 20_000;

pub fn measure(workers: &Workers, world: &World) -> Result<Stories> {
    let given = names(world);
    let stories = workers.map(&SEEDS, |subject, seed| tell(subject, *seed, &given, world.colours()))?;
    Ok(Stories { prompt: PROMPT, temperature: TEMPERATURE, stories })
}

fn tell(subject: &Subject, seed: u32, given: &BTreeSet<String>, colours: &[&str]) -> Result<Story> {
    let how = How { temperature: TEMPERATURE, seed, max_tokens: MOST, stop: None };
    let written = subject.write(&subject.ids(PROMPT)?, how)?;
    let text = format!("{PROMPT}{}", written.text);
    let (names, strangers) = people(&text, given);
    let sentences = sentences(&text).len();
    let two_colours = two_colours(&text, colours);
    let ends = subject.ended(&written)?;
    Ok(Story { seed, sentences, ends, names, strangers, two_colours, text })
}

/// Things that stand behind one colour in one place and behind another in another.
pub fn two_colours(text: &str, colours: &[&str]) -> BTreeSet<String> {
    let words: Vec<&str> = words(text).collect();
    let mut of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for pair in words.windows(2).filter(|pair| colours.contains(&pair[0])) {
        of.entry(pair[1]).or_default().insert(pair[0]);
    }
    of.into_iter().filter(|(_, colours)| colours.len() > 1).map(|(thing, _)| thing.to_string()).collect()
}

/// Names in the introduction, and those that turn up only behind it.
pub fn people(text: &str, given: &BTreeSet<String>) -> (BTreeSet<String>, BTreeSet<String>) {
    let sentences = sentences(text);
    let (introduction, rest) = sentences.split_at(INTRODUCTION.min(sentences.len()));
    let in_these = |sentences: &[&str]| -> BTreeSet<String> {
        sentences.iter().flat_map(|s| words(s)).filter(|word| given.contains(*word)).map(str::to_string).collect()
    };
    let introduced = in_these(introduction);
    let strangers = in_these(rest).difference(&introduced).cloned().collect();
    (introduced, strangers)
}

/// The names that the world's stories give: what somebody is called.
pub fn names(world: &World) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for document in (0..DOCUMENTS).map(|index| world.document(Split::Train, index)) {
        if document.kind == Kind::Story {
            let text = document.text();
            let words: Vec<&str> = words(&text).collect();
            let called = words.windows(2).filter(|pair| pair[0] == "called").map(|pair| pair[1]);
            names.extend(called.filter(|name| name.starts_with(|c: char| c.is_uppercase())).map(str::to_string));
        }
    }
    names
}
