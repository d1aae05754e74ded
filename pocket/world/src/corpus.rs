//! Fingerprints: of the corpus that a model learned from, and of its file.

use sha2::{Digest, Sha256};

use crate::document::Split;
use crate::world::World;

/// SHA-256, in hex, over the first `documents` training documents, their control tokens spelled out.
pub fn corpus_sha256(world: &World, documents: u64) -> String {
    let mut hash = Sha256::new();
    for index in 0..documents {
        hash.update(world.document(Split::Train, index).text());
    }
    hex(hash)
}

/// SHA-256 of a file, in hex.
pub fn sha256(bytes: &[u8]) -> String {
    hex(Sha256::new_with_prefix(bytes))
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
