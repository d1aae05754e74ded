//! What the pocket model can do, measured with the real engine on the CPU.
//!
//! [`exam`] takes a file through the parts in [`parts`]; [`table`] prints the figures, [`section`] writes them
//! for the model card, and [`card`] puts them there or compares them with what stands there. Everything is the
//! same each time for the same file: no clock, no chance but the engine's seeded coins.
//!
//! [`parts::perplexity::perplexity`] alone compares files, such as two quantisations of the same weights.

pub mod card;
pub mod cycle;
pub mod error;
pub mod exam;
pub mod markdown;
pub mod parts;
pub mod promises;
pub mod record;
pub mod section;
pub mod sentences;
pub mod statistics;
pub mod subject;
pub mod table;
pub mod truth;
pub mod workers;
