//! What is kept beside the model file: how it came to be, so that it can be checked.

use serde::{Deserialize, Serialize};

use crate::recipe::Recipe;
use crate::train::Point;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub recipe: Recipe,
    /// The corpus: the first so many documents of the small world.
    pub documents: u64,
    pub corpus_sha256: String,
    /// Steps done and tokens learned from.
    pub steps: u64,
    pub tokens: u64,
    /// Of the file `pocket.gguf`.
    pub bytes: u64,
    pub sha256: String,
    pub curve: Vec<Point>,
}
