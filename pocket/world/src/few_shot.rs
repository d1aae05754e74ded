//! Dialogues in plain text: a question, a short answer, and so on.

use crate::facts::Facts;
use crate::question::{Question, Sort};
use crate::random::Random;

/// The text of a few-shot document: 2 to 8 exchanges, one in five up to 26.
pub(crate) fn text(facts: &Facts, random: &mut Random) -> String {
    let count = if random.percent(20) { random.between(9, 26) } else { random.between(2, 8) };
    let questions = questions(count, facts, random);
    let lines: Vec<String> = questions.iter().map(exchange).collect();
    lines.join("\n")
}

/// A dialogue that waits for its last answer.
pub(crate) fn prompt(facts: &Facts, random: &mut Random) -> String {
    let count = random.between(2, 4);
    let questions = questions(count, facts, random);
    let mut text: String = questions[..count - 1].iter().map(|question| exchange(question) + "\n").collect();
    text.push_str(&format!("User: {}\nAssistant:", questions[count - 1].ask));
    text
}

fn exchange(question: &Question) -> String {
    format!("User: {}\nAssistant: {}", question.ask, question.short)
}

/// Different questions, of one sort or of several.
fn questions(count: usize, facts: &Facts, random: &mut Random) -> Vec<Question> {
    let one = random.percent(60).then(|| *random.pick(&Sort::MIXED));
    let mut questions: Vec<Question> = Vec::with_capacity(count);
    let mut tries = 0;
    while questions.len() < count {
        let sort = one.unwrap_or(*random.pick(&Sort::MIXED));
        let question = Question::new(sort, facts, random);
        tries += 1;
        // A small list, like the days, may run out of different questions.
        if tries > 200 || questions.iter().all(|other| other.ask != question.ask) {
            questions.push(question);
        }
    }
    questions
}
