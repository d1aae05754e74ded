//! The loop: the lesson's exact values, every order of calls, every reason to end.

mod common;

use std::rc::Rc;

use common::{start, tiny};
use next_token::engine::Engine;
use next_token::error::Code;
use next_token::event::Step;
use next_token::model::table::Table;
use next_token::run::{Run, Stage};
use next_token::settings::{Prompt, SamplingOptions, StartOptions};
use pollster::block_on;

fn step(run: &mut Run) -> Step {
    block_on(run.step(&SamplingOptions::default())).expect("a step")
}

fn all(run: &mut Run) -> Vec<Step> {
    let mut steps = Vec::new();
    while run.finish().is_none() {
        steps.push(step(run));
    }
    steps
}

fn finish(run: &Run) -> &str {
    run.finish().map_or("none", |f| f.as_str())
}

fn lesson() -> Rc<Engine> {
    Rc::new(Engine::table(&Table::lesson()).expect("the lesson's table"))
}

/// A table that writes one chain of tokens after `<start>`.
fn chain(tokens: &[&str]) -> Rc<Engine> {
    let mut rows: Vec<(String, Vec<(String, f64)>)> = Vec::new();
    for pair in [&["<start>"], tokens].concat().windows(2) {
        if !rows.iter().any(|(last, _)| last == pair[0]) {
            rows.push((pair[0].into(), vec![(pair[1].into(), 1.0)]));
        }
    }
    let table = Table { rows, words: Vec::new(), separator: String::new(), end: "<END>".into() };
    Rc::new(Engine::table(&table).expect("a chain"))
}

#[test]
fn the_lessons_table() {
    let engine = lesson();
    let mut options = StartOptions::text("The capital of France is");
    options.max_tokens = Some(20.0);
    let mut run = start(&engine, &options);
    assert_eq!(run.tokens().len(), 5);
    let first = step(&mut run);
    assert_eq!(first.choice.piece.text, "Paris");
    let p: Vec<(&str, f64)> = first.candidates.iter().take(3).map(|c| (c.piece.text.as_str(), c.p_raw)).collect();
    for ((text, p), (expected, q)) in p.iter().zip([("Paris", 0.92), ("located", 0.05), ("the", 0.03)]) {
        assert_eq!(*text, expected);
        assert!((p - q).abs() < 1e-6);
    }
    assert_eq!(step(&mut run).choice.piece.text, ".");
    let last = step(&mut run);
    assert_eq!((last.choice.piece.text.as_str(), last.appended), ("<END>", None));
    assert_eq!(last.stop.map(|s| (s.reason, s.joins)), Some(("eos", false)));
    assert_eq!(run.generated().len(), 2);
    assert_eq!(run.state().prompt_text + run.text(), "The capital of France is Paris .");
    assert_eq!(finish(&run), "eos");
    // Anything the table doesn't know ends the run at once.
    let mut run = start(&engine, &StartOptions::text("Hello there"));
    all(&mut run);
    assert_eq!((run.generated().len(), finish(&run)), (0, "eos"));
}

const ANSWER: [&str; 13] =
    ["Sure", "!", " Here", " is", " the", " answer", ":", " 42", "\n", "User", ":", " next", " question"];

#[test]
fn the_lessons_stop_sequence() {
    let mut options = StartOptions::text("<start>");
    options.stop = vec!["\nUser:".into()];
    let mut run = start(&chain(&ANSWER), &options);
    let mut naive = Vec::new();
    let steps: Vec<Step> = (0..11)
        .map(|i| {
            let step = step(&mut run);
            assert_eq!(step.choice.piece.text, ANSWER[i]);
            naive.push(run.state().naive);
            // Nothing of the stop sequence is ever final.
            assert!("Sure! Here is the answer: 42".starts_with(run.text()));
            step
        })
        .collect();
    assert_eq!((finish(&run), run.text()), ("stop", "Sure! Here is the answer: 42"));
    assert_eq!(run.generated().len(), 11);
    assert_eq!(steps[10].stop.as_ref().and_then(|s| s.sequence.as_deref()), Some("\nUser:"));
    let streamed: String = steps.iter().filter_map(|s| Some(s.appended.as_ref()?.text.as_str())).collect();
    assert_eq!(streamed, run.text());
    // The simple loop has shown the beginning of it by then.
    assert!(naive[9].ends_with("42\nUser") && naive[10].ends_with("42\nUser:"));
}

