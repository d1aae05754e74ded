//! Stage 1, tokenize: text to token ids, with the vocabulary and merges of the model file.

use std::collections::HashMap;

use ahash::AHashMap;
use tokenizers::models::bpe::BPE;
use tokenizers::pre_tokenizers::{
    PreTokenizerWrapper, byte_level::ByteLevel, digits::Digits, sequence::Sequence as PreTokenizers, split::Split,
    split::SplitPattern,
};
use tokenizers::{SplitDelimiterBehavior, Tokenizer as HfTokenizer};

use crate::error::{Code, Error, Result};
use crate::gguf::Header;
use crate::vocabulary::Vocabulary;

/// Token types of GGUF (`tokenizer.ggml.token_type`).
const CONTROL: u64 = 3;
const USER_DEFINED: u64 = 4;

pub struct Tokenizer {
    bpe: HfTokenizer,
    /// Control tokens as they are written in text, with their ids.
    specials: Vec<(String, u32)>,
    /// Bytes that no token stands for: their characters can't be written.
    missing: Vec<u8>,
    /// Put in front of every sequence, if the file asks for it.
    bos: Option<u32>,
}

/// A stretch of text between control tokens, or one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    Text(&'a str),
    Control(u32),
}

/// A vocabulary, its tokenizer and the ids that end a text, from a model file.
pub struct FromFile {
    pub vocabulary: Vocabulary,
    pub tokenizer: Tokenizer,
    pub eos: Vec<u32>,
}

impl Tokenizer {
    pub fn from_gguf(header: &Header) -> Result<FromFile> {
        let model = header.str("tokenizer.ggml.model")?.unwrap_or("none");
        if model != "gpt2" {
            return Err(bad(format!(
                "The file's tokenizer is of the kind {model:?}; only byte-level BPE (gpt2) is supported."
            )));
        }
        let tokens = strings(header, "tokenizer.ggml.tokens")?;
        let merges = strings(header, "tokenizer.ggml.merges")?;
        let types = token_types(header, tokens.len())?;

        let mut vocab: AHashMap<String, u32> = AHashMap::with_capacity(tokens.len());
        let mut bytes = Vec::with_capacity(tokens.len());
        let mut special = Vec::with_capacity(tokens.len());
        let mut specials = Vec::new();
        let table = byte_table();
        for (id, token) in tokens.iter().enumerate() {
            let id32 = id as u32;
            let control = types[id] == CONTROL;
            if control || types[id] == USER_DEFINED {
                specials.push((token.to_string(), id32));
                bytes.push(token.as_bytes().to_vec());
            } else {
                // A character outside of the table stands for itself.
                let mut token_bytes = Vec::with_capacity(token.len());
                for c in token.chars() {
                    match table.get(&c) {
                        Some(byte) => token_bytes.push(*byte),
                        None => token_bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    }
                }
                bytes.push(token_bytes);
            }
            special.push(control);
            if vocab.insert(token.to_string(), id32).is_some() {
                return Err(bad(format!("The vocabulary holds {token:?} twice.")));
            }
        }
        specials.retain(|(text, _)| !text.is_empty());
        // Longest first, so that the longest one that fits is taken.
        specials.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));

        let missing =
            table.iter().filter(|(c, _)| !vocab.contains_key(c.to_string().as_str())).map(|(_, b)| *b).collect();
        let bpe = bpe(vocab, &merges, header.str("tokenizer.ggml.pre")?.unwrap_or("default"))?;
        let id = |key: &str| -> Result<Option<u32>> {
            match header.u64(key)? {
                None => Ok(None),
                Some(id) if (id as usize) < tokens.len() => Ok(Some(id as u32)),
                Some(id) => Err(bad(format!("{key} is {id}, outside of the vocabulary."))),
            }
        };
        let add_bos = header.bool("tokenizer.ggml.add_bos_token")?.unwrap_or(false);
        let bos = if add_bos { id("tokenizer.ggml.bos_token_id")? } else { None };
        let mut eos = Vec::new();
        for key in ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"] {
            if let Some(id) = id(key)?
                && !eos.contains(&id)
            {
                eos.push(id);
            }
        }
        let vocabulary = Vocabulary::new(bytes, special, "");
        Ok(FromFile { vocabulary, tokenizer: Tokenizer { bpe, specials, missing, bos }, eos })
    }

    /// Ids of a text. `special`: whether control tokens written out in it count as such.
    pub fn encode(&self, text: &str, special: bool) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        if special {
            for part in self.split(text) {
                match part {
                    Part::Control(id) => ids.push(id),
                    Part::Text(text) => self.encode_plain(text, &mut ids)?,
                }
            }
        } else {
            self.encode_plain(text, &mut ids)?;
        }
        Ok(ids)
    }

    /// A text cut at the control tokens written in it.
    pub fn split<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Part<'a>> {
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (at, length, id) = match self.next_special(rest) {
                Some((at, written, id)) => (at, written.len(), Some(id)),
                None => (rest.len(), 0, None),
            };
            let text = &rest[..at];
            match id {
                Some(id) if text.is_empty() => {
                    rest = &rest[length..];
                    Some(Part::Control(id))
                }
                _ => {
                    rest = &rest[at..];
                    Some(Part::Text(text))
                }
            }
        })
    }

    fn encode_plain(&self, text: &str, ids: &mut Vec<u32>) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        // The library would drop such a character without a word.
        if let Some(at) = text.bytes().position(|b| self.missing.contains(&b)) {
            let c = text[..at].chars().count();
            return Err(Error::new(
                Code::BadPrompt,
                format!(
                    "The model has no token for character {} of the text (a byte of {:02X}).",
                    c + 1,
                    text.as_bytes()[at]
                ),
            )
            .with_hint("Leave this character out."));
        }
        let encoding =
            self.bpe.encode_fast(text, false).map_err(|e| bad(format!("The text couldn't be tokenized: {e}")))?;
        ids.extend_from_slice(encoding.get_ids());
        Ok(())
    }

    /// The first control token written in `text`: where, its spelling, its id.
    fn next_special(&self, text: &str) -> Option<(usize, &str, u32)> {
        text.char_indices().find_map(|(at, _)| {
            let (written, id) = self.specials.iter().find(|(s, _)| text[at..].starts_with(s.as_str()))?;
            Some((at, written.as_str(), *id))
        })
    }

    /// The spellings of the control tokens, longest first.
    pub fn specials(&self) -> impl Iterator<Item = &str> {
        self.specials.iter().map(|(text, _)| text.as_str())
    }

    /// Puts the beginning-of-text token in front if the file asks for it and it isn't there yet.
    pub fn begin(&self, mut ids: Vec<u32>) -> Vec<u32> {
        if let Some(bos) = self.bos
            && ids.first() != Some(&bos)
        {
            ids.insert(0, bos);
        }
        ids
    }
}

