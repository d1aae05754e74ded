//! Distributions and draws, against a plain recount in f64 over the full vocabulary.

use next_token::distribution::{Cut, Distribution, Logits};
use next_token::sampler::{self, Method};
use next_token::settings::{Sampling, SamplingOptions};
use proptest::prelude::*;

fn logits() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-20.0f32..20.0, 2..300)
}

fn settings() -> impl Strategy<Value = Sampling> {
    (0.05f64..5.0, 0usize..50, 0.0f64..=1.0, 0.0f64..0.5, 0.5f64..2.0, 1usize..40).prop_map(
        |(temperature, top_k, top_p, min_p, repetition_penalty, top)| Sampling {
            temperature,
            top_k,
            top_p,
            min_p,
            repetition_penalty,
            top,
        },
    )
}

fn distribution(values: &[f32], sequence: &[u32], sampling: Sampling) -> Distribution {
    Distribution::from_logits(&Logits::new(values.to_vec()).expect("finite"), sequence, sampling)
}

/// Softmax in f64.
fn softmax(values: &[f64]) -> Vec<f64> {
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let e: Vec<f64> = values.iter().map(|x| (x - max).exp()).collect();
    let sum: f64 = e.iter().sum();
    e.iter().map(|x| x / sum).collect()
}

/// The whole definition, written down plainly: sorted ids, probabilities, number kept.
fn recount(values: &[f32], sequence: &[u32], s: Sampling) -> (Vec<usize>, Vec<f64>, usize) {
    let mut scores: Vec<f64> = values.iter().map(|x| f64::from(*x)).collect();
    let mut seen = sequence.to_vec();
    seen.sort_unstable();
    seen.dedup();
    for id in seen {
        let x = &mut scores[id as usize];
        *x = f64::from((if *x > 0.0 { *x / s.repetition_penalty } else { *x * s.repetition_penalty }) as f32);
    }
    let scaled: Vec<f64> = scores.iter().map(|x| x / s.temperature).collect();
    let p = softmax(&scaled);
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut kept = p.len();
    if s.top_k > 0 {
        kept = kept.min(s.top_k);
    }
    if s.top_p < 1.0 {
        let all: f64 = order[..kept].iter().map(|id| p[*id]).sum();
        let mut sum = 0.0;
        let n = order[..kept].iter().position(|id| {
            sum += p[*id];
            sum >= s.top_p * all
        });
        kept = n.map_or(kept, |n| n + 1);
    }
    let most = p[order[0]];
    kept = order[..kept].iter().position(|id| p[*id] < s.min_p * most).unwrap_or(kept);
    (order, p, kept)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn agrees_with_a_plain_recount(values in logits(), s in settings(), sequence in prop::collection::vec(0u32..2, 0..4)) {
        let mut d = distribution(&values, &sequence, s);
        let (order, p, kept) = recount(&values, &sequence, s);
        // A sum that reaches p exactly may round to either side.
        prop_assert!(d.kept().abs_diff(kept) <= 1);
        let mass: f64 = order[..d.kept()].iter().map(|id| p[*id]).sum();
        let raw = softmax(&values.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        for (rank, id) in order.iter().enumerate() {
            prop_assert_eq!(d.id_at(rank) as usize, *id);
            prop_assert_eq!(d.rank_of(*id as u32), rank);
            let expected = if rank < d.kept() { p[*id] / mass } else { 0.0 };
            prop_assert!((d.p_at(rank) - expected).abs() < 1e-9);
            prop_assert_eq!(d.why(rank).is_none(), rank < d.kept());
            prop_assert!((d.p_raw(*id as u32) - raw[*id]).abs() < 1e-9);
        }
        let entropy: f64 = raw.iter().filter(|p| **p > 0.0).map(|p| -p * p.log2()).sum();
        prop_assert!((d.entropy_bits() - entropy).abs() < 1e-6);
    }

    #[test]
    fn candidates_and_the_rest_add_up_to_one(values in logits(), s in settings(), top in 1usize..400) {
        let mut d = distribution(&values, &[], s);
        let shown = top.min(values.len());
        let mut p = 0.0;
        let mut raw = 0.0;
        for rank in 0..shown {
            p += d.p_at(rank);
            let id = d.id_at(rank);
            raw += d.p_raw(id);
        }
        let (count, kept, mass, mass_raw) = d.tail(top);
        prop_assert_eq!(count, values.len() - shown);
        prop_assert_eq!(kept, d.kept().saturating_sub(shown));
        prop_assert!((p + mass - 1.0).abs() < 1e-9);
        prop_assert!((raw + mass_raw - 1.0).abs() < 1e-9);
        prop_assert!(kept > 0 || mass == 0.0);
    }

    #[test]
    fn the_coin_lands_in_the_chosen_interval(values in logits(), s in settings(), coin in 0.0f64..1.0) {
        let mut d = distribution(&values, &[], s);
        let choice = sampler::choose(&mut d, coin);
        let place = choice.place.expect("a place");
        prop_assert_eq!(choice.method, Method::Sampled);
        prop_assert!(place.lo <= coin && coin < place.hi);
        prop_assert!(place.rank < d.kept());
        prop_assert!((place.hi - place.lo - place.p).abs() < 1e-9);
        let before: f64 = (0..place.rank).map(|rank| d.p_at(rank)).sum();
        prop_assert!((before - place.lo).abs() < 1e-9);
        // Forcing the same token finds it at the same place.
        let forced = sampler::force(Some(&mut d), choice.id).place.expect("a place");
        prop_assert_eq!(forced, place);
    }

    #[test]
    fn the_top_probability_never_rises_with_temperature(values in logits(), a in 0.01f64..10.0, b in 0.01f64..10.0) {
        let top = |temperature| distribution(&values, &[], Sampling { temperature, ..Default::default() }).p_at(0);
        prop_assert!(top(a.min(b)) >= top(a.max(b)) - 1e-12);
    }

    #[test]
    fn any_finite_scores_and_any_temperature_give_numbers(
        values in prop::collection::vec(prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO, 1..50),
        exponent in -320i32..300,
        penalty in prop::num::f64::POSITIVE,
    ) {
        let sampling = SamplingOptions {
            temperature: Some(10f64.powi(exponent)),
            repetition_penalty: Some(penalty.max(1e-300)),
            ..Default::default()
        };
        let sampling = Sampling::default().with(&sampling).expect("in range");
        let mut d = distribution(&values, &[0], sampling);
        let sum: f64 = (0..values.len()).map(|rank| d.p_at(rank)).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9);
        prop_assert!(d.entropy_bits() >= 0.0);
    }
}

