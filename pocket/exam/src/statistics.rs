//! Shares with their uncertainty, means, and figures rounded to what can be said.

use serde::Serialize;

/// A share of successes with its Wilson 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    pub right: usize,
    pub of: usize,
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// `of` trials, `right` of them successful.
    pub fn new(right: usize, of: usize) -> Share {
        let (low, high) = wilson(right, of);
        let share = if of == 0 { 0.0 } else { right as f64 / of as f64 };
        Share { right, of, share: figure(share), low: figure(low), high: figure(high) }
    }

    pub fn count(trials: impl IntoIterator<Item = bool>) -> Share {
        let (right, of) = trials.into_iter().fold((0, 0), |(right, of), ok| (right + usize::from(ok), of + 1));
        Share::new(right, of)
    }
}

/// Wilson's score interval (Wilson 1927): unlike the usual ± it stays inside 0 to 1 and means something for
/// shares of exactly 0 and 1, which is what a well-trained model gives. Nothing is known of no trials.
pub fn wilson(right: usize, of: usize) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (of as f64, right as f64 / of as f64);
    let z2 = Z * Z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the interval reaches the end exactly, which rounding may miss by a hair.
    let low = if right == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if right == of { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, n) = values.into_iter().fold((0.0, 0u64), |(sum, n), x| (sum + x, n + 1));
    if n == 0 { 0.0 } else { sum / n as f64 }
}

/// Rounded to four significant digits: float32 in another order moves the seventh.
pub fn figure(x: f64) -> f64 {
    // By way of text, so that the result is the nearest number to what will be written.
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// A probability for people.
pub fn places(p: f64) -> String {
    format!("{p:.3}")
}

/// A share for people.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
