//! A small world whose truth is known, and the texts written about it: what the pocket model learns from.
//!
//! Texts depend on a number only. There are no floats and no hash maps, so every platform writes the same corpus.

mod chat;
mod corpus;
mod document;
mod fact;
mod facts;
mod few_shot;
mod list;
mod pattern;
mod problem;
mod question;
mod random;
mod small_talk;
mod story;
mod template;
mod world;

pub use corpus::{corpus_sha256, sha256};
pub use document::{Control, Document, Kind, Part, Split};
pub use facts::Capital;
pub use problem::{Problem, ProblemKind, read_answer, sum_is_held_out, word_is_held_out};
pub use random::mix;
pub use world::World;
