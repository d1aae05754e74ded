//! The chat template: messages to token ids, by the Jinja template in the model file.
//!
//! Text in a message can never become a control token. A spelling of one inside a message gets a
//! marker character put into it before rendering; the template's own control tokens have none, so
//! they are the only ones recognised. Then the markers are taken out and the rest is encoded as
//! plain text, which gives exactly the tokens of the unmarked text.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value, context};

use crate::error::{Code, Error, Result};
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
        let used = |marker: char| messages.iter().any(|m| m.content.contains(marker));
        let marker = MARKERS.into_iter().find(|c| !used(*c)).ok_or_else(|| {
            Error::new(
                Code::BadPrompt,
                "The messages hold every noncharacter of Unicode; none is left to mark text with.",
            )
        })?;
        let marked: Vec<Value> = messages
            .iter()
            .map(|m| context! { role => m.role.as_str(), content => mark(&m.content, marker, tokenizer) })
            .collect();
        let rendered = self.render(&marked)?;
        let mut ids = Vec::new();
        for part in tokenizer.split(&rendered) {
            match part {
                Part::Control(id) => ids.push(id),
                Part::Text(text) => ids.extend(tokenizer.encode(&text.replace(marker, ""), false)?),
            }
        }
        Ok(ids)
    }

    fn render(&self, messages: &[Value]) -> Result<String> {
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
