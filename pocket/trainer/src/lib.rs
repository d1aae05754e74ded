//! Trains the pocket model from scratch: [`tokenizer`], then [`network`] by [`train`] after the
//! numbers in [`recipe`]. [`ops`] and [`kernels`] make it fast enough for two CPU cores.

mod checkpoint;
pub mod curve;
pub mod export;
pub mod gguf;
pub mod kernels;
pub mod network;
pub mod ops;
pub mod quantise;
pub mod random;
pub mod recipe;
pub mod record;
pub mod tokenizer;
pub mod train;
