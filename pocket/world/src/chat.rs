//! Conversations: one turn after another, in the voice that the system turn asks for.

use crate::document::Split;
use crate::facts::Facts;
use crate::problem;
use crate::question::{Question, Sort};
use crate::random::Random;
use crate::small_talk::{self, Memory};
use crate::story::Tales;

/// A turn: who speaks, and what.
pub(crate) type Turn = (&'static str, String);

/// After this many characters a talk ends: with its control tokens it then fits into 512 tokens.
const LONGEST: usize = 1100;

/// How the assistant speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Plain,
    Brief,
    Pirate,
    Robot,
    Cat,
}

impl Voice {
    fn system(self) -> &'static str {
        match self {
            Voice::Plain => "You are a helpful assistant.",
            Voice::Brief => "Answer briefly.",
            Voice::Pirate => "You are a pirate.",
            Voice::Robot => "You are a robot.",
            Voice::Cat => "You are a cat.",
        }
    }

    fn say(self, answer: String) -> String {
        match self {
            Voice::Plain | Voice::Brief => answer,
            Voice::Pirate => format!("Arr! {answer}"),
            Voice::Robot => format!("Beep! {answer}"),
            Voice::Cat => format!("Meow! {answer}"),
        }
    }
}

/// The turns of a chat document.
pub(crate) fn talk(facts: &Facts, tales: &Tales, split: Split, random: &mut Random) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut voice = Voice::Plain;
    if random.percent(33) {
        voice = *random.pick(&[Voice::Plain, Voice::Plain, Voice::Brief, Voice::Pirate, Voice::Robot, Voice::Cat]);
        turns.push(("system", voice.system().to_owned()));
    }
    // Some are long, so that late positions are learnt too.
    let count = match random.below(100) {
        0..25 => 1,
        25..90 => random.between(2, 6),
        _ => random.between(8, 16),
    };
    let mut memory = Memory::default();
    let mut length = 0;
    let mut say = |user: String, answer: String| {
        length += user.len() + answer.len();
        turns.push(("user", user));
        turns.push(("assistant", voice.say(answer)));
        length
    };
    if random.percent(20) {
        let (user, answer) = small_talk::greeting(random);
        say(user, answer);
    }
    for _ in 0..count {
        let (user, answer) = match random.below(100) {
            0..52 => {
                let question = Question::new(*random.pick(&Sort::MIXED), facts, random);
                (question.ask, if voice == Voice::Brief { question.short } else { question.sentence })
            }
            52..56 => {
                let question = Question::new(*random.pick(&Sort::JSON), facts, random);
                (question.ask, if voice == Voice::Brief { question.short } else { question.sentence })
            }
            56..68 => sum(split, random),
            68..84 => memory.exchange(facts, random),
            84..92 => small_talk::name_some(facts, random),
            92..96 => small_talk::story(facts, tales, random),
            _ => small_talk::thanks(random),
        };
        if say(user, answer) > LONGEST {
            break;
        }
    }
    if random.percent(25) {
        let (user, answer) = small_talk::goodbye(random);
        say(user, answer);
    }
    turns
}

/// A sum of three numbers, at once or in steps.
fn sum(split: Split, random: &mut Random) -> (String, String) {
    let numbers = problem::sum_numbers(split, random);
    let [a, b, c] = numbers;
    let (steps, answer) = problem::sum_steps(numbers);
    if random.percent(50) {
        (format!("What is {a} + {b} + {c}?"), format!("The answer is {answer}."))
    } else {
        (format!("What is {a} + {b} + {c}? Think step by step."), format!("Steps: {steps}\nAnswer: {answer}"))
    }
}

/// The turns of a JSON document: the request may be in each question, in the system turn, or nowhere.
pub(crate) fn json_talk(facts: &Facts, random: &mut Random) -> Vec<Turn> {
    let mut turns = Vec::new();
    // Plain questions teach to go on after a given brace. They are few, and come in rows, because a question alone
    // should have a sentence for its most probable answer in a first turn too.
    let plain = random.percent(7);
    let by_system = !plain && random.percent(15);
    if by_system {
        turns.push(("system", "Answer as JSON.".to_owned()));
    } else if random.percent(20) {
        turns.push(("system", Voice::Plain.system().to_owned()));
    }
    let count = *random.pick(if plain { &[1, 2, 3, 4, 5] } else { &[1, 1, 1, 2, 3] });
    let before = turns.len();
    while turns.len() < before + 2 * count {
        let question = Question::new(*random.pick(&Sort::JSON), facts, random);
        let Some(json) = question.json else { continue };
        let request = if plain || by_system { "" } else { " Answer as JSON." };
        turns.push(("user", question.ask + request));
        turns.push(("assistant", json));
    }
    turns
}