#[test]
fn a_tiny_temperature_is_greedy_and_ties_go_to_the_lower_id() {
    let values = [1.0, 3.0, 3.0, -2.0];
    for temperature in [0.0, 1e-40, 1e-9] {
        let mut d = distribution(&values, &[], Sampling { temperature, ..Default::default() });
        assert_eq!(d.id_at(0), 1);
        assert_eq!(d.id_at(1), 2);
        let choice = sampler::choose(&mut d, 0.0);
        assert_eq!(choice.id, 1, "T = {temperature}");
    }
    let mut greedy = distribution(&values, &[], Sampling::default());
    assert_eq!((greedy.kept(), greedy.p_at(0), greedy.p_at(1)), (1, 1.0, 0.0));
    assert_eq!(greedy.why(1), Some(Cut::Greedy));
    let choice = sampler::choose(&mut greedy, 0.999);
    assert_eq!((choice.id, choice.method, choice.coin), (1, Method::Greedy, None));
}

#[test]
fn each_cut_names_itself() {
    let values: Vec<f32> = (0..10).map(|i| -(i as f32)).collect();
    let with = |options: SamplingOptions| {
        let t = SamplingOptions { temperature: Some(1.0), ..options };
        distribution(&values, &[], Sampling::default().with(&t).expect("in range"))
    };
    let d = with(SamplingOptions { top_k: Some(3.0), ..Default::default() });
    assert_eq!((d.kept(), d.why(2), d.why(3)), (3, None, Some(Cut::TopK)));
    let d = with(SamplingOptions { top_p: Some(0.0), ..Default::default() });
    assert_eq!((d.kept(), d.why(1)), (1, Some(Cut::TopP)));
    let d = with(SamplingOptions { min_p: Some(0.1), ..Default::default() });
    // e^-2 = 0.135 stays, e^-3 = 0.0498 goes.
    assert_eq!((d.kept(), d.why(3)), (3, Some(Cut::MinP)));
    let d = with(SamplingOptions { top_k: Some(5.0), min_p: Some(0.1), ..Default::default() });
    assert_eq!((d.why(4), d.why(5)), (Some(Cut::MinP), Some(Cut::TopK)));
}

