//! Grouped-query attention with rotary positions, over whole documents laid one after the other.
//!
//! A row is one token's q, k and v: `[(heads + 2·kv_heads)·head_dim]`. A token looks at the tokens of
//! its own document up to itself, and positions count from 0 in each document: just as a document is
//! read when the model is used.

use gemm::Parallelism;
use rayon::prelude::*;

use super::exp;
use super::matmul::{View, library};

#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub rope_base: f32,
}

impl Shape {
    /// Width of a row of q, k and v.
    pub fn row(self) -> usize {
        (self.heads + 2 * self.kv_heads) * self.head_dim
    }

    pub fn out(self) -> usize {
        self.heads * self.head_dim
    }
}

/// Cosines and sines by position: `[t][head_dim / 2]`.
struct Angles(Vec<(f32, f32)>);

impl Angles {
    fn new(shape: Shape, t: usize) -> Angles {
        let half = shape.head_dim / 2;
        let angle = |position: usize, i: usize| {
            let frequency = f64::from(shape.rope_base).powf(-2.0 * i as f64 / shape.head_dim as f64);
            let (s, c) = (position as f64 * frequency).sin_cos();
            (c as f32, s as f32)
        };
        Angles((0..t).flat_map(|p| (0..half).map(move |i| (p, i))).map(|(p, i)| angle(p, i)).collect())
    }

    /// Turns the neighbours (x₂ᵢ, x₂ᵢ₊₁) of every row, forwards or (`sign` −1) back.
    fn turn(&self, x: &mut [f32], head_dim: usize, sign: f32) {
        for (pair, (c, s)) in x.chunks_exact_mut(2).zip(self.0.chunks_exact(head_dim / 2).flatten()) {
            let (a, b, s) = (pair[0], pair[1], s * sign);
            pair[0] = a * c - b * s;
            pair[1] = a * s + b * c;
        }
    }
}

/// One head's columns of a document's rows.
fn take(rows: &[f32], width: usize, head: usize, head_dim: usize) -> Vec<f32> {
    rows.chunks_exact(width).flat_map(|row| &row[head * head_dim..][..head_dim]).copied().collect()
}

fn put(rows: &mut [f32], width: usize, head: usize, values: &[f32], head_dim: usize) {
    for (row, values) in rows.chunks_exact_mut(width).zip(values.chunks_exact(head_dim)) {
        row[head * head_dim..][..head_dim].copy_from_slice(values);
    }
}

/// scale · a · b, added to `out` if `add`, on this thread: the documents have the others.
fn multiply(out: &mut [f32], add: bool, scale: f32, a: View, b: View) {
    library(a, b, scale, add, out, Parallelism::None);
}

/// Attention weights of one head: softmax of q·kᵀ/√d over the past, `[t, t]`.
fn weights(q: &[f32], k: &[f32], t: usize, d: usize) -> Vec<f32> {
    let mut scores = vec![0.0; t * t];
    let scale = 1.0 / (d as f32).sqrt();
    multiply(&mut scores, false, scale, View::new(q, t, d), View::new(k, t, d).transpose());
    for (i, row) in scores.chunks_exact_mut(t).enumerate() {
        let (past, future) = row.split_at_mut(i + 1);
        let largest = past.iter().copied().fold(f32::MIN, f32::max);
        past.iter_mut().for_each(|s| *s = exp(*s - largest));
        let sum: f32 = past.iter().sum();
        past.iter_mut().for_each(|s| *s /= sum);
        future.fill(0.0);
    }
    scores
}

