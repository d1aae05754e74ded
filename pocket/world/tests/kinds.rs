//! Each kind of document is what it says it is.

use small_world::{Document, Kind, Part, Problem, ProblemKind, Split, World, read_answer};

fn each(kind: Kind, mut check: impl FnMut(&str)) {
    let world = World::new();
    let mut seen = 0;
    for index in 0..100_000 {
        let document = world.document(Split::Train, index);
        if document.kind == kind {
            seen += 1;
            let text = document.text();
            check(text.strip_suffix("<|endoftext|>").expect("an end"));
        }
    }
    assert!(seen > 1000, "{seen} of {}", kind.name());
}

/// Checks written steps against a sum done here.
fn check_sum(problem: &str, steps: Option<&str>, answer: &str) {
    let numbers: Vec<u32> = problem.split(" + ").map(|word| word.parse().expect("a number")).collect();
    assert_eq!(numbers.len(), 3);
    assert_eq!(numbers.iter().sum::<u32>().to_string(), answer);
    let Some(steps) = steps else { return };
    let row = |numbers: Vec<u32>| {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        format!("{} = {}", words.join(" + "), numbers.iter().sum::<u32>())
    };
    let ones: Vec<u32> = numbers.iter().map(|number| number % 10).collect();
    let carry = ones.iter().sum::<u32>() / 10;
    let tens = std::iter::once(carry).chain(numbers.iter().map(|number| number / 10)).collect();
    assert_eq!(steps, format!("{}, {}", row(ones), row(tens)));
}

#[test]
fn sums_are_right() {
    each(Kind::SumBare, |text| {
        let (problem, answer) =
            text.strip_prefix("Problem: ").and_then(|rest| rest.split_once("\nAnswer: ")).expect(text);
        check_sum(problem, None, answer);
    });
    each(Kind::SumSteps, |text| {
        let (problem, rest) = text.strip_prefix("Problem: ").and_then(|rest| rest.split_once("\nSteps: ")).expect(text);
        let (steps, answer) = rest.split_once("\nAnswer: ").expect(text);
        check_sum(problem, Some(steps), answer);
    });
    each(Kind::Chat, |text| {
        for rest in text.split("user\nWhat is ").skip(1) {
            let Some((problem, rest)) = rest.split_once('?').filter(|(sum, _)| sum.matches(" + ").count() == 2) else {
                continue;
            };
            if let Some(rest) = rest.strip_prefix(" Think step by step.") {
                let (steps, rest) = rest.split_once("Steps: ").and_then(|(_, rest)| rest.split_once('\n')).expect(text);
                check_sum(problem, Some(steps), read_answer(rest).expect(text));
            } else {
                let answer =
                    rest.split_once("The answer is ").and_then(|(_, rest)| rest.split_once('.')).expect(text).0;
                check_sum(problem, None, answer);
            }
        }
    });
}

#[test]
fn words_are_reversed() {
    let dashed = |word: &str| word.chars().rev().map(String::from).collect::<Vec<_>>().join("-");
    each(Kind::WordBare, |text| {
        let (word, answer) = text.strip_prefix("Word: ").and_then(|rest| rest.split_once("\nAnswer: ")).expect(text);
        assert!((4..=7).contains(&word.len()));
        assert_eq!(answer, dashed(word));
    });
    each(Kind::WordSteps, |text| {
        let lines: Vec<&str> = text.lines().collect();
        let word = lines[0].strip_prefix("Word: ").expect(text);
        let letters: Vec<String> = word.chars().enumerate().map(|(at, letter)| format!("{letter}{}", at + 1)).collect();
        let backwards: Vec<&str> = letters.iter().rev().map(String::as_str).collect();
        assert_eq!(lines[1], format!("Letters: {}", letters.join(" ")));
        assert_eq!(lines[2], format!("Backwards: {}", backwards.join(" ")));
        assert_eq!(lines[3], format!("Answer: {}", dashed(word)));
        assert_eq!(lines.len(), 4);
    });
}

