//! The trained network as a GGUF file of the architecture `llama`.

use anyhow::{Context, Result};
use burn::tensor::Tensor as BurnTensor;

use crate::gguf::{Tensor, Value, write};
use crate::network::{Network, Sizes};
use crate::quantise::Precision;
use crate::tokenizer::{CONTROLS, Tokenizer};

/// Each message between its control tokens, nothing added.
const CHAT_TEMPLATE: &str = "\
{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}\
{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Types of tokens in GGUF.
const NORMAL: i32 = 1;
const CONTROL: i32 = 3;

pub fn gguf(network: &Network, sizes: &Sizes, tokenizer: &Tokenizer, precision: Precision) -> Result<Vec<u8>> {
    let control = |i: usize| if i < CONTROLS.len() { CONTROL } else { NORMAL };
    let types: Vec<i32> = (0..tokenizer.tokens.len()).map(control).collect();
    let size = |n: usize| Value::U32(n as u32);
    let metadata = [
        ("general.architecture", Value::Text("llama")),
        ("general.name", Value::Text("pocket")),
        ("general.description", Value::Text("A small model of a small world, trained from scratch by next-token.")),
        ("general.license", Value::Text("MIT OR Apache-2.0")),
        ("general.file_type", Value::U32(precision.file_type())),
        ("general.quantization_version", Value::U32(2)),
        ("llama.vocab_size", size(sizes.vocabulary)),
        ("llama.context_length", size(sizes.context)),
        ("llama.embedding_length", size(sizes.d)),
        ("llama.block_count", size(sizes.layers)),
        ("llama.feed_forward_length", size(sizes.ffn)),
        ("llama.attention.head_count", size(sizes.heads)),
        ("llama.attention.head_count_kv", size(sizes.kv_heads)),
        ("llama.attention.layer_norm_rms_epsilon", Value::F32(sizes.norm_eps)),
        ("llama.rope.freq_base", Value::F32(sizes.rope_base)),
        ("llama.rope.dimension_count", size(sizes.head_dim)),
        ("tokenizer.ggml.model", Value::Text("gpt2")),
        ("tokenizer.ggml.pre", Value::Text("smollm")),
        ("tokenizer.ggml.tokens", Value::Texts(&tokenizer.tokens)),
        ("tokenizer.ggml.token_type", Value::I32s(&types)),
        ("tokenizer.ggml.merges", Value::Texts(&tokenizer.merges)),
        ("tokenizer.ggml.bos_token_id", Value::U32(0)),
        ("tokenizer.ggml.eos_token_id", Value::U32(0)),
        ("tokenizer.ggml.eot_token_id", Value::U32(2)),
        ("tokenizer.ggml.padding_token_id", Value::U32(0)),
        ("tokenizer.ggml.add_bos_token", Value::Bool(false)),
        ("tokenizer.ggml.add_space_prefix", Value::Bool(false)),
        ("tokenizer.chat_template", Value::Text(CHAT_TEMPLATE)),
    ];
    Ok(write(&metadata, &tensors(network, sizes, precision)?))
}

fn tensors(network: &Network, sizes: &Sizes, precision: Precision) -> Result<Vec<Tensor>> {
    let matrix = |name: String, values: BurnTensor<2>| -> Result<Tensor> {
        let [rows, cols] = values.dims();
        Ok(Tensor { name, rows, cols, kind: precision.tensor_type(), bytes: precision.bytes(&numbers(values)?) })
    };
    let vector = |name: String, values: BurnTensor<1>| -> Result<Tensor> {
        let f32s = Precision::F32;
        Ok(Tensor { name, rows: 1, cols: sizes.d, kind: f32s.tensor_type(), bytes: f32s.bytes(&numbers(values)?) })
    };
    let (q, kv) = (sizes.heads * sizes.head_dim, sizes.kv_heads * sizes.head_dim);
    let mut all = vec![
        matrix("token_embd.weight".into(), network.embedding.val())?,
        vector("output_norm.weight".into(), network.norm.val())?,
    ];
    for (layer, block) in network.blocks.iter().enumerate() {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        // The file's matrices are [out, in].
        let (qkv, gate_up) = (block.qkv.val().transpose(), block.gate_up.val().transpose());
        all.extend([
            vector(name("attn_norm"), block.attention_norm.val())?,
            matrix(name("attn_q"), qkv.clone().narrow(0, 0, q))?,
            matrix(name("attn_k"), qkv.clone().narrow(0, q, kv))?,
            matrix(name("attn_v"), qkv.narrow(0, q + kv, kv))?,
            matrix(name("attn_output"), block.output.val().transpose())?,
            vector(name("ffn_norm"), block.ffn_norm.val())?,
            matrix(name("ffn_gate"), gate_up.clone().narrow(0, 0, sizes.ffn))?,
            matrix(name("ffn_up"), gate_up.narrow(0, sizes.ffn, sizes.ffn))?,
            matrix(name("ffn_down"), block.down.val().transpose())?,
        ]);
    }
    Ok(all)
}

fn numbers<const D: usize>(tensor: BurnTensor<D>) -> Result<Vec<f32>> {
    tensor.into_data().try_to_vec::<f32>().ok().context("a weight has no values")
}
