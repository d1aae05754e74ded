//! Stage 7, the text: bytes to characters, one token at a time. Half a character is never shown.

/// A stray byte or bytes that are no character, at a place in the text where U+FFFD stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Byte offset of its U+FFFD in the text.
    pub at: usize,
    pub bytes: Vec<u8>,
}

/// Text that became complete.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Complete characters; bytes that can't be one are U+FFFD.
    pub text: String,
    pub strays: Vec<Stray>,
}

/// Keeps the bytes of a character that isn't complete yet.
#[derive(Debug, Clone, Default)]
pub struct Detokenizer {
    pending: Vec<u8>,
}

impl Detokenizer {
    /// Bytes that wait for the rest of their character: 0 to 3.
    pub fn pending(&self) -> &[u8] {
        &self.pending
    }

    /// Adds a token's bytes; gives the characters that are complete now.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        self.pending.extend_from_slice(bytes);
        let mut out = Decoded::default();
        let buffer = std::mem::take(&mut self.pending);
        let mut rest = buffer.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    out.text.push_str(text);
                    return out;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    // `good` is valid by `valid_up_to`, so nothing is replaced.
                    out.text.push_str(&String::from_utf8_lossy(good));
                    let Some(n) = error.error_len() else {
                        self.pending = bad.to_vec();
                        return out;
                    };
                    out.strays.push(Stray { at: out.text.len(), bytes: bad[..n].to_vec() });
                    out.text.push(char::REPLACEMENT_CHARACTER);
                    rest = &bad[n..];
                }
            }
        }
    }
}
