//! Every error the engine can give: a stable code, what happened, and what to do about it.

use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

/// What kind of error it is; `Code::as_str` gives the names of the public list (`next-token.d.ts`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    NoWebgpu,
    DeviceLost,
    OutOfMemory,
    BadConfig,
    BadPrompt,
    BadWeights,
    BadTokenizer,
    BadTemplate,
    ContextFull,
    BadLogits,
    OutOfOrder,
    Busy,
    Unsupported,
    Aborted,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::NoWebgpu => "no-webgpu",
            Code::DeviceLost => "device-lost",
            Code::OutOfMemory => "out-of-memory",
            Code::BadConfig => "bad-config",
            Code::BadPrompt => "bad-prompt",
            Code::BadWeights => "bad-weights",
            Code::BadTokenizer => "bad-tokenizer",
            Code::BadTemplate => "bad-template",
            Code::ContextFull => "context-full",
            Code::BadLogits => "bad-logits",
            Code::OutOfOrder => "out-of-order",
            Code::Busy => "busy",
            Code::Unsupported => "unsupported",
            Code::Aborted => "aborted",
        }
    }

    /// What the reader can do, unless the error itself knows better.
    fn hint(self) -> &'static str {
        match self {
            Code::NoWebgpu => "Use the CPU: backend \"auto\" or \"cpu\".",
            Code::DeviceLost => "Load the model again, on the CPU if it happens twice.",
            Code::OutOfMemory => "Free runs that are over, ask for fewer tokens, or use a smaller model.",
            Code::BadConfig => "Correct this setting; the run itself is unchanged.",
            Code::BadPrompt => "Change the prompt and start again.",
            Code::BadWeights => "Choose a GGUF file of architecture llama in F32, F16, Q8_0, Q4_0 or Q4_1.",
            Code::BadTokenizer => "Choose a model with a byte-level BPE vocabulary (gpt2) in its file.",
            Code::BadTemplate => "Give the prompt as text instead of messages.",
            Code::ContextFull => "Shorten the prompt.",
            Code::BadLogits => "The file is probably damaged: fetch it again.",
            Code::OutOfOrder => "Call the stages in order: prefill, then forward, distribution, sample, append.",
            Code::Busy => "Await the pass that is running, or cancel() it.",
            Code::Unsupported => "Use a model that has this.",
            Code::Aborted => "Call rewind() with the present length to go on.",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub code: Code,
    pub message: String,
    hint: Option<String>,
}

impl Error {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Error { code, message: message.into(), hint: None }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn hint(&self) -> &str {
        self.hint.as_deref().unwrap_or(self.code.hint())
    }

    pub fn config(message: impl Into<String>) -> Self {
        Error::new(Code::BadConfig, message)
    }

    pub fn out_of_memory(bytes: usize, what: &str) -> Self {
        Error::new(Code::OutOfMemory, format!("There is no memory for {what}: {bytes} bytes more are needed."))
    }

    pub fn weights(message: impl Into<String>) -> Self {
        Error::new(Code::BadWeights, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Error {}