#[test]
fn every_reason_to_end() {
    let engine = chain(&["a", "b", "c", "d", "e"]);
    let run_with = |change: fn(&mut StartOptions)| {
        let mut options = StartOptions::text("<start>");
        change(&mut options);
        let mut run = start(&engine, &options);
        all(&mut run);
        run
    };
    let run = run_with(|_| ());
    assert_eq!((finish(&run), run.text()), ("eos", "abcde"));
    let run = run_with(|o| o.max_tokens = Some(1.0));
    assert_eq!((finish(&run), run.text(), run.generated().len()), ("length", "a", 1));
    let run = run_with(|o| o.max_tokens = Some(5.0));
    assert_eq!((finish(&run), run.generated().len()), ("length", 5));
    let run = run_with(|o| o.stop = vec!["cd".into()]);
    assert_eq!((finish(&run), run.text(), run.generated().len()), ("stop", "ab", 4));
    // A stop sequence completed by the last token allowed is the reason; one cut short is text.
    let run = run_with(|o| (o.stop, o.max_tokens) = (vec!["cd".into()], Some(4.0)));
    assert_eq!((finish(&run), run.text()), ("stop", "ab"));
    let run = run_with(|o| (o.stop, o.max_tokens) = (vec!["cdx".into()], Some(4.0)));
    assert_eq!((finish(&run), run.text()), ("length", "abcd"));
    let mut run = start(&engine, &StartOptions::text("<start>"));
    step(&mut run);
    run.cancel();
    assert_eq!((finish(&run), run.text()), ("cancelled", "a"));
}

#[test]
fn an_empty_stop_sequence_is_refused_by_name() {
    for stop in [vec![""], vec!["", "b"], vec!["b", ""]] {
        let mut options = StartOptions::text("<start>");
        options.stop = stop.into_iter().map(String::from).collect();
        let Err(error) = chain(&["a"]).start(&options) else { panic!("was taken") };
        assert!(error.code == Code::BadConfig && error.message.contains("empty"), "{error}");
    }
}

/// Calls one method and says whether it was allowed.
fn call(run: &mut Run, name: &str) -> Result<(), Code> {
    let code = |e: next_token::error::Error| e.code;
    let none = SamplingOptions::default();
    match name {
        "prefill" => block_on(run.prefill()).map(drop).map_err(code),
        "forward" => block_on(run.forward()).map(drop).map_err(code),
        "distribution" => run.distribution(&none).map(drop).map_err(code),
        "sample" => run.sample(None).map(drop).map_err(code),
        "stop" => run.stop().map(drop).map_err(code),
        "append" => run.append().map(drop).map_err(code),
        "step" => block_on(run.step(&none)).map(drop).map_err(code),
        "force" => run.force(0).map(drop).map_err(code),
        other => panic!("{other}"),
    }
}

#[test]
fn every_call_in_every_stage_is_done_or_refused() {
    const CALLS: [&str; 8] = ["prefill", "forward", "distribution", "sample", "stop", "append", "step", "force"];
    let paths: [(&[&str], Stage, &[&str]); 8] = [
        (&[], Stage::Prompt, &["prefill"]),
        (&["prefill"], Stage::Prefill, &["prefill", "forward", "step", "force"]),
        (&["prefill", "forward"], Stage::Forward, &["distribution", "step", "force"]),
        (&["prefill", "forward", "distribution"], Stage::Distribution, &["distribution", "sample", "step", "force"]),
        (
            &["prefill", "forward", "distribution", "sample"],
            Stage::Sample,
            &["distribution", "sample", "stop", "append", "step", "force"],
        ),
        (
            &["prefill", "forward", "distribution", "sample", "stop"],
            Stage::Stop,
            &["distribution", "stop", "append", "step", "force"],
        ),
        (&["prefill", "step"], Stage::Append, &["forward", "step", "force"]),
        (&["prefill", "step", "step", "step"], Stage::Done, &[]),
    ];
    let engine = chain(&["a", "b"]);
    for (path, stage, allowed) in paths {
        for name in CALLS {
            let mut run = engine.start(&StartOptions::text("<start>")).expect("starts");
            for name in path {
                call(&mut run, name).expect("the path is allowed");
            }
            assert_eq!(run.stage(), stage);
            let before = run.state();
            match call(&mut run, name) {
                Ok(()) => assert!(allowed.contains(&name), "{name} after {stage:?} was done"),
                Err(code) => {
                    assert_eq!(code, Code::OutOfOrder);
                    assert!(!allowed.contains(&name), "{name} after {stage:?} was refused");
                    assert_eq!(run.state(), before, "a refused call changes nothing");
                }
            }
        }
    }
}

