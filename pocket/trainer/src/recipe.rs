//! Everything that decides what the trained model is. Trials behind these numbers are in the card.

use burn::grad_clipping::GradientClippingConfig;
use burn::module::ParamGroup;
use burn::optim::{AdamWConfig, AdjustLrFn, ModuleOptimizer, MuonConfig};
use serde::{Deserialize, Serialize};

use crate::network::Sizes;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    pub sizes: Sizes,
    /// Seed of the first weights. The corpus has its own, in its crate.
    pub seed: u64,
    /// Documents that the tokenizer is learned from.
    pub tokenizer_documents: u64,
    /// Tokens of a step: whole documents are taken until the next would go over.
    pub step_tokens: usize,
    /// One after the other; the corpus goes on.
    pub rounds: [Round; 2],
    pub weight_decay: f32,
    pub optimizer: Kind,
}

/// Some steps in which the learning rate rises in a line, stays, and falls in a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Round {
    pub steps: u64,
    pub learning_rate: f64,
    /// Steps at the start in which the rate rises from nothing.
    pub warmup: u64,
    /// Steps at the end in which it falls to nothing.
    pub cooldown: u64,
}

impl Round {
    pub const NONE: Round = Round { steps: 0, learning_rate: 0.0, warmup: 0, cooldown: 0 };

    fn rate(&self, step: u64) -> f64 {
        let up = (step + 1) as f64 / self.warmup.max(1) as f64;
        let down = self.steps.saturating_sub(step) as f64 / self.cooldown.max(1) as f64;
        self.learning_rate * up.min(down).min(1.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    AdamW,
    /// Muon for the matrices of the blocks, AdamW for the rest.
    Muon,
}

impl Kind {
    pub fn from_name(name: &str) -> Result<Kind, String> {
        match name {
            "adamw" => Ok(Kind::AdamW),
            "muon" => Ok(Kind::Muon),
            _ => Err(format!("{name} is no optimizer: adamw and muon are")),
        }
    }
}

impl Recipe {
    pub const POCKET: Recipe = Recipe {
        sizes: Sizes {
            vocabulary: 2048,
            context: 512,
            layers: 4,
            d: 128,
            ffn: 384,
            heads: 4,
            kv_heads: 2,
            head_dim: 32,
            rope_base: 10_000.0,
            norm_eps: 1e-5,
        },
        seed: 1,
        tokenizer_documents: 60_000,
        step_tokens: 4096,
        rounds: [
            Round { steps: 6_500, learning_rate: 6e-3, warmup: 100, cooldown: 2_000 },
            Round { steps: 1_600, learning_rate: 3e-3, warmup: 50, cooldown: 1_500 },
        ],
        weight_decay: 0.05,
        optimizer: Kind::Muon,
    };

    pub fn steps(&self) -> u64 {
        self.rounds.iter().map(|round| round.steps).sum()
    }

    /// Learning rate of step `step`.
    pub fn rate(&self, step: u64) -> f64 {
        let [first, second] = &self.rounds;
        if step < first.steps { first.rate(step) } else { second.rate(step - first.steps) }
    }

    pub fn optimizer(&self) -> ModuleOptimizer {
        let clip = GradientClippingConfig::Norm(1.0);
        let adam = AdamWConfig::new().with_beta_2(0.95).with_epsilon(1e-8).with_weight_decay(self.weight_decay);
        let adam = adam.with_grad_clipping(Some(clip)).init();
        match self.optimizer {
            Kind::AdamW => adam,
            Kind::Muon => {
                let decay = burn::optim::decay::WeightDecayConfig::new(self.weight_decay);
                let muon =
                    MuonConfig::new().with_weight_decay(Some(decay)).with_adjust_lr_fn(AdjustLrFn::MatchRmsAdamW);
                let matrices =
                    ParamGroup::from_any_predicates(["qkv", "output", "gate_up", "down"].map(str::to_string).to_vec());
                adam.with_group(matrices, muon.build(), None)
            }
        }
    }
}
