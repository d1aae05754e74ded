//! Text as its sentences and words, as far as counting needs it.

/// The sentences of a text: each up to its full stop, question or exclamation mark and a closing quote.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut end = at + 1;
        if let Some((_, '"')) = rest.peek() {
            rest.next();
            end += 1;
        }
        // Within a word or a number it ends nothing; before a small letter what was said ends, not the sentence.
        let mut behind = text[end..].chars();
        let space = behind.next().is_none_or(char::is_whitespace);
        let goes_on = behind.next().is_some_and(char::is_lowercase);
        if space && !goes_on {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    if !text[start..].trim().is_empty() {
        found.push(text[start..].trim());
    }
    found
}

/// The words of a text: letters in a row.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
}
