//! The engine's side, with a tiny random model whose scores a float32 reference in numpy computed.

use std::path::Path;

use next_token::stop::FinishReason;
use pocket_exam::error::Error;
use pocket_exam::parts::perplexity::{perplexity, surprise, tokens};
use pocket_exam::subject::{How, Subject};
use pocket_exam::workers::Workers;
use serde_json::Value;
use small_world::{Control, Document, Kind, Part, Split, World};

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn reference() -> Value {
    let reference: Value = serde_json::from_slice(&fixture("tiny.json")).expect("JSON");
    reference["models"]["tiny-q4"].clone()
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().map(|id| id.as_u64().expect("an id") as u32).collect()
}

fn tiny() -> Subject {
    Subject::load(&fixture("tiny-q4.gguf")).expect("the model loads")
}

fn document(parts: &[&str]) -> Document {
    let mut parts: Vec<Part> = parts.iter().map(|text| Part::Text(text.to_string())).collect();
    parts.push(Part::Control(Control::EndOfText));
    Document { kind: Kind::Fact, parts }
}

#[test]
fn surprise_is_that_of_the_reference() {
    let positions = &reference()["positions"];
    let rows = positions["logits"].as_array().expect("a row for each token");
    let ids = ids(&positions["ids"]);
    let found = surprise(&tiny(), &ids).expect("a pass");
    assert_eq!((found.len(), rows.len()), (10, 11));
    for ((row, next), found) in rows.iter().zip(&ids[1..]).zip(&found) {
        let row: Vec<f64> = row.as_array().expect("a row").iter().map(|x| x.as_f64().expect("a number")).collect();
        let sum: f64 = row.iter().map(|x| x.exp()).sum();
        let expected = sum.ln() - row[*next as usize];
        assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
    }
}

#[test]
fn perplexity_is_e_to_the_mean_over_all_tokens() {
    let file = fixture("tiny-q4.gguf");
    let documents = [document(&["The capital", " is"]), document(&["a b"]), document(&["a"])];
    let found = perplexity(&Workers { file: &file, threads: 2 }, &documents).expect("figures");
    // Recomputed another way: each token by a run of its own over all before it.
    let subject = tiny();
    let mut sum = 0.0;
    let mut n = 0;
    for document in &documents {
        let ids = tokens(&subject, document).expect("ids");
        assert_eq!(ids.last(), Some(&subject.control("<|endoftext|>").expect("a control token")));
        for at in 1..ids.len() {
            sum -= subject.follow(&ids[..at], &ids[at..=at]).expect("a pass")[0].0.ln();
            n += 1;
        }
    }
    assert_eq!((found.all.tokens, found.all.documents, found.kinds.len()), (n, 3, 1));
    assert!((found.all.nll - sum / f64::from(n as u32)).abs() < 5e-4 * found.all.nll);
    assert!((found.all.perplexity.ln() - found.all.nll).abs() < 1e-3);
    assert_eq!(found.kinds[0].surprise, found.all);
}

#[test]
fn documents_are_cut_at_the_context() {
    let subject = tiny();
    let context = subject.engine().info.context;
    let ids = tokens(&subject, &document(&[&"abc ".repeat(context)])).expect("ids");
    assert_eq!(ids.len(), context);
    assert_eq!(surprise(&subject, &ids).expect("a pass").len(), context - 1);
}

#[test]
fn greedy_text_is_the_references_and_its_probabilities_are_those_read() {
    let subject = tiny();
    for case in reference()["cases"].as_array().expect("cases") {
        let Some(greedy) = case.get("greedy_ids").map(ids) else { continue };
        let prompt = ids(&case["ids"]);
        let written = subject.write(&prompt, How::greedy(12)).expect("a text");
        let ended = greedy.last() == Some(&2);
        assert_eq!(written.ids, greedy[..greedy.len() - usize::from(ended)]);
        assert_eq!(written.ended_with, ended.then_some(2));
        assert_eq!(written.finish, if ended { FinishReason::Eos } else { FinishReason::Length });
        let read = subject.follow(&prompt, &written.ids).expect("a pass");
        assert!(read.iter().all(|(_, top)| *top), "greedy tokens are the most probable ones");
        for ((p, _), q) in read.iter().zip(&written.p) {
            assert!((p - q).abs() < 1e-4);
        }
    }
}

#[test]
fn the_probability_is_the_models_own_at_any_temperature() {
    let subject = tiny();
    let how = How { temperature: 1.7, seed: 3, max_tokens: 5, stop: None };
    let written = subject.write(&[40, 50], how).expect("a text");
    let read = subject.follow(&[40, 50], &written.ids).expect("a pass");
    assert!(read.iter().zip(&written.p).all(|((p, _), q)| (p - q).abs() < 1e-4));
    assert_ne!(written.ids, subject.write(&[40, 50], How { seed: 4, ..how }).expect("a text").ids);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let file = fixture("tiny-q4.gguf");
    let items: Vec<u32> = (10..40).collect();
    let work = |threads| {
        let workers = Workers { file: &file, threads };
        workers.map(&items, |subject, id| Ok(subject.write(&[*id], How::greedy(4))?.ids)).expect("texts")
    };
    let one = work(1);
    assert_eq!(one.len(), items.len());
    assert_eq!(one, work(3));
    let failed = Workers { file: &file, threads: 2 }
        .map(&items, |subject, id| if *id == 20 { subject.control("no such token").map(drop) } else { Ok(()) });
    assert_eq!(failed, Err(Error::NoControl("no such token".into())));
    assert!(matches!(Workers { file: b"GGUF", threads: 2 }.map(&items, |_, _| Ok(())), Err(Error::Engine { .. })));
}

#[test]
fn held_out_documents_have_the_control_tokens_of_the_file() {
    let (subject, world) = (tiny(), World::new());
    let ids = tokens(&subject, &world.document(Split::Held, 0)).expect("ids");
    assert!(ids.len() > 1 && ids.len() <= subject.engine().info.context);
    // A spelling inside of a text stays text.
    let text = subject.ids("<|endoftext|>").expect("ids");
    assert!(text.len() > 1 && !text.contains(&0));
}

#[test]
fn an_end_of_text_token_can_be_read_too() {
    let read = tiny().follow(&[40, 50], &[60, 2]).expect("a pass");
    assert!(read.len() == 2 && read.iter().all(|(p, _)| (0.0..=1.0).contains(p)));
}