#[test]
fn stories_have_their_sentences() {
    let mut once = 0;
    each(Kind::Story, |text| {
        let count = text.matches(['.', '!', '?']).count();
        assert!(!text.contains(['{', '}', '(', ')', '|', '\n']), "{text}");
        if text.starts_with("Once upon a time") {
            once += 1;
            assert_eq!(count, 10, "{text}");
        } else {
            assert!((5..=12).contains(&count), "{text}");
        }
        let words: Vec<&str> = text.split(' ').collect();
        for pair in words.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case("a")) {
            assert!(!pair[1].starts_with(['a', 'e', 'i', 'o', 'u']), "{text}");
        }
        for pair in words.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case("an")) {
            assert!(pair[1].starts_with(['a', 'e', 'i', 'o', 'u']), "{text}");
        }
    });
    assert!(once > 1000);
}

#[test]
fn lists_keep_their_promise() {
    const NUMBERS: [&str; 4] = ["two", "three", "four", "five"];
    each(Kind::List, |text| {
        let (head, items) = text.split_once(":\n").expect(text);
        let items: Vec<&str> = items.lines().collect();
        let mut different = items.iter().map(|line| line.split_once(' ').expect(text).1).collect::<Vec<_>>();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), items.len(), "{text}");
        let head = head.rsplit(". ").next().unwrap_or(head).to_ascii_lowercase();
        let promised = head.split(' ').find_map(|word| NUMBERS.iter().position(|number| *number == word));
        assert!(promised.is_none_or(|at| at + 2 == items.len()), "{text}");
        for (line, number) in items.iter().zip(1..) {
            assert!(line.starts_with("- ") || line.starts_with(&format!("{number}. ")), "{text}");
        }
    });
}

/// A flat object of strings and whole numbers, the only JSON there is in this world.
fn is_json(text: &str) -> bool {
    let string = |word: &str| {
        word.strip_prefix('"')
            .and_then(|word| word.strip_suffix('"'))
            .is_some_and(|word| !word.contains(['"', '\\', '\n']))
    };
    let Some(fields) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else { return false };
    fields.split(", ").all(|field| {
        field
            .split_once(": ")
            .is_some_and(|(key, value)| string(key) && (string(value) || value.parse::<u32>().is_ok()))
    })
}

#[test]
fn json_answers_parse() {
    each(Kind::Json, |text| {
        for rest in text.split("assistant\n").skip(1) {
            let answer = rest.split("<|im_end|>").next().expect(text);
            assert!(is_json(answer), "{text}");
        }
    });
}

/// Over the whole corpus, a plain question has a JSON answer about one time in seven, and seldom in a first turn.
#[test]
fn plain_questions_are_mostly_answered_in_sentences() {
    let world = World::new();
    let (mut json, mut sentences, mut first_json, mut first_sentences) = (0, 0, 0, 0);
    let starts = ["What is the capital of", "Which city is", "Where is", "What sound", "How many legs", "What colour"];
    for document in (0..100_000).map(|index| world.document(Split::Train, index)) {
        let text = document.text();
        if text.contains("system\nAnswer as JSON.") || !matches!(document.kind, Kind::Chat | Kind::Json) {
            continue;
        }
        for (at, rest) in text.split("user\n").skip(1).enumerate() {
            let (question, answer) = rest.split_once("<|im_end|>\n<|im_start|>assistant\n").expect("an answer");
            if question.ends_with("JSON.") || !starts.iter().any(|start| question.starts_with(start)) {
                continue;
            }
            let is_json = answer.starts_with('{');
            *(if is_json { &mut json } else { &mut sentences }) += 1;
            if at == 0 {
                *(if is_json { &mut first_json } else { &mut first_sentences }) += 1;
            }
        }
    }
    assert!((10..20).contains(&(100 * json / (json + sentences))), "{json} JSON, {sentences} sentences");
    assert!(first_json * 3 < first_sentences, "{first_json} JSON, {first_sentences} sentences in first turns");
}

#[test]
fn few_shot_dialogues_take_turns() {
    each(Kind::FewShot, |text| {
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len().is_multiple_of(2) && (4..=52).contains(&lines.len()), "{text}");
        for pair in lines.chunks(2) {
            assert!(pair[0].starts_with("User: ") && pair[1].starts_with("Assistant: "), "{text}");
            assert!(!pair[1].ends_with('.'), "{text}");
        }
    });
}

