//! next-token: how a language model writes, one token at a time.
//!
//! The loop in ten lines, each with the module that does it:
//!
//! 1. [`tokenizer`]: text becomes token ids ([`chat`] makes a conversation one text first)
//! 2. [`run`]: `prefill` reads the prompt, its K and V go into the cache
//! 3. [`model`]: `forward` gives one score (logit) for each entry of the vocabulary
//! 4. [`distribution`]: scores become probabilities; temperature, top-k, top-p, min-p
//! 5. [`sampler`]: a coin lands on the cumulative bar and chooses a token
//! 6. [`stop`]: does this token end the run, and which text may be shown?
//! 7. [`run`] appends it, [`detokenizer`] makes it text, and the loop goes back to 3
//!
//! [`gguf`] reads the model's file, [`linear`] multiplies with its packed weights, [`device`]
//! chooses between WebGPU and the CPU, [`event`] holds the records that views read.

pub mod chat;
pub mod detokenizer;
#[cfg(target_arch = "wasm32")]
pub mod device;
pub mod distribution;
pub mod engine;
pub mod error;
pub mod event;
pub mod gguf;
pub mod linear;
pub mod loader;
pub mod model;
mod ranking;
pub mod run;
pub mod sampler;
pub mod settings;
pub mod stop;
pub mod tokenizer;
pub mod vocabulary;
#[cfg(target_arch = "wasm32")]
mod web;
