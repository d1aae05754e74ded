//! The training loop, its state, and how the state is kept.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use burn::module::Module;
use burn::optim::{GradientsParams, ModuleOptimizer};
use burn::store::ModuleRecord;
use burn::tensor::Device;
use serde::{Deserialize, Serialize};
use small_world::{Split, World};

use crate::network::{Batch, Network};
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
struct State {
    recipe: Recipe,
    step: u64,
    /// Documents used.
    documents: u64,
    tokens: u64,
    points: Vec<Point>,
    /// Losses since the last point.
    losses: Vec<f32>,
}

#[derive(Serialize, Deserialize)]
struct Learned {
    tokens: Vec<String>,
    merges: Vec<String>,
}

pub struct Training {
    world: World,
    pub tokenizer: Tokenizer,
    pub network: Network,
    optimizer: ModuleOptimizer,
    device: Device,
    state: State,
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

    fn with(recipe: Recipe, world: World, tokenizer: Tokenizer) -> Result<Training> {
        let device = Device::flex().autodiff();
        let network = Network::new(&recipe.sizes, recipe.seed, &device);
        let state = State { recipe, step: 0, documents: 0, tokens: 0, points: Vec::new(), losses: Vec::new() };
        Ok(Training { world, tokenizer, network, optimizer: recipe.optimizer(), device, state, next: None })
    }

    pub fn recipe(&self) -> &Recipe {
        &self.state.recipe
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

    /// The next documents of the corpus that fit into a step.
    fn batch(&mut self) -> Result<Batch> {
        let recipe = self.state.recipe;
        let (mut documents, mut tokens) = (Vec::new(), 0);
        loop {
            let document = match self.next.take() {
                Some(document) => document,
                None => {
                    let mut ids = self.tokenizer.encode(&self.world.document(Split::Train, self.state.documents))?;
                    ids.truncate(recipe.sizes.context + 1);
                    self.state.documents += 1;
                    ids
                }
            };
            if tokens + document.len() - 1 > recipe.step_tokens {
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
            let mut ids = self.tokenizer.encode(&self.world.document(Split::Held, i))?;
            ids.truncate(self.state.recipe.sizes.context + 1);
            documents.push(ids);
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

    /// Keeps everything in `folder`; what was there is replaced only when all is written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let (new, old) = (beside(folder, "new"), beside(folder, "old"));
        let _ = fs::remove_dir_all(&new);
        fs::create_dir_all(&new).with_context(|| format!("{} can't be made", new.display()))?;
        let failed = |e| anyhow!("the checkpoint can't be written: {e}");
        self.network.clone().into_record().save(new.join("network.bpk")).map_err(failed)?;
        self.optimizer.save(new.join("optimizer.bpk")).map_err(failed)?;
        let Tokenizer { tokens, merges, .. } = &self.tokenizer;
        let learned = Learned { tokens: tokens.clone(), merges: merges.clone() };
        fs::write(new.join("tokenizer.json"), serde_json::to_string(&learned)?)?;
        let mut state = self.state.clone();
        state.documents = self.documents();
        fs::write(new.join("state.json"), serde_json::to_string_pretty(&state)?)?;
        let _ = fs::remove_dir_all(&old);
        if folder.exists() {
            fs::rename(folder, &old)?;
        }
        fs::rename(&new, folder)?;
        let _ = fs::remove_dir_all(&old);
        Ok(())
    }

    /// Whether there is something to go on from.
    pub fn exists(folder: &Path) -> bool {
        kept(folder).is_some()
    }

    /// Goes on exactly where `save` left off.
    pub fn load(folder: &Path) -> Result<Training> {
        let folder = kept(folder).with_context(|| format!("there is no checkpoint in {}", folder.display()))?;
        let read = |name: &str| {
            fs::read_to_string(folder.join(name))
                .with_context(|| format!("{} can't be read", folder.join(name).display()))
        };
        let state: State = serde_json::from_str(&read("state.json")?).context("state.json is damaged")?;
        let learned: Learned = serde_json::from_str(&read("tokenizer.json")?).context("tokenizer.json is damaged")?;
        let tokenizer = Tokenizer::new(learned.tokens, learned.merges)?;
        let mut training = Training::with(state.recipe, World::new(), tokenizer)?;
        let failed = |e| anyhow!("the checkpoint can't be read: {e}");
        let record = ModuleRecord::load(folder.join("network.bpk")).map_err(failed)?;
        training.network = training.network.try_load_record(record).map_err(failed)?;
        training.optimizer = training.optimizer.load(folder.join("optimizer.bpk")).map_err(failed)?;
        training.state = state;
        Ok(training)
    }
}

/// The checkpoint: the former one if an interruption came between the two renames.
fn kept(folder: &Path) -> Option<PathBuf> {
    [folder.to_path_buf(), beside(folder, "old")].into_iter().find(|f| f.join("state.json").exists())
}

fn beside(folder: &Path, suffix: &str) -> PathBuf {
    folder.with_extension(suffix)
}

fn number(loss: &burn::tensor::Tensor<1>) -> Result<f32> {
    let data = loss.clone().into_data();
    data.as_slice::<f32>().ok().and_then(|v| v.first().copied()).context("the loss has no value")
}
