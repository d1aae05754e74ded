//! The network as it's trained: the same computation as `src/model/llama` of the engine, but over
//! many documents at once and with gradients.

use std::sync::Arc;

use burn::module::{Module, Param};
use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::kernels::attention::Shape;
use crate::ops::{attend, cross_entropy, product, rms_norm, swiglu};
use crate::random::Random;

/// Sizes of the network.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sizes {
    pub vocabulary: usize,
    pub context: usize,
    pub layers: usize,
    pub d: usize,
    pub ffn: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub rope_base: f32,
    pub norm_eps: f32,
}

impl Sizes {
    fn shape(&self) -> Shape {
        let Sizes { heads, kv_heads, head_dim, rope_base, .. } = *self;
        Shape { heads, kv_heads, head_dim, rope_base }
    }

    pub fn parameters(&self) -> usize {
        let Sizes { vocabulary, layers, d, ffn, heads, kv_heads, head_dim, .. } = *self;
        vocabulary * d + d + layers * (2 * d + d * (2 * heads + 2 * kv_heads) * head_dim + 3 * d * ffn)
    }
}

/// Weight matrices are `[in, out]`.
#[derive(Module, Debug)]
pub struct Block {
    pub attention_norm: Param<Tensor<1>>,
    /// `[d, (heads + 2·kv_heads)·head_dim]`
    pub qkv: Param<Tensor<2>>,
    /// `[heads·head_dim, d]`
    pub output: Param<Tensor<2>>,
    pub ffn_norm: Param<Tensor<1>>,
    /// `[d, 2·ffn]`
    pub gate_up: Param<Tensor<2>>,
    /// `[ffn, d]`
    pub down: Param<Tensor<2>>,
}

#[derive(Module, Debug)]
pub struct Network {
    /// `[vocabulary, d]`; it's the last matrix, too.
    pub embedding: Param<Tensor<2>>,
    pub blocks: Vec<Block>,
    pub norm: Param<Tensor<1>>,
}

impl Network {
    /// Normally distributed weights: 0.02 for the embedding, 1/√in for matrices, and smaller where a
    /// block adds to the residual stream, so that its size does not grow with depth.
    pub fn new(sizes: &Sizes, seed: u64, device: &Device) -> Network {
        let mut random = Random::new(seed);
        let mut matrix = |rows: usize, cols: usize, size: f32| {
            let values: Vec<f32> = (0..rows * cols).map(|_| random.normal() * size).collect();
            Param::from_tensor(Tensor::<2>::from_data(TensorData::new(values, [rows, cols]), device))
        };
        let ones = || Param::from_tensor(Tensor::<1>::ones([sizes.d], device));
        let Sizes { vocabulary, layers, d, ffn, heads, head_dim, .. } = *sizes;
        let size = |inputs: usize| 1.0 / (inputs as f32).sqrt();
        let added = 1.0 / (2.0 * layers as f32).sqrt();
        let embedding = matrix(vocabulary, d, 0.02);
        let blocks = (0..layers)
            .map(|_| Block {
                attention_norm: ones(),
                qkv: matrix(d, sizes.shape().row(), size(d)),
                output: matrix(heads * head_dim, d, size(heads * head_dim) * added),
                ffn_norm: ones(),
                gate_up: matrix(d, 2 * ffn, size(d)),
                down: matrix(ffn, d, size(ffn) * added),
            })
            .collect();
        Network { embedding, blocks, norm: ones() }
    }

    /// Logits after every token: `[n, vocabulary]`.
    pub fn logits(&self, sizes: &Sizes, batch: &Batch, device: &Device) -> Tensor<2> {
        let ids: Vec<i32> = batch.inputs.iter().map(|id| *id as i32).collect();
        let n = ids.len();
        let ids = Tensor::<1, Int>::from_data(TensorData::new(ids, [n]), device);
        let embedding = self.embedding.val();
        let mut x = embedding.clone().select(0, ids); // [n, d]
        for block in &self.blocks {
            let h = rms_norm(x.clone(), block.attention_norm.val(), sizes.norm_eps);
            let h = attend(product(h, block.qkv.val(), false), batch.documents.clone(), sizes.shape());
            x = x + product(h, block.output.val(), false);
            let h = rms_norm(x.clone(), block.ffn_norm.val(), sizes.norm_eps);
            x = x + product(swiglu(product(h, block.gate_up.val(), false)), block.down.val(), false);
        }
        product(rms_norm(x, self.norm.val(), sizes.norm_eps), embedding, true)
    }

    /// Mean loss in nats a token: `[1]`.
    pub fn loss(&self, sizes: &Sizes, batch: &Batch, device: &Device) -> Tensor<1> {
        cross_entropy(self.logits(sizes, batch, device), batch.targets.clone())
    }
}

/// Whole documents, one after the other.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The tokens of all documents but each one's last.
    pub inputs: Vec<u32>,
    /// The token that came after each.
    pub targets: Arc<[u32]>,
    /// Inputs of each document.
    pub documents: Arc<[usize]>,
}

impl Batch {
    pub fn new(documents: &[Vec<u32>]) -> Batch {
        let without_last = |d: &Vec<u32>| d[..d.len().saturating_sub(1)].to_vec();
        Batch {
            inputs: documents.iter().flat_map(without_last).collect(),
            targets: documents.iter().flat_map(|d| d.iter().skip(1).copied()).collect(),
            documents: documents.iter().map(|d| d.len().saturating_sub(1)).collect(),
        }
    }
}
