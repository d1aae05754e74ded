//! RMSNorm over rows: y = x / √(mean x² + ε) · w, `[n, d]`.

use rayon::prelude::*;

use super::ROWS;

fn scale(x: &[f32], eps: f32) -> f32 {
    let mean_square = x.iter().map(|x| x * x).sum::<f32>() / x.len() as f32;
    1.0 / (mean_square + eps).sqrt()
}

pub fn forward(x: &[f32], weight: &[f32], eps: f32) -> Vec<f32> {
    let d = weight.len();
    let mut out = vec![0.0; x.len()];
    out.par_chunks_mut(ROWS * d).zip(x.par_chunks(ROWS * d)).for_each(|(out, x)| {
        for (out, x) in out.chunks_exact_mut(d).zip(x.chunks_exact(d)) {
            let scale = scale(x, eps);
            for i in 0..d {
                out[i] = x[i] * scale * weight[i];
            }
        }
    });
    out
}

/// Gradients of `x` and of the weight.
pub fn backward(x: &[f32], weight: &[f32], grad: &[f32], eps: f32) -> (Vec<f32>, Vec<f32>) {
    let d = weight.len();
    let mut dx = vec![0.0; x.len()];
    let tasks = dx.par_chunks_mut(ROWS * d).zip(x.par_chunks(ROWS * d)).zip(grad.par_chunks(ROWS * d));
    // Collected and then added in order: the sum must not depend on which thread came first.
    let parts: Vec<Vec<f32>> = tasks
        .map(|((dx, x), grad)| {
            let mut dw = vec![0.0; d];
            for ((dx, x), grad) in dx.chunks_exact_mut(d).zip(x.chunks_exact(d)).zip(grad.chunks_exact(d)) {
                let scale = scale(x, eps);
                let mut dot = 0.0;
                for i in 0..d {
                    dw[i] += grad[i] * x[i] * scale;
                    dot += grad[i] * weight[i] * x[i];
                }
                let back = dot * scale * scale * scale / d as f32;
                for i in 0..d {
                    dx[i] = grad[i] * weight[i] * scale - x[i] * back;
                }
            }
            dw
        })
        .collect();
    let mut dw = vec![0.0; d];
    for part in parts {
        for i in 0..d {
            dw[i] += part[i];
        }
    }
    (dx, dw)
}
