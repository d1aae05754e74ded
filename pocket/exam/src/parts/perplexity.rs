//! Perplexity: how surprised the model is by documents it wasn't trained on, overall and by kind.
//!
//! A document's first token is given, not predicted: nothing stands before it. The token that ends a document
//! is predicted like any other. The engine gives the scores of one position a pass, so the tokens go in one by one.

use std::collections::HashSet;

use pollster::block_on;
use serde::Serialize;
use small_world::{Document, Kind, Part, Split, World};

use crate::error::{Error, Result, While};
use crate::statistics::figure;
use crate::subject::Subject;
use crate::workers::Workers;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Perplexity {
    pub all: Surprise,
    pub kinds: Vec<OfKind>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfKind {
    pub kind: &'static str,
    #[serde(flatten)]
    pub surprise: Surprise,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surprise {
    pub documents: usize,
    /// Tokens predicted.
    pub tokens: usize,
    /// Mean negative log likelihood of a token, in nats.
    pub nll: f64,
    /// e to that.
    pub perplexity: f64,
}

/// Documents of the held-out stream that are no training document, to the letter.
pub const DOCUMENTS: usize = 400;
/// Of the held-out stream, how many are looked through: short texts, such as facts, often occur in training.
const CANDIDATES: u64 = 1_500;
/// Training documents that the candidates are compared with: more than any training took.
const TRAINED: u64 = 1_200_000;

pub fn measure(workers: &Workers, world: &World) -> Result<Perplexity> {
    perplexity(workers, &unseen(world, CANDIDATES, TRAINED, DOCUMENTS))
}

/// The first `most` of `candidates` held-out documents that differ from each other and from all `trained`
/// training documents.
pub fn unseen(world: &World, candidates: u64, trained: u64, most: usize) -> Vec<Document> {
    let held = || (0..candidates).map(|index| world.document(Split::Held, index));
    let mut new: HashSet<String> = held().map(|document| document.text()).collect();
    for index in 0..trained {
        new.remove(&world.document(Split::Train, index).text());
    }
    held().filter(|document| new.remove(&document.text())).take(most).collect()
}

/// The perplexity of a file over any documents: the same ones for two files compare their weights.
pub fn perplexity(workers: &Workers, documents: &[Document]) -> Result<Perplexity> {
    let surprises = workers.map(documents, |subject, document| surprise(subject, &tokens(subject, document)?))?;
    let all: Vec<(Kind, &Vec<f64>)> = documents.iter().map(|d| d.kind).zip(&surprises).collect();
    let kinds = Kind::ALL.into_iter().filter_map(|kind| {
        let own = all.iter().filter(|(k, _)| *k == kind).map(|(_, s)| *s);
        let surprise = total(own);
        (surprise.documents > 0).then_some(OfKind { kind: kind.name(), surprise })
    });
    Ok(Perplexity { all: total(surprises.iter()), kinds: kinds.collect() })
}

fn total<'a>(documents: impl Iterator<Item = &'a Vec<f64>>) -> Surprise {
    let (mut n, mut tokens, mut sum) = (0, 0, 0.0);
    for document in documents {
        n += 1;
        tokens += document.len();
        sum += document.iter().sum::<f64>();
    }
    let nll = if tokens == 0 { 0.0 } else { sum / tokens as f64 };
    Surprise { documents: n, tokens, nll: figure(nll), perplexity: figure(nll.exp()) }
}

/// A document's ids; what doesn't fit into the context is cut.
pub fn tokens(subject: &Subject, document: &Document) -> Result<Vec<u32>> {
    let mut ids = Vec::new();
    for part in &document.parts {
        match part {
            Part::Text(text) => ids.extend(subject.ids(text)?),
            Part::Control(control) => ids.push(subject.control(control.spelling())?),
        }
    }
    ids.truncate(subject.engine().info.context);
    Ok(ids)
}

/// The negative log likelihood of each token but the first, in nats.
pub fn surprise(subject: &Subject, ids: &[u32]) -> Result<Vec<f64>> {
    let name = || format!("Reading {:?}", subject.text(ids));
    let mut decoder = subject.engine().model.decoder(ids.len()).doing(name)?;
    let mut surprises = Vec::with_capacity(ids.len());
    for pair in ids.windows(2) {
        let logits = block_on(decoder.forward(&pair[..1], true)).doing(name)?;
        let logits = logits.ok_or_else(|| Error::Unfinished(name()))?;
        let max = f64::from(logits.max());
        let sum: f64 = logits.values().iter().map(|x| (f64::from(*x) - max).exp()).sum();
        // Within the row: the ids are the tokenizer's own.
        let logit = logits.values().get(pair[1] as usize).copied().map_or(f64::NEG_INFINITY, f64::from);
        surprises.push(max + sum.ln() - logit);
    }
    Ok(surprises)
}
