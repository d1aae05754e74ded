//! The trainer's record of a file: whether its corpus can still be made, and whether this is the file.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use small_world::{World, corpus_sha256, sha256};

/// What is read of the record; the rest is the recipe and the curve.
#[derive(Debug, Deserialize)]
struct Record {
    documents: u64,
    corpus_sha256: String,
    sha256: String,
}

/// Makes the corpus again and compares its hash and the file's with the record.
pub fn check(record: &str, file: &[u8]) -> Result<()> {
    let record: Record = serde_json::from_str(record).context("the record isn't what the trainer writes")?;
    let sha256 = sha256(file);
    ensure!(sha256 == record.sha256, "the file's hash is {sha256}; the record is of {}", record.sha256);
    let corpus = corpus_sha256(&World::new(), record.documents);
    ensure!(
        corpus == record.corpus_sha256,
        "the corpus of {} documents has the hash {corpus}; the model learned from {}: \
         a change of the small world needs a new training",
        record.documents,
        record.corpus_sha256
    );
    eprintln!("the corpus of {} documents and the file are those of the record", record.documents);
    Ok(())
}
