//! The vocabulary: each id's exact bytes. Token ids are the state; text is made from them here.

use crate::error::{Code, Error, Result};
use crate::event::Piece;

#[derive(Debug, Clone)]
pub struct Vocabulary {
    bytes: Vec<Vec<u8>>,
    special: Vec<bool>,
    /// Stands between two tokens when they are joined; empty for a subword vocabulary.
    separator: Vec<u8>,
}

impl Vocabulary {
    pub fn new(bytes: Vec<Vec<u8>>, special: Vec<bool>, separator: &str) -> Self {
        Vocabulary { bytes, special, separator: separator.as_bytes().to_vec() }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn separator(&self) -> &[u8] {
        &self.separator
    }

    pub fn is_special(&self, id: u32) -> bool {
        self.special.get(id as usize).copied().unwrap_or(false)
    }

    /// The token's bytes, none for an id outside of the vocabulary.
    pub fn bytes(&self, id: u32) -> &[u8] {
        self.bytes.get(id as usize).map_or(&[], Vec::as_slice)
    }

    pub fn check(&self, id: u32) -> Result<()> {
        if (id as usize) < self.len() {
            return Ok(());
        }
        Err(Error::new(
            Code::BadConfig,
            format!("Token id {id} isn't in the vocabulary; the ids go from 0 to {}.", self.len().saturating_sub(1)),
        ))
    }

    pub fn piece(&self, id: u32) -> Piece {
        let bytes = self.bytes(id);
        Piece { id, text: lossy(bytes), bytes: bytes.to_vec(), special: self.is_special(id) }
    }

    /// The text of several tokens; bytes that are no character become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut bytes = Vec::new();
        for (i, id) in ids.iter().enumerate() {
            if i > 0 {
                bytes.extend_from_slice(&self.separator);
            }
            bytes.extend_from_slice(self.bytes(*id));
        }
        lossy(&bytes)
    }
}

pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
