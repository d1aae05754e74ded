//! Looking at what was computed without changing anything: no pass, no new stage.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Run, Scores};
use crate::distribution::{Distribution, Logits};
use crate::error::{Code, Error, Result};
use crate::event::{DistributionRecord, Draw, Draws};
use crate::model::{Attention, Kv};
use crate::sampler;
use crate::settings::SamplingOptions;

/// Draws in one call.
const MOST_DRAWS: f64 = 100_000.0;

impl Run {
    /// The last pass's scores and the position of the token they are for.
    pub fn logits(&self) -> Result<(usize, &Logits)> {
        let scores = self.scores()?;
        Ok((scores.position, &scores.logits))
    }

    /// The scores of an earlier pass.
    pub fn logits_at(&self, position: usize) -> Result<&Logits> {
        Ok(&self.scores_at(position)?.logits)
    }

    fn scores_at(&self, position: usize) -> Result<&Scores> {
        self.stored.at(position).ok_or_else(|| {
            Error::new(Code::OutOfOrder, format!("There are no scores for position {position}."))
                .with_hint("Only positions that a pass was for have scores, and of a long run only the latest ones.")
        })
    }

    /// The distribution that the token at `position` was, or will be, drawn from, under any settings.
    pub fn distribution_at(&self, position: usize, options: &SamplingOptions) -> Result<DistributionRecord> {
        let (mut distribution, scores) = self.distribute_at(position, options)?;
        Ok(self.record_of(&mut distribution, &scores.logits))
    }

    fn distribute_at(&self, position: usize, options: &SamplingOptions) -> Result<(Distribution, &Scores)> {
        let sampling = self.settings.sampling.with(options)?;
        let scores = self.scores_at(position)?;
        Ok((Distribution::from_logits(&scores.logits, &self.tokens[..position], sampling), scores))
    }

    /// Draws `times` tokens for one position. Draw i takes the coin that token i of a run with this
    /// seed would get.
    pub fn draws(&self, position: usize, times: f64, seed: Option<f64>, options: &SamplingOptions) -> Result<Draws> {
        if times.fract() != 0.0 || !(1.0..=MOST_DRAWS).contains(&times) {
            return Err(Error::config(format!("times is {times}; it must be a whole number from 1 to {MOST_DRAWS}.")));
        }
        let (mut distribution, _) = self.distribute_at(position, options)?;
        let seed = crate::settings::seed(seed, self.settings.seed)?;
        let mut drawn: BTreeMap<usize, usize> = BTreeMap::new();
        for index in 0..times as u64 {
            let choice = sampler::choose(&mut distribution, sampler::coin(seed, index));
            *drawn.entry(choice.place.map_or(0, |place| place.rank)).or_default() += 1;
        }
        let draws = drawn
            .into_iter()
            .map(|(rank, count)| {
                let id = distribution.id_at(rank);
                let piece = self.engine.vocabulary.piece(id);
                Draw { piece, rank, count, p: distribution.p_at(rank), p_raw: distribution.p_raw(id) }
            })
            .collect();
        let settings = super::record::settings(distribution.sampling);
        Ok(Draws { position, times: times as usize, seed, settings, draws })
    }

    pub async fn attention(&self, layer: usize) -> Result<Attention> {
        self.check_layer(layer)?;
        self.decoder.attention(layer).await
    }

    pub async fn kv(&self, layer: usize) -> Result<Kv> {
        self.kv_of(layer, 0..self.decoder.len()).await
    }

    /// K and V of some cached tokens in a layer.
    pub async fn kv_of(&self, layer: usize, tokens: Range<usize>) -> Result<Kv> {
        self.check_layer(layer)?;
        self.decoder.kv(layer, tokens).await
    }

    fn check_layer(&self, layer: usize) -> Result<()> {
        let layers = self.engine.info.layers;
        if layer < layers || layers == 0 {
            return Ok(());
        }
        Err(Error::config(format!("layer is {layer}; the model's layers go from 0 to {}.", layers - 1)))
    }

    /// Coins thrown from now on come from this seed.
    pub fn reseed(&mut self, seed: f64) -> Result<()> {
        self.settings.seed = crate::settings::seed(Some(seed), 0)?;
        Ok(())
    }
}