/// `documents`: their lengths, which add up to the rows of `qkv`. Gives `[n, heads·head_dim]`.
pub fn forward(qkv: &[f32], documents: &[usize], shape: Shape) -> Vec<f32> {
    let Shape { heads, kv_heads, head_dim: d, .. } = shape;
    let mut out = vec![0.0; qkv.len() / shape.row() * shape.out()];
    let angles = Angles::new(shape, documents.iter().copied().max().unwrap_or(0));
    let tasks = split(qkv, documents, shape.row()).zip(split_mut(&mut out, documents, shape.out())).collect::<Vec<_>>();
    tasks.into_par_iter().for_each(|(rows, out)| {
        let t = rows.len() / shape.row();
        for kv in 0..kv_heads {
            let mut k = take(rows, shape.row(), heads + kv, d);
            angles.turn(&mut k, d, 1.0);
            let v = take(rows, shape.row(), heads + kv_heads + kv, d);
            for head in kv * (heads / kv_heads)..(kv + 1) * (heads / kv_heads) {
                let mut q = take(rows, shape.row(), head, d);
                angles.turn(&mut q, d, 1.0);
                let p = weights(&q, &k, t, d);
                let mut context = vec![0.0; t * d];
                multiply(&mut context, false, 1.0, View::new(&p, t, t), View::new(&v, t, d));
                put(out, shape.out(), head, &context, d);
            }
        }
    });
    out
}

/// Gradient of `qkv` from the gradient of the output; the weights are computed again.
pub fn backward(qkv: &[f32], grad: &[f32], documents: &[usize], shape: Shape) -> Vec<f32> {
    let Shape { heads, kv_heads, head_dim: d, .. } = shape;
    let mut out = vec![0.0; qkv.len()];
    let angles = Angles::new(shape, documents.iter().copied().max().unwrap_or(0));
    let grads = split(grad, documents, shape.out());
    let tasks = split(qkv, documents, shape.row()).zip(grads).zip(split_mut(&mut out, documents, shape.row()));
    tasks.collect::<Vec<_>>().into_par_iter().for_each(|((rows, grad), out)| {
        let t = rows.len() / shape.row();
        let scale = 1.0 / (d as f32).sqrt();
        for kv in 0..kv_heads {
            let mut k = take(rows, shape.row(), heads + kv, d);
            angles.turn(&mut k, d, 1.0);
            let v = take(rows, shape.row(), heads + kv_heads + kv, d);
            let (mut dk, mut dv) = (vec![0.0; t * d], vec![0.0; t * d]);
            for head in kv * (heads / kv_heads)..(kv + 1) * (heads / kv_heads) {
                let mut q = take(rows, shape.row(), head, d);
                angles.turn(&mut q, d, 1.0);
                let p = weights(&q, &k, t, d);
                let g = take(grad, shape.out(), head, d);
                multiply(&mut dv, true, 1.0, View::new(&p, t, t).transpose(), View::new(&g, t, d)); // pᵀ · g
                let mut ds = vec![0.0; t * t];
                multiply(&mut ds, false, 1.0, View::new(&g, t, d), View::new(&v, t, d).transpose()); // g · vᵀ
                for (ds, p) in ds.chunks_exact_mut(t).zip(p.chunks_exact(t)) {
                    let mean: f32 = ds.iter().zip(p).map(|(ds, p)| ds * p).sum();
                    ds.iter_mut().zip(p).for_each(|(ds, p)| *ds = p * (*ds - mean) * scale);
                }
                let mut dq = vec![0.0; t * d];
                multiply(&mut dq, false, 1.0, View::new(&ds, t, t), View::new(&k, t, d)); // ds · k
                multiply(&mut dk, true, 1.0, View::new(&ds, t, t).transpose(), View::new(&q, t, d)); // dsᵀ · q
                angles.turn(&mut dq, d, -1.0);
                put(out, shape.row(), head, &dq, d);
            }
            angles.turn(&mut dk, d, -1.0);
            put(out, shape.row(), heads + kv, &dk, d);
            put(out, shape.row(), heads + kv_heads + kv, &dv, d);
        }
    });
    out
}

fn split<'a>(mut rows: &'a [f32], documents: &'a [usize], width: usize) -> impl Iterator<Item = &'a [f32]> {
    documents.iter().map(move |t| rows.split_off(..t * width).unwrap_or(&[]))
}

fn split_mut<'a>(mut rows: &'a mut [f32], documents: &'a [usize], width: usize) -> impl Iterator<Item = &'a mut [f32]> {
    documents.iter().map(move |t| rows.split_off_mut(..t * width).unwrap_or(&mut []))
}
