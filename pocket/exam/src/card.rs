//! The measured section of the model card: everything else in the file is written by hand and stays.

use crate::error::{Error, Result};

pub const BEGIN: &str = "<!-- exam -->";
pub const END: &str = "<!-- /exam -->";

/// What stands between the markers.
pub fn section(card: &str) -> Result<&str> {
    let (begin, end) = bounds(card)?;
    Ok(card[begin..end].trim_matches('\n'))
}

/// The card with another section between the markers.
pub fn replace(card: &str, section: &str) -> Result<String> {
    let (begin, end) = bounds(card)?;
    Ok(format!("{}\n\n{}\n\n{}", &card[..begin], section.trim_matches('\n'), &card[end..]))
}

/// From behind the first marker to the second.
fn bounds(card: &str) -> Result<(usize, usize)> {
    let begin = card.find(BEGIN).ok_or(Error::Markers(BEGIN))? + BEGIN.len();
    let end = begin + card[begin..].find(END).ok_or(Error::Markers(END))?;
    Ok((begin, end))
}

/// A line that isn't what was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Counted from 1, within the section.
    pub line: usize,
    pub card: String,
    pub measured: String,
}

/// The first line in which two sections differ by more than the last digit of a decimal number: another
/// processor may add in another order, and a figure next to a rounding boundary then falls on its other side.
/// Whole numbers and words must be the same.
pub fn difference(card: &str, measured: &str) -> Option<Difference> {
    let mut lines = (card.trim_matches('\n').lines(), measured.trim_matches('\n').lines());
    for line in 1.. {
        let (written, found) = (lines.0.next(), lines.1.next());
        if written.is_none() && found.is_none() {
            break;
        }
        let (written, found) = (written.unwrap_or_default(), found.unwrap_or_default());
        if !alike(written, found) {
            return Some(Difference { line, card: written.into(), measured: found.into() });
        }
    }
    None
}

fn alike(a: &str, b: &str) -> bool {
    // Runs of spaces pad the tables; a figure that is a digit longer moves them.
    let parts = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_string).collect() };
    let (a, b) = (parts(a), parts(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || rule(a, b) || close(a, b))
}

/// Two lines under the heads of a table.
fn rule(a: &str, b: &str) -> bool {
    [a, b].iter().all(|text| text.contains('-') && text.chars().all(|c| matches!(c, '|' | '-' | ':')))
}

/// Two words that differ only in decimal numbers, and in those by one unit of the last place at most.
fn close(a: &str, b: &str) -> bool {
    let (a, b) = (pieces(a), pieces(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| {
            let places = |text: &str| text.split_once('.').map(|(_, places)| places.len());
            let unit = |places: usize| 10f64.powi(-(places as i32));
            a == b
                || match (places(a), places(b), a.parse::<f64>(), b.parse::<f64>()) {
                    // A little more than one unit: the difference of two decimals is rarely exact.
                    (Some(p), Some(q), Ok(x), Ok(y)) if p == q => (x - y).abs() <= 1.01 * unit(p),
                    _ => false,
                }
        })
}

/// A word cut into numbers and what stands between them.
fn pieces(word: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let digit = |c: char| c.is_ascii_digit();
        let end = if rest.starts_with(digit) {
            let whole = rest.find(|c| !digit(c)).unwrap_or(rest.len());
            let places = rest[whole..].strip_prefix('.').map_or(0, |after| {
                let n = after.find(|c| !digit(c)).unwrap_or(after.len());
                if n > 0 { n + 1 } else { 0 }
            });
            whole + places
        } else {
            rest.find(digit).unwrap_or(rest.len())
        };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}
