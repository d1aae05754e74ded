//! Does a text end in a loop: the same cycle of tokens to its end?

/// The cycle at the end of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle {
    /// Tokens of one turn.
    pub length: usize,
    /// Whole turns to the end.
    pub repeats: usize,
    /// Where the sequence becomes periodic.
    pub from: usize,
}

/// The shortest cycle that repeats at least `least` times up to the last token, if there is one.
pub fn cycle(ids: &[u32], least: usize) -> Option<Cycle> {
    let longest = ids.len() / least.max(1);
    (1..=longest).find_map(|length| {
        // The periodic tail: each token is the one `length` before it.
        let same = ids.iter().rev().zip(ids.iter().rev().skip(length)).take_while(|(a, b)| a == b).count();
        let from = ids.len() - same - length;
        let repeats = (same + length) / length;
        (repeats >= least).then_some(Cycle { length, repeats, from })
    })
}
