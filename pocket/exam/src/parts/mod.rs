//! What is examined: one module a part, each with the figures it gives.

pub mod capitals;
pub mod few_shot;
pub mod json;
pub mod loops;
pub mod perplexity;
pub mod stories;
pub mod thinking;

/// The parts by the names of the command line, in the order of the table and of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Capitals,
    Thinking,
    Loops,
    Stories,
    FewShot,
    Json,
    Perplexity,
}

impl Part {
    pub const ALL: [Part; 7] =
        [Part::Capitals, Part::Thinking, Part::Loops, Part::Stories, Part::FewShot, Part::Json, Part::Perplexity];

    pub fn name(self) -> &'static str {
        match self {
            Part::Capitals => "capitals",
            Part::Thinking => "thinking",
            Part::Loops => "loops",
            Part::Stories => "stories",
            Part::FewShot => "few-shot",
            Part::Json => "json",
            Part::Perplexity => "perplexity",
        }
    }
}
