//! A second run from the same beginning: what is computed already is copied, not computed again.

use std::rc::Rc;

use super::Run;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::settings::{RunChange, RunSettings};

/// What a fork does otherwise than its run. All may be left out.
#[derive(Debug, Clone, Default)]
pub struct ForkOptions {
    /// Tokens that both begin with, prompt included. Default: all.
    pub position: Option<usize>,
    pub change: RunChange,
}

impl Run {
    /// A run of its own from `position` on. This one stays as it is. K, V and scores up to there are
    /// the same; a limit or a stop sequence of its own may end it otherwise. Its passes start at 0.
    pub fn fork(&self, options: &ForkOptions) -> Result<Run> {
        let position = options.position.unwrap_or(self.tokens.len());
        self.check_position(position)?;
        let settings = self.settings.clone().with(&options.change)?;
        let limit = self.prompt_length.saturating_add(settings.max_tokens).max(position);
        let capacity = self.engine.info.context.min(limit);
        let decoder = self.decoder.fork(position.min(self.decoder.len()), capacity)?;
        let mut run =
            Run::with(self.engine.clone(), decoder, self.tokens[..self.prompt_length].to_vec(), settings, capacity);
        run.tokens = self.tokens.clone();
        run.reused = self.reused;
        run.prefilled = self.prefilled;
        run.prefill_ms = self.prefill_ms;
        run.stored = self.stored.clone();
        run.rewind(position)?;
        Ok(run)
    }

    /// A run on another prompt that takes K and V of the tokens that both begin with from `other`.
    /// At least one token is left to compute: the scores come from it.
    pub(crate) fn reusing(engine: Rc<Engine>, other: &Run, prompt: Vec<u32>, settings: RunSettings) -> Result<Run> {
        if !Rc::ptr_eq(&engine, &other.engine) {
            return Err(Error::config("reuse is a run of another model; K and V fit their own model only."));
        }
        if !settings.cache {
            return Err(Error::config("reuse was given together with cache: false; without a cache nothing is kept."));
        }
        let same = prompt.iter().zip(&other.tokens[..other.cached()]).take_while(|(a, b)| a == b).count();
        let same = same.min(prompt.len().saturating_sub(1));
        let capacity = engine.info.context.min(prompt.len().saturating_add(settings.max_tokens));
        let decoder = other.decoder.fork(same, capacity)?;
        Ok(Run::with(engine, decoder, prompt, settings, capacity))
    }
}
