//! A loaded model with its text side: what runs are started from.

use std::rc::Rc;

use crate::chat::{ChatTemplate, parts};
use crate::error::{Code, Error, Result};
use crate::event::{Info, Piece, Rendered};
use crate::model::Model;
use crate::model::table::{Table, TableModel, WordTokenizer};
use crate::run::Run;
use crate::settings::{Message, Prompt, RunSettings, StartOptions, empty_prompt};
use crate::tokenizer::Tokenizer;
use crate::vocabulary::Vocabulary;

/// How text becomes ids: by a subword vocabulary or by whole words.
pub enum Encoder {
    Subwords(Box<Subwords>),
    Words(WordTokenizer),
}

pub struct Subwords {
    pub tokenizer: Tokenizer,
    pub chat: Option<ChatTemplate>,
}

pub struct Engine {
    pub info: Info,
    pub vocabulary: Vocabulary,
    /// Ids that end a text.
    pub eos: Vec<u32>,
    pub encoder: Encoder,
    pub model: Box<dyn Model>,
}

impl Engine {
    /// The longest sequence by default, in tokens: bounds the KV cache's memory.
    pub const CONTEXT: usize = 2048;

    pub fn table(table: &Table) -> Result<Engine> {
        let model = TableModel::new(table)?;
        let info = Info {
            model: "table".into(),
            architecture: "table",
            backend: "cpu",
            adapter: None,
            reason: "A table needs no GPU.".into(),
            parameters: model.entries,
            layers: 0,
            heads: 0,
            kv_heads: 0,
            head_dim: 0,
            context: Self::CONTEXT,
            context_of_model: Self::CONTEXT,
            vocabulary: model.vocabulary.len(),
            bytes: 0,
            kv_bytes_per_token: 0,
            chat: false,
        };
        Ok(Engine {
            info,
            vocabulary: model.vocabulary.clone(),
            eos: vec![model.end],
            encoder: Encoder::Words(model.tokenizer.clone()),
            model: Box::new(model),
        })
    }

    /// Tokens of a text. `special`: whether control tokens written out in it count as such.
    pub fn encode(&self, text: &str, special: bool) -> Result<Vec<Piece>> {
        Ok(self.ids(text, special)?.into_iter().map(|id| self.vocabulary.piece(id)).collect())
    }

    fn ids(&self, text: &str, special: bool) -> Result<Vec<u32>> {
        match &self.encoder {
            Encoder::Subwords(subwords) => subwords.tokenizer.encode(text, special),
            Encoder::Words(words) => Ok(words.encode(text)),
        }
    }

    /// Starts a run: tokenizes the prompt, nothing is computed yet.
    /// `bad-prompt`, `bad-config`, `bad-template`, or `context-full` if the prompt doesn't fit.
    pub fn start(self: &Rc<Self>, options: &StartOptions) -> Result<Run> {
        self.start_from(options, None)
    }

    /// Starts a run that takes from `reuse` K and V of the tokens that both begin with.
    pub fn start_from(self: &Rc<Self>, options: &StartOptions, reuse: Option<&Run>) -> Result<Run> {
        let settings = RunSettings::check(options)?;
        let prompt = self.prompt(options)?;
        if prompt.is_empty() {
            return Err(empty_prompt());
        }
        let context = self.info.context;
        if prompt.len() >= context {
            return Err(Error::new(
                Code::ContextFull,
                format!(
                    "The prompt has {} tokens; the context holds {context}, one of them for the answer.",
                    prompt.len()
                ),
            ));
        }
        match reuse {
            None => Run::new(self.clone(), prompt, settings),
            Some(other) => Run::reusing(self.clone(), other, prompt, settings),
        }
    }

    /// The messages as the model reads them, up to where it begins to answer; nothing is computed.
    /// `parts` is `None` if the template does more than to put text around the messages.
    pub fn render(&self, messages: &[Message]) -> Result<Rendered> {
        let (tokenizer, chat) = self.chat()?;
        let ids = chat.encode(messages, tokenizer)?;
        let sources = chat.sources(messages, tokenizer)?;
        let begun = tokenizer.begin(ids.clone());
        let added = begun.len() - ids.len();
        let pieces: Vec<Piece> = begun.into_iter().map(|id| self.vocabulary.piece(id)).collect();
        let parts = sources.and_then(|sources| parts(&pieces, added, &sources));
        Ok(Rendered { pieces, parts })
    }

    fn chat(&self) -> Result<(&Tokenizer, &ChatTemplate)> {
        if let Encoder::Subwords(subwords) = &self.encoder
            && let Subwords { tokenizer, chat: Some(chat) } = &**subwords
        {
            return Ok((tokenizer, chat));
        }
        Err(Error::new(Code::BadPrompt, "This model has no chat template, so it can't take messages.")
            .with_hint("Give the prompt as text."))
    }

    /// Token ids of the prompt or the messages.
    pub fn prompt(&self, options: &StartOptions) -> Result<Vec<u32>> {
        let begin = |ids| match &self.encoder {
            Encoder::Subwords(subwords) => subwords.tokenizer.begin(ids),
            Encoder::Words(_) => ids,
        };
        match &options.prompt {
            Prompt::Text(text) => {
                if text.is_empty() {
                    return Err(empty_prompt());
                }
                Ok(begin(self.ids(text, options.special.unwrap_or(true))?))
            }
            Prompt::Tokens(ids) => {
                for id in ids {
                    self.vocabulary.check(*id)?;
                }
                Ok(ids.clone())
            }
            Prompt::Messages(messages) => {
                let (tokenizer, chat) = self.chat()?;
                Ok(begin(chat.encode(messages, tokenizer)?))
            }
        }
    }
}
