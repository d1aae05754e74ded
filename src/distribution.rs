//! Stage 4, distribute: logits to probabilities, over the full vocabulary.
//!
//! Two probabilities are kept apart. `p_raw` is the model's: the softmax of the raw logits. `p` is
//! what is drawn from: repetition penalty, temperature, softmax, then top-k, top-p and min-p, each
//! over what the ones before kept, then renormalised. Every cut keeps the first tokens by rank, so
//! a distribution is a ranking and the number of tokens kept.

use crate::error::{Code, Error, Result};
use crate::ranking::Ranking;
use crate::settings::Sampling;

/// Raw scores, one for each entry of the vocabulary. Not probabilities: a type of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Logits(Vec<f32>);

impl Logits {
    /// `bad-logits` unless there is a finite score and none is NaN or +∞.
    /// −∞ is allowed: a table gives it to what can't follow.
    pub fn new(values: Vec<f32>) -> Result<Logits> {
        let bad = values.iter().position(|x| x.is_nan() || *x == f32::INFINITY);
        if let Some(at) = bad {
            return Err(Error::new(
                Code::BadLogits,
                format!("The model's score for token {at} is {}, not a number.", values[at]),
            ));
        }
        if !values.iter().any(|x| x.is_finite()) {
            return Err(Error::new(Code::BadLogits, "The model gave no token a finite score."));
        }
        Ok(Logits(values))
    }

    pub fn values(&self) -> &[f32] {
        &self.0
    }

    pub fn max(&self) -> f32 {
        self.0.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    pub fn min(&self) -> f32 {
        self.0.iter().copied().fold(f32::INFINITY, f32::min)
    }
}

/// Which setting cut a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    Greedy,
    TopK,
    TopP,
    MinP,
}

