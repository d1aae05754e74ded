//! silu(gate) · up, with gate and up side by side in a row: `[n, 2·ffn]` to `[n, ffn]`.

use rayon::prelude::*;

use super::{ROWS, exp};

pub fn forward(x: &[f32], ffn: usize) -> Vec<f32> {
    let mut out = vec![0.0; x.len() / 2];
    out.par_chunks_mut(ROWS * ffn).zip(x.par_chunks(ROWS * 2 * ffn)).for_each(|(out, x)| {
        for (out, x) in out.chunks_exact_mut(ffn).zip(x.chunks_exact(2 * ffn)) {
            let (gate, up) = x.split_at(ffn);
            for ((out, g), u) in out.iter_mut().zip(gate).zip(up) {
                *out = g / (1.0 + exp(-g)) * u;
            }
        }
    });
    out
}

/// Gradient of `x` from the gradient of the output.
pub fn backward(x: &[f32], grad: &[f32], ffn: usize) -> Vec<f32> {
    let mut out = vec![0.0; x.len()];
    let tasks = out.par_chunks_mut(ROWS * 2 * ffn).zip(x.par_chunks(ROWS * 2 * ffn)).zip(grad.par_chunks(ROWS * ffn));
    tasks.for_each(|((out, x), grad)| {
        let rows = out.chunks_exact_mut(2 * ffn).zip(x.chunks_exact(2 * ffn)).zip(grad.chunks_exact(ffn));
        for ((out, x), grad) in rows {
            let ((gate, up), (d_gate, d_up)) = (x.split_at(ffn), out.split_at_mut(ffn));
            for i in 0..ffn {
                let (g, u, d) = (gate[i], up[i], grad[i]);
                let sigmoid = 1.0 / (1.0 + exp(-g));
                d_up[i] = d * g * sigmoid;
                d_gate[i] = d * u * sigmoid * (1.0 + g * (1.0 - sigmoid));
            }
        }
    });
    out
}
