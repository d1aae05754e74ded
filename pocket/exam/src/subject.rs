//! The model under examination, in the real engine: what it writes, and how probable a text is to it.

use std::rc::Rc;

use next_token::distribution::{Distribution, Logits};
use next_token::engine::Engine;
use next_token::loader::{GgufLoader, Placement};
use next_token::run::Run;
use next_token::settings::{Message, Prompt, Sampling, SamplingOptions, StartOptions};
use next_token::stop::FinishReason;
use pollster::block_on;
use small_world::Control;

use crate::error::{Error, Result, While};

pub struct Subject {
    engine: Rc<Engine>,
}

/// How a text is continued.
#[derive(Debug, Clone, Copy)]
pub struct How<'a> {
    /// 0 is greedy.
    pub temperature: f64,
    pub seed: u32,
    pub max_tokens: usize,
    pub stop: Option<&'a str>,
}

impl<'a> How<'a> {
    pub fn greedy(max_tokens: usize) -> How<'a> {
        How { temperature: 0.0, seed: 0, max_tokens, stop: None }
    }
}

/// A finished run.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The generated ids, without the token that ended the text.
    pub ids: Vec<u32>,
    /// The model's own probability of each, whatever the temperature.
    pub p: Vec<f64>,
    /// The text that became final.
    pub text: String,
    pub finish: FinishReason,
    /// The control token that ended it.
    pub ended_with: Option<u32>,
    /// Tokens computed: those of the prompt and all generated ones but the last.
    pub passes: u64,
}

impl Subject {
    pub fn load(file: &[u8]) -> Result<Subject> {
        let place = Placement::cpu("The exam runs on the CPU.");
        let engine = block_on(GgufLoader::load(file, None, place)).doing(|| "Loading the file".into())?;
        Ok(Subject { engine: Rc::new(engine) })
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Ids of a text in which nothing counts as a control token.
    pub fn ids(&self, text: &str) -> Result<Vec<u32>> {
        let pieces = self.engine.encode(text, false).doing(|| format!("Encoding {text:?}"))?;
        Ok(pieces.into_iter().map(|piece| piece.id).collect())
    }

    /// The id of a control token, by its spelling.
    pub fn control(&self, spelling: &str) -> Result<u32> {
        let pieces = self.engine.encode(spelling, true).doing(|| format!("Encoding {spelling:?}"))?;
        match &pieces[..] {
            [piece] if piece.special => Ok(piece.id),
            _ => Err(Error::NoControl(spelling.into())),
        }
    }

    /// Whether a text ended by itself: with the end-of-text token, not with another one or at a limit.
    pub fn ended(&self, written: &Written) -> Result<bool> {
        Ok(written.ended_with == Some(self.control(Control::EndOfText.spelling())?))
    }

    /// Ids of a conversation by the file's template, up to where the assistant begins to answer.
    pub fn conversation(&self, user: &str) -> Result<Vec<u32>> {
        let message = Message { role: "user".into(), content: user.into() };
        let options = StartOptions::new(Prompt::Messages(vec![message]));
        self.engine.prompt(&options).doing(|| format!("Putting {user:?} into the chat template"))
    }

    /// Text of ids, bytes that are no character as U+FFFD.
    pub fn text(&self, ids: &[u32]) -> String {
        self.engine.vocabulary.decode(ids)
    }

    /// Continues a prompt until it ends.
    pub fn write(&self, prompt: &[u32], how: How) -> Result<Written> {
        let name = || format!("Continuing {:?}", self.text(prompt));
        let mut options = StartOptions::new(Prompt::Tokens(prompt.to_vec()));
        // One candidate is enough in the records; nobody looks at the others.
        options.sampling =
            SamplingOptions { temperature: Some(how.temperature), top: Some(1.0), ..SamplingOptions::default() };
        options.seed = Some(f64::from(how.seed));
        options.max_tokens = Some(how.max_tokens as f64);
        options.stop = how.stop.iter().map(ToString::to_string).collect();
        let mut run = self.engine.start(&options).doing(name)?;
        block_on(run.prefill()).doing(name)?;
        let (mut p, mut ended_with) = (Vec::new(), None);
        while run.finish().is_none() {
            let step = block_on(run.step(&SamplingOptions::default())).doing(name)?;
            if step.appended.is_some() {
                p.push(step.choice.p_raw.unwrap_or(0.0));
            } else {
                ended_with = Some(step.choice.piece.id);
            }
        }
        let finish = run.finish().ok_or_else(|| Error::Unfinished(name()))?;
        Ok(Written {
            ids: run.generated().to_vec(),
            p,
            text: run.text().to_string(),
            finish,
            ended_with,
            passes: run.passes(),
        })
    }

    /// For each of `next`, given all before it: its probability, and whether it is the most probable.
    pub fn follow(&self, prompt: &[u32], next: &[u32]) -> Result<Vec<(f64, bool)>> {
        let name = || format!("Reading {:?}", self.text(next));
        let mut options = StartOptions::new(Prompt::Tokens(prompt.to_vec()));
        options.max_tokens = Some(next.len().max(1) as f64);
        let mut run: Run = self.engine.start(&options).doing(name)?;
        block_on(run.prefill()).doing(name)?;
        let mut places = Vec::with_capacity(next.len());
        for (at, id) in next.iter().enumerate() {
            if at > 0 {
                block_on(run.forward()).doing(name)?;
            }
            let (_, logits) = run.logits().doing(name)?;
            let mut distribution = distribution(logits);
            places.push((distribution.p_raw(*id), distribution.id_at(0) == *id));
            // An end-of-text token ends the run: nothing can follow it.
            if at + 1 < next.len() {
                run.force(*id).doing(name)?;
            }
        }
        Ok(places)
    }
}

/// The model's own distribution: temperature 1, no cuts.
fn distribution(logits: &Logits) -> Distribution {
    let sampling = Sampling { temperature: 1.0, top: 1, ..Sampling::default() };
    Distribution::from_logits(logits, &[], sampling)
}
