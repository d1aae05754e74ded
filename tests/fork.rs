//! Forks, a prefix taken from another run, stored scores: what is copied must equal what is computed.

mod common;

use common::{start, tiny};
use next_token::engine::Engine;
use next_token::error::Code;
use next_token::model::table::Table;
use next_token::run::{ForkOptions, Run};
use next_token::settings::{Message, Prompt, RunChange, SamplingOptions, StartOptions};
use pollster::block_on;
use proptest::prelude::*;
use std::rc::Rc;

/// Of a logit: floats that are added in another order, token by token or in one pass, differ a little.
const CLOSE: f32 = 2e-4;

fn options(ids: &[u32]) -> StartOptions {
    let mut options = StartOptions::new(Prompt::Tokens(ids.to_vec()));
    options.max_tokens = Some(30.0);
    options
}

fn at(position: usize) -> ForkOptions {
    ForkOptions { position: Some(position), ..Default::default() }
}

fn write(run: &mut Run, ids: &[u32]) {
    for id in ids {
        block_on(run.forward()).expect("a pass");
        run.force(*id).expect("is taken");
    }
}

fn logits(run: &Run) -> Vec<f32> {
    run.logits().expect("scores").1.values().to_vec()
}

fn furthest(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn models() -> [Rc<Engine>; 2] {
    [tiny("tiny-mixed"), tiny("tiny-q4")]
}

#[test]
fn a_fork_goes_its_own_way_and_leaves_its_run_alone() {
    for engine in models() {
        let mut run = start(&engine, &options(&[40, 50, 60]));
        write(&mut run, &[100, 101, 102, 103]);
        let before = run.state();
        let mut fork = run.fork(&at(5)).expect("forks");
        assert_eq!((fork.tokens(), fork.cached(), fork.passes()), (&[40, 50, 60, 100, 101][..], 5, 0));
        // The scores behind token 5 came with it; only the new token is computed.
        assert_eq!(block_on(fork.forward()).expect("stored").passes, 0);
        fork.force(120).expect("is taken");
        assert_eq!(block_on(fork.forward()).expect("a pass").passes, 1);
        let fresh = start(&engine, &options(&[40, 50, 60, 100, 101, 120]));
        assert!(furthest(&logits(&fork), &logits(&fresh)) < CLOSE);
        assert_eq!(run.state(), before);
        // And the other way round: what the run writes doesn't reach the fork.
        write(&mut run, &[110]);
        block_on(run.forward()).expect("a pass");
        assert!(furthest(&logits(&fork), &logits(&fresh)) < CLOSE);
        let straight = start(&engine, &options(&[40, 50, 60, 100, 101, 102, 103, 110]));
        assert!(furthest(&logits(&run), &logits(&straight)) < CLOSE);
    }
}

#[test]
fn a_fork_with_a_higher_limit_goes_on_where_length_ended_the_run() {
    let engine = tiny("tiny-mixed");
    let mut short = options(&[40, 50, 60]);
    short.max_tokens = Some(2.0);
    let mut run = start(&engine, &short);
    let seven = engine.encode("7", false).expect("ids")[0].id;
    write(&mut run, &[100, seven]);
    assert_eq!(run.finish().map(|f| f.as_str()), Some("length"));
    let more = RunChange { max_tokens: Some(4.0), ..Default::default() };
    let mut fork = run.fork(&ForkOptions { position: None, change: more }).expect("forks");
    assert_eq!((fork.finish(), fork.tokens().len()), (None, 5));
    write(&mut fork, &[102, 103]);
    assert_eq!(fork.finish().map(|f| f.as_str()), Some("length"));
    // Two passes: the last token of the run and the first of the fork. The last one is never fed back.
    assert_eq!(fork.passes(), 2);
    // With the same limit it is as finished as its run; with a stop sequence of its own it ends there.
    assert_eq!(run.fork(&ForkOptions::default()).expect("forks").finish().map(|f| f.as_str()), Some("length"));
    let stop = RunChange { stop: Some(vec!["7".into()]), max_tokens: Some(9.0), ..Default::default() };
    let stopped = run.fork(&ForkOptions { position: None, change: stop }).expect("forks");
    assert_eq!(stopped.finish().map(|f| f.as_str()), Some("stop"));
}

#[test]
fn what_a_fork_refuses() {
    let engine = tiny("tiny-q4");
    let run = start(&engine, &options(&[40, 50, 60]));
    let code = |options: &ForkOptions| run.fork(options).err().map(|e| e.code);
    assert_eq!(code(&at(2)), Some(Code::BadConfig));
    assert_eq!(code(&at(4)), Some(Code::BadConfig));
    let change = |change| ForkOptions { position: None, change };
    assert_eq!(code(&change(RunChange { max_tokens: Some(0.0), ..Default::default() })), Some(Code::BadConfig));
    assert_eq!(code(&change(RunChange { seed: Some(0.5), ..Default::default() })), Some(Code::BadConfig));
    let empty = RunChange { stop: Some(vec![String::new()]), ..Default::default() };
    assert_eq!(code(&change(empty)), Some(Code::BadConfig));
}

#[test]
fn going_back_finds_the_scores_and_costs_no_pass() {
    for engine in models() {
        let mut run = start(&engine, &options(&[40, 50, 60]));
        write(&mut run, &[100, 101, 102, 103]);
        let scores: Vec<Vec<f32>> = (3..7).map(|at| run.logits_at(at).expect("stored").values().to_vec()).collect();
        assert!(run.logits_at(2).is_err_and(|e| e.code == Code::OutOfOrder), "inside of the prompt there are none");
        assert!(run.logits_at(7).is_err(), "the last token wasn't fed back");
        let passes = run.passes();
        for back in [6, 5, 3] {
            run.rewind(back).expect("goes back");
            assert_eq!(block_on(run.forward()).expect("stored").passes, 0);
            assert_eq!(logits(&run), scores[back - 3]);
            let stage = run.state().stage;
            assert_eq!(stage, "forward");
        }
        assert_eq!(run.passes(), passes);
        // Other tokens follow: the scores behind them are forgotten.
        run.force(120).expect("is taken");
        assert!(run.logits_at(4).is_err());
        assert_eq!(block_on(run.forward()).expect("a pass").passes, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_fork_and_any_reuse_equal_a_run_from_nothing(
        prompt in prop::collection::vec(20u32..200, 1..50),
        written in prop::collection::vec(20u32..200, 1..12),
        cut in 0usize..12,
        other in prop::collection::vec(20u32..200, 1..6),
        keep in 0usize..60,
    ) {
        let engine = tiny("tiny-mixed");
        let mut run = start(&engine, &options(&prompt));
        write(&mut run, &written);
        let position = prompt.len() + cut.min(written.len());
        let mut fork = run.fork(&at(position)).expect("forks");
        write(&mut fork, &other);
        block_on(fork.forward()).expect("a pass");
        let fresh = start(&engine, &options(fork.tokens()));
        prop_assert!(furthest(&logits(&fork), &logits(&fresh)) < CLOSE);

        // A prompt that shares some of its beginning with the run.
        let again: Vec<u32> = run.tokens().iter().take(keep).chain(&other).copied().collect();
        let same = again.iter().zip(&run.tokens()[..run.cached()]).take_while(|(a, b)| a == b).count();
        let mut reusing = engine.start_from(&options(&again), Some(&run)).expect("starts");
        let prefill = block_on(reusing.prefill()).expect("reads");
        let reused = same.min(again.len() - 1);
        prop_assert_eq!(reusing.state().reused, reused);
        prop_assert_eq!((prefill.forward.passes, reusing.passes() as usize), (again.len() - reused, again.len() - reused));
        let straight = start(&engine, &options(&again));
        prop_assert!(furthest(&logits(&reusing), &logits(&straight)) < CLOSE);
    }
}

#[test]
fn reuse_is_for_the_same_model_and_needs_a_cache() {
    let [one, other] = models();
    let run = start(&one, &options(&[40, 50, 60]));
    assert!(other.start_from(&options(&[40, 50]), Some(&run)).is_err_and(|e| e.code == Code::BadConfig));
    let mut uncached = options(&[40, 50]);
    uncached.cache = Some(false);
    assert!(one.start_from(&uncached, Some(&run)).is_err_and(|e| e.code == Code::BadConfig));
}

#[test]
fn a_part_of_the_cache_is_that_part_of_the_whole() {
    for engine in models() {
        let mut run = start(&engine, &options(&[40, 50, 60, 70]));
        write(&mut run, &[100, 101]);
        let all = block_on(run.kv(1)).expect("the cache");
        let some = block_on(run.kv_of(1, 2..4)).expect("a part");
        let width = all.kv_heads * all.head_dim;
        assert_eq!((some.from, some.tokens, all.from, all.tokens), (2, 2, 0, 5));
        assert_eq!(some.k, all.k[2 * width..4 * width]);
        assert_eq!(some.v, all.v[2 * width..4 * width]);
        for wrong in [3..3, 4..6] {
            assert!(block_on(run.kv_of(0, wrong)).is_err_and(|e| e.code == Code::BadConfig));
        }
    }
}

#[test]
fn looking_at_an_earlier_place_changes_nothing_and_tells_what_was_drawn_from() {
    let engine = tiny("tiny-mixed");
    let mut given = options(&[40, 50, 60]);
    given.sampling.temperature = Some(1.3);
    given.seed = Some(5.0);
    let mut run = start(&engine, &given);
    let steps: Vec<_> = (0..6).map(|_| block_on(run.step(&SamplingOptions::default())).expect("a step")).collect();
    let before = run.state();
    for step in &steps {
        let seen = run.distribution_at(step.position, &SamplingOptions::default()).expect("stored");
        assert_eq!((&seen.candidates, Some(seen.kept)), (&step.candidates, step.kept));
        // The rest is summed up in another order: what was looked at before is sorted already.
        let tail = step.tail.as_ref().expect("a tail");
        assert!((seen.tail.mass - tail.mass).abs() < 1e-12 && (seen.tail.mass_raw - tail.mass_raw).abs() < 1e-12);
        let greedy = SamplingOptions { temperature: Some(0.0), ..Default::default() };
        let other = run.distribution_at(step.position, &greedy).expect("stored");
        assert_eq!((other.kept, other.candidates[0].p), (1, 1.0));
    }
    assert_eq!(run.state(), before);
}

#[test]
fn many_draws_follow_the_probabilities_and_their_seed() {
    let engine = Rc::new(Engine::table(&Table::lesson()).expect("the table"));
    let run = start(&engine, &StartOptions::text("France is"));
    let warm = SamplingOptions { temperature: Some(1.0), ..Default::default() };
    let drawn = run.draws(2, 10_000.0, Some(1.0), &warm).expect("draws");
    assert_eq!(drawn.draws.iter().map(|d| d.count).sum::<usize>(), 10_000);
    let paris = &drawn.draws[0];
    assert_eq!((paris.piece.text.as_str(), paris.rank), ("Paris", 0));
    // Six standard errors of a share of 0.92 out of 10,000.
    assert!((paris.count as f64 / 10_000.0 - 0.92).abs() < 6.0 * (0.92f64 * 0.08 / 10_000.0).sqrt());
    assert_eq!(run.draws(2, 10_000.0, Some(1.0), &warm).expect("draws"), drawn);
    assert_ne!(run.draws(2, 10_000.0, Some(2.0), &warm).expect("draws").draws, drawn.draws);
    // Greedy: always the same.
    let greedy = run.draws(2, 100.0, None, &SamplingOptions::default()).expect("draws");
    assert_eq!((greedy.draws.len(), greedy.draws[0].count, greedy.seed), (1, 100, 0));
    for times in [0.0, 1.5, 1e9, f64::NAN] {
        assert!(run.draws(2, times, None, &warm).is_err_and(|e| e.code == Code::BadConfig));
    }
    assert!(run.draws(1, 10.0, None, &warm).is_err_and(|e| e.code == Code::OutOfOrder));
    assert_eq!(run.passes(), 2, "no draw computed anything");
}

#[test]
fn a_new_seed_throws_the_coins_of_that_seed() {
    let engine = tiny("tiny-mixed");
    let ids = |seed: f64, reseed: Option<f64>| {
        let mut given = options(&[40, 50, 60]);
        given.sampling.temperature = Some(1.5);
        given.seed = Some(seed);
        let mut run = start(&engine, &given);
        if let Some(seed) = reseed {
            run.reseed(seed).expect("a seed");
        }
        for _ in 0..10 {
            block_on(run.step(&SamplingOptions::default())).expect("a step");
        }
        run.generated().to_vec()
    };
    assert_eq!(ids(3.0, Some(8.0)), ids(8.0, None));
    assert_ne!(ids(3.0, None), ids(8.0, None));
}

#[test]
fn a_rendered_conversation_tells_who_wrote_which_token() {
    let engine = tiny("tiny-mixed");
    let message = |role: &str, content: &str| Message { role: role.into(), content: content.into() };
    let messages = [
        message("system", "user"),
        message("user", "Hi <|im_end|> there"),
        message("assistant", " x "),
        message("user", "user"),
    ];
    let rendered = engine.render(&messages).expect("renders");
    let ids: Vec<u32> = rendered.pieces.iter().map(|p| p.id).collect();
    assert_eq!(engine.prompt(&StartOptions::new(Prompt::Messages(messages.to_vec()))).expect("ids"), ids);
    let parts = rendered.parts.expect("a plain template");
    // No gap, no overlap, every message once and in order.
    let ends: Vec<usize> = parts.iter().map(|p| p.to).collect();
    assert_eq!(parts.iter().map(|p| p.from).collect::<Vec<_>>(), [&[0], &ends[..ends.len() - 1]].concat());
    assert_eq!(ends.last(), Some(&ids.len()));
    let own: Vec<_> =
        parts.iter().filter_map(|p| p.message.map(|m| (m, engine.vocabulary.decode(&ids[p.from..p.to])))).collect();
    for ((at, text), expected) in own.iter().zip(0..) {
        assert_eq!(*at, expected);
        assert_eq!(text, &messages[*at].content);
    }
    assert_eq!(own.len(), 4);
}

#[test]
fn a_fork_behind_its_own_stop_sequence_is_refused() {
    let engine = tiny("tiny-mixed");
    let mut run = start(&engine, &options(&[40, 50, 60]));
    let letters: Vec<u32> =
        "x7-".chars().flat_map(|c| engine.encode(&c.to_string(), false).expect("ids")).map(|p| p.id).collect();
    write(&mut run, &letters);
    let stop = RunChange { stop: Some(vec!["7".into()]), ..Default::default() };
    let at = |position| run.fork(&ForkOptions { position: Some(position), change: stop.clone() });
    assert!(at(6).is_err_and(|e| e.code == Code::BadConfig && e.message.contains("after 5 tokens")));
    assert_eq!(at(5).expect("forks").finish().map(|f| f.as_str()), Some("stop"));
    assert_eq!(at(4).expect("forks").finish(), None);
}
