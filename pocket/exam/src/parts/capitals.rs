//! Facts: does the model know the capitals it was trained on, and what does it say of those it never saw?

use serde::Serialize;
use small_world::World;

use crate::error::Result;
use crate::statistics::{Share, figure, mean};
use crate::subject::{How, Subject};
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Capitals {
    /// The first token is the most probable, and so on to the full stop and the end of the text.
    pub whole: Share,
    /// The first token of the capital is the most probable.
    pub first: Share,
    /// Mean probability of the capital.
    pub mean_p: f64,
    /// Capitals of the training text, all of them.
    pub known: Vec<Capital>,
    /// Countries whose capital never occurs in the training text.
    pub unknown: Vec<Guess>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Capital {
    pub country: String,
    pub capital: String,
    /// Tokens of the capital.
    pub tokens: usize,
    /// The product over its tokens.
    pub p: f64,
    /// Whether its first token is the most probable one.
    pub first: bool,
    /// What is written greedily, up to the end.
    pub says: String,
    /// Whether that is the capital, a full stop and nothing else.
    pub whole: bool,
}

/// What is said, in place of "I don't know".
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Guess {
    pub country: String,
    pub capital: String,
    /// The answer without its full stop.
    pub says: String,
    /// The product over the tokens of what it says.
    pub p: f64,
    pub right: bool,
}

/// Below this, a capital counts as not known well.
pub const UNSURE: f64 = 0.5;
/// Tokens a capital may take with its full stop, and some more to see whether it ends.
const MOST: usize = 16;

pub fn measure(workers: &Workers, world: &World) -> Result<Capitals> {
    let (held_out, trained): (Vec<_>, Vec<_>) = world.capitals().iter().partition(|c| c.held_out);
    let known = workers.map(&trained, |subject, c| know(subject, c.country, c.capital))?;
    let unknown = workers.map(&held_out, |subject, c| guess(subject, c.country, c.capital))?;
    Ok(Capitals {
        whole: Share::count(known.iter().map(|c| c.whole)),
        first: Share::count(known.iter().map(|c| c.first)),
        mean_p: figure(mean(known.iter().map(|c| c.p))),
        known,
        unknown,
    })
}

impl Capitals {
    pub fn unsure(&self) -> impl Iterator<Item = &Capital> {
        self.known.iter().filter(|c| c.p < UNSURE)
    }
}

fn prompt(country: &str) -> String {
    format!("The capital of {country} is")
}

fn know(subject: &Subject, country: &str, capital: &str) -> Result<Capital> {
    let prompt = subject.ids(&prompt(country))?;
    let tokens = subject.ids(&format!(" {capital}"))?;
    let places = subject.follow(&prompt, &tokens)?;
    let written = subject.write(&prompt, How::greedy(MOST))?;
    Ok(Capital {
        country: country.into(),
        capital: capital.into(),
        p: figure(places.iter().map(|(p, _)| p).product()),
        first: places.first().is_some_and(|(_, top)| *top),
        whole: written.text == format!(" {capital}.") && subject.ended(&written)?,
        tokens: tokens.len(),
        says: written.text,
    })
}

fn guess(subject: &Subject, country: &str, capital: &str) -> Result<Guess> {
    let prompt = subject.ids(&prompt(country))?;
    let written = subject.write(&prompt, How::greedy(MOST))?;
    let (mut says, mut p) = (Vec::new(), 1.0);
    for (id, its_p) in written.ids.iter().zip(&written.p) {
        // The full stop ends the sentence; what it writes in place of a capital is shown, whatever it is.
        if subject.text(&[*id]).trim() == "." {
            break;
        }
        says.push(*id);
        p *= its_p;
    }
    let says = subject.text(&says).trim().to_string();
    let right = says == capital;
    Ok(Guess { country: country.into(), capital: capital.into(), says, p: figure(p), right })
}
