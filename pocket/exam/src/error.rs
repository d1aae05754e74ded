//! What can go wrong in an exam: the engine refuses something, or the file isn't the kind that is examined.

use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The engine's own error, with what was asked of it.
    Engine { doing: String, error: next_token::error::Error },
    /// The vocabulary lacks a control token that the texts are made of.
    NoControl(String),
    /// A run came to no end; the engine promises that this can't be.
    Unfinished(String),
    /// A thread of the exam died.
    Worker,
    /// The card lacks the markers between which the figures stand.
    Markers(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Engine { doing, error } => write!(f, "{doing}: {error} {}", error.hint()),
            Error::NoControl(token) => {
                write!(f, "The file's vocabulary has no control token {token}, so it isn't a model of the small world.")
            }
            Error::Unfinished(prompt) => write!(f, "The run of {prompt:?} stopped without a reason."),
            Error::Worker => write!(f, "A thread of the exam ended before its work was done."),
            Error::Markers(marker) => write!(f, "The card has no line {marker}: put one where the figures belong."),
        }
    }
}

impl std::error::Error for Error {}

/// Says what was being done when the engine refused.
pub trait While<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> While<T> for next_token::error::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Engine { doing: what(), error })
    }
}
