//! SmolLM2-135M-Instruct against the float32 reference in numpy (`fixtures/reference.py`).

mod common;

use common::{floats, ids, json, smollm2, start};
use next_token::settings::{Prompt, StartOptions};

#[test]
fn tokenizer_gives_the_reference_ids() {
    let Some(engine) = smollm2() else { return };
    let reference = json("smollm2-tokenizer.json");
    let cases = reference["cases"].as_array().expect("cases");
    assert!(cases.len() >= 37);
    for case in cases {
        let text = case["text"].as_str().expect("text");
        let pieces = engine.encode(text, true).expect("the text is encoded");
        let found: Vec<u32> = pieces.iter().map(|p| p.id).collect();
        assert_eq!(found, ids(&case["ids"]), "{text:?}");
        // Whatever was encoded is the text again.
        assert_eq!(engine.vocabulary.decode(&found), text);
    }
}

#[test]
fn greedy_text_and_probabilities_are_the_references() {
    let Some(engine) = smollm2() else { return };
    let reference = json("smollm2-greedy.json");
    let cases = reference["cases"].as_array().expect("cases");
    assert!(cases.len() >= 12);
    let mut furthest = 0.0f64;
    for case in cases {
        let prompt = case["prompt"].as_str().expect("prompt");
        let mut options = StartOptions::new(Prompt::Text(prompt.to_string()));
        options.max_tokens = Some(16.0);
        let mut run = start(&engine, &options);
        assert_eq!(run.tokens(), ids(&case["ids"]), "{prompt:?}");
        let expected = ids(&case["greedy_ids"]);
        for (at, id) in expected.iter().enumerate() {
            let step = pollster::block_on(run.step(&Default::default())).expect("a step");
            assert_eq!(step.choice.piece.id, *id, "token {at} of {prompt:?}");
            for pair in case["top10"][at].as_array().expect("ten pairs") {
                let [id, p] = floats(pair)[..] else { panic!("a pair") };
                let found = step.candidates.iter().find(|c| c.piece.id == id as u32);
                let found = found.unwrap_or_else(|| panic!("token {id} is among the first twelve of {prompt:?}"));
                furthest = furthest.max((found.p_raw - f64::from(p)).abs());
            }
        }
        // The reference ends after the end-of-text token, otherwise after 16.
        let finish = if expected.last() == Some(&2) { "eos" } else { "length" };
        assert_eq!(run.finish().map(|f| f.as_str()), Some(finish), "{prompt:?}");
    }
    println!("largest difference of a probability: {furthest:.2e}");
    assert!(furthest < 2e-3);
}
