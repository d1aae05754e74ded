//! What a reader of the world gets: documents made of text and control tokens.

/// What a document is an example of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Plain true sentences.
    Fact,
    /// A short story of one paragraph.
    Story,
    /// A numbered or dashed list that keeps its promise.
    List,
    /// A dialogue of `User:` and `Assistant:` lines.
    FewShot,
    /// A conversation in the chat template.
    Chat,
    /// A conversation whose answers are JSON.
    Json,
    /// Sequences, and repetitions that are hard to leave.
    Pattern,
    /// A sum of three numbers with the answer at once.
    SumBare,
    /// A sum of three numbers with written steps.
    SumSteps,
    /// A word spelled backwards at once.
    WordBare,
    /// A word spelled backwards with written steps.
    WordSteps,
}

impl Kind {
    /// Every kind, in the order of declaration.
    pub const ALL: [Kind; 11] = [
        Kind::Fact,
        Kind::Story,
        Kind::List,
        Kind::FewShot,
        Kind::Chat,
        Kind::Json,
        Kind::Pattern,
        Kind::SumBare,
        Kind::SumSteps,
        Kind::WordBare,
        Kind::WordSteps,
    ];

    /// The name on a command line and in a table.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fact => "fact",
            Kind::Story => "story",
            Kind::List => "list",
            Kind::FewShot => "few-shot",
            Kind::Chat => "chat",
            Kind::Json => "json",
            Kind::Pattern => "pattern",
            Kind::SumBare => "sum-bare",
            Kind::SumSteps => "sum-steps",
            Kind::WordBare => "word-bare",
            Kind::WordSteps => "word-steps",
        }
    }
}

/// Which stream of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// What the model learns from.
    Train,
    /// What it is judged by: other documents, with held-out sums and words only.
    Held,
}

/// A token that is never written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `<|endoftext|>`
    EndOfText,
    /// `<|im_start|>`
    TurnStart,
    /// `<|im_end|>`
    TurnEnd,
}

impl Control {
    /// How the token is spelled where it must be shown.
    pub fn spelling(self) -> &'static str {
        match self {
            Control::EndOfText => "<|endoftext|>",
            Control::TurnStart => "<|im_start|>",
            Control::TurnEnd => "<|im_end|>",
        }
    }
}

/// A stretch of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Printable ASCII and line feeds.
    Text(String),
    /// One control token.
    Control(Control),
}

/// One training text; its last part is always `Control::EndOfText`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is an example of.
    pub kind: Kind,
    /// What it is made of, in order.
    pub parts: Vec<Part>,
}

impl Document {
    /// The text with its control tokens spelled out.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Control(control) => text.push_str(control.spelling()),
            }
        }
        text
    }

    /// A document without turns.
    pub(crate) fn plain(kind: Kind, text: String) -> Document {
        Document { kind, parts: vec![Part::Text(text), Part::Control(Control::EndOfText)] }
    }

    /// A conversation in the chat template: each turn is `(role, content)`.
    pub(crate) fn chat(kind: Kind, turns: Vec<(&'static str, String)>) -> Document {
        let mut parts = Vec::with_capacity(turns.len() * 4 + 1);
        for (role, content) in turns {
            parts.push(Part::Control(Control::TurnStart));
            parts.push(Part::Text(format!("{role}\n{content}")));
            parts.push(Part::Control(Control::TurnEnd));
            parts.push(Part::Text("\n".to_owned()));
        }
        parts.push(Part::Control(Control::EndOfText));
        Document { kind, parts }
    }
}
