//! Cross-entropy of logits `[n, vocabulary]` with the tokens that came next.

use rayon::prelude::*;

use super::{ROWS, exp};

/// Mean loss in nats over the rows, and its gradient: (softmax − one-hot) / n, in place of the logits.
pub fn forward(mut logits: Vec<f32>, targets: &[u32], vocabulary: usize) -> (f32, Vec<f32>) {
    let n = targets.len();
    let share = 1.0 / n as f32;
    let losses: Vec<f64> = logits
        .par_chunks_mut(ROWS * vocabulary)
        .zip(targets.par_chunks(ROWS))
        .map(|(rows, targets)| {
            let mut loss = 0.0f64;
            for (row, target) in rows.chunks_exact_mut(vocabulary).zip(targets) {
                let at = *target as usize;
                let largest = row.iter().copied().fold(f32::MIN, f32::max);
                let logit = row[at] - largest;
                let mut sums = [0.0f32; 16];
                for chunk in row.chunks_mut(16) {
                    for (p, sum) in chunk.iter_mut().zip(&mut sums) {
                        *p = exp(*p - largest);
                        *sum += *p;
                    }
                }
                let sum: f32 = sums.iter().sum();
                loss += f64::from(sum.ln() - logit);
                let scale = share / sum;
                row.iter_mut().for_each(|p| *p *= scale);
                row[at] -= share;
            }
            loss
        })
        .collect();
    ((losses.iter().sum::<f64>() / n as f64) as f32, logits)
}
