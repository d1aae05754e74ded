//! The decoder against the float32 reference in numpy, on tiny models with every weight type.

mod common;

use std::rc::Rc;

use common::{floats, furthest, ids, json, start, tiny};
use next_token::engine::Engine;
use next_token::error::Code;
use next_token::run::Run;
use next_token::settings::{Prompt, StartOptions};
use pollster::block_on;
use serde_json::Value;

const MODELS: [&str; 2] = ["tiny-q4", "tiny-mixed"];
/// Float32 in another order of operations; logits have a spread of 2 to 3.
const CLOSE: f32 = 2e-4;

fn models() -> impl Iterator<Item = (Rc<Engine>, Value)> {
    let mut reference = json("tiny.json");
    MODELS.map(|name| (tiny(name), reference["models"][name].take())).into_iter()
}

fn options(ids: &[u32]) -> StartOptions {
    StartOptions::new(Prompt::Tokens(ids.to_vec()))
}

fn logits(run: &Run) -> Vec<f32> {
    run.logits().expect("logits").1.values().to_vec()
}

fn cases(model: &Value) -> impl Iterator<Item = (Vec<u32>, &Value)> {
    model["cases"].as_array().expect("cases").iter().map(|case| (ids(&case["ids"]), case))
}

#[test]
fn encodes_the_prompts() {
    for (engine, model) in models() {
        for (ids, case) in cases(&model) {
            let text = case["prompt"].as_str().expect("text");
            let found: Vec<u32> = engine.encode(text, true).expect("encodes").iter().map(|p| p.id).collect();
            assert_eq!(found, ids, "{text:?}");
        }
    }
}

#[test]
fn logits_are_the_references() {
    let mut most = 0.0f32;
    for (engine, model) in models() {
        for (ids, case) in cases(&model).filter(|(ids, _)| ids.len() < engine.info.context) {
            let run = start(&engine, &options(&ids));
            most = most.max(furthest(&logits(&run), &floats(&case["logits"])));
        }
    }
    println!("largest difference of a logit: {most:.2e}");
    assert!(most < CLOSE);
}

#[test]
fn every_position_of_one_prefill_is_the_references() {
    // Row i of a causal prefill is what the first i tokens alone give.
    for (engine, model) in models() {
        let tokens = ids(&model["positions"]["ids"]);
        let rows = model["positions"]["logits"].as_array().expect("rows");
        assert_eq!(rows.len(), tokens.len());
        for (i, row) in rows.iter().enumerate() {
            let run = start(&engine, &options(&tokens[..=i]));
            assert!(furthest(&logits(&run), &floats(row)) < CLOSE, "position {i}");
        }
    }
}

#[test]
fn greedy_continuations_are_the_references() {
    for (engine, model) in models() {
        let mut compared = 0;
        for (prompt, case) in cases(&model) {
            let Some(expected) = case.get("greedy_ids").filter(|v| v.is_array()).map(ids) else { continue };
            if expected.is_empty() {
                continue;
            }
            let mut options = options(&prompt);
            options.max_tokens = Some(expected.len() as f64);
            let mut run = start(&engine, &options);
            for id in &expected {
                let step = block_on(run.step(&Default::default())).expect("a step");
                assert_eq!(step.choice.piece.id, *id);
                compared += 1;
            }
        }
        assert!(compared > 40);
    }
}

#[test]
fn a_prefill_equals_single_steps() {
    for (engine, model) in models() {
        let tokens = ids(&model["positions"]["ids"]);
        let whole = start(&engine, &options(&tokens));
        let mut single = start(&engine, &options(&tokens[..1]));
        for id in &tokens[1..] {
            block_on(single.forward()).expect("a pass");
            single.force(*id).expect("is taken");
        }
        block_on(single.forward()).expect("a pass");
        assert_eq!(single.tokens(), whole.tokens());
        assert_eq!(single.passes(), whole.passes());
        assert!(furthest(&logits(&single), &logits(&whole)) < CLOSE);
    }
}

