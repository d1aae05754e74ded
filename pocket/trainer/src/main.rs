//! `pocket-trainer`: trains the pocket model, or goes on where it was interrupted, and writes the file.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use lexopt::prelude::*;
use pocket_trainer::curve;
use pocket_trainer::export::gguf;
use pocket_trainer::quantise::Precision;
use pocket_trainer::recipe::{Kind, Recipe, Round};
use pocket_trainer::record::Record;
use pocket_trainer::train::Training;
use small_world::{World, corpus_sha256, sha256};

// Steps allocate and free the same large buffers again and again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Steps between two measurements of the held-out loss; a checkpoint is kept at each.
const EVERY: u64 = 100;

const HELP: &str = "\
pocket-trainer [--folder FOLDER] [--model FOLDER] [--now] [--precision q8_0|q4_1|f32]

Trains the pocket model after the recipe in src/recipe.rs, or goes on exactly where it was interrupted.

  --folder FOLDER   where checkpoints are kept (target/pocket/run)
  --model FOLDER    where pocket.gguf, loss.svg and record.json are written in the end (pocket/model)
  --now             write them from the latest checkpoint, without another step
  --precision P     how matrices are stored (q8_0)
  --steps N, --cooldown N, --rate X, --decay X, --step-tokens N, --optimizer adamw|muon
                    another recipe, for a trial; give the trial its own folders";

struct Options {
    recipe: Recipe,
    folder: PathBuf,
    model: PathBuf,
    now: bool,
    precision: Precision,
}

fn main() -> Result<()> {
    let Some(options) = options()? else {
        println!("{HELP}");
        return Ok(());
    };
    let mut training = if Training::exists(&options.folder)? {
        let training = Training::load(&options.folder)?;
        ensure!(
            options.now || *training.recipe() == options.recipe,
            "{} holds another recipe's training; move it away, or give another --folder",
            options.folder.display()
        );
        println!("going on at step {} from {}", training.step(), options.folder.display());
        training
    } else if options.now {
        bail!("there is no checkpoint in {}", options.folder.display());
    } else {
        println!("learning the tokenizer");
        Training::new(options.recipe)?
    };
    if !options.now {
        run(&mut training, &options.folder)?;
    }
    write(&training, &options)
}

fn options() -> Result<Option<Options>> {
    let mut options = Options {
        recipe: Recipe::POCKET,
        folder: "target/pocket/run".into(),
        model: "pocket/model".into(),
        now: false,
        precision: Precision::Q8_0,
    };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("folder") => options.folder = arguments.value()?.into(),
            Long("model") => options.model = arguments.value()?.into(),
            Long("now") => options.now = true,
            Long("precision") => options.precision = arguments.value()?.parse_with(Precision::from_name)?,
            Long("steps") => {
                // A trial has one round.
                options.recipe.rounds[0].steps = arguments.value()?.parse()?;
                options.recipe.rounds[1] = Round::NONE;
            }
            Long("cooldown") => options.recipe.rounds[0].cooldown = arguments.value()?.parse()?,
            Long("rate") => options.recipe.rounds[0].learning_rate = arguments.value()?.parse()?,
            Long("decay") => options.recipe.weight_decay = arguments.value()?.parse()?,
            Long("step-tokens") => options.recipe.step_tokens = arguments.value()?.parse()?,
            Long("optimizer") => {
                options.recipe.optimizer = arguments.value()?.parse_with(Kind::from_name)?;
            }
            Long("help") | Short('h') => return Ok(None),
            other => bail!("{}\n\n{HELP}", other.unexpected()),
        }
    }
    Ok(Some(options))
}

/// All steps that are left, with a checkpoint now and then.
fn run(training: &mut Training, folder: &Path) -> Result<()> {
    let steps = training.recipe().steps();
    println!(
        "{} parameters, {steps} steps; interrupt when you like: the next run goes on",
        training.recipe().sizes.parameters()
    );
    let (start, first) = (Instant::now(), training.tokens());
    let mut shown = Instant::now();
    while training.step() < steps {
        let loss = training.advance()?;
        let step = training.step();
        let rate = (training.tokens() - first) as f64 / start.elapsed().as_secs_f64();
        if std::io::stdout().is_terminal() && shown.elapsed() > Duration::from_secs(1) {
            let left = (steps - step) as f64 * training.tokens() as f64 / step as f64 / rate / 60.0;
            print!("\r\x1b[Kstep {step} of {steps} · loss {loss:.3} · {rate:.0} tokens a second · {left:.0} min left");
            std::io::stdout().flush()?;
            shown = Instant::now();
        }
        if step.is_multiple_of(EVERY) || step == steps {
            let point = training.measure()?;
            training.save(folder)?;
            let clear = if std::io::stdout().is_terminal() { "\r\x1b[K" } else { "" };
            println!(
                "{clear}step {step} of {steps} · {:.1} M tokens · {rate:.0} a second · loss {:.4}, held-out {:.4}",
                point.tokens as f64 / 1e6,
                point.train,
                point.held
            );
        }
    }
    Ok(())
}

/// The model file, the loss curve and the record.
fn write(training: &Training, options: &Options) -> Result<()> {
    let file = gguf(&training.network, &training.sizes(), &training.tokenizer, options.precision)?;
    let record = Record {
        recipe: *training.recipe(),
        documents: training.documents(),
        corpus_sha256: corpus_sha256(&World::new(), training.documents()),
        steps: training.step(),
        tokens: training.tokens(),
        bytes: file.len() as u64,
        sha256: sha256(&file),
        curve: training.points().to_vec(),
    };
    fs::create_dir_all(&options.model)?;
    let put = |name: &str, bytes: &[u8]| {
        let path = options.model.join(name);
        fs::write(&path, bytes).with_context(|| format!("{} can't be written", path.display()))
    };
    put("pocket.gguf", &file)?;
    put("loss.svg", curve::svg(training.points()).as_bytes())?;
    put("record.json", (serde_json::to_string_pretty(&record)? + "\n").as_bytes())?;
    println!("{} bytes in {}", file.len(), options.model.join("pocket.gguf").display());
    Ok(())
}
