//! The chat template: messages to token ids, by the Jinja template in the model file.
//!
//! Text in a message can never become a control token. A spelling of one inside a message gets a
//! marker character put into it before rendering; the template's own control tokens have none, so
//! they are the only ones recognised. Then the markers are taken out and the rest is encoded as
//! plain text, which gives exactly the tokens of the unmarked text.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value, context};

use crate::error::{Code, Error, Result};
use crate::event::{Piece, RenderedPart};
use crate::settings::Message;
use crate::tokenizer::{Part, Tokenizer};

pub struct ChatTemplate {
    environment: Environment<'static>,
    bos: String,
    eos: String,
}

const NAME: &str = "chat";
/// Instructions a template may run; a conversation takes some hundreds.
const FUEL: u64 = 1_000_000;
const ROLES: [&str; 3] = ["system", "user", "assistant"];
/// Noncharacters (U+FDD0 to U+FDEF): reserved by Unicode for a program's inner use.
const MARKERS: std::ops::RangeInclusive<char> = '\u{FDD0}'..='\u{FDEF}';

impl ChatTemplate {
    /// `bad-template` if the template isn't Jinja.
    pub fn new(source: &str, bos: &str, eos: &str) -> Result<ChatTemplate> {
        let mut environment = Environment::new();
        // As the templates' authors render them.
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(|e| bad(&e))?;
        environment.set_syntax(syntax);
        // A template is a program out of a file: it must come to an end.
        environment.set_fuel(Some(FUEL));
        environment.add_function(
            "raise_exception",
            |message: String| -> std::result::Result<Value, minijinja::Error> {
                Err(minijinja::Error::new(ErrorKind::InvalidOperation, message))
            },
        );
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_template_owned(NAME, source.to_string()).map_err(|e| bad(&e))?;
        Ok(ChatTemplate { environment, bos: bos.to_string(), eos: eos.to_string() })
    }

    /// Token ids of a conversation, up to where the assistant begins to answer.
    pub fn encode(&self, messages: &[Message], tokenizer: &Tokenizer) -> Result<Vec<u32>> {
        if messages.is_empty() {
            return Err(Error::new(Code::BadPrompt, "There are no messages."));
        }
        if let Some(message) = messages.iter().find(|m| !ROLES.contains(&m.role.as_str())) {
            return Err(Error::new(
                Code::BadPrompt,
                format!("A message has the role {:?}; the roles are system, user and assistant.", message.role),
            ));
        }
        let alone = |c: char| tokenizer.specials().any(|s| s.chars().eq([c]));
        if let Some(c) = messages.iter().flat_map(|m| m.content.chars()).find(|c| alone(*c)) {
            // There is no place inside a single character for a marker.
            return Err(Error::new(
                Code::BadPrompt,
                format!("A message holds {c:?}, which is a control token of this model."),
            ));
        }
        let marker = unused(messages)?;
        let rendered = self.render(messages, |_, content| mark(content, marker, tokenizer))?;
        let mut ids = Vec::new();
        for part in tokenizer.split(&rendered) {
            match part {
                Part::Control(id) => ids.push(id),
                Part::Text(text) => ids.extend(tokenizer.encode(&text.replace(marker, ""), false)?),
            }
        }
        Ok(ids)
    }

    /// Where the rendered text comes from, stretch by stretch: a message or, `None`, the template; and
    /// each one's bytes. The whole is `None` if the template does more than to put text around the messages.
    pub fn sources(&self, messages: &[Message], tokenizer: &Tokenizer) -> Result<Option<Vec<Source>>> {
        let marker = unused(messages)?;
        let place = |at: usize| format!("{marker}{at}{marker}");
        let skeleton = self.render(messages, |at, _| place(at))?;
        let rendered = self.render(messages, |_, content| mark(content, marker, tokenizer))?.replace(marker, "");
        let contents = [|text: &str| text.to_string(), |text: &str| text.trim().to_string()];
        Ok(contents.into_iter().find_map(|content| {
            let (mut whole, mut sources, mut rest) = (String::new(), Vec::new(), skeleton.as_str());
            for (at, message) in messages.iter().enumerate() {
                let (before, after) = rest.split_once(&place(at))?;
                let content = content(&message.content);
                sources.push(Source { message: None, bytes: before.len() });
                sources.push(Source { message: Some(at), bytes: content.len() });
                whole.extend([before, &content]);
                rest = after;
            }
            sources.push(Source { message: None, bytes: rest.len() });
            whole.push_str(rest);
            (whole == rendered).then_some(sources)
        }))
    }

    /// `content`: what stands in the text for a message, given its index and its content.
    fn render(&self, messages: &[Message], content: impl Fn(usize, &str) -> String) -> Result<String> {
        let messages: Vec<Value> = messages
            .iter()
            .enumerate()
            .map(|(at, m)| context! { role => m.role.as_str(), content => content(at, &m.content) })
            .collect();
        let template = self.environment.get_template(NAME).map_err(|e| bad(&e))?;
        template
            .render(context! {
                messages => messages,
                bos_token => self.bos.as_str(),
                eos_token => self.eos.as_str(),
                add_generation_prompt => true,
            })
            .map_err(|e| bad(&e))
    }
}

/// A stretch of a rendered conversation.
pub struct Source {
    /// `None`: the template.
    pub message: Option<usize>,
    pub bytes: usize,
}

/// Which tokens come from which source. A token that holds bytes of two belongs to where its first byte
/// comes from. `added`: tokens in front that no text stands for. `None` if tokens and text differ in length.
pub fn parts(pieces: &[Piece], added: usize, sources: &[Source]) -> Option<Vec<RenderedPart>> {
    let mut parts: Vec<RenderedPart> = Vec::new();
    let mut put = |message, from: usize| match parts.last_mut() {
        Some(last) if last.message == message => last.to = from + 1,
        _ => parts.push(RenderedPart { message, from, to: from + 1 }),
    };
    (0..added).for_each(|at| put(None, at));
    let mut sources = sources.iter();
    let (mut message, mut end, mut byte) = (None, 0, 0);
    for (at, piece) in pieces.iter().enumerate().skip(added) {
        while end <= byte {
            let source = sources.next()?;
            message = source.message;
            end += source.bytes;
        }
        put(message, at);
        byte += piece.bytes.len();
    }
    (byte == end + sources.map(|source| source.bytes).sum::<usize>()).then_some(parts)
}

/// A noncharacter that no message holds.
fn unused(messages: &[Message]) -> Result<char> {
    let used = |marker: char| messages.iter().any(|m| m.content.contains(marker));
    MARKERS.into_iter().find(|c| !used(*c)).ok_or_else(|| {
        Error::new(Code::BadPrompt, "The messages hold every noncharacter of Unicode; none is left to mark text with.")
    })
}

/// Puts the marker behind the first character of every spelling of a control token.
fn mark(content: &str, marker: char, tokenizer: &Tokenizer) -> String {
    let mut out = String::with_capacity(content.len());
    for (at, c) in content.char_indices() {
        out.push(c);
        if tokenizer.specials().any(|s| content[at..].starts_with(s)) {
            out.push(marker);
        }
    }
    out
}

fn bad(error: &minijinja::Error) -> Error {
    let detail = error.detail().map_or_else(|| error.to_string(), str::to_string);
    Error::new(Code::BadTemplate, format!("The model's chat template can't be used: {detail}."))
}
