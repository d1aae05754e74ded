//! The training loop and its state; `checkpoint.rs` keeps it.

use anyhow::{Context, Result, bail};
use burn::module::Module;
use burn::optim::{GradientsParams, ModuleOptimizer};
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};
use small_world::{Split, World};

use crate::network::{Batch, Network, Sizes};
use crate::recipe::Recipe;
use crate::tokenizer::Tokenizer;

/// Held-out documents that the loss is measured on now and then.
const HELD: u64 = 400;

/// What was measured at a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub step: u64,
    /// Tokens learned from so far.
    pub tokens: u64,
    /// Mean loss since the point before, in nats a token.
    pub train: f32,
    /// Mean loss over held-out documents.
    pub held: f32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub recipe: Recipe,
    pub step: u64,
    /// Documents used.
    pub documents: u64,
    tokens: u64,
    points: Vec<Point>,
    /// Losses since the last point.
    losses: Vec<f32>,
}

pub struct Training {
    world: World,
    pub tokenizer: Tokenizer,
    pub network: Network,
    pub(crate) optimizer: ModuleOptimizer,
    device: Device,
    pub(crate) state: State,
    /// The document that didn't fit into the last step.
    next: Option<Vec<u32>>,
}

impl Training {
    /// From the start.
    pub fn new(recipe: Recipe) -> Result<Training> {
        let world = World::new();
        let tokenizer = Tokenizer::train(&world, recipe.tokenizer_documents, recipe.sizes.vocabulary)?;
        Training::with(recipe, world, tokenizer)
    }

    pub(crate) fn with(recipe: Recipe, world: World, tokenizer: Tokenizer) -> Result<Training> {
        let device = Device::flex().autodiff();
        let sizes = Sizes { vocabulary: tokenizer.tokens.len(), ..recipe.sizes };
        let network = Network::new(&sizes, recipe.seed, &device);
        let state = State { recipe, step: 0, documents: 0, tokens: 0, points: Vec::new(), losses: Vec::new() };
        Ok(Training { world, tokenizer, network, optimizer: recipe.optimizer(), device, state, next: None })
    }

    pub fn recipe(&self) -> &Recipe {
        &self.state.recipe
    }

    /// The network's sizes by now: the vocabulary grows between the rounds.
    pub fn sizes(&self) -> Sizes {
        Sizes { vocabulary: self.tokenizer.tokens.len(), ..self.state.recipe.sizes }
    }

    /// Before the second round every word of a country's or a capital's name becomes one token, so that a
    /// capital is one vote. A new row of the embedding is the mean of the two that it joins. What the optimizer
    /// knew is of another shape, so it starts anew.
    fn begin_second_round(&mut self) -> Result<()> {
        if self.next.take().is_some() {
            // To be read again, in the new tokens.
            self.state.documents -= 1;
        }
        let told = self.world.capitals().iter().filter(|c| !c.held_out);
        let words = told.flat_map(|c| c.country.split(' ').chain(c.capital.split(' ')));
        // What follows a hyphen is another word to the tokenizer.
        let names: Vec<&str> = words.filter_map(|w| w.split(|c: char| !c.is_ascii_alphabetic()).next()).collect();
        let joined = self.tokenizer.grow(&names)?;
        let mut known = self.network.embedding.val().inner(); // [vocabulary, d]
        for (left, right) in joined {
            let row = |id: u32| known.clone().narrow(0, id as usize, 1); // [1, d]
            let mean: Tensor<2> = (row(left) + row(right)) / 2.0;
            known = Tensor::cat(vec![known, mean], 0);
        }
        let grown = Tensor::from_inner(known).require_grad();
        self.network.embedding = self.network.embedding.clone().map(|_| grown);
        self.optimizer = self.state.recipe.optimizer();
        Ok(())
    }

    pub fn step(&self) -> u64 {
        self.state.step
    }

    pub fn tokens(&self) -> u64 {
        self.state.tokens
    }

    /// Documents used so far: the corpus is the first so many.
    pub fn documents(&self) -> u64 {
        self.state.documents - u64::from(self.next.is_some())
    }

    pub fn points(&self) -> &[Point] {
        &self.state.points
    }

    /// A document's tokens, as many as the context holds and the one after them.
    fn ids(&self, split: Split, index: u64) -> Result<Vec<u32>> {
        let mut ids = self.tokenizer.encode(&self.world.document(split, index))?;
        ids.truncate(self.state.recipe.sizes.context + 1);
        Ok(ids)
    }

    /// The next documents of the corpus that fit into a step.
    fn batch(&mut self) -> Result<Batch> {
        let recipe = self.state.recipe;
        let (mut documents, mut tokens) = (Vec::new(), 0);
        loop {
            let document = match self.next.take() {
                Some(document) => document,
                None => {
                    self.state.documents += 1;
                    self.ids(Split::Train, self.state.documents - 1)?
                }
            };
            if !documents.is_empty() && tokens + document.len() - 1 > recipe.step_tokens {
                // Read again from the corpus after an interruption.
                self.next = Some(document);
                break;
            }
            tokens += document.len() - 1;
            documents.push(document);
        }
        self.state.tokens += tokens as u64;
        Ok(Batch::new(&documents))
    }

    /// One step; gives its loss.
    pub fn advance(&mut self) -> Result<f32> {
        let recipe = self.state.recipe;
        let second = self.state.step == recipe.rounds[0].steps && recipe.rounds[1].steps > 0;
        if second && self.sizes() == recipe.sizes {
            self.begin_second_round()?;
        }
        let batch = self.batch()?;
        let loss = self.network.loss(&recipe.sizes, &batch, &self.device);
        let value = number(&loss)?;
        if !value.is_finite() {
            bail!("the loss is {value} at step {}: choose a lower learning rate", self.state.step);
        }
        let gradients = GradientsParams::from_grads(loss.backward(), &self.network);
        let network = self.network.clone();
        self.network = self.optimizer.step(recipe.rate(self.state.step), network, gradients);
        self.state.step += 1;
        self.state.losses.push(value);
        Ok(value)
    }

    /// Measures the held-out loss and adds a point to the curve.
    pub fn measure(&mut self) -> Result<Point> {
        let network = self.network.valid();
        let device = self.device.clone().inner();
        let (mut sum, mut tokens) = (0.0f64, 0usize);
        let mut documents = Vec::new();
        for i in 0..HELD {
            documents.push(self.ids(Split::Held, i)?);
            if documents.len() == 100 || i + 1 == HELD {
                let batch = Batch::new(&documents);
                let loss = number(&network.loss(&self.state.recipe.sizes, &batch, &device))?;
                sum += f64::from(loss) * batch.inputs.len() as f64;
                tokens += batch.inputs.len();
                documents.clear();
            }
        }
        let State { step, tokens: trained, losses, .. } = &mut self.state;
        let train = losses.iter().sum::<f32>() / losses.len().max(1) as f32;
        losses.clear();
        let point = Point { step: *step, tokens: *trained, train, held: (sum / tokens as f64) as f32 };
        self.state.points.push(point);
        Ok(point)
    }
}

fn number(loss: &burn::tensor::Tensor<1>) -> Result<f32> {
    let data = loss.clone().into_data();
    data.as_slice::<f32>().ok().and_then(|v| v.first().copied()).context("the loss has no value")
}
