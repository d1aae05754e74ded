//! The card: only the section between the markers is written, and only last digits may differ.

use pocket_exam::card::{BEGIN, END, difference, replace, section};
use pocket_exam::markdown::{code, row, table};
use proptest::prelude::*;

#[test]
fn what_is_written_by_hand_stays() {
    let card = format!("# Pocket\n\nBy hand.\n{BEGIN}\nold\n{END}\n\nMore by hand.\n");
    let new = replace(&card, "## Measured\n\nnew\n").expect("has markers");
    assert_eq!(new, format!("# Pocket\n\nBy hand.\n{BEGIN}\n\n## Measured\n\nnew\n\n{END}\n\nMore by hand.\n"));
    assert_eq!(section(&new), Ok("## Measured\n\nnew"));
    assert_eq!(replace(&new, "## Measured\n\nnew\n"), Ok(new.clone()));
    let cases = [("no markers", BEGIN), (BEGIN, END), (END, BEGIN)];
    for (card, missing) in cases {
        assert!(section(card).is_err_and(|e| e.to_string().contains(missing)), "{card}");
    }
}

#[test]
fn only_last_digits_of_decimals_may_differ() {
    let alike = [
        ("perplexity 1.234", "perplexity 1.235"),
        ("| 9.99 | x |", "| 10.00 |  x |"),
        ("| ---- | - |", "| ----- | - |"),
        ("(0.1 %, 99.9 %)", "(0.2 %, 99.8 %)"),
        ("a\nb\n", "a\nb"),
    ];
    for (a, b) in alike {
        assert_eq!(difference(a, b), None);
        assert_eq!(difference(b, a), None);
    }
    let different = [
        ("perplexity 1.234", "perplexity 1.236"),
        ("perplexity 1.234", "perplexity 1.23"),
        ("187 of 200", "188 of 200"),
        ("Answer: 121", "Answer: 120"),
        ("3. A", "4. A"),
        ("sha 12.3a", "sha 12.3b"),
        ("a\nb", "a\nb\nc"),
        ("- 1.0", "1.0"),
    ];
    for (a, b) in different {
        assert!(difference(a, b).is_some(), "{a} and {b}");
        assert!(difference(b, a).is_some(), "{b} and {a}");
    }
    let found = difference("a\nb 1\nc", "a\nb 2\nd").expect("a difference");
    assert_eq!((found.line, found.card.as_str(), found.measured.as_str()), (2, "b 1", "b 2"));
}

#[test]
fn tables_are_aligned_and_keep_bars_in_their_cells() {
    let text = table(&[row(["a", "b"]), row(["long|er", "x"])]);
    assert_eq!(text, "| a        | b   |\n| -------- | --- |\n| long\\|er | x   |\n");
}

proptest! {
    #[test]
    fn every_section_comes_back_as_it_was_put(text in "[ -~\n]{0,200}", card in "[a-z\n]{0,40}") {
        let text = text.replace('<', "").trim_matches('\n').to_string();
        let card = replace(&format!("{card}{BEGIN}{END}{card}"), &text).expect("has markers");
        prop_assert_eq!(section(&card), Ok(text.as_str()));
        prop_assert_eq!(difference(&text, &text), None);
    }

    #[test]
    fn code_spans_end_where_their_text_ends(text in "[a`\n]{1,20}") {
        let span = code(&text);
        let marks = span.len() - span.trim_start_matches('`').len();
        // No row of marks inside is as long as the one that ends it.
        let inside = &span[marks..span.len() - marks];
        prop_assert!(inside.split(|c| c != '`').all(|row| row.len() < marks), "{}", span);
    }
}
