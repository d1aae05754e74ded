//! The tokenizer: byte-level BPE, its merges learned from the corpus.

use std::collections::HashSet;

use ahash::AHashMap;
use anyhow::{Context, Result, anyhow, ensure};
use small_world::{Control, Document, Part, Split, World};
use tokenizers::models::TrainerWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::{byte_level::ByteLevel, digits::Digits, sequence::Sequence};
use tokenizers::{AddedToken, Tokenizer as HfTokenizer};

/// The control tokens; their place is their id.
pub const CONTROLS: [Control; 3] = [Control::EndOfText, Control::TurnStart, Control::TurnEnd];

pub struct Tokenizer {
    bpe: HfTokenizer,
    /// Every token by id, bytes spelled as in GPT-2.
    pub tokens: Vec<String>,
    /// Pairs of tokens, the first learned first, as `left right`.
    pub merges: Vec<String>,
}

impl Tokenizer {
    /// Learns from the first `documents` documents of the corpus. Text is split into words and single
    /// digits before merges (GGUF's rule `smollm`).
    pub fn train(world: &World, documents: u64, vocabulary: usize) -> Result<Tokenizer> {
        let mut bpe = HfTokenizer::new(BPE::default());
        split_text(&mut bpe);
        let mut trainer: TrainerWrapper = BpeTrainer::builder()
            .vocab_size(vocabulary)
            .show_progress(false)
            .special_tokens(CONTROLS.map(|c| AddedToken::from(c.spelling().to_string(), true)).to_vec())
            .initial_alphabet(ByteLevel::alphabet().into_iter().collect::<HashSet<char>>())
            .build()
            .into();
        let parts = (0..documents).flat_map(|i| world.document(Split::Train, i).parts);
        let texts = parts.flat_map(|part| match part {
            // Cut after `{`, so that it stays a token of its own: an answer that is begun with `{` for
            // the model must begin like the answers it has seen.
            Part::Text(text) => text.split_inclusive('{').map(str::to_string).collect(),
            Part::Control(_) => Vec::new(),
        });
        bpe.train(&mut trainer, texts).map_err(|e| anyhow!("the merges couldn't be learned: {e}"))?;
        let json = serde_json::to_value(bpe.get_model()).context("the learned merges can't be read")?;
        let mut by_id: Vec<(u64, String)> = json["vocab"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(token, id)| Some((id.as_u64()?, token.clone())))
            .collect();
        by_id.sort();
        let pair = |pair: &serde_json::Value| Some(format!("{} {}", pair.get(0)?.as_str()?, pair.get(1)?.as_str()?));
        let merges: Option<Vec<String>> = json["merges"].as_array().into_iter().flatten().map(pair).collect();
        let tokens: Vec<String> = by_id.into_iter().map(|(_, token)| token).collect();
        Tokenizer::new(tokens, merges.context("a learned merge isn't a pair")?)
    }

    pub fn new(tokens: Vec<String>, merges: Vec<String>) -> Result<Tokenizer> {
        for (control, token) in CONTROLS.iter().zip(&tokens) {
            ensure!(control.spelling() == token, "the vocabulary doesn't begin with the control tokens");
        }
        let vocab: AHashMap<String, u32> = tokens.iter().cloned().zip(0..).collect();
        let pairs: Option<Vec<(String, String)>> =
            merges.iter().map(|m| m.split_once(' ').map(|(a, b)| (a.to_string(), b.to_string()))).collect();
        let model = BPE::builder()
            .vocab_and_merges(vocab, pairs.context("a merge isn't a pair")?)
            .build()
            .map_err(|e| anyhow!("the merges don't fit the vocabulary: {e}"))?;
        let mut bpe = HfTokenizer::new(model);
        split_text(&mut bpe);
        Ok(Tokenizer { bpe, tokens, merges })
    }

    /// Makes these words, a space in front, one token each, by further merges behind the ones there are: other
    /// text keeps its tokens unless it has the same beginnings. Gives the two tokens that each new one joins.
    pub fn grow(&mut self, words: &[&str]) -> Result<Vec<(u32, u32)>> {
        let mut joined = Vec::new();
        for word in words {
            loop {
                let ids = self.encode_text(&format!(" {word}"))?;
                let [left, right, ..] = ids[..] else { break };
                let name = |id: u32| self.tokens.get(id as usize).cloned().context("a token outside of the vocabulary");
                let (a, b) = (name(left)?, name(right)?);
                ensure!(!self.tokens.contains(&format!("{a}{b}")), "{a}{b} is a token that no merge leads to");
                self.tokens.push(format!("{a}{b}"));
                self.merges.push(format!("{a} {b}"));
                joined.push((left, right));
                *self = Tokenizer::new(std::mem::take(&mut self.tokens), std::mem::take(&mut self.merges))?;
            }
        }
        Ok(joined)
    }

    fn encode_text(&self, text: &str) -> Result<Vec<u32>> {
        let encoding = self.bpe.encode_fast(text, false).map_err(|e| anyhow!("a text can't be encoded: {e}"))?;
        Ok(encoding.get_ids().to_vec())
    }

    pub fn encode(&self, document: &Document) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        for part in &document.parts {
            match part {
                Part::Text(text) => ids.extend(self.encode_text(text)?),
                Part::Control(control) => ids.extend(CONTROLS.iter().position(|c| c == control).map(|id| id as u32)),
            }
        }
        Ok(ids)
    }
}

fn split_text(tokenizer: &mut HfTokenizer) {
    let words = ByteLevel::new(false, true, true);
    tokenizer.with_pre_tokenizer(Some(Sequence::new(vec![Digits::new(true).into(), words.into()])));
}
