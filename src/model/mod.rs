//! What writes the next score: a network or a table, behind one trait.

pub mod llama;
pub mod table;

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

use crate::distribution::Logits;
use crate::error::{Code, Error, Result};

/// A result that may have to wait for a GPU.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// Constants: shape and weights. Shared by all runs.
pub trait Model {
    /// A fresh decoder whose KV cache holds `capacity` tokens.
    fn decoder(&self, capacity: usize) -> Result<Box<dyn Decoder>>;
}

/// One run's mutable half of a model: its KV cache and what the last pass left behind.
pub trait Decoder {
    /// Computes these tokens behind the ones in the cache and keeps their K and V.
    /// Gives the scores for the token after the last one if `scores` is set.
    fn forward<'a>(&'a mut self, ids: &'a [u32], scores: bool) -> Pending<'a, Option<Logits>>;

    /// Tokens in the cache.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all but the first `len` tokens.
    fn truncate(&mut self, len: usize);

    /// A second decoder that holds K and V of the first `len` tokens already, with room for `capacity`.
    fn fork(&self, len: usize, capacity: usize) -> Result<Box<dyn Decoder>>;

    fn attention(&self, _layer: usize) -> Pending<'_, Attention> {
        Box::pin(async { Err(unsupported("attention")) })
    }

    /// K and V of these tokens.
    fn kv(&self, _layer: usize, _tokens: Range<usize>) -> Pending<'_, Kv> {
        Box::pin(async { Err(unsupported("KV cache")) })
    }
}

fn unsupported(what: &str) -> Error {
    Error::new(Code::Unsupported, format!("This model has no {what}: it is a table that looks at the last token only."))
}

/// Attention weights of the newest computed token in one layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    pub layer: usize,
    pub heads: usize,
    pub tokens: usize,
    /// `[heads][tokens]`, each row adds up to 1.
    pub weights: Vec<f32>,
}

/// One layer of the KV cache, all of its tokens or some.
#[derive(Debug, Clone, PartialEq)]
pub struct Kv {
    pub layer: usize,
    /// The first token's position.
    pub from: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub tokens: usize,
    /// `[tokens][kv_heads][head_dim]`, after rotation, pairs interleaved as in the file.
    pub k: Vec<f32>,
    /// `[tokens][kv_heads][head_dim]`.
    pub v: Vec<f32>,
}