#[test]
fn a_wrong_setting_leaves_the_run_as_it_was() {
    let mut run = start(&lesson(), &StartOptions::text("France is"));
    block_on(run.forward()).expect("a pass");
    let before = run.state();
    let wrong = SamplingOptions { temperature: Some(f64::NAN), ..Default::default() };
    assert!(run.distribution(&wrong).is_err_and(|e| e.code == Code::BadConfig));
    assert!(block_on(run.step(&wrong)).is_err_and(|e| e.code == Code::BadConfig));
    assert!(run.force(10_000).is_err_and(|e| e.code == Code::BadConfig));
    assert!(run.rewind(1000).is_err_and(|e| e.code == Code::BadConfig));
    assert_eq!(run.state(), before);
    assert_eq!(step(&mut run).choice.piece.text, "Paris");
}

#[test]
fn other_settings_need_no_pass() {
    let mut run = start(&lesson(), &StartOptions::text("France is"));
    block_on(run.forward()).expect("a pass");
    let passes = run.passes();
    let at = |run: &mut Run, t: f64| {
        let options = SamplingOptions { temperature: Some(t), ..Default::default() };
        let record = run.distribution(&options).expect("a distribution");
        (record.candidates[0].p, record.candidates[0].p_raw)
    };
    for t in [0.5, 1.0, 2.0] {
        // Softmax of ln p / t, by hand.
        let powers: Vec<f64> = [0.92f64, 0.05, 0.03].iter().map(|p| p.powf(1.0 / t)).collect();
        let (p, raw) = at(&mut run, t);
        assert!((p - powers[0] / powers.iter().sum::<f64>()).abs() < 1e-6, "T = {t}");
        assert!((raw - 0.92).abs() < 1e-6);
    }
    assert_eq!(run.passes(), passes);
}

#[test]
fn the_same_seed_gives_the_same_text_and_going_back_repeats_it() {
    let engine = tiny("tiny-mixed");
    let text = |seed: f64| {
        let mut options = StartOptions::new(Prompt::Tokens(vec![40, 50, 60]));
        options.sampling.temperature = Some(1.5);
        options.seed = Some(seed);
        options.max_tokens = Some(20.0);
        let mut run = start(&engine, &options);
        let steps = all(&mut run);
        for s in &steps {
            let (lo, hi, coin) = (s.choice.lo, s.choice.hi, s.choice.coin);
            assert!(lo <= coin && coin < hi && s.choice.method == "sampled");
        }
        let whole = run.generated().to_vec();
        run.rewind(3 + 5).expect("goes back");
        all(&mut run);
        assert_eq!(run.generated(), whole, "the same coins fall again");
        whole
    };
    assert_eq!(text(7.0), text(7.0));
    assert_ne!(text(7.0), text(8.0));
}

#[test]
fn cancel_in_a_prefill_and_go_on() {
    let engine = tiny("tiny-mixed");
    let prompt: Vec<u32> = (0..50).map(|i| 20 + i).collect();
    let options = StartOptions::new(Prompt::Tokens(prompt));
    let whole = start(&engine, &options);
    let mut run = engine.start(&options).expect("starts");
    let progress = block_on(run.prefill_chunk()).expect("a piece of the prompt");
    assert!(progress.prefill.is_none() && progress.done < progress.total);
    run.cancel();
    assert_eq!((run.cached(), finish(&run)), (progress.done, "cancelled"));
    assert_eq!(call(&mut run, "prefill"), Err(Code::OutOfOrder));
    // Cancelled before anything, in the middle, or behind the last chunk: it goes on all the same.
    run.rewind(50).expect("goes on");
    block_on(run.prefill()).expect("the rest of the prompt");
    assert_eq!(run.passes(), 50, "nothing was computed twice");
    assert_eq!(run.logits().expect("logits"), whole.logits().expect("logits"));
    let record = block_on(run.prefill()).expect("the same record again");
    run.cancel();
    run.rewind(50).expect("goes on");
    assert_eq!(block_on(run.prefill()).expect("the same record again"), record);
    assert_eq!((run.passes(), record.pieces.len(), record.forward.passes), (50, 50, 50));
}

#[test]
fn views_before_and_after_the_first_pass() {
    let engine = tiny("tiny-q4");
    let mut run = engine.start(&StartOptions::new(Prompt::Tokens(vec![40, 50, 60]))).expect("starts");
    assert_eq!(run.pieces().iter().map(|p| p.id).collect::<Vec<_>>(), [40, 50, 60]);
    assert!(run.logits().is_err_and(|e| e.code == Code::OutOfOrder));
    assert!(block_on(run.attention(0)).is_err_and(|e| e.code == Code::OutOfOrder));
    assert!(block_on(run.kv(0)).is_err_and(|e| e.code == Code::OutOfOrder));
    block_on(run.prefill()).expect("reads");
    assert!(run.logits().is_ok() && block_on(run.attention(1)).is_ok() && block_on(run.kv(1)).is_ok());
    let table = start(&lesson(), &StartOptions::text("is"));
    assert!(block_on(table.kv(0)).is_err_and(|e| e.code == Code::Unsupported));
    assert!(block_on(table.attention(0)).is_err_and(|e| e.code == Code::Unsupported));
}