#[test]
fn cached_equals_uncached_up_to_the_full_context() {
    for (engine, model) in models() {
        let prompt = ids(&model["positions"]["ids"]);
        let mut options = options(&prompt);
        options.max_tokens = Some(1000.0);
        let mut cached = start(&engine, &options);
        options.cache = Some(false);
        let mut uncached = start(&engine, &options);
        let (mut steps, mut passes) = (0, prompt.len() as u64);
        while cached.finish().is_none() {
            let a = block_on(cached.forward()).expect("a pass");
            let b = block_on(uncached.forward()).expect("a pass");
            if steps > 0 {
                assert_eq!((a.passes, b.passes), (1, uncached.tokens().len()));
                passes += b.passes as u64;
            }
            assert_eq!(a.position, prompt.len() + steps);
            assert!(furthest(&logits(&cached), &logits(&uncached)) < CLOSE, "step {steps}");
            // A token that ends nothing, so that the context fills up.
            let id = 40 + steps as u32;
            cached.force(id).expect("is taken");
            uncached.force(id).expect("is taken");
            steps += 1;
        }
        assert_eq!(cached.finish().map(|f| f.as_str()), Some("context"));
        assert_eq!(cached.tokens().len(), engine.info.context);
        // p + n − 1 with the cache, p + (p+1) + … + (p+n−1) without: the last token is never fed back.
        let (p, n) = (prompt.len() as u64, steps as u64);
        assert_eq!(cached.passes(), p + n - 1);
        assert_eq!(uncached.passes(), n * p + n * (n - 1) / 2);
        assert_eq!(uncached.passes(), passes);
    }
}

#[test]
fn attention_and_cache_are_the_references() {
    for (engine, model) in models() {
        let attention = &model["attention"];
        let run = start(&engine, &options(&ids(&attention["ids"])));
        let layer = attention["layer"].as_u64().expect("a layer") as usize;
        let found = block_on(run.attention(layer)).expect("weights");
        let rows = attention["weights"].as_array().expect("heads");
        assert_eq!((found.heads, found.tokens), (rows.len(), run.tokens().len()));
        let expected: Vec<f32> = rows.iter().flat_map(floats).collect();
        assert!(furthest(&found.weights, &expected) < 1e-4);
        for row in found.weights.chunks(found.tokens) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }

        let kv = &model["kv"];
        let run = start(&engine, &options(&ids(&kv["ids"])));
        let found = block_on(run.kv(kv["layer"].as_u64().expect("a layer") as usize)).expect("K and V");
        assert_eq!(found.tokens, run.tokens().len());
        for (values, name) in [(&found.k, "k"), (&found.v, "v")] {
            // The reference is [kv_head][token][head_dim].
            let heads = kv[name].as_array().expect("heads");
            let expected: Vec<f32> =
                (0..found.tokens).flat_map(|t| heads.iter().flat_map(move |h| floats(&h[t]))).collect();
            assert!(furthest(values, &expected) < 1e-4, "{name}");
        }
        assert_eq!(engine.info.kv_bytes_per_token, 2 * engine.info.layers * found.kv_heads * found.head_dim * 4);
        assert!(block_on(run.kv(2)).is_err_and(|e| e.code == Code::BadConfig));
    }
}

#[test]
fn going_back_equals_a_fresh_run() {
    for (engine, model) in models() {
        let prompt = ids(&model["positions"]["ids"]);
        let mut run = start(&engine, &options(&prompt));
        for _ in 0..6 {
            block_on(run.forward()).expect("a pass");
            run.force(100).expect("is taken");
        }
        run.rewind(prompt.len() + 2).expect("goes back");
        run.force(120).expect("is taken");
        let forward = block_on(run.forward()).expect("a pass");
        assert_eq!(forward.passes, 1, "K and V up to there were kept");
        let fresh = start(&engine, &options(&[&prompt[..], &[100, 100, 120]].concat()));
        assert_eq!(run.tokens(), fresh.tokens());
        assert!(furthest(&logits(&run), &logits(&fresh)) < CLOSE);
    }
}

#[test]
fn a_prompt_longer_than_the_context_is_refused_with_both_numbers() {
    let engine = tiny("tiny-q4");
    for n in [32, 33, 500] {
        let Err(error) = engine.start(&options(&vec![40; n])) else { panic!("{n} tokens were taken") };
        assert_eq!(error.code, Code::ContextFull);
        assert!(error.message.contains(&n.to_string()) && error.message.contains("32"), "{error}");
    }
    let mut run = start(&engine, &options(&[40; 31]));
    let step = block_on(run.step(&Default::default())).expect("room for one token");
    assert_eq!(step.stop.map(|s| s.reason), Some("context"));
}