#[test]
fn a_hundred_thousand_coins_match_the_probabilities() {
    let values = [2.0, 1.0, 0.5, 0.0, -1.0, -3.0];
    let mut d = distribution(&values, &[], Sampling { temperature: 0.8, ..Default::default() });
    let n = 100_000;
    let mut counts = [0u32; 6];
    for index in 0..n {
        counts[sampler::choose(&mut d, sampler::coin(7, index)).id as usize] += 1;
    }
    for id in 0..6u32 {
        let rank = d.rank_of(id);
        let p = d.p_at(rank);
        let sigma = (p * (1.0 - p) / n as f64).sqrt();
        let found = f64::from(counts[id as usize]) / n as f64;
        assert!((found - p).abs() < 5.0 * sigma, "token {id}: {found} in place of {p}");
    }
}

#[test]
fn coins_are_uniform_repeatable_and_differ_by_seed() {
    let coins = |seed| (0..20_000).map(move |i| sampler::coin(seed, i));
    assert!(coins(3).eq(coins(3)));
    let mut buckets = [0u32; 20];
    for coin in coins(3) {
        assert!((0.0..1.0).contains(&coin));
        buckets[(coin * 20.0) as usize] += 1;
    }
    // χ² with 19 degrees of freedom: 43.8 is passed by chance once in a thousand.
    let chi: f64 = buckets.iter().map(|n| (f64::from(*n) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi < 43.8, "χ² = {chi}");
    // Neighbouring seeds share no coins, shifted or not.
    let first: Vec<u64> = coins(3).take(1000).map(f64::to_bits).collect();
    assert!(coins(4).take(1000).all(|c| !first.contains(&c.to_bits())));
    for wrong in [-0.1, 1.0, f64::NAN, f64::INFINITY] {
        assert!(sampler::check_coin(wrong).is_err());
    }
}

#[test]
fn scores_that_are_no_numbers_are_refused() {
    for bad in [f32::NAN, f32::INFINITY] {
        assert!(Logits::new(vec![0.0, bad]).is_err());
    }
    assert!(Logits::new(vec![f32::NEG_INFINITY; 3]).is_err());
    assert!(Logits::new(vec![]).is_err());
    assert!(Logits::new(vec![f32::NEG_INFINITY, 0.0]).is_ok());
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    type Set = fn(&mut SamplingOptions, f64);
    let cases: [(&str, Set, &[f64], &[f64]); 6] = [
        ("temperature", |o, x| o.temperature = Some(x), &[-1.0, -1e-9], &[0.0, 1e-40, 100.0]),
        ("topK", |o, x| o.top_k = Some(x), &[-1.0, 0.5, 1e300], &[0.0, 1.0, 1e6]),
        ("topP", |o, x| o.top_p = Some(x), &[-0.1, 1.1], &[0.0, 1e-9, 1.0]),
        ("minP", |o, x| o.min_p = Some(x), &[-0.1, 1.1], &[0.0, 1.0]),
        ("repetitionPenalty", |o, x| o.repetition_penalty = Some(x), &[0.0, -1.0], &[0.1, 2.0]),
        ("top", |o, x| o.top = Some(x), &[0.0, 1.5, -3.0], &[1.0, 50.0]),
    ];
    for (name, set, bad, good) in cases {
        let check = |x: f64| {
            let mut options = SamplingOptions::default();
            set(&mut options, x);
            Sampling::default().with(&options)
        };
        for x in bad.iter().copied().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) {
            let error = check(x).expect_err(name);
            assert!(error.message.starts_with(&format!("{name} is ")), "{error}");
        }
        for x in good {
            assert!(check(*x).is_ok(), "{name} = {x}");
        }
    }
}