#[test]
fn the_exam_has_its_prompts() {
    let world = World::new();
    let mut questions: Vec<String> = (0..120).map(|index| world.json_question(index)).collect();
    questions.sort();
    questions.dedup();
    assert_eq!(questions.len(), 120);
    assert!(questions.iter().all(|question| question.ends_with('?') && !question.contains("JSON")));
    assert!((0..50).all(|index| world.few_shot_prompt(index).ends_with("?\nAssistant:")));
}

#[test]
fn problems_are_written_as_documents_are() {
    let world = World::new();
    let is_text = |document: &Document, text: &str| document.parts[0] == Part::Text(text.to_owned());
    for kind in [ProblemKind::Sum, ProblemKind::Word] {
        for index in 0..200 {
            for problem in [world.training_problem(kind, index), world.held_out_problem(kind, index)] {
                let Problem { bare_answer_text, steps_text, answer, .. } = &problem;
                assert_eq!(read_answer(bare_answer_text), Some(answer.as_str()));
                assert_eq!(read_answer(steps_text), Some(answer.as_str()));
                assert!(problem.bare.ends_with(':') && problem.steps.ends_with(':'));
            }
        }
    }
    let document =
        (0..).map(|index| world.document(Split::Held, index)).find(|document| document.kind == Kind::SumBare);
    let document = document.expect("a sum");
    let found = (0..200_000).any(|index| {
        let problem = world.held_out_problem(ProblemKind::Sum, index);
        is_text(&document, &(problem.bare + &problem.bare_answer_text))
    });
    assert!(found, "the exam's form is the documents' form");
}

#[test]
fn repetitions_are_left_one_time_in_eight() {
    let (mut again, mut left) = (0, 0);
    each(Kind::Pattern, |text| {
        if let Some(rest) = text.strip_prefix("They walked") {
            again += rest.matches(" and walked").count();
            left += 1;
        }
    });
    // The first repeat is sure; after each there is a choice.
    let share = 1000 * left / again;
    assert!((90..170).contains(&share), "{left} left in {again}");
}

#[test]
fn later_stories_keep_the_colour_of_what_is_found() {
    let world = World::new();
    let colours: Vec<&str> = include_str!("../data/names.tsv")
        .lines()
        .find_map(|line| line.strip_prefix("colours"))
        .map(|words| words.split(['\t', ',', ';', ' ']).filter(|w| !w.is_empty()).collect())
        .unwrap();
    assert!(colours.contains(&"red") && colours.len() > 5, "{colours:?}");
    let (mut stories, mut short) = (0, 0);
    for index in 751_000..753_000 {
        let document = world.document(Split::Train, index);
        if document.kind != Kind::Story {
            continue;
        }
        stories += 1;
        let text = document.text();
        if text.matches('.').count() > 3 {
            continue;
        }
        short += 1;
        let seen: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| colours.contains(word)).collect();
        assert!(seen.len() >= 3 && seen.iter().all(|colour| *colour == seen[0]), "{text}");
    }
    assert!(stories > 400 && short > stories / 3, "{short} of {stories}");
}

/// The page chooses the same problems by a rule of its own in JavaScript; its tests compare it with this file.
#[test]
fn the_pages_fixture_holds_these_problems() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/held-out-problems.json");
    let fixture = std::fs::read_to_string(file).expect("the fixture");
    let world = World::new();
    let mut rest = fixture.as_str();
    for kind in [ProblemKind::Sum, ProblemKind::Word] {
        for index in 0..60 {
            let Problem { bare, steps, answer, .. } = world.held_out_problem(kind, index);
            // These texts are ASCII: Rust writes them as JSON does.
            let entry = format!(r#"{{"bare": {bare:?}, "steps": {steps:?}, "answer": {answer:?}}}"#);
            let at = rest.find(&entry).unwrap_or_else(|| panic!("{entry} isn't next in the fixture"));
            rest = &rest[at + entry.len()..];
        }
    }
}
