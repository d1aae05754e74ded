//! The shape of a model, from the file's metadata.

use crate::error::{Error, Result};
use crate::gguf::Header;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Config {
    pub layers: usize,
    /// Width of the residual stream.
    pub d: usize,
    /// Width of the feed-forward layer.
    pub ffn: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; each serves `heads / kv_heads` query heads.
    pub kv_heads: usize,
    pub head_dim: usize,
    pub rope_base: f32,
    pub norm_eps: f32,
    /// Longest sequence the model was made for.
    pub context: usize,
}

impl Config {
    /// `bad-weights` names the entry that is missing, out of range or not supported.
    pub fn from_gguf(header: &Header) -> Result<Config> {
        let architecture = header.str("general.architecture")?.unwrap_or("none");
        if architecture != "llama" {
            return Err(Error::weights(format!(
                "The model's architecture is {architecture:?}; only llama is supported."
            )));
        }
        let size = |key: &str, most: u64| -> Result<usize> {
            match header.u64(key)? {
                None => Err(Error::weights(format!("The file has no {key}."))),
                Some(n) if (1..=most).contains(&n) => Ok(n as usize),
                Some(n) => Err(Error::weights(format!("The file is damaged: {key} is {n}."))),
            }
        };
        let positive = |key: &str, default: Option<f32>| -> Result<f32> {
            match header.f32(key)?.or(default) {
                None => Err(Error::weights(format!("The file has no {key}."))),
                Some(x) if x.is_finite() && x > 0.0 => Ok(x),
                Some(x) => Err(Error::weights(format!("The file is damaged: {key} is {x}."))),
            }
        };
        let optional = |key: &str, default: usize, most: u64| -> Result<usize> {
            if header.get(key).is_some() { size(key, most) } else { Ok(default) }
        };
        let d = size("llama.embedding_length", 1 << 16)?;
        let heads = size("llama.attention.head_count", 1 << 12)?;
        let kv_heads = optional("llama.attention.head_count_kv", heads, heads as u64)?;
        let head_dim = optional("llama.attention.key_length", d / heads, 1 << 12)?;
        let config = Config {
            layers: size("llama.block_count", 1 << 10)?,
            d,
            ffn: size("llama.feed_forward_length", 1 << 18)?,
            heads,
            kv_heads,
            head_dim,
            rope_base: positive("llama.rope.freq_base", Some(10_000.0))?,
            norm_eps: positive("llama.attention.layer_norm_rms_epsilon", None)?,
            context: size("llama.context_length", 1 << 24)?,
        };
        config.check(header)?;
        Ok(config)
    }

    fn check(&self, header: &Header) -> Result<()> {
        let fits = self.heads.is_multiple_of(self.kv_heads) && self.head_dim > 0 && self.head_dim.is_multiple_of(2);
        if !fits {
            return Err(Error::weights(format!(
                "The file is damaged: {} heads, {} key and value heads and a width of {} don't fit together.",
                self.heads, self.kv_heads, self.d
            )));
        }
        let unsupported = |what: &str| Err(Error::weights(format!("The model uses {what}, which isn't supported.")));
        let rotated = header.u64("llama.rope.dimension_count")?;
        if rotated.is_some_and(|n| n != self.head_dim as u64) {
            return unsupported("a rotation of a part of each head");
        }
        let value_dim = header.u64("llama.attention.value_length")?;
        if value_dim.is_some_and(|n| n != self.head_dim as u64) {
            return unsupported("values of another width than keys");
        }
        if header.str("llama.rope.scaling.type")?.is_some_and(|kind| kind != "none") {
            return unsupported("scaled positions (rope scaling)");
        }
        if header.f32("llama.rope.scale_linear")?.is_some_and(|scale| scale != 1.0) {
            return unsupported("scaled positions (rope scale_linear)");
        }
        if header.u64("llama.expert_count")?.is_some_and(|n| n > 0) {
            return unsupported("a mixture of experts");
        }
        Ok(())
    }

    /// Query heads for each key and value head.
    pub fn group(&self) -> usize {
        self.heads / self.kv_heads
    }

    /// Bytes of K and V a token, in float32.
    pub fn kv_bytes(&self) -> usize {
        2 * self.layers * self.kv_heads * self.head_dim * 4
    }
}
