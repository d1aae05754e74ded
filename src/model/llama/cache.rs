//! The KV cache of one run: K and V of every layer, preallocated, written in place, truncatable.

use std::ops::Range;

use burn::tensor::{Device, Tensor, TensorData};

use super::config::Config;
use super::rope::{Angles, Rope};
use crate::error::{Code, Error, Result};

pub struct Cache {
    capacity: usize,
    len: usize,
    device: Device,
    layers: Vec<Layer>,
}

struct Layer {
    /// `[kv_heads, capacity, head_dim]`
    k: Tensor<3>,
    /// `[kv_heads, capacity, head_dim]`
    v: Tensor<3>,
    /// Weights of the newest token and the tokens it looked at: `[heads, 1, len]`.
    attention: Option<Tensor<3>>,
}

/// What all layers of a pass share.
pub struct Pass {
    /// Position of the pass's first token.
    pub from: usize,
    pub angles: Angles,
    /// `[1, 1, t, from + t]`: 0 where a token may look, very negative where not. None for one token.
    pub mask: Option<Tensor<4>>,
}

/// Finite, since WGSL has no literal for −∞; e to the power of it is 0 all the same.
const HIDDEN: f32 = -1e30;

impl Cache {
    pub fn new(config: &Config, capacity: usize, device: &Device) -> Cache {
        let empty = || Tensor::<3>::zeros([config.kv_heads, capacity, config.head_dim], device);
        let layers = (0..config.layers).map(|_| Layer { k: empty(), v: empty(), attention: None }).collect();
        Cache { capacity, len: 0, device: device.clone(), layers }
    }

    /// A copy of the first `len` tokens, with room for `capacity`.
    pub fn fork(&self, len: usize, capacity: usize) -> Cache {
        let len = len.min(self.len);
        let copy = |all: &Tensor<3>| {
            let [kv_heads, _, head_dim] = all.dims();
            let fresh = Tensor::<3>::zeros([kv_heads, capacity, head_dim], &self.device);
            if len == 0 {
                return fresh;
            }
            fresh.slice_assign([0..kv_heads, 0..len, 0..head_dim], all.clone().narrow(1, 0, len))
        };
        let attention = |layer: &Layer| layer.attention.clone().filter(|_| len == self.len);
        let layers =
            self.layers.iter().map(|l| Layer { k: copy(&l.k), v: copy(&l.v), attention: attention(l) }).collect();
        Cache { capacity, len, device: self.device.clone(), layers }
    }

    /// Tokens whose K and V are kept.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
            for layer in &mut self.layers {
                layer.attention = None;
            }
        }
    }

    /// Prepares a pass over `t` further tokens. Nothing counts until `commit`.
    pub fn begin(&self, t: usize, rope: &Rope) -> Result<Pass> {
        let (from, to) = (self.len, self.len + t);
        if t == 0 || to > self.capacity {
            return Err(Error::new(
                Code::ContextFull,
                format!("{to} tokens don't fit into a cache of {}.", self.capacity),
            ));
        }
        let mask = (t > 1).then(|| {
            let row = |i: usize| (0..to).map(move |j| if j <= from + i { 0.0 } else { HIDDEN });
            let values: Vec<f32> = (0..t).flat_map(row).collect();
            Tensor::from_data(TensorData::new(values, [1, 1, t, to]), &self.device)
        });
        Ok(Pass { from, angles: rope.angles(from, t), mask })
    }

    /// Writes a pass's K and V, `[kv_heads, t, head_dim]`, and gives all up to it, `[kv_heads, from + t, head_dim]`.
    pub fn extend(&mut self, layer: usize, from: usize, k: Tensor<3>, v: Tensor<3>) -> (Tensor<3>, Tensor<3>) {
        let [kv_heads, t, head_dim] = k.dims();
        let place = [0..kv_heads, from..from + t, 0..head_dim];
        let layer = &mut self.layers[layer];
        // In place, as long as there is no second handle of the tensor.
        layer.k.inplace(|all| all.slice_assign(place.clone(), k));
        layer.v.inplace(|all| all.slice_assign(place, v));
        let valid = |all: &Tensor<3>| all.clone().narrow(1, 0, from + t);
        (valid(&layer.k), valid(&layer.v))
    }

    /// Keeps the attention of a pass's last token. `weights`: `[heads, t, from + t]`.
    pub fn keep_attention(&mut self, layer: usize, weights: Tensor<3>) {
        let t = weights.dims()[1];
        self.layers[layer].attention = Some(if t == 1 { weights } else { weights.narrow(1, t - 1, 1) });
    }

    /// The pass is done: its tokens count.
    pub fn commit(&mut self, t: usize) {
        self.len += t;
    }

    /// Weights of the newest token, `[heads, 1, tokens]`, and `tokens`.
    pub fn attention(&self, layer: usize) -> Result<(Tensor<3>, usize)> {
        let weights = self.layers[layer].attention.clone().ok_or_else(|| {
            Error::new(Code::OutOfOrder, "There are no attention weights yet.")
                .with_hint("Call prefill() or forward() first.")
        })?;
        let tokens = weights.dims()[2];
        Ok((weights, tokens))
    }

    /// K and V of some tokens in a layer, `[tokens, kv_heads, head_dim]` each.
    pub fn layer(&self, layer: usize, tokens: Range<usize>) -> Result<(Tensor<3>, Tensor<3>)> {
        if self.len == 0 {
            return Err(Error::new(Code::OutOfOrder, "The KV cache is empty.").with_hint("Call prefill() first."));
        }
        if tokens.is_empty() || tokens.end > self.len {
            let (from, to, len) = (tokens.start, tokens.end, self.len);
            return Err(Error::config(format!("Tokens {from} to {to} were asked for; the cache holds 0 to {len}.")));
        }
        let tokens_first = |all: &Tensor<3>| all.clone().narrow(1, tokens.start, tokens.len()).swap_dims(0, 1);
        Ok((tokens_first(&self.layers[layer].k), tokens_first(&self.layers[layer].v)))
    }
}
