//! Tensors of a file become a model: one at a time, so that the file never lies in memory whole.

use std::collections::HashMap;

use burn::tensor::{Device, Tensor, TensorData};

use super::Llama;
use super::block::Block;
use super::config::Config;
use super::norm::RmsNorm;
use super::rope::Rope;
use crate::error::{Error, Result};
use crate::gguf::{Header, TensorInfo};
use crate::linear::{Linear, Matrix};

/// Collects the tensors of a file.
pub struct Loader {
    pub config: Config,
    tensors: Vec<TensorInfo>,
    matrices: HashMap<String, Matrix>,
}

impl Loader {
    /// Checks names and shapes of all tensors before any is read; lists all that don't fit.
    pub fn new(config: Config, header: &Header, vocabulary: usize) -> Result<Loader> {
        let expected = expected(&config, vocabulary);
        let mut problems = Vec::new();
        let found: HashMap<&str, &TensorInfo> = header.tensors.iter().map(|t| (t.name.as_str(), t)).collect();
        for (name, rows, cols) in &expected {
            match found.get(name.as_str()) {
                None if name == "output.weight" => {}
                None => problems.push(format!("{name} is missing")),
                Some(t) if (t.rows, t.cols) != (*rows, *cols) => {
                    problems.push(format!("{name} has the shape {} × {} in place of {rows} × {cols}", t.rows, t.cols));
                }
                Some(_) => {}
            }
        }
        for tensor in &header.tensors {
            // An extra tensor (a bias, say) means another computation than this one.
            if !expected.iter().any(|(name, ..)| *name == tensor.name) {
                problems.push(format!("{} is not part of this architecture", tensor.name));
            }
        }
        if problems.is_empty() {
            return Ok(Loader { config, tensors: header.tensors.clone(), matrices: HashMap::new() });
        }
        let more = problems.len().saturating_sub(8);
        problems.truncate(8);
        let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
        Err(Error::weights(format!("The file's tensors don't fit its metadata: {}{rest}.", problems.join("; "))))
    }

    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// Takes the bytes of tensor `index`.
    pub fn add(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        let info = self.tensors.get(index).ok_or_else(|| Error::weights(format!("There is no tensor {index}.")))?;
        self.matrices.insert(info.name.clone(), Matrix::read(info, bytes)?);
        Ok(())
    }

    /// Weights in the file, and bytes they take in memory.
    pub fn size(&self) -> (u64, u64) {
        let parameters = self.tensors.iter().map(|t| (t.rows * t.cols) as u64).sum();
        let bytes = self.matrices.values().map(Matrix::bytes).sum();
        (parameters, bytes)
    }

    /// Bytes of the largest buffer that a device has to bind.
    pub fn largest_buffer(&self) -> u64 {
        let buffer = |name: &str| self.matrices.get(name).map_or(0, Matrix::largest_buffer);
        // What `block` stacks lies in one buffer.
        let stacks = (0..self.config.layers).flat_map(|layer| {
            let sum = |parts: &[&str]| parts.iter().map(|part| buffer(&format!("blk.{layer}.{part}.weight"))).sum();
            [
                sum(&["attn_q", "attn_k", "attn_v"]),
                sum(&["ffn_gate", "ffn_up"]),
                sum(&["ffn_down"]),
                sum(&["attn_output"]),
            ]
        });
        stacks.chain([buffer("token_embd.weight"), buffer("output.weight")]).max().unwrap_or(0)
    }

    /// Puts the weights on the device.
    pub fn finish(mut self, device: &Device, host_memory: bool) -> Result<Llama> {
        let config = self.config;
        let mut blocks = Vec::with_capacity(config.layers);
        for layer in 0..config.layers {
            blocks.push(self.block(layer, device)?);
        }
        let norm = self.norm("output_norm.weight", device)?;
        let embedding = self.take("token_embd.weight")?;
        let head = match self.matrices.remove("output.weight") {
            Some(head) => Linear::stack(vec![head], device),
            None => Linear::stack(vec![embedding.clone()], device),
        };
        Ok(Llama {
            config,
            device: device.clone(),
            host_memory,
            embedding,
            blocks,
            norm,
            head,
            rope: Rope::new(&config, device),
        })
    }

    /// Layer `layer` alone, for the start-up self-test; the weights stay here.
    pub fn block_copy(&self, layer: usize, device: &Device) -> Result<Block> {
        let prefix = format!("blk.{layer}.");
        let matrices =
            self.matrices.iter().filter(|(name, _)| name.starts_with(&prefix)).map(|(n, m)| (n.clone(), m.clone()));
        let mut copy = Loader { config: self.config, tensors: Vec::new(), matrices: matrices.collect() };
        copy.block(layer, device)
    }

    fn block(&mut self, layer: usize, device: &Device) -> Result<Block> {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        let q_k_v = vec![self.take(&name("attn_q"))?, self.take(&name("attn_k"))?, self.take(&name("attn_v"))?];
        let gate_up = vec![self.take(&name("ffn_gate"))?, self.take(&name("ffn_up"))?];
        Ok(Block {
            config: self.config,
            attention_norm: self.norm(&name("attn_norm"), device)?,
            qkv: Linear::stack(q_k_v, device),
            output: Linear::stack(vec![self.take(&name("attn_output"))?], device),
            ffn_norm: self.norm(&name("ffn_norm"), device)?,
            gate_up: Linear::stack(gate_up, device),
            down: Linear::stack(vec![self.take(&name("ffn_down"))?], device),
        })
    }

    fn take(&mut self, name: &str) -> Result<Matrix> {
        self.matrices.remove(name).ok_or_else(|| Error::weights(format!("The tensor {name} was not given.")))
    }

    fn norm(&mut self, name: &str, device: &Device) -> Result<RmsNorm> {
        let matrix = self.take(name)?;
        let mut values = Vec::with_capacity(matrix.cols());
        matrix.push_row(0, &mut values);
        let d = values.len();
        let weight = Tensor::from_data(TensorData::new(values, [d]), device);
        Ok(RmsNorm::new(weight, self.config.norm_eps))
    }
}

/// Name, rows and columns of every tensor; `output.weight` may be left out.
fn expected(config: &Config, vocabulary: usize) -> Vec<(String, usize, usize)> {
    let Config { d, ffn, heads, kv_heads, head_dim, .. } = *config;
    let mut all = vec![
        ("token_embd.weight".into(), vocabulary, d),
        ("output_norm.weight".into(), 1, d),
        ("output.weight".into(), vocabulary, d),
    ];
    for layer in 0..config.layers {
        let parts = [
            ("attn_norm", 1, d),
            ("attn_q", heads * head_dim, d),
            ("attn_k", kv_heads * head_dim, d),
            ("attn_v", kv_heads * head_dim, d),
            ("attn_output", d, heads * head_dim),
            ("ffn_norm", 1, d),
            ("ffn_gate", ffn, d),
            ("ffn_up", ffn, d),
            ("ffn_down", d, ffn),
        ];
        all.extend(parts.map(|(part, rows, cols)| (format!("blk.{layer}.{part}.weight"), rows, cols)));
    }
    all
}
