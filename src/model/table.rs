//! The table model: for each last token, the next tokens and their probabilities, written by hand.
//! It runs through the same `Run`, sampler and stop check as a network.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Decoder, Model, Pending};
use crate::distribution::Logits;
use crate::error::{Error, Result};
use crate::vocabulary::Vocabulary;

/// Entry for words that the table doesn't know.
pub const UNKNOWN: &str = "<unk>";

/// A table as a user writes it.
#[derive(Debug, Clone)]
pub struct Table {
    /// `last: [(next, probability)]`; anything else ends the run.
    pub rows: Vec<(String, Vec<(String, f64)>)>,
    /// Words that only occur in prompts.
    pub words: Vec<String>,
    pub separator: String,
    pub end: String,
}

impl Table {
    /// The lesson's table.
    pub fn lesson() -> Table {
        let row = |last: &str, next: &[(&str, f64)]| {
            (last.to_string(), next.iter().map(|(token, p)| (token.to_string(), *p)).collect())
        };
        Table {
            rows: vec![
                row("is", &[("Paris", 0.92), ("located", 0.05), ("the", 0.03)]),
                row("Paris", &[(".", 0.85), (",", 0.10), (" a", 0.05)]),
                row(".", &[("<END>", 0.99), ("\n", 0.01)]),
            ],
            words: ["The", "capital", "of", "France"].map(String::from).to_vec(),
            separator: " ".into(),
            end: "<END>".into(),
        }
    }
}

/// `[vocabulary][vocabulary]`, sparse: the scores after each token.
type Rows = HashMap<u32, Vec<(u32, f64)>>;

pub struct TableModel {
    pub vocabulary: Vocabulary,
    pub tokenizer: WordTokenizer,
    pub end: u32,
    pub entries: u64,
    rows: Rc<Rows>,
}

/// Splits a prompt at the table's separator, or into its longest known entries if there is none.
#[derive(Debug, Clone)]
pub struct WordTokenizer {
    ids: HashMap<String, u32>,
    separator: String,
    unknown: u32,
}

impl TableModel {
    /// `bad-config` names the row that isn't a distribution.
    pub fn new(table: &Table) -> Result<TableModel> {
        let mut ids = HashMap::new();
        let mut texts: Vec<String> = Vec::new();
        let mut intern = |text: &str| {
            *ids.entry(text.to_string()).or_insert_with(|| {
                texts.push(text.to_string());
                texts.len() as u32 - 1
            })
        };
        for word in &table.words {
            intern(word);
        }
        let mut rows = Rows::new();
        let mut entries = 0;
        for (last, next) in &table.rows {
            let sum: f64 = next.iter().map(|(_, p)| p).sum();
            let fair = next.iter().all(|(_, p)| (0.0..=1.0).contains(p)) && (sum - 1.0).abs() < 1e-6;
            if !fair {
                return Err(Error::config(format!(
                    "The row {last:?} of the table isn't a distribution: its probabilities add up to {sum}."
                )));
            }
            if last.is_empty() || next.iter().any(|(token, _)| token.is_empty()) {
                return Err(Error::config(format!("The row {last:?} of the table has an empty token.")));
            }
            let last = intern(last);
            let next: Vec<(u32, f64)> = next.iter().map(|(token, p)| (intern(token), *p)).collect();
            entries += next.len() as u64;
            rows.insert(last, next);
        }
        let end = intern(&table.end);
        let unknown = intern(UNKNOWN);
        let special = (0..texts.len() as u32).map(|id| id == end).collect();
        let bytes = texts.iter().map(|text| text.clone().into_bytes()).collect();
        Ok(TableModel {
            vocabulary: Vocabulary::new(bytes, special, &table.separator),
            tokenizer: WordTokenizer { ids, separator: table.separator.clone(), unknown },
            end,
            entries,
            rows: Rc::new(rows),
        })
    }
}

impl WordTokenizer {
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let id = |word: &str| self.ids.get(word).copied().unwrap_or(self.unknown);
        if !self.separator.is_empty() {
            return text.split(&self.separator).filter(|word| !word.is_empty()).map(id).collect();
        }
        let mut rest = text;
        let mut out = Vec::new();
        while let Some(first) = rest.chars().next() {
            let known = self.ids.keys().filter(|word| rest.starts_with(word.as_str())).max_by_key(|word| word.len());
            out.push(known.map_or(self.unknown, |word| id(word)));
            rest = &rest[known.map_or(first.len_utf8(), |word| word.len())..];
        }
        out
    }
}

impl Model for TableModel {
    fn decoder(&self, _capacity: usize) -> Result<Box<dyn Decoder>> {
        Ok(Box::new(TableDecoder { rows: self.rows.clone(), end: self.end, vocabulary: self.vocabulary.len(), len: 0 }))
    }
}

struct TableDecoder {
    rows: Rc<Rows>,
    end: u32,
    vocabulary: usize,
    len: usize,
}

impl Decoder for TableDecoder {
    fn forward<'a>(&'a mut self, ids: &'a [u32], scores: bool) -> Pending<'a, Option<Logits>> {
        Box::pin(async move {
            self.len += ids.len();
            let Some(last) = ids.last().filter(|_| scores) else {
                return Ok(None);
            };
            // The score is ln p, whose softmax is p again; what can't follow has −∞.
            let mut values = vec![f32::NEG_INFINITY; self.vocabulary];
            match self.rows.get(last) {
                None => values[self.end as usize] = 0.0,
                Some(next) => {
                    for (id, p) in next {
                        values[*id as usize] = p.ln() as f32;
                    }
                }
            }
            Logits::new(values).map(Some)
        })
    }

    fn len(&self) -> usize {
        self.len
    }

    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    fn fork(&self, len: usize, _capacity: usize) -> Result<Box<dyn Decoder>> {
        let (rows, end, vocabulary) = (self.rows.clone(), self.end, self.vocabulary);
        Ok(Box::new(TableDecoder { rows, end, vocabulary, len: self.len.min(len) }))
    }
}