impl Cut {
    pub fn as_str(self) -> &'static str {
        match self {
            Cut::Greedy => "greedy",
            Cut::TopK => "top-k",
            Cut::TopP => "top-p",
            Cut::MinP => "min-p",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Distribution {
    pub sampling: Sampling,
    /// Unnormalised exp(logit − max) of the model, and its sum.
    raw: Vec<f64>,
    raw_sum: f64,
    /// Unnormalised weights after penalty and temperature; `None` if they are the model's own.
    adjusted: Option<Vec<f64>>,
    ranking: Ranking,
    /// After each cut in order: how many tokens are left and which cut it was.
    cuts: Vec<(usize, Cut)>,
    kept: usize,
    /// Sum of the weights kept.
    kept_sum: f64,
    entropy_bits: f64,
}

impl Distribution {
    /// `sequence`: the tokens so far, for the repetition penalty.
    pub fn from_logits(logits: &Logits, sequence: &[u32], sampling: Sampling) -> Distribution {
        let values = logits.values();
        let max = f64::from(logits.max());
        let raw: Vec<f64> = values.iter().map(|x| (f64::from(*x) - max).exp()).collect();
        let raw_sum: f64 = raw.iter().sum();
        // H = ln Σe − Σ e·(l − max) / Σe, in nats; e = 0 adds nothing.
        let weighted: f64 =
            raw.iter().zip(values).filter(|(e, _)| **e > 0.0).map(|(e, x)| e * (f64::from(*x) - max)).sum();
        let entropy_bits = ((raw_sum.ln() - weighted / raw_sum) / std::f64::consts::LN_2).max(0.0);

        let scores = penalised(values, sequence, sampling.repetition_penalty);
        let scores = scores.as_deref();
        let temperature = if sampling.temperature > 0.0 { sampling.temperature } else { 1.0 };
        let adjusted = (scores.is_some() || temperature != 1.0).then(|| {
            let scores = scores.unwrap_or(values);
            let max = f64::from(scores.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            // The maximum is exactly 0, so that no temperature, however small, makes a NaN.
            let scaled = |x: f32| if f64::from(x) == max { 0.0 } else { (f64::from(x) - max) / temperature };
            scores.iter().map(|x| scaled(*x).exp()).collect::<Vec<f64>>()
        });
        let ranking = Ranking::new(scores.unwrap_or(values).to_vec());
        let mut distribution = Distribution {
            sampling,
            raw,
            raw_sum,
            adjusted,
            ranking,
            cuts: Vec::new(),
            kept: values.len(),
            kept_sum: 0.0,
            entropy_bits,
        };
        distribution.cut();
        distribution
    }

    /// Applies the cuts in their order and sums up what they keep.
    fn cut(&mut self) {
        let s = self.sampling;
        if s.temperature == 0.0 {
            self.keep(1, Cut::Greedy);
        } else {
            if s.top_k > 0 {
                self.keep(s.top_k, Cut::TopK);
            }
            if s.top_p < 1.0 {
                let target = s.top_p * self.sum_of_first(self.kept);
                let mut sum = 0.0;
                let enough = |weight| {
                    sum += weight;
                    sum >= target
                };
                let n = self.first_where(enough).map_or(self.kept, |at| at + 1);
                self.keep(n, Cut::TopP);
            }
            if s.min_p > 0.0 {
                let least = s.min_p * self.weight_at(0);
                let n = self.first_where(|weight| weight < least).unwrap_or(self.kept);
                self.keep(n.max(1), Cut::MinP);
            }
        }
        self.ranking.sort_first(self.kept.min(s.top).max(1));
        self.kept_sum = self.sum_of_first(self.kept);
    }

    fn keep(&mut self, n: usize, cut: Cut) {
        if n < self.kept {
            self.kept = n;
            self.cuts.push((n, cut));
        }
    }

    /// The first rank among the kept whose weight fulfils `found`.
    fn first_where(&mut self, mut found: impl FnMut(f64) -> bool) -> Option<usize> {
        (0..self.kept).find(|rank| {
            let weight = self.weight_at(*rank);
            found(weight)
        })
    }

    fn weight_at(&mut self, rank: usize) -> f64 {
        let id = self.ranking.id_at(rank);
        self.weight(id)
    }

    fn weight(&self, id: u32) -> f64 {
        self.adjusted.as_ref().unwrap_or(&self.raw)[id as usize]
    }

    fn sum_of_first(&mut self, n: usize) -> f64 {
        let weights = self.adjusted.as_ref().unwrap_or(&self.raw);
        if n == weights.len() {
            return weights.iter().sum();
        }
        self.ranking.partition(n).iter().map(|id| weights[*id as usize]).sum()
    }

    /// Size of the vocabulary.
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// Tokens kept: the first ones by rank.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Entropy of the model's probabilities, in bits.
    pub fn entropy_bits(&self) -> f64 {
        self.entropy_bits
    }

    /// The model's probability, over the full vocabulary.
    pub fn p_raw(&self, id: u32) -> f64 {
        self.raw[id as usize] / self.raw_sum
    }

    /// The id at a rank; 0 is the most likely, ties go to the lower id.
    pub fn id_at(&mut self, rank: usize) -> u32 {
        self.ranking.id_at(rank)
    }

    pub fn rank_of(&mut self, id: u32) -> usize {
        self.ranking.rank_of(id)
    }

    /// The probability it is drawn with, by rank; exactly 0 for what is cut.
    pub fn p_at(&mut self, rank: usize) -> f64 {
        if rank >= self.kept { 0.0 } else { self.weight_at(rank) / self.kept_sum }
    }

    /// Which setting cut this rank, `None` if it is kept.
    pub fn why(&self, rank: usize) -> Option<Cut> {
        self.cuts.iter().find(|(left, _)| rank >= *left).map(|(_, cut)| *cut)
    }

    /// What is not among the first `top` by rank: how many, how many of them kept, Σ p, Σ p_raw.
    pub fn tail(&mut self, top: usize) -> (usize, usize, f64, f64) {
        let top = top.min(self.len());
        let kept = self.kept.saturating_sub(top);
        self.ranking.partition(top);
        if kept > 0 {
            self.ranking.partition(self.kept);
        }
        let others = &self.ranking.order()[top..];
        let mass: f64 = others[..kept].iter().map(|id| self.weight(*id)).sum();
        let raw: f64 = others.iter().map(|id| self.raw[*id as usize]).sum();
        (others.len(), kept, mass / self.kept_sum, raw / self.raw_sum)
    }
}

/// Scores with those of tokens that already occurred divided by the penalty, or multiplied if
/// negative (Keskar et al. 2019, CTRL, <https://arxiv.org/abs/1909.05858>). `None`: no penalty.
fn penalised(values: &[f32], sequence: &[u32], penalty: f64) -> Option<Vec<f32>> {
    if penalty == 1.0 {
        return None;
    }
    let mut seen = vec![false; values.len()];
    for id in sequence {
        if let Some(seen) = seen.get_mut(*id as usize) {
            *seen = true;
        }
    }
    let penalise = |x: f32| {
        let x = f64::from(x);
        // Kept within f32, so that a tiny penalty can't make +∞ out of a finite score.
        let scaled = if x > 0.0 { x / penalty } else { x * penalty };
        if x.is_finite() { scaled.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 } else { x as f32 }
    };
    Some(values.iter().zip(seen).map(|(x, seen)| if seen { penalise(*x) } else { *x }).collect())
}
