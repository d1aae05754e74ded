//! The packed product in plain Rust: what the other two are held to, and the native path.

use super::ops::Shape;
use super::pack::block_values;
use crate::gguf::BLOCK;

/// `x`: `[t][cols]`, gives `[t][rows]`. Every weight is unpacked to f32 once per call.
pub fn multiply(x: &[f32], words: &[u32], scales: &[u32], shape: Shape) -> Vec<f32> {
    let Shape { kind, rows, cols } = shape;
    let (t, blocks, n) = (x.len() / cols, cols / BLOCK, kind.words());
    let mut out = vec![0.0; t * rows];
    let mut weights = vec![0.0; cols];
    for row in 0..rows {
        for b in 0..blocks {
            let block = row * blocks + b;
            let values = block_values(kind, &words[block * n..][..n], scales[block]);
            weights[b * BLOCK..][..BLOCK].copy_from_slice(&values);
        }
        for (i, x) in x.chunks_exact(cols).enumerate() {
            out[i * rows + row] = dot(&weights, x);
        }
    }
    out
}

/// Eight partial sums: the compiler may use vectors, and rounding errors stay small.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum()
}
