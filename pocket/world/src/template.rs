//! Sentences with gaps: `{name}` is a slot, `(a|b)` a free choice, and a tale is a row of beats with alternatives.

use crate::random::Random;

/// What fills the gaps, by key. A short list: looking through it beats any map.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    values: Vec<(&'static str, String)>,
}

impl Slots {
    /// Sets what a key stands for; the first setting counts.
    pub fn set(&mut self, key: &'static str, value: impl Into<String>) {
        self.values.push((key, value.into()));
    }

    /// Adds what others set, where this has not set it already.
    pub fn extend(&mut self, others: Slots) {
        self.values.extend(others.values);
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }
}

/// `a` or `an`, a space, and the words.
pub fn with_article(words: &str) -> String {
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {words}")
}

/// The same with a capital first letter.
pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// Fills a template: choices first, then slots. `{a key}` adds the article, `{Key}` a capital letter.
///
/// An unknown slot stays as it is, where the tests find it.
pub fn fill(template: &str, slots: &Slots, random: &mut Random) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some(at) = rest.find(['(', '{']) {
        text.push_str(&rest[..at]);
        let close = if rest[at..].starts_with('(') { ')' } else { '}' };
        let Some(length) = rest[at..].find(close) else { break };
        let inside = &rest[at + 1..at + length];
        if close == ')' {
            let choices: Vec<&str> = inside.split('|').collect();
            text.push_str(&fill(random.word(&choices), slots, random));
        } else {
            text.push_str(&slot(inside, slots).unwrap_or_else(|| format!("{{{inside}}}")));
        }
        rest = &rest[at + length + 1..];
    }
    text.push_str(rest);
    text
}

fn slot(inside: &str, slots: &Slots) -> Option<String> {
    let bare = inside.strip_prefix("a ").or_else(|| inside.strip_prefix("A "));
    let value = slots.get(bare.unwrap_or(inside))?;
    let value = if bare.is_some() { with_article(value) } else { value.to_owned() };
    Some(if inside.starts_with(|letter: char| letter.is_ascii_uppercase()) { capitalised(&value) } else { value })
}

/// One step of a tale: the ways to say it.
#[derive(Debug, Default)]
struct Beat {
    /// An optional step is left out half of the time.
    optional: bool,
    lines: Vec<(Vec<&'static str>, &'static str)>,
}

/// A story as a row of steps.
#[derive(Debug)]
pub struct Tale {
    beats: Vec<Beat>,
}

impl Tale {
    /// Reads tales: `== title` begins one, `# step` or `# step ?` a step, and other lines are ways to say it,
    /// some only where all their `[tags]` hold.
    pub fn read_all(text: &'static str) -> Vec<Tale> {
        let mut tales: Vec<Tale> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.starts_with("==") {
                tales.push(Tale { beats: Vec::new() });
            } else if let (Some(title), Some(tale)) = (line.strip_prefix('#'), tales.last_mut()) {
                tale.beats.push(Beat { optional: title.ends_with('?'), lines: Vec::new() });
            } else if let Some(beat) = tales.last_mut().and_then(|tale| tale.beats.last_mut()) {
                let tagged = line.strip_prefix('[').and_then(|line| line.split_once("] "));
                let (tags, words) =
                    tagged.map_or((Vec::new(), line), |(tags, words)| (tags.split(',').collect(), words));
                beat.lines.push((tags, words));
            }
        }
        tales
    }

    /// Tells the tale in one paragraph; of the tagged lines, only those are used whose tags are among `tags`.
    pub fn tell(&self, slots: &Slots, tags: &[&str], random: &mut Random) -> String {
        let mut sentences = Vec::with_capacity(self.beats.len());
        for beat in &self.beats {
            if beat.optional && random.percent(50) {
                continue;
            }
            let fits = |needed: &[&str]| needed.iter().all(|tag| tags.contains(tag));
            let lines: Vec<&str> =
                beat.lines.iter().filter(|(needed, _)| fits(needed)).map(|(_, words)| *words).collect();
            if !lines.is_empty() {
                sentences.push(fill(random.word(&lines), slots, random));
            }
        }
        sentences.join(" ")
    }
}
