//! The two tasks that are hard at once and easy step by step, and which of them are held out.

use crate::document::Split;
use crate::random::{Random, mix};

/// One problem in this many is never trained on.
const HELD_OUT_ONE_IN: u64 = 20;

/// The kind of task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Add three two-digit numbers.
    Sum,
    /// Spell a made-up word backwards.
    Word,
}

/// A task in its two written forms; a prompt and what follows it together are a whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of task.
    pub kind: ProblemKind,
    /// The prompt of the form that answers at once; it ends with a colon.
    pub bare: String,
    /// The prompt of the form with written steps; it ends with a colon.
    pub steps: String,
    /// The right answer.
    pub answer: String,
    /// What follows the bare prompt, with its leading space.
    pub bare_answer_text: String,
    /// What follows the prompt with steps, with its leading space.
    pub steps_text: String,
}

/// The final answer in a continuation of either prompt: after the last `Answer:` on its line, else the first line.
pub fn read_answer(text: &str) -> Option<&str> {
    let rest = text.rfind("Answer:").map_or(text, |at| &text[at + "Answer:".len()..]);
    let line = rest.split('\n').next().unwrap_or(rest);
    let line = line.split("<|").next().unwrap_or(line).trim();
    (!line.is_empty()).then_some(line)
}

/// True for three numbers, in any order, that are never trained on.
pub fn sum_is_held_out(mut numbers: [u64; 3]) -> bool {
    numbers.sort_unstable();
    let [low, middle, high] = numbers;
    mix((low * 10_000 + middle * 100 + high) ^ 0x0050_u64.rotate_left(40)).is_multiple_of(HELD_OUT_ONE_IN)
}

/// True for a word that is never trained on.
pub fn word_is_held_out(word: &str) -> bool {
    let letters = word.bytes().fold(0_u64, |number, letter| number.wrapping_mul(257).wrapping_add(u64::from(letter)));
    mix(letters ^ 0x0077_u64.rotate_left(40)).is_multiple_of(HELD_OUT_ONE_IN)
}

/// Three two-digit numbers of this split.
pub fn sum_numbers(split: Split, random: &mut Random) -> [u64; 3] {
    loop {
        let numbers = [(); 3].map(|()| random.between(10, 99) as u64);
        if sum_is_held_out(numbers) == (split == Split::Held) {
            return numbers;
        }
    }
}

/// The written steps of a sum, and its answer: `7 + 8 + 6 = 21, 2 + 2 + 5 + 3 = 12` and `121`.
pub fn sum_steps(numbers: [u64; 3]) -> (String, String) {
    let [a, b, c] = numbers.map(|number| number % 10);
    let ones = a + b + c;
    let carry = ones / 10;
    let [d, e, f] = numbers.map(|number| number / 10);
    let tens = carry + d + e + f;
    let steps = format!("{a} + {b} + {c} = {ones}, {carry} + {d} + {e} + {f} = {tens}");
    (steps, (tens * 10 + ones % 10).to_string())
}

/// A sum of this split.
pub fn sum(split: Split, random: &mut Random) -> Problem {
    let numbers = sum_numbers(split, random);
    let [a, b, c] = numbers;
    let (steps, answer) = sum_steps(numbers);
    Problem {
        kind: ProblemKind::Sum,
        bare: format!("Problem: {a} + {b} + {c}\nAnswer:"),
        steps: format!("Problem: {a} + {b} + {c}\nSteps:"),
        bare_answer_text: format!(" {answer}"),
        steps_text: format!(" {steps}\nAnswer: {answer}"),
        answer,
    }
}

/// A made-up word of this split.
pub fn word(split: Split, syllables: &Syllables, random: &mut Random) -> Problem {
    let word = loop {
        let word = syllables.word(random);
        if (4..=7).contains(&word.len()) && word_is_held_out(&word) == (split == Split::Held) {
            break word;
        }
    };
    let numbered: Vec<String> = word.chars().zip(1..).map(|(letter, place)| format!("{letter}{place}")).collect();
    let forwards = numbered.join(" ");
    let backwards = numbered.into_iter().rev().collect::<Vec<_>>().join(" ");
    let answer = word.chars().rev().map(String::from).collect::<Vec<_>>().join("-");
    Problem {
        kind: ProblemKind::Word,
        bare: format!("Word: {word}\nAnswer:"),
        steps: format!("Word: {word}\nLetters:"),
        bare_answer_text: format!(" {answer}"),
        steps_text: format!(" {forwards}\nBackwards: {backwards}\nAnswer: {answer}"),
        answer,
    }
}

/// What made-up words are built from.
#[derive(Debug)]
pub struct Syllables {
    open: Vec<&'static str>,
    last: Vec<&'static str>,
}

impl Syllables {
    /// The first line holds the syllables, the second the consonants a word may end with.
    pub fn read(text: &'static str) -> Syllables {
        let mut lines = text.lines().map(|line| line.split_whitespace().collect());
        Syllables { open: lines.next().unwrap_or_default(), last: lines.next().unwrap_or_default() }
    }

    fn word(&self, random: &mut Random) -> String {
        let count = random.between(2, 3);
        let mut word: String = (0..count).map(|_| random.word(&self.open)).collect();
        if random.percent(40) {
            word.push_str(random.word(&self.last));
        }
        word
    }
}