#[test]
fn a_long_pass_can_be_interrupted_and_taken_up_again() {
    let engine = tiny("tiny-mixed");
    let options = StartOptions::new(Prompt::Tokens(vec![40, 50, 60]));
    let run_with = |cache| {
        let mut run = start(&engine, &StartOptions { cache: Some(cache), ..options.clone() });
        for id in 20..65 {
            run.force(id).expect("is taken");
        }
        run
    };
    for cache in [true, false] {
        let mut straight = run_with(cache);
        block_on(straight.forward()).expect("a pass");
        let mut run = run_with(cache);
        let asked = Rc::new(std::cell::Cell::new(0));
        let count = asked.clone();
        run.set_interrupt(Box::new(move || {
            count.set(count.get() + 1);
            let first = count.get() == 1;
            Box::pin(
                async move { if first { Err(next_token::error::Error::new(Code::Aborted, "stop")) } else { Ok(()) } },
            )
        }));
        assert!(block_on(run.step(&SamplingOptions::default())).is_err_and(|e| e.code == Code::Aborted));
        assert_eq!((run.stage(), run.generated().len()), (Stage::Append, 45));
        block_on(run.forward()).expect("the rest of the pass");
        let (a, b) = (run.logits().expect("logits").1.values(), straight.logits().expect("logits").1.values());
        assert!(common::furthest(a, b) < 2e-4);
    }
}

#[test]
fn asking_again_does_not_count_as_time() {
    let mut run = start(&tiny("tiny-mixed"), &StartOptions::new(Prompt::Tokens(vec![40, 50, 60])));
    let started = std::time::Instant::now();
    block_on(run.forward()).expect("a pass");
    for i in 0..2000 {
        let t = SamplingOptions { temperature: Some(0.5 + f64::from(i) / 1000.0), ..Default::default() };
        run.distribution(&t).expect("a distribution");
    }
    let step = step(&mut run);
    // A ratio within one run: 2000 distributions took far longer than what one turn claims.
    assert!(step.ms * 10.0 < started.elapsed().as_secs_f64() * 1000.0);
}

#[test]
fn cancel_between_tokens_and_go_on_keeps_the_cache() {
    let engine = tiny("tiny-mixed");
    let options = StartOptions::new(Prompt::Tokens(vec![40, 50, 60]));
    let mut straight = start(&engine, &options);
    let mut stopped = start(&engine, &options);
    for _ in 0..6 {
        step(&mut straight);
    }
    for _ in 0..3 {
        step(&mut stopped);
    }
    block_on(stopped.forward()).expect("a pass");
    stopped.cancel();
    let cached = stopped.cached();
    stopped.rewind(6).expect("goes on");
    assert_eq!(stopped.cached(), cached);
    for _ in 0..3 {
        step(&mut stopped);
    }
    assert_eq!(stopped.tokens(), straight.tokens());
    assert_eq!(stopped.passes(), straight.passes());
}

#[test]
fn forcing_needs_no_pass_and_says_so() {
    let mut run = start(&lesson(), &StartOptions::text("France is"));
    let known = run.force(6).expect("is taken");
    assert_eq!(known.choice.method, "forced");
    assert!(known.choice.p_raw.is_some() && known.logits.is_some());
    let blind = run.force(7).expect("is taken");
    assert_eq!((blind.choice.p, blind.choice.p_raw, blind.choice.rank), (None, None, None));
    assert_eq!((blind.logits, blind.tail, blind.kept, blind.entropy_bits), (None, None, None, None));
    assert_eq!(run.generated(), [6, 7]);
}

#[test]
fn a_table_that_is_no_distribution_is_refused() {
    let table = |p: f64| Table {
        rows: vec![("a".into(), vec![("b".into(), p), ("c".into(), 0.5)])],
        words: Vec::new(),
        separator: " ".into(),
        end: "<END>".into(),
    };
    assert!(Engine::table(&table(0.5)).is_ok());
    for wrong in [0.4, 0.6, -0.5, f64::NAN, f64::INFINITY] {
        assert!(Engine::table(&table(wrong)).is_err_and(|e| e.message.contains("\"a\"")), "{wrong}");
    }
}
