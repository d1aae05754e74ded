//! Sampling settings and what starts a run: defaults, ranges, and errors that name the setting.

use crate::error::{Code, Error, Result};

/// How a turn's distribution is made out of the logits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// 0 is greedy.
    pub temperature: f64,
    /// 0 keeps all.
    pub top_k: usize,
    /// 1 keeps all.
    pub top_p: f64,
    /// 0 keeps all.
    pub min_p: f64,
    /// 1 is off.
    pub repetition_penalty: f64,
    /// Candidates in the record.
    pub top: usize,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { temperature: 0.0, top_k: 0, top_p: 1.0, min_p: 0.0, repetition_penalty: 1.0, top: 12 }
    }
}

/// Sampling settings as given: unchecked, any of them left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct SamplingOptions {
    pub temperature: Option<f64>,
    pub top_k: Option<f64>,
    pub top_p: Option<f64>,
    pub min_p: Option<f64>,
    pub repetition_penalty: Option<f64>,
    pub top: Option<f64>,
}

impl SamplingOptions {
    /// Whether any setting was given.
    pub fn any(&self) -> bool {
        let given = [self.temperature, self.top_k, self.top_p, self.min_p, self.repetition_penalty, self.top];
        given.iter().any(Option::is_some)
    }
}

impl Sampling {
    /// These settings with `options` put over them. `bad-config` if one is out of range.
    pub fn with(self, options: &SamplingOptions) -> Result<Sampling> {
        let pick = |given: Option<f64>, now: f64, name: &str, what: &str, good: fn(f64) -> bool| match given {
            None => Ok(now),
            Some(x) if good(x) => Ok(x),
            Some(x) => Err(Error::config(format!("{name} is {x}; it must be {what}."))),
        };
        const UP: &str = "a finite number of at least 0";
        const SHARE: &str = "a number from 0 to 1";
        let share = |x: f64| (0.0..=1.0).contains(&x);
        Ok(Sampling {
            temperature: pick(options.temperature, self.temperature, "temperature", UP, |x| x.is_finite() && x >= 0.0)?,
            top_k: size(whole(options.top_k, self.top_k as u64, "topK", 0, MAX_WHOLE)?),
            top_p: pick(options.top_p, self.top_p, "topP", SHARE, share)?,
            min_p: pick(options.min_p, self.min_p, "minP", SHARE, share)?,
            repetition_penalty: pick(
                options.repetition_penalty,
                self.repetition_penalty,
                "repetitionPenalty",
                "a finite number above 0",
                |x| x.is_finite() && x > 0.0,
            )?,
            top: whole(options.top, self.top as u64, "top", 1, 1_000_000)? as usize,
        })
    }
}

/// JavaScript's largest exact whole number.
const MAX_WHOLE: u64 = (1 << 53) - 1;

/// On a 32-bit target a larger number is as good as the largest.
fn size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn whole(given: Option<f64>, now: u64, name: &str, least: u64, most: u64) -> Result<u64> {
    match given {
        None => Ok(now),
        Some(x) if x.fract() == 0.0 && x >= least as f64 && x <= most as f64 => Ok(x as u64),
        Some(x) => Err(Error::config(format!("{name} is {x}; it must be a whole number from {least} to {most}."))),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub role: String,
    pub content: String,
}

#[derive(Debug, Clone)]
pub enum Prompt {
    Text(String),
    Tokens(Vec<u32>),
    Messages(Vec<Message>),
}

/// What starts a run, as given: unchecked, all but the prompt may be left out.
#[derive(Debug, Clone)]
pub struct StartOptions {
    pub prompt: Prompt,
    pub special: Option<bool>,
    pub sampling: SamplingOptions,
    pub seed: Option<f64>,
    pub max_tokens: Option<f64>,
    pub stop: Vec<String>,
    pub cache: Option<bool>,
}

impl StartOptions {
    pub fn new(prompt: Prompt) -> Self {
        StartOptions {
            prompt,
            special: None,
            sampling: SamplingOptions::default(),
            seed: None,
            max_tokens: None,
            stop: Vec::new(),
            cache: None,
        }
    }

    pub fn text(prompt: &str) -> Self {
        Self::new(Prompt::Text(prompt.to_string()))
    }
}

/// A run's settings, checked and filled in.
#[derive(Debug, Clone)]
pub struct RunSettings {
    pub sampling: Sampling,
    pub seed: u64,
    pub max_tokens: usize,
    pub stop: Vec<String>,
    pub cache: bool,
}

/// What a run that goes on from another does otherwise, as given: unchecked, all may be left out.
#[derive(Debug, Clone, Default)]
pub struct RunChange {
    pub seed: Option<f64>,
    pub max_tokens: Option<f64>,
    pub stop: Option<Vec<String>>,
    pub cache: Option<bool>,
}

/// A seed, `now` if none is given.
pub fn seed(given: Option<f64>, now: u64) -> Result<u64> {
    whole(given, now, "seed", 0, MAX_WHOLE)
}

fn max_tokens(given: Option<f64>, now: u64) -> Result<usize> {
    Ok(size(whole(given, now, "maxTokens", 1, MAX_WHOLE)?))
}

fn check_stop(stop: &[String]) -> Result<()> {
    let Some(at) = stop.iter().position(String::is_empty) else {
        return Ok(());
    };
    Err(Error::config(format!(
        "Stop sequence {} of {} is empty; an empty text would match everywhere.",
        at + 1,
        stop.len()
    )))
}

impl RunSettings {
    pub const MAX_TOKENS: u64 = 64;

    pub fn with(self, change: &RunChange) -> Result<RunSettings> {
        check_stop(change.stop.as_deref().unwrap_or_default())?;
        Ok(RunSettings {
            sampling: self.sampling,
            seed: seed(change.seed, self.seed)?,
            max_tokens: max_tokens(change.max_tokens, self.max_tokens as u64)?,
            stop: change.stop.clone().unwrap_or(self.stop),
            cache: change.cache.unwrap_or(self.cache),
        })
    }

    pub fn check(options: &StartOptions) -> Result<RunSettings> {
        check_stop(&options.stop)?;
        Ok(RunSettings {
            sampling: Sampling::default().with(&options.sampling)?,
            seed: seed(options.seed, 0)?,
            max_tokens: max_tokens(options.max_tokens, Self::MAX_TOKENS)?,
            stop: options.stop.clone(),
            cache: options.cache.unwrap_or(true),
        })
    }
}

/// The error for a prompt with nothing in it.
pub fn empty_prompt() -> Error {
    Error::new(Code::BadPrompt, "The prompt is empty.")
        .with_hint("Write at least one character: a model continues a text.")
}
