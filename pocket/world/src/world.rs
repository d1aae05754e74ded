//! The world as a whole: a document for every number.

use crate::chat;
use crate::document::{Document, Kind, Split};
use crate::fact;
use crate::facts::{Capital, Facts};
use crate::few_shot;
use crate::list::{self, ListData};
use crate::pattern::{self, Loop};
use crate::problem::{self, Problem, ProblemKind, Syllables};
use crate::question::{Question, Sort};
use crate::random::{Random, mix};
use crate::story::Tales;

/// How many of 10,000 documents are of each kind. The shares in tokens are what matters: `--table` shows them.
const DOCUMENTS: [(Kind, usize); 11] = [
    (Kind::Fact, 4375),
    (Kind::Story, 523),
    (Kind::List, 625),
    (Kind::FewShot, 240),
    (Kind::Chat, 450),
    (Kind::Json, 480),
    (Kind::Pattern, 552),
    (Kind::SumBare, 959),
    (Kind::SumSteps, 756),
    (Kind::WordBare, 441),
    (Kind::WordSteps, 340),
];

/// From this training document on, stories are what is practised most.
const LATER: u64 = 751_000;

/// The same for the later documents.
const LATER_DOCUMENTS: [(Kind, usize); 11] = [
    (Kind::Fact, 2600),
    (Kind::Story, 2400),
    (Kind::List, 300),
    (Kind::FewShot, 200),
    (Kind::Chat, 350),
    (Kind::Json, 450),
    (Kind::Pattern, 400),
    (Kind::SumBare, 500),
    (Kind::SumSteps, 600),
    (Kind::WordBare, 200),
    (Kind::WordSteps, 300),
];

/// How many different questions the exam can have.
const JSON_QUESTIONS: u64 = 300;

/// Everything that documents are made from.
#[derive(Debug)]
pub struct World {
    facts: Facts,
    tales: Tales,
    lists: Vec<ListData>,
    loops: Vec<Loop>,
    syllables: Syllables,
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl World {
    /// Reads the data files that are part of this crate.
    pub fn new() -> World {
        World {
            facts: Facts::new(),
            tales: Tales::new(),
            lists: list::read(),
            loops: pattern::read(),
            syllables: Syllables::read(include_str!("../data/syllables.txt")),
        }
    }

    /// The document with this number. It depends on nothing else, so any part of the corpus can be made alone.
    pub fn document(&self, split: Split, index: u64) -> Document {
        let stream = match split {
            Split::Train => 1,
            Split::Held => 2,
        };
        let mut random = seeded(stream, index);
        let later = split == Split::Train && index >= LATER;
        let documents = if later { LATER_DOCUMENTS } else { DOCUMENTS };
        let total = documents.iter().map(|(_, weight)| weight).sum();
        let mut at = random.below(total);
        let mut chosen = Kind::Fact;
        for (kind, weight) in documents {
            if at < weight {
                chosen = kind;
                break;
            }
            at -= weight;
        }
        if later && chosen == Kind::Story {
            return Document::plain(chosen, self.tales.later_text(&self.facts, &mut random));
        }
        self.document_of(chosen, split, &mut random)
    }

    fn document_of(&self, kind: Kind, split: Split, random: &mut Random) -> Document {
        let facts = &self.facts;
        let text = match kind {
            Kind::Fact => fact::text(facts, random),
            Kind::Story => self.tales.text(facts, random),
            Kind::List => list::text(&self.lists, facts, random),
            Kind::FewShot => few_shot::text(facts, random),
            Kind::Chat => return Document::chat(kind, chat::talk(facts, &self.tales, split, random)),
            Kind::Json => return Document::chat(kind, chat::json_talk(facts, random)),
            Kind::Pattern => pattern::text(&self.loops, facts, random),
            Kind::SumBare => bare(&problem::sum(split, random)),
            Kind::SumSteps => steps(&problem::sum(split, random)),
            Kind::WordBare => bare(&problem::word(split, &self.syllables, random)),
            Kind::WordSteps => steps(&problem::word(split, &self.syllables, random)),
        };
        Document::plain(kind, text)
    }

    /// Every country with its capital; `held_out` says which capitals no document tells.
    pub fn capitals(&self) -> &[Capital] {
        &self.facts.capitals
    }

    /// The colours that things have.
    pub fn colours(&self) -> &[&'static str] {
        self.facts.words("colours")
    }

    /// A problem that no training document contains.
    pub fn held_out_problem(&self, kind: ProblemKind, index: u64) -> Problem {
        self.problem(kind, Split::Held, 3, index)
    }

    /// A problem of the kind that training documents contain.
    pub fn training_problem(&self, kind: ProblemKind, index: u64) -> Problem {
        self.problem(kind, Split::Train, 4, index)
    }

    fn problem(&self, kind: ProblemKind, split: Split, stream: u64, index: u64) -> Problem {
        let mut random = seeded(stream, index);
        match kind {
            ProblemKind::Sum => problem::sum(split, &mut random),
            ProblemKind::Word => problem::word(split, &self.syllables, &mut random),
        }
    }

    /// A user message whose answer has a JSON form, without the request for it; they repeat after 300.
    pub fn json_question(&self, index: u64) -> String {
        let mut random = seeded(5, 0);
        let mut questions: Vec<String> = Vec::new();
        let wanted = (index % JSON_QUESTIONS) as usize;
        while questions.len() <= wanted {
            let sort = *random.pick(&Sort::JSON);
            let question = Question::new(sort, &self.facts, &mut random).ask;
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
        questions.swap_remove(wanted)
    }

    /// A dialogue of `User:` and `Assistant:` lines that waits for its last answer.
    pub fn few_shot_prompt(&self, index: u64) -> String {
        few_shot::prompt(&self.facts, &mut seeded(6, index))
    }
}

fn seeded(stream: u64, index: u64) -> Random {
    Random::new(mix(stream) ^ index)
}

fn bare(problem: &Problem) -> String {
    problem.bare.clone() + &problem.bare_answer_text
}

fn steps(problem: &Problem) -> String {
    problem.steps.clone() + &problem.steps_text
}
