//! Text made of tokens: no half characters, nothing of a stop sequence, nothing lost.

use next_token::detokenizer::Detokenizer;
use next_token::stop::HeldText;
use proptest::prelude::*;

/// Cuts `bytes` into pieces at random places.
fn pieces(bytes: Vec<u8>, cuts: &[usize]) -> Vec<Vec<u8>> {
    let mut at: Vec<usize> = cuts.iter().map(|c| c % (bytes.len() + 1)).collect();
    at.extend([0, bytes.len()]);
    at.sort_unstable();
    at.windows(2).map(|w| bytes[w[0]..w[1]].to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn valid_text_comes_out_whole(text in "\\PC{0,30}", cuts: Vec<usize>) {
        let mut detokenizer = Detokenizer::default();
        let mut out = String::new();
        for piece in pieces(text.clone().into_bytes(), &cuts) {
            let decoded = detokenizer.push(&piece);
            prop_assert!(decoded.strays.is_empty());
            out.push_str(&decoded.text);
            prop_assert!(text.starts_with(&out), "what is out is right already");
            prop_assert!(detokenizer.pending().len() < 4);
        }
        prop_assert_eq!(out, text);
        prop_assert!(detokenizer.pending().is_empty());
    }

    #[test]
    fn any_bytes_come_out_as_one_decoding_at_once(bytes: Vec<u8>, cuts: Vec<usize>) {
        let mut detokenizer = Detokenizer::default();
        let mut out = String::new();
        let mut kept = Vec::new();
        for piece in pieces(bytes.clone(), &cuts) {
            let decoded = detokenizer.push(&piece);
            // Text with the stray bytes put back in place of their U+FFFD is the bytes again.
            let mut from = 0;
            for stray in &decoded.strays {
                kept.extend_from_slice(&decoded.text.as_bytes()[from..stray.at]);
                kept.extend_from_slice(&stray.bytes);
                from = stray.at + '\u{FFFD}'.len_utf8();
            }
            kept.extend_from_slice(&decoded.text.as_bytes()[from..]);
            out.push_str(&decoded.text);
        }
        kept.extend_from_slice(detokenizer.pending());
        prop_assert_eq!(kept, &bytes[..]);
        let whole = String::from_utf8_lossy(&bytes);
        prop_assert!(whole.starts_with(&out));
        let rest = &whole[out.len()..];
        prop_assert!(detokenizer.pending().is_empty() == rest.is_empty());
    }

    /// Against the simplest definition: look for the first stop sequence in all the text at once.
    #[test]
    fn held_text_is_the_text_before_the_first_stop(
        text in "[abc⏎é]{0,40}",
        stops in prop::collection::vec("[abc⏎é]{1,4}", 0..4),
        cuts: Vec<usize>,
    ) {
        let mut held = HeldText::new(stops.clone());
        let mut seen = Vec::new();
        let mut matched = None;
        for piece in pieces(text.clone().into_bytes(), &cuts) {
            prop_assert_eq!(held.peek(&piece), held.clone().push(&piece));
            seen.extend_from_slice(&piece);
            matched = held.push(&piece);
            if matched.is_some() {
                break;
            }
            // What is final can't be taken back by anything that may follow.
            let so_far = String::from_utf8_lossy(&seen);
            prop_assert!(stops.iter().all(|s| !held.text().contains(s.as_str())));
            prop_assert!(so_far.starts_with(held.text()));
            prop_assert!(held.held().is_empty() || stops.iter().any(|s| s.starts_with(held.held())));
        }
        match &matched {
            Some(sequence) => {
                // The last piece may end in half a character; a stop is made of whole ones.
                let whole = std::str::from_utf8(&seen).map_or_else(|e| e.valid_up_to(), str::len);
                let so_far = String::from_utf8_lossy(&seen[..whole]);
                prop_assert!(held.pending().is_empty());
                let first = stops.iter().filter_map(|s| so_far.find(s.as_str())).min().expect("a stop is there");
                prop_assert_eq!(held.text(), &so_far[..first]);
                prop_assert!(so_far[first..].starts_with(sequence.as_str()));
                prop_assert_eq!(held.trimmed(), &so_far[first..]);
            }
            None => {
                prop_assert!(stops.iter().all(|s| !text.contains(s.as_str())));
                held.flush();
                prop_assert_eq!(held.text(), text);
            }
        }
    }
}

#[test]
fn a_character_waits_for_its_last_byte() {
    let mut text = HeldText::default();
    for (bytes, out, pending) in [
        (&b"\xF0\x9F"[..], "", 2),
        (b"\x94", "", 3),
        (b"\xB4", "🔴", 0),
        // A stray byte, then plain text: the byte is kept apart, nothing is lost.
        (b"\xE2", "🔴", 1),
        (b" a", "🔴\u{FFFD} a", 0),
    ] {
        text.push(bytes);
        assert_eq!((text.text(), text.pending().len()), (out, pending));
    }
    assert_eq!(text.strays().len(), 1);
    assert_eq!((text.strays()[0].at, &text.strays()[0].bytes[..]), (4, &b"\xE2"[..]));
}
