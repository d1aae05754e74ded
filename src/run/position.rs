//! Going back: an earlier position of the sequence, or on from where a run was cancelled.

use super::turn::Turn;
use super::{Run, Stage};
use crate::error::{Error, Result};
use crate::stop::{FinishReason, HeldText};

impl Run {
    /// Keeps the first `position` tokens, prompt included, and undoes `finish`, unless these tokens
    /// already reach a limit or complete a stop sequence. Cached tokens stay cached. Where the scores
    /// are still stored the next forward pass computes nothing, otherwise the last token kept.
    pub fn rewind(&mut self, position: usize) -> Result<()> {
        self.check_position(position)?;
        self.tokens.truncate(position);
        self.stored.truncate(position);
        self.turn = Turn::default();
        self.scores = self.stored.at(position).cloned();
        if !self.prefilled {
            self.stage = Stage::Prompt;
        } else if self.scores.is_some() {
            self.decoder.truncate(position);
            self.stage = if position == self.prompt_length { Stage::Prefill } else { Stage::Append };
        } else {
            // Its scores come out of a pass over the last token.
            self.decoder.truncate(position - 1);
            self.stage = Stage::Append;
        }
        let stopped = self.rebuild_text()?;
        self.finish = if stopped { Some(FinishReason::Stop) } else { self.limit(position) };
        if self.finish.is_some() {
            self.stage = Stage::Done;
            if !stopped {
                self.text.flush();
            }
        }
        Ok(())
    }

    pub(super) fn check_position(&self, position: usize) -> Result<()> {
        let (least, most) = (self.prompt_length, self.tokens.len());
        if (least..=most).contains(&position) {
            return Ok(());
        }
        Err(Error::config(format!(
            "position is {position}; it must be from {least} (the prompt) to {most} (the present length)."
        )))
    }

    /// Whether the text ends in a stop sequence.
    fn rebuild_text(&mut self) -> Result<bool> {
        let mut text = HeldText::new(self.settings.stop.clone());
        let mut stopped = None;
        for (at, id) in (self.prompt_length + 1..).zip(self.generated()) {
            // Only the last one can complete a sequence: that ended the run. A fork may bring other sequences.
            if let Some(at) = stopped {
                return Err(Error::config(format!(
                    "A stop sequence is complete after {at} tokens already; fork there or before."
                )));
            }
            stopped = text.push(&self.text_bytes(*id)).map(|_| at);
        }
        self.text = text;
        Ok(stopped.is_some())
    }
}
