//! What the exam takes from the world: truths, names, prompts.

use pocket_exam::parts::few_shot::DIALOGUES;
use pocket_exam::parts::json::QUESTIONS;
use pocket_exam::parts::stories::{names, people};
use pocket_exam::parts::{Part, loops};
use pocket_exam::truth;
use serde_json::json;
use small_world::World;

#[test]
fn the_documents_answer_the_questions_of_the_exam() {
    let world = World::new();
    let mut asked: Vec<String> = (0..DIALOGUES)
        .filter_map(|i| {
            world.few_shot_prompt(i).lines().filter_map(|l| l.strip_prefix("User: ")).next_back().map(Into::into)
        })
        .collect();
    assert_eq!(asked.len() as u64, DIALOGUES);
    asked.push("What is the capital of France?".into());
    let short = truth::short_answers(&world, &asked);
    assert_eq!(short.get("What is the capital of France?").map(String::as_str), Some("Paris"));
    assert!(asked.iter().all(|ask| short.contains_key(ask)), "{asked:?}");

    let mut asked: Vec<String> = (0..QUESTIONS).map(|i| world.json_question(i)).collect();
    asked.push("Where is Norway?".into());
    let objects = truth::json_answers(&world, &asked);
    assert_eq!(objects.get("Where is Norway?"), Some(&json!({ "country": "Norway", "continent": "Europe" })));
    let told = asked.iter().filter(|ask| objects.contains_key(*ask)).count();
    assert!(10 * told >= 9 * asked.len(), "{told} of {} are told", asked.len());
    assert!(truth::short_answers(&world, &["What is nobody asked?".into()]).is_empty());
}

#[test]
fn strangers_are_those_who_were_not_introduced() {
    let given = names(&World::new());
    for name in ["Mia", "Tom", "Felix", "Lulu"] {
        assert!(given.contains(name), "{name} of {given:?}");
    }
    assert!(!given.contains("Once") && !given.contains("Monday") && given.len() >= 40);
    let text = "Once there was a girl called Mia. Tom was her friend. Mia saw Lulu. Then Tom went home.";
    let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    assert_eq!(people(text, &given), (set(&["Mia"]), set(&["Lulu", "Tom"])));
    assert_eq!(people("", &given), (set(&[]), set(&[])));
}

#[test]
fn names_and_prompts_are_told_apart() {
    let mut prompts = loops::PROMPTS.to_vec();
    prompts.sort_unstable();
    prompts.dedup();
    assert_eq!(prompts.len(), loops::PROMPTS.len());
    let names: std::collections::BTreeSet<&str> = Part::ALL.into_iter().map(Part::name).collect();
    assert_eq!(names.len(), Part::ALL.len());
}
