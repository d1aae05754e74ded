//! Stage 6, stop check: why a run ends, and which text may be shown meanwhile.

use crate::detokenizer::{Decoded, Detokenizer, Stray};

/// Why a run ended. The names are those of the field's APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// The model chose an end-of-text token.
    Eos,
    /// `max_tokens` are reached.
    Length,
    /// A stop sequence is complete.
    Stop,
    /// The context holds no further token.
    Context,
    Cancelled,
}

impl FinishReason {
    pub fn as_str(self) -> &'static str {
        match self {
            FinishReason::Eos => "eos",
            FinishReason::Length => "length",
            FinishReason::Stop => "stop",
            FinishReason::Context => "context",
            FinishReason::Cancelled => "cancelled",
        }
    }
}

/// The generated text. Text that may turn out to begin a stop sequence is held back: it is final
/// only when it can't be part of one any more.
#[derive(Debug, Clone, Default)]
pub struct HeldText {
    sequences: Vec<String>,
    detokenizer: Detokenizer,
    text: String,
    strays: Vec<Stray>,
    held: String,
    held_strays: Vec<Stray>,
    trimmed: String,
}

impl HeldText {
    pub fn new(sequences: Vec<String>) -> Self {
        HeldText { sequences, ..Default::default() }
    }

    /// Final text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the final text has U+FFFD for bytes that are no character.
    pub fn strays(&self) -> &[Stray] {
        &self.strays
    }

    /// Text that waits.
    pub fn held(&self) -> &str {
        &self.held
    }

    /// Bytes of an incomplete character.
    pub fn pending(&self) -> &[u8] {
        self.detokenizer.pending()
    }

    /// Text from the start of the matched stop sequence on, which never became final.
    pub fn trimmed(&self) -> &str {
        &self.trimmed
    }

    /// Adds a token's bytes. Gives the stop sequence that is complete now, if any.
    pub fn push(&mut self, bytes: &[u8]) -> Option<String> {
        let Decoded { text, strays } = self.detokenizer.push(bytes);
        let base = self.held.len();
        self.held.push_str(&text);
        self.held_strays.extend(strays.into_iter().map(|s| Stray { at: base + s.at, ..s }));

        // The earliest match ends the text; of two at the same place, the first in the list.
        let found =
            self.sequences.iter().filter_map(|s| Some((self.held.find(s.as_str())?, s))).min_by_key(|(at, _)| *at);
        if let Some((at, sequence)) = found {
            let sequence = sequence.clone();
            self.release(at);
            self.trimmed = std::mem::take(&mut self.held);
            self.held_strays.clear();
            // Half a character behind the stop sequence isn't part of the answer either.
            self.detokenizer = Detokenizer::default();
            return Some(sequence);
        }
        self.release(self.held.len() - self.waiting());
        None
    }

    /// The stop sequence that would be complete with these bytes; changes nothing.
    pub fn peek(&self, bytes: &[u8]) -> Option<String> {
        if self.sequences.is_empty() {
            return None;
        }
        // What is final can't be part of a match, so the final text isn't needed.
        let mut probe = HeldText {
            sequences: self.sequences.clone(),
            detokenizer: self.detokenizer.clone(),
            held: self.held.clone(),
            ..Default::default()
        };
        probe.push(bytes)
    }

    /// Bytes at the end of `held` that are the beginning of a stop sequence.
    fn waiting(&self) -> usize {
        let begins = |tail: &str| self.sequences.iter().any(|s| s.starts_with(tail));
        self.held.char_indices().map(|(at, _)| &self.held[at..]).find(|tail| begins(tail)).map_or(0, str::len)
    }

    fn release(&mut self, n: usize) {
        let base = self.text.len();
        self.text.push_str(&self.held[..n]);
        self.held.drain(..n);
        for stray in std::mem::take(&mut self.held_strays) {
            if stray.at < n {
                self.strays.push(Stray { at: base + stray.at, ..stray });
            } else {
                self.held_strays.push(Stray { at: stray.at - n, ..stray });
            }
        }
    }

    /// The run ended without a stop sequence: what waited is final now.
    pub fn flush(&mut self) {
        self.release(self.held.len());
    }
}
