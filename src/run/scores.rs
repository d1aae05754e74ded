//! Scores that were computed, by position: going back and looking again costs no pass.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::distribution::Logits;

/// Scores and the pass they came from.
#[derive(Clone)]
pub(super) struct Scores {
    /// Shared with the runs that were forked from this one.
    pub logits: Rc<Logits>,
    /// Position of the token they are for.
    pub position: usize,
    pub passes: usize,
    pub ms: f64,
}

/// The latest scores, as many as fit.
#[derive(Clone, Default)]
pub(super) struct Stored {
    by_position: BTreeMap<usize, Scores>,
    bytes: usize,
}

impl Stored {
    /// More than 300 positions of a vocabulary of 49,152.
    const LIMIT: usize = 64 << 20;

    pub fn push(&mut self, scores: Scores) {
        self.bytes += size(&scores);
        if let Some(former) = self.by_position.insert(scores.position, scores) {
            self.bytes -= size(&former);
        }
        while self.bytes > Self::LIMIT && self.by_position.len() > 1 {
            if let Some((_, oldest)) = self.by_position.pop_first() {
                self.bytes -= size(&oldest);
            }
        }
    }

    pub fn at(&self, position: usize) -> Option<&Scores> {
        self.by_position.get(&position)
    }

    /// Forgets those behind `position`: other tokens may follow it.
    pub fn truncate(&mut self, position: usize) {
        self.by_position.retain(|at, _| *at <= position);
        self.bytes = self.by_position.values().map(size).sum();
    }
}

fn size(scores: &Scores) -> usize {
    size_of_val(scores.logits.values())
}
