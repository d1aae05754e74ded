//! Stage 5, sample: one coin, one token. A pure function of a distribution and a number in [0, 1).

use crate::distribution::Distribution;
use crate::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The top token; no coin is needed.
    Greedy,
    Sampled,
    /// Somebody took this token in place of a drawn one.
    Forced,
}

impl Method {
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Greedy => "greedy",
            Method::Sampled => "sampled",
            Method::Forced => "forced",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub id: u32,
    pub method: Method,
    /// Unless it was forced without a forward pass.
    pub place: Option<Place>,
    pub coin: Option<f64>,
}

/// Where a token stands in its distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub rank: usize,
    pub p: f64,
    pub p_raw: f64,
    /// Its interval on the cumulative bar, tokens by rank from the left.
    pub lo: f64,
    pub hi: f64,
}

/// The coin for generated token `index`: the same seed and index give the same coin, so that going
/// back and stepping again repeats itself. SplitMix64 (Steele, Lea, Flood 2014), upper 53 bits.
pub fn coin(seed: u64, index: u64) -> f64 {
    const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    // The seed is mixed on its own first: neighbouring seeds must not share shifted streams.
    let state = mix(seed.wrapping_add(GAMMA)).wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA));
    (mix(state) >> 11) as f64 / (1u64 << 53) as f64
}

/// `bad-config` unless the coin is in [0, 1).
pub fn check_coin(coin: f64) -> Result<f64> {
    if (0.0..1.0).contains(&coin) {
        return Ok(coin);
    }
    Err(Error::config(format!("coin is {coin}; it must be at least 0 and less than 1.")))
}

/// The token whose interval the coin lands in; the top token if the distribution is greedy.
pub fn choose(distribution: &mut Distribution, coin: f64) -> Choice {
    if distribution.sampling.temperature == 0.0 {
        let id = distribution.id_at(0);
        let p_raw = distribution.p_raw(id);
        let place = Place { rank: 0, p: 1.0, p_raw, lo: 0.0, hi: 1.0 };
        return Choice { id, method: Method::Greedy, place: Some(place), coin: None };
    }
    let place = walk(distribution, |rank, hi, kept| coin < hi || rank + 1 == kept);
    Choice { id: distribution.id_at(place.rank), method: Method::Sampled, place: Some(place), coin: Some(coin) }
}

/// A token that was taken whatever the coin says; `rank`, `p` and interval are still its own.
pub fn force(distribution: Option<&mut Distribution>, id: u32) -> Choice {
    let place = distribution.map(|distribution| {
        let rank = distribution.rank_of(id);
        if rank < distribution.kept() {
            walk(distribution, |at, _, _| at == rank)
        } else {
            Place { rank, p: 0.0, p_raw: distribution.p_raw(id), lo: 1.0, hi: 1.0 }
        }
    });
    Choice { id, method: Method::Forced, place, coin: None }
}

/// Walks along the cumulative bar until `found(rank, hi, kept)`.
fn walk(distribution: &mut Distribution, found: impl Fn(usize, f64, usize) -> bool) -> Place {
    let kept = distribution.kept();
    let mut lo = 0.0;
    let mut rank = 0;
    loop {
        let p = distribution.p_at(rank);
        // Rounding may leave the last interval short of 1, and a coin may lie in the gap.
        let hi = if rank + 1 == kept { 1.0 } else { lo + p };
        if found(rank, hi, kept) || rank + 1 >= kept {
            let id = distribution.id_at(rank);
            return Place { rank, p, p_raw: distribution.p_raw(id), lo, hi };
        }
        lo = hi;
        rank += 1;
    }
}
