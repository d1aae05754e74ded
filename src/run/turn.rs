//! One turn of the loop: from scores to an appended token.

use web_time::Instant;

use super::{Run, Stage, ms_since};
use crate::distribution::Distribution;
use crate::error::Result;
use crate::event::{ChoiceRecord, DistributionRecord, Forward, Step, StopRecord};
use crate::sampler::{self, Choice};
use crate::settings::{Sampling, SamplingOptions};
use crate::stop::FinishReason;

/// What the stages of the present turn have made so far.
#[derive(Default)]
pub(super) struct Turn {
    pub forward: Option<Forward>,
    pub distribution: Option<Distribution>,
    pub choice: Option<Choice>,
    pub verdict: Option<Verdict>,
    /// Computing time of the stages after the forward pass; asked again, the last answer's.
    pub distribution_ms: f64,
    pub sample_ms: f64,
    pub append_ms: f64,
}

impl Turn {
    pub(super) fn ms(&self) -> f64 {
        let forward = self.forward.as_ref().map_or(0.0, |f| f.ms);
        forward + self.distribution_ms + self.sample_ms + self.append_ms
    }
}

/// The stop check's answer for the chosen token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub reason: Option<FinishReason>,
    pub sequence: Option<String>,
}

impl Run {
    /// The distribution of these scores; may be asked again with other settings, without a pass.
    pub fn distribution(&mut self, options: &SamplingOptions) -> Result<DistributionRecord> {
        self.require("distribution", &[Stage::Forward, Stage::Distribution, Stage::Sample, Stage::Stop])?;
        let sampling = self.settings.sampling.with(options)?;
        self.distribute(sampling)?;
        self.stage = Stage::Distribution;
        self.distribution_record()
    }

    fn distribute(&mut self, sampling: Sampling) -> Result<()> {
        let started = Instant::now();
        let distribution = Distribution::from_logits(&self.scores()?.logits, &self.tokens, sampling);
        self.turn.distribution = Some(distribution);
        self.turn.choice = None;
        self.turn.verdict = None;
        self.turn.distribution_ms = ms_since(started);
        Ok(())
    }

    /// Draws a token. `coin` replaces the seeded one.
    pub fn sample(&mut self, coin: Option<f64>) -> Result<ChoiceRecord> {
        self.require("sample", &[Stage::Distribution, Stage::Sample])?;
        let started = Instant::now();
        let index = self.generated().len() as u64;
        let coin = match coin {
            Some(coin) => sampler::check_coin(coin)?,
            None => sampler::coin(self.settings.seed, index),
        };
        let Some(distribution) = self.turn.distribution.as_mut() else {
            return Err(self.out_of_order("sample"));
        };
        self.turn.choice = Some(sampler::choose(distribution, coin));
        self.turn.verdict = None;
        self.turn.sample_ms = ms_since(started);
        self.stage = Stage::Sample;
        self.choice_record()
    }

    /// Whether the chosen token ends the run; `None`: it goes on.
    pub fn stop(&mut self) -> Result<Option<StopRecord>> {
        self.require("stop", &[Stage::Sample, Stage::Stop])?;
        if let Some(choice) = &self.turn.choice {
            self.turn.verdict = Some(self.check(choice.id));
        }
        self.stage = Stage::Stop;
        Ok(self.stop_record())
    }

    /// The stop check. A complete stop sequence counts before a limit reached by the same token.
    fn check(&self, id: u32) -> Verdict {
        let over = |reason| Verdict { reason, sequence: None };
        if self.engine.eos.contains(&id) {
            return over(Some(FinishReason::Eos));
        }
        if let Some(sequence) = self.text.peek(&self.text_bytes(id)) {
            return Verdict { reason: Some(FinishReason::Stop), sequence: Some(sequence) };
        }
        over(self.limit(self.tokens.len() + 1))
    }

    /// The limit that a sequence of this length reaches.
    pub(super) fn limit(&self, length: usize) -> Option<FinishReason> {
        if length - self.prompt_length >= self.settings.max_tokens {
            Some(FinishReason::Length)
        } else if length >= self.engine.info.context {
            Some(FinishReason::Context)
        } else {
            None
        }
    }

    /// What a token adds to the text: its bytes, none for a control token.
    pub(super) fn text_bytes(&self, id: u32) -> Vec<u8> {
        let vocabulary = &self.engine.vocabulary;
        if vocabulary.is_special(id) {
            return Vec::new();
        }
        [vocabulary.separator(), vocabulary.bytes(id)].concat()
    }

    /// Appends the chosen token unless it is an end-of-text token, and ends the turn.
    pub fn append(&mut self) -> Result<Step> {
        self.require("append", &[Stage::Sample, Stage::Stop])?;
        if self.stage == Stage::Sample {
            self.stop()?;
        }
        let started = Instant::now();
        let Some((id, verdict)) = self.turn.choice.as_ref().map(|c| c.id).zip(self.turn.verdict.clone()) else {
            return Err(self.out_of_order("append"));
        };
        let index = self.generated().len();
        let final_before = self.text.text().len();
        let joins = verdict.reason != Some(FinishReason::Eos);
        if joins {
            self.tokens.push(id);
            self.text.push(&self.text_bytes(id));
        }
        if !matches!(verdict.reason, None | Some(FinishReason::Stop)) {
            self.text.flush();
        }
        self.finish = verdict.reason;
        self.stage = if self.finish.is_some() { Stage::Done } else { Stage::Append };
        self.turn.append_ms = ms_since(started);
        let step = self.step_record(index, joins.then_some(final_before));
        self.turn = Turn::default();
        step
    }

    /// The rest of the turn, or a whole one.
    pub async fn step(&mut self, options: &SamplingOptions) -> Result<Step> {
        let sampling = self.settings.sampling.with(options)?;
        if matches!(self.stage, Stage::Prompt | Stage::Done) {
            return Err(self.out_of_order("step"));
        }
        if matches!(self.stage, Stage::Prefill | Stage::Append) {
            self.forward().await?;
        }
        let stale = self.turn.distribution.as_ref().is_none_or(|d| d.sampling != sampling);
        let given = options.any();
        if self.stage == Stage::Forward || (given && stale) {
            self.distribute(sampling)?;
            self.stage = Stage::Distribution;
        }
        if self.stage == Stage::Distribution {
            self.sample(None)?;
        }
        self.append()
    }

    /// Takes this token in place of a drawn one, and appends it.
    /// Needs no forward pass; without one its probability isn't known.
    pub fn force(&mut self, id: u32) -> Result<Step> {
        if matches!(self.stage, Stage::Prompt | Stage::Done) {
            return Err(self.out_of_order("force"));
        }
        self.engine.vocabulary.check(id)?;
        if self.stage == Stage::Append && !self.scored() {
            self.turn = Turn::default();
        } else {
            if self.turn.forward.is_none() {
                self.turn.forward = Some(self.forward_record(0)?);
            }
            if self.turn.distribution.is_none() {
                self.distribute(self.settings.sampling)?;
            }
        }
        self.turn.choice = Some(sampler::force(self.turn.distribution.as_mut(), id));
        self.turn.verdict = None;
        self.stage = Stage::Sample;
        self.append()
    }

    /// Ends the run. Everything computed stays; `rewind` goes on from there.
    pub fn cancel(&mut self) {
        if self.finish.is_none() {
            self.finish = Some(FinishReason::Cancelled);
            self.stage = Stage::Done;
            self.text.flush();
        }
    }
}
