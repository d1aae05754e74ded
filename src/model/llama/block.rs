//! One layer: attention and a feed-forward network, each on a normed copy, each added back.

use burn::tensor::Tensor;
use burn::tensor::activation::{silu, softmax};

use super::cache::{Cache, Pass};
use super::config::Config;
use super::norm::RmsNorm;
use crate::linear::Linear;

pub struct Block {
    pub config: Config,
    pub attention_norm: RmsNorm,
    /// q, k and v in one: `[(heads + 2·kv_heads)·head_dim, d]`
    pub qkv: Linear,
    /// `[d, heads·head_dim]`
    pub output: Linear,
    pub ffn_norm: RmsNorm,
    /// gate and up in one: `[2·ffn, d]`
    pub gate_up: Linear,
    /// `[d, ffn]`
    pub down: Linear,
}

impl Block {
    /// `[t, d]` to `[t, d]`
    pub fn forward(&self, x: Tensor<2>, layer: usize, cache: &mut Cache, pass: &Pass) -> Tensor<2> {
        let x = x.clone() + self.attention(self.attention_norm.forward(x), layer, cache, pass);
        x.clone() + self.feed_forward(self.ffn_norm.forward(x))
    }

    /// Grouped-query attention of the pass's tokens to all tokens so far.
    fn attention(&self, x: Tensor<2>, layer: usize, cache: &mut Cache, pass: &Pass) -> Tensor<2> {
        let Config { heads, kv_heads, head_dim, .. } = self.config;
        let group = self.config.group();
        let t = x.dims()[0];

        let qkv = self.qkv.forward(x).reshape([t, heads + 2 * kv_heads, head_dim]);
        // q and k turn by the same angles, so they turn together.
        let qk = pass.angles.rotate(qkv.clone().narrow(1, 0, heads + kv_heads));
        let k = qk.clone().narrow(1, heads, kv_heads).swap_dims(0, 1); // [kv_heads, t, head_dim]
        let v = qkv.narrow(1, heads + kv_heads, kv_heads).swap_dims(0, 1); // [kv_heads, t, head_dim]
        let (k, v) = cache.extend(layer, pass.from, k, v); // [kv_heads, n, head_dim]
        let n = pass.from + t;

        // Query head h looks at KV head h / group: grouped, K and V need no copies.
        let q = qk.narrow(1, 0, heads).swap_dims(0, 1).reshape([kv_heads, group * t, head_dim]);
        let scores = q.matmul(k.swap_dims(1, 2)) / (head_dim as f32).sqrt(); // [kv_heads, group·t, n]
        let scores = match &pass.mask {
            None => scores,
            Some(mask) => {
                let masked = scores.reshape([kv_heads, group, t, n]) + mask.clone();
                masked.reshape([kv_heads, group * t, n])
            }
        };
        let weights = softmax(scores, 2);
        let context = weights.clone().matmul(v); // [kv_heads, group·t, head_dim]
        cache.keep_attention(layer, weights.reshape([heads, t, n]));
        let context = context.reshape([heads, t, head_dim]).swap_dims(0, 1);
        self.output.forward(context.reshape([t, heads * head_dim]))
    }

    /// SwiGLU: down(silu(gate(x)) · up(x)).
    fn feed_forward(&self, x: Tensor<2>) -> Tensor<2> {
        let ffn = self.config.ffn;
        let gate_up = self.gate_up.forward(x); // [t, 2·ffn]
        let gate = gate_up.clone().narrow(1, 0, ffn);
        let up = gate_up.narrow(1, ffn, ffn);
        self.down.forward(silu(gate) * up)
    }
}
