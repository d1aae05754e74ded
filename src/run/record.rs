//! The run's state as records for views.

use super::{Run, Stage};
use crate::distribution::{Distribution, Logits};
use crate::error::Result;
use crate::event::{
    Appended, Candidate, ChoiceRecord, DistributionRecord, LogitsSummary, Piece, RunState, Segment, SettingsRecord,
    Step, StopRecord, Tail,
};
use crate::settings::Sampling;
use crate::stop::FinishReason;

impl Run {
    pub fn state(&self) -> RunState {
        let text = &self.text;
        RunState {
            stage: self.stage.as_str(),
            tokens: self.tokens.clone(),
            prompt_length: self.prompt_length,
            prompt_text: self.engine.vocabulary.decode(&self.tokens[..self.prompt_length]),
            text: text.text().to_string(),
            held: text.held().to_string(),
            pending: text.pending().to_vec(),
            segments: self.segments(),
            naive: [text.text(), text.held(), text.trimmed()].concat(),
            finish: self.finish.map(FinishReason::as_str),
            cached: self.cached(),
            reused: self.reused,
            max_tokens: self.settings.max_tokens,
            passes: self.passes,
            capacity: self.capacity,
        }
    }

    /// The tokens of the whole sequence.
    pub fn pieces(&self) -> Vec<Piece> {
        self.tokens.iter().map(|id| self.engine.vocabulary.piece(*id)).collect()
    }

    fn segments(&self) -> Vec<Segment> {
        let text = self.text.text();
        let mut segments = Vec::new();
        let mut from = 0;
        for stray in self.text.strays() {
            if stray.at > from {
                segments.push(Segment::Text(text[from..stray.at].to_string()));
            }
            segments.push(Segment::Bytes(stray.bytes.clone()));
            from = stray.at + char::REPLACEMENT_CHARACTER.len_utf8();
        }
        if from < text.len() {
            segments.push(Segment::Text(text[from..].to_string()));
        }
        segments
    }

    pub(super) fn distribution_record(&mut self) -> Result<DistributionRecord> {
        let Some(mut distribution) = self.turn.distribution.take() else {
            return Err(self.out_of_order("distribution"));
        };
        let record = self.scores().map(|scores| self.record_of(&mut distribution, &scores.logits));
        self.turn.distribution = Some(distribution);
        record
    }

    /// `logits`: the scores that the distribution was made of.
    pub(super) fn record_of(&self, distribution: &mut Distribution, logits: &Logits) -> DistributionRecord {
        let scores = logits.values();
        let top = distribution.sampling.top.min(distribution.len());
        let candidates = (0..top)
            .map(|rank| {
                let id = distribution.id_at(rank);
                Candidate {
                    piece: self.engine.vocabulary.piece(id),
                    logit: scores[id as usize],
                    p_raw: distribution.p_raw(id),
                    p: distribution.p_at(rank),
                    rank,
                    kept: rank < distribution.kept(),
                    why: distribution.why(rank).map(|cut| cut.as_str()),
                }
            })
            .collect();
        let (count, kept, mass, mass_raw) = distribution.tail(top);
        DistributionRecord {
            settings: settings(distribution.sampling),
            candidates,
            tail: Tail { count, kept, mass, mass_raw },
            kept: distribution.kept(),
            entropy_bits: distribution.entropy_bits(),
        }
    }

    pub(super) fn choice_record(&self) -> Result<ChoiceRecord> {
        let choice = self.turn.choice.as_ref().ok_or_else(|| self.out_of_order("sample"))?;
        let place = choice.place;
        Ok(ChoiceRecord {
            piece: self.engine.vocabulary.piece(choice.id),
            rank: place.map(|p| p.rank),
            p: place.map(|p| p.p),
            p_raw: place.map(|p| p.p_raw),
            lo: place.map(|p| p.lo),
            hi: place.map(|p| p.hi),
            coin: choice.coin,
            method: choice.method.as_str(),
        })
    }

    pub(super) fn stop_record(&self) -> Option<StopRecord> {
        let verdict = self.turn.verdict.as_ref()?;
        let reason = verdict.reason?;
        Some(StopRecord {
            reason: reason.as_str(),
            joins: reason != FinishReason::Eos,
            sequence: verdict.sequence.clone(),
        })
    }

    /// `final_before`: bytes of final text before the token joined; `None` if it joined nothing.
    pub(super) fn step_record(&mut self, index: usize, final_before: Option<usize>) -> Result<Step> {
        let choice = self.choice_record()?;
        let forward = self.turn.forward.as_ref();
        let logits = forward.map(|f| LogitsSummary { min: f.min, max: f.max, ms: f.ms, passes: f.passes });
        let ms = self.turn.ms();
        let prompt = &self.tokens[..self.prompt_length];
        let vocabulary = &self.engine.vocabulary;
        let pieces = (index == 0).then(|| prompt.iter().map(|id| vocabulary.piece(*id)).collect());
        let appended = final_before.map(|from| Appended {
            piece: vocabulary.piece(choice.piece.id),
            text: self.text.text().get(from..).unwrap_or_default().to_string(),
            length: self.tokens.len(),
        });
        // A token forced without a pass has no distribution.
        let distribution = if self.turn.distribution.is_some() { Some(self.distribution_record()?) } else { None };
        let (kept, entropy_bits) =
            (distribution.as_ref().map(|d| d.kept), distribution.as_ref().map(|d| d.entropy_bits));
        let (settings, candidates, tail) = match distribution {
            Some(d) => (d.settings, d.candidates, Some(d.tail)),
            None => (settings(self.settings.sampling), Vec::new(), None),
        };
        Ok(Step {
            v: 1,
            index,
            position: self.prompt_length + index,
            pieces,
            logits,
            settings,
            candidates,
            tail,
            kept,
            entropy_bits,
            choice,
            stop: self.stop_record(),
            appended,
            ms,
        })
    }

    /// Whether a token could still be appended.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }
}

pub(super) fn settings(s: Sampling) -> SettingsRecord {
    SettingsRecord {
        temperature: s.temperature,
        top_k: s.top_k,
        top_p: s.top_p,
        min_p: s.min_p,
        repetition_penalty: s.repetition_penalty,
        top: s.top,
    }
}
