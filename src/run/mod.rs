//! The loop: one state machine for every model.
//!
//! `prefill` reads the prompt, then every turn goes `forward → distribution → sample → stop →
//! append`. The state is token ids; text is made from them. After an error a run is where it was.

mod fork;
mod look;
mod position;
mod record;
mod scores;
mod turn;

use std::rc::Rc;

use web_time::Instant;

use crate::engine::Engine;
use crate::error::{Code, Error, Result};
use crate::event::{Forward, Prefill, PrefillProgress};
use crate::model::{Decoder, Pending};
use crate::settings::RunSettings;
use crate::stop::{FinishReason, HeldText};
pub use fork::ForkOptions;
use scores::{Scores, Stored};
use turn::Turn;

/// The last stage that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Prompt,
    Prefill,
    Forward,
    Distribution,
    Sample,
    Stop,
    /// Also after a rewind: a forward pass comes next.
    Append,
    Done,
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Prompt => "prompt",
            Stage::Prefill => "prefill",
            Stage::Forward => "forward",
            Stage::Distribution => "distribution",
            Stage::Sample => "sample",
            Stage::Stop => "stop",
            Stage::Append => "append",
            Stage::Done => "done",
        }
    }
}

pub struct Run {
    engine: Rc<Engine>,
    decoder: Box<dyn Decoder>,
    settings: RunSettings,
    /// The whole sequence, prompt first.
    tokens: Vec<u32>,
    prompt_length: usize,
    /// The generated text.
    text: HeldText,
    stage: Stage,
    finish: Option<FinishReason>,
    scores: Option<Scores>,
    /// Scores of the positions up to here.
    stored: Stored,
    turn: Turn,
    prefill_ms: f64,
    /// Tokens of the prompt whose K and V came from another run.
    reused: usize,
    /// Whether the whole prompt was read.
    prefilled: bool,
    /// Tokens computed, all passes together.
    passes: u64,
    capacity: usize,
    interrupt: Option<Interrupt>,
}

/// Asked between the chunks of a long pass; an error ends the pass. What was computed stays.
pub type Interrupt = Box<dyn Fn() -> Pending<'static, ()>>;

/// Tokens computed between two chances to cancel a prefill.
const PREFILL_CHUNK: usize = 32;

impl Run {
    pub(crate) fn new(engine: Rc<Engine>, prompt: Vec<u32>, settings: RunSettings) -> Result<Run> {
        let capacity = engine.info.context.min(prompt.len().saturating_add(settings.max_tokens));
        let decoder = engine.model.decoder(capacity)?;
        Ok(Run::with(engine, decoder, prompt, settings, capacity))
    }

    /// Nothing read yet, whatever the decoder holds.
    fn with(
        engine: Rc<Engine>,
        decoder: Box<dyn Decoder>,
        prompt: Vec<u32>,
        settings: RunSettings,
        capacity: usize,
    ) -> Run {
        Run {
            reused: decoder.len(),
            decoder,
            text: HeldText::new(settings.stop.clone()),
            prompt_length: prompt.len(),
            tokens: prompt,
            stage: Stage::Prompt,
            finish: None,
            scores: None,
            stored: Stored::default(),
            turn: Turn::default(),
            prefill_ms: 0.0,
            prefilled: false,
            passes: 0,
            capacity,
            interrupt: None,
            engine,
            settings,
        }
    }

