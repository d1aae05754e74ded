//! Intervals against published values, loops against a plain search.

use pocket_exam::cycle::{Cycle, cycle};
use pocket_exam::sentences::sentences;
use pocket_exam::statistics::{Share, figure, wilson};
use proptest::prelude::*;

#[test]
fn wilsons_interval_gives_the_published_values() {
    // Newcombe 1998, table I, method 3.
    let published =
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)];
    for (right, of, low, high) in published {
        let (l, h) = wilson(right, of);
        assert!((l - low).abs() < 6e-5 && (h - high).abs() < 6e-5, "{right} of {of}: {l} to {h}");
        // Failures are the mirror image.
        let (l, h) = wilson(of - right, of);
        assert!((1.0 - h - low).abs() < 6e-5 && (1.0 - l - high).abs() < 6e-5);
    }
    assert_eq!(wilson(0, 0), (0.0, 1.0));
    assert_eq!((wilson(0, 7).0, wilson(7, 7).1), (0.0, 1.0));
    assert_eq!(Share::count([true, false, true, true]), Share::new(3, 4));
}

#[test]
fn figures_have_four_digits() {
    for (x, rounded) in [(1.234_56, 1.235), (0.000_123_449, 0.000_123_4), (98_765.4, 98_770.0), (0.0, 0.0), (1.0, 1.0)]
    {
        assert_eq!(figure(x), rounded);
    }
}

/// The definition: the last `repeats · length` tokens are the last `length` ones again and again.
fn repeats(ids: &[u32], length: usize) -> usize {
    let Some(turn) = ids.len().checked_sub(length).map(|at| &ids[at..]) else { return 0 };
    ids.rchunks_exact(length).take_while(|chunk| *chunk == turn).count()
}

proptest! {
    #[test]
    fn a_cycle_is_what_the_definition_says(ids in prop::collection::vec(0u32..3, 0..60), least in 2usize..9) {
        let expected = (1..=ids.len()).map(|length| (length, repeats(&ids, length))).find(|(_, n)| *n >= least);
        let found = cycle(&ids, least);
        prop_assert_eq!(found.map(|c| (c.length, c.repeats)), expected);
        if let Some(Cycle { length, from, .. }) = found {
            prop_assert!((from + length..ids.len()).all(|at| ids[at] == ids[at - length]));
            prop_assert!(from == 0 || ids[from - 1] != ids[from - 1 + length]);
        }
    }

    #[test]
    fn a_text_that_was_made_to_loop_is_found(
        start in prop::collection::vec(10u32..99, 0..20),
        turn in prop::collection::hash_set(0u32..9, 1..6),
        times in 8usize..20,
        cut in 0usize..5,
    ) {
        let turn: Vec<u32> = turn.into_iter().collect();
        let mut ids = start.clone();
        ids.extend(turn.repeat(times + 1));
        ids.truncate(ids.len() - cut.min(turn.len() - 1));
        let found = cycle(&ids, 8);
        prop_assert_eq!(found.map(|c| (c.length, c.from)), Some((turn.len(), start.len())));
        ids.push(1000);
        prop_assert_eq!(cycle(&ids, 8), None);
    }

    #[test]
    fn sentences_hold_every_character_but_spaces(text in "[a-cA-C .!?\"]{0,60}") {
        let plain = |text: &str| text.replace(' ', "");
        prop_assert_eq!(plain(&sentences(&text).concat()), plain(&text));
    }
}

#[test]
fn sentences_end_where_readers_end_them() {
    let text =
        "Once upon a time, there was a cat. \"Where are you?\" called Tom. \"Here!\" It cost 3.50 coins! The end";
    let expected = [
        "Once upon a time, there was a cat.",
        "\"Where are you?\" called Tom.",
        "\"Here!\"",
        "It cost 3.50 coins!",
        "The end",
    ];
    assert_eq!(sentences(text), expected);
    assert!(sentences(" \n").is_empty());
}
