//! Keeping a training on disk, so that it goes on exactly where it was.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use burn::module::Module;
use burn::store::ModuleRecord;
use serde::{Deserialize, Serialize};
use small_world::World;

use crate::tokenizer::Tokenizer;
use crate::train::{State, Training};

#[derive(Serialize, Deserialize)]
struct Learned {
    tokens: Vec<String>,
    merges: Vec<String>,
}

impl Training {
    /// Keeps everything in `folder`; what was there is replaced only when all is written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let (new, old) = (beside(folder, "new")?, beside(folder, "old")?);
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
        if folder.exists() {
            // Only now: until then it may be the one good checkpoint.
            let _ = fs::remove_dir_all(&old);
            fs::rename(folder, &old)?;
        }
        fs::rename(&new, folder)?;
        let _ = fs::remove_dir_all(&old);
        Ok(())
    }

    /// Whether there is something to go on from. A folder of something else is refused.
    pub fn exists(folder: &Path) -> Result<bool> {
        if kept(folder).is_some() {
            return Ok(true);
        }
        beside(folder, "new")?;
        let used = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        ensure!(!used, "{} holds something else than a training; name another folder", folder.display());
        Ok(false)
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
    let places = [Some(folder.to_path_buf()), beside(folder, "old").ok()];
    places.into_iter().flatten().find(|f| f.join("state.json").exists())
}

/// `name.suffix` in the same place as `folder`.
fn beside(folder: &Path, suffix: &str) -> Result<PathBuf> {
    let name = folder.file_name().with_context(|| format!("{} is no folder of its own", folder.display()))?;
    let mut name = name.to_os_string();
    name.push(".");
    name.push(suffix);
    Ok(folder.with_file_name(name))
}