fn bpe(vocab: AHashMap<String, u32>, merges: &[&str], pre: &str) -> Result<HfTokenizer> {
    let merges: Option<Vec<(String, String)>> =
        merges.iter().map(|m| m.split_once(' ').map(|(a, b)| (a.to_string(), b.to_string()))).collect();
    let merges = merges.ok_or_else(|| bad("A merge in the file isn't a pair of tokens.".into()))?;
    let model = BPE::builder()
        .vocab_and_merges(vocab, merges)
        .build()
        .map_err(|e| bad(format!("The merges in the file don't fit its vocabulary: {e}")))?;
    let mut tokenizer = HfTokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(pre_tokenizer(pre)?));
    Ok(tokenizer)
}

/// How text is split before the merges, by the name in `tokenizer.ggml.pre`.
fn pre_tokenizer(name: &str) -> Result<PreTokenizerWrapper> {
    // No space in front, offsets untrimmed, and GPT-2's regex for words.
    let words = ByteLevel::new(false, true, true);
    Ok(match name {
        // Every digit alone, then GPT-2's words.
        "smollm" => PreTokenizers::new(vec![Digits::new(true).into(), words.into()]).into(),
        "gpt-2" | "default" => words.into(),
        "llama-bpe" => {
            let pattern = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
            let split = Split::new(SplitPattern::Regex(pattern.into()), SplitDelimiterBehavior::Isolated, false)
                .map_err(|e| bad(format!("The pattern of {name} can't be used: {e}")))?;
            PreTokenizers::new(vec![split.into(), ByteLevel::new(false, true, false).into()]).into()
        }
        other => {
            return Err(bad(format!(
                "The file splits text by the rule {other:?}, which isn't supported (smollm, gpt-2 and llama-bpe are)."
            )));
        }
    })
}

/// GPT-2's spelling of bytes as printable characters, reversed.
fn byte_table() -> HashMap<char, u8> {
    let printable = |b: u8| matches!(b, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut next = 256u32;
    let mut table = HashMap::new();
    for byte in 0..=255u8 {
        let code = if printable(byte) {
            u32::from(byte)
        } else {
            next += 1;
            next - 1
        };
        if let Some(c) = char::from_u32(code) {
            table.insert(c, byte);
        }
    }
    table
}

fn strings<'a>(header: &'a Header, key: &str) -> Result<Vec<&'a str>> {
    let items = header.array(key)?.ok_or_else(|| bad(format!("The file has no {key}.")))?;
    let strings: Option<Vec<&str>> = items.iter().map(|v| v.as_str()).collect();
    strings.filter(|s| !s.is_empty()).ok_or_else(|| bad(format!("{key} isn't a list of text.")))
}

fn token_types(header: &Header, n: usize) -> Result<Vec<u64>> {
    let Some(items) = header.array("tokenizer.ggml.token_type")? else {
        return Ok(vec![1; n]);
    };
    let types: Option<Vec<u64>> = items.iter().map(|v| v.as_u64()).collect();
    types.filter(|t| t.len() == n).ok_or_else(|| bad("tokenizer.ggml.token_type doesn't match the vocabulary.".into()))
}

fn bad(message: String) -> Error {
    Error::new(Code::BadTokenizer, message)
}
