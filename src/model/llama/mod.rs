//! A Llama decoder in burn: embedding → blocks → norm → head.
//!
//! `config` is the shape, `weights` the constants, `cache` one run's K and V, `block` the layer.
//! Everything is float32; only the weights are packed (`crate::linear`).

mod block;
mod cache;
mod config;
mod norm;
mod rope;
pub mod selftest;
mod weights;

use std::ops::Range;
use std::rc::Rc;

use burn::tensor::{Device, Tensor, TensorData};

pub use config::Config;
pub use weights::Loader;

use self::block::Block;
use self::cache::Cache;
use self::norm::RmsNorm;
use self::rope::Rope;
use super::{Attention, Decoder, Kv, Model, Pending};
use crate::distribution::Logits;
use crate::error::{Code, Error, Result};
use crate::linear::{Linear, Matrix};

/// Weights on a device.
pub struct Llama {
    config: Config,
    device: Device,
    /// Whether the device's memory is the program's own.
    host_memory: bool,
    /// `[vocabulary][d]`, in host memory: a token's row is unpacked and uploaded.
    embedding: Matrix,
    blocks: Vec<Block>,
    norm: RmsNorm,
    /// `[vocabulary, d]`; the embedding again if the file has no matrix of its own.
    head: Linear,
    rope: Rope,
}

/// The shared half of a model.
pub struct LlamaModel(Rc<Llama>);

impl LlamaModel {
    pub fn new(llama: Llama) -> Self {
        LlamaModel(Rc::new(llama))
    }
}

impl Model for LlamaModel {
    fn decoder(&self, capacity: usize) -> Result<Box<dyn Decoder>> {
        self.0.room_for(capacity)?;
        let cache = Cache::new(&self.0.config, capacity, &self.0.device);
        Ok(Box::new(LlamaDecoder { llama: self.0.clone(), cache }))
    }
}

struct LlamaDecoder {
    llama: Rc<Llama>,
    cache: Cache,
}

impl Llama {
    /// An allocation that fails inside burn would end the engine: ask before.
    fn room_for(&self, capacity: usize) -> Result<()> {
        if self.host_memory {
            let bytes = capacity.saturating_mul(self.config.kv_bytes());
            Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| Error::out_of_memory(bytes, "the KV cache"))?;
        }
        Ok(())
    }

    /// Scores of the token behind `ids`, whose K and V go into the cache.
    async fn forward(&self, ids: &[u32], cache: &mut Cache, scores: bool) -> Result<Option<Logits>> {
        let t = ids.len();
        let pass = cache.begin(t, &self.rope)?;
        let mut x = self.embed(ids); // [t, d]
        for (layer, block) in self.blocks.iter().enumerate() {
            x = block.forward(x, layer, cache, &pass);
        }
        if !scores {
            // K and V of the last layer are computed; nobody reads the rest.
            cache.commit(t);
            return Ok(None);
        }
        let last = x.narrow(0, t - 1, 1); // [1, d]
        let logits = self.head.forward(self.norm.forward(last)); // [1, vocabulary]
        let values = read(logits).await?;
        let logits = Logits::new(values)?;
        cache.commit(t);
        Ok(Some(logits))
    }

    /// `[t, d]`
    fn embed(&self, ids: &[u32]) -> Tensor<2> {
        let d = self.config.d;
        let mut values = Vec::with_capacity(ids.len() * d);
        for id in ids {
            self.embedding.push_row(*id as usize, &mut values);
        }
        Tensor::from_data(TensorData::new(values, [ids.len(), d]), &self.device)
    }
}

impl Decoder for LlamaDecoder {
    fn forward<'a>(&'a mut self, ids: &'a [u32], scores: bool) -> Pending<'a, Option<Logits>> {
        Box::pin(async move { self.llama.forward(ids, &mut self.cache, scores).await })
    }

    fn len(&self) -> usize {
        self.cache.len()
    }

    fn truncate(&mut self, len: usize) {
        self.cache.truncate(len);
    }

    fn attention(&self, layer: usize) -> Pending<'_, Attention> {
        Box::pin(async move {
            let (weights, tokens) = self.cache.attention(layer)?;
            Ok(Attention { layer, heads: self.llama.config.heads, tokens, weights: read(weights).await? })
        })
    }

    fn fork(&self, len: usize, capacity: usize) -> Result<Box<dyn Decoder>> {
        self.llama.room_for(capacity)?;
        Ok(Box::new(LlamaDecoder { llama: self.llama.clone(), cache: self.cache.fork(len, capacity) }))
    }

    fn kv(&self, layer: usize, tokens: Range<usize>) -> Pending<'_, Kv> {
        Box::pin(async move {
            let Config { kv_heads, head_dim, .. } = self.llama.config;
            let (k, v) = self.cache.layer(layer, tokens.clone())?;
            let (from, tokens) = (tokens.start, tokens.len());
            Ok(Kv { layer, from, kv_heads, head_dim, tokens, k: read(k).await?, v: read(v).await? })
        })
    }
}

/// Values of a tensor, row-major.
pub(crate) async fn read<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>> {
    let lost = |e: String| Error::new(Code::DeviceLost, format!("The results couldn't be read back: {e}."));
    let data = tensor.into_data_async().await.map_err(|e| lost(e.to_string()))?;
    data.try_to_vec::<f32>().map_err(|e| lost(format!("{e:?}")))
}