    /// Lets passes of several chunks be interrupted.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = Some(interrupt);
    }

    /// The whole sequence, prompt first.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    pub fn generated(&self) -> &[u32] {
        &self.tokens[self.prompt_length..]
    }

    /// Generated text that is final.
    pub fn text(&self) -> &str {
        self.text.text()
    }

    pub fn stage(&self) -> Stage {
        self.stage
    }

    pub fn finish(&self) -> Option<FinishReason> {
        self.finish
    }

    /// Tokens whose K and V are in the cache.
    pub fn cached(&self) -> usize {
        self.decoder.len()
    }

    /// Tokens computed so far, all passes together.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// Reads the next piece of the prompt; the last one gives the first scores.
    /// In pieces, so that a long prompt can be cancelled and shows progress.
    /// Asked again when all is read, it gives the same record and computes nothing.
    pub async fn prefill_chunk(&mut self) -> Result<PrefillProgress> {
        self.require("prefill", &[Stage::Prompt, Stage::Prefill])?;
        let total = self.prompt_length;
        if self.stage == Stage::Prefill {
            return self.prefill_record();
        }
        let from = self.decoder.len();
        let to = total.min(from + PREFILL_CHUNK);
        if from == self.reused {
            self.prefill_ms = 0.0;
        }
        let started = Instant::now();
        let logits = self.decoder.forward(&self.tokens[from..to], to == total).await?;
        self.prefill_ms += ms_since(started);
        self.passes += (to - from) as u64;
        let Some(logits) = logits else {
            return Ok(PrefillProgress { done: to, total, prefill: None });
        };
        self.keep(Scores {
            logits: Rc::new(logits),
            position: total,
            passes: total - self.reused,
            ms: self.prefill_ms,
        });
        self.prefilled = true;
        self.stage = Stage::Prefill;
        self.turn = Turn::default();
        self.prefill_record()
    }

    fn prefill_record(&self) -> Result<PrefillProgress> {
        let total = self.prompt_length;
        let forward = self.forward_record(self.scores()?.passes)?;
        let mut pieces = self.pieces();
        pieces.truncate(total);
        Ok(PrefillProgress { done: total, total, prefill: Some(Prefill { pieces, forward }) })
    }

    /// Reads the whole prompt.
    pub async fn prefill(&mut self) -> Result<Prefill> {
        loop {
            if let Some(prefill) = self.prefill_chunk().await?.prefill {
                return Ok(prefill);
            }
        }
    }

    /// One pass over the tokens that aren't in the cache: one token, or all of them without a
    /// cache. Where the scores are there already, as after the prefill, it computes nothing.
    pub async fn forward(&mut self) -> Result<Forward> {
        self.require("forward", &[Stage::Prefill, Stage::Append])?;
        let passes = if self.scored() { 0 } else { self.compute().await? };
        let forward = self.forward_record(passes)?;
        self.turn.forward = Some(forward.clone());
        self.stage = Stage::Forward;
        Ok(forward)
    }

    /// Computes what isn't in the cache; gives the number of tokens.
    async fn compute(&mut self) -> Result<usize> {
        if !self.settings.cache {
            self.decoder.truncate(0);
        }
        let started = Instant::now();
        let from = self.decoder.len();
        let mut logits = None;
        while logits.is_none() {
            let at = self.decoder.len();
            if at > from
                && let Some(interrupt) = &self.interrupt
            {
                interrupt().await?;
            }
            let to = self.tokens.len().min(at + PREFILL_CHUNK);
            logits = self.decoder.forward(&self.tokens[at..to], to == self.tokens.len()).await?;
            self.passes += (to - at) as u64;
        }
        let passes = self.tokens.len() - from;
        let position = self.tokens.len();
        let ms = ms_since(started);
        if let Some(logits) = logits {
            self.keep(Scores { logits: Rc::new(logits), position, passes, ms });
        }
        self.turn = Turn::default();
        Ok(passes)
    }

    fn keep(&mut self, scores: Scores) {
        self.stored.push(scores.clone());
        self.scores = Some(scores);
    }

    /// Whether the scores are those of the token that comes next.
    fn scored(&self) -> bool {
        self.scores.as_ref().is_some_and(|s| s.position == self.tokens.len())
    }

    fn forward_record(&self, passes: usize) -> Result<Forward> {
        let scores = self.scores()?;
        Ok(Forward {
            position: scores.position,
            passes,
            ms: if passes == 0 { 0.0 } else { scores.ms },
            min: scores.logits.min(),
            max: scores.logits.max(),
        })
    }

    fn scores(&self) -> Result<&Scores> {
        self.scores.as_ref().ok_or_else(|| {
            Error::new(Code::OutOfOrder, "There are no logits yet.").with_hint("Call prefill() or forward() first.")
        })
    }

    fn require(&self, call: &str, stages: &[Stage]) -> Result<()> {
        if stages.contains(&self.stage) { Ok(()) } else { Err(self.out_of_order(call)) }
    }

    fn out_of_order(&self, call: &str) -> Error {
        let stage = self.stage.as_str();
        let error = Error::new(Code::OutOfOrder, format!("{call}() isn't possible now: the last stage was {stage}."));
        match (self.stage, self.finish) {
            (Stage::Done, Some(finish)) => Error::new(
                Code::OutOfOrder,
                format!("{call}() isn't possible any more: the run is over ({}).", finish.as_str()),
            )
            .with_hint("Start a new run, or call rewind() to go on from an earlier position."),
            (Stage::Prompt, _) => error.with_hint("Call prefill() first."),
            _ => error,
        }
    }
}

fn ms_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}
