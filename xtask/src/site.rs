//! The site is `www/` as it is, and `pkg/`: the engine's bindings, the modules of `www/api/`, pocket, the model
//! that comes with them, and `vendor/`.

use crate::{tools, vendor, wasm};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub fn build(offline: bool) -> Result<()> {
    let root = tools::root();
    let pkg = root.join("pkg");
    if !offline {
        wasm::add_target()?;
    }
    wasm::build(&pkg, offline)?;
    copy(&root.join("www/api"), &root.join("pocket/model/pocket.gguf"), &pkg)?;
    vendor::build(&pkg, offline)
}

/// Copies the modules and the model if they changed, and removes the modules that are gone from `api`.
fn copy(api: &Path, pocket: &Path, pkg: &Path) -> Result<()> {
    fs::create_dir_all(pkg)?;
    let mut sources = vec![pocket.to_owned()];
    for entry in fs::read_dir(api).with_context(|| format!("{} can't be read", api.display()))? {
        sources.push(entry?.path());
    }
    let mut names = BTreeSet::new();
    for source in sources {
        let Some(name) = source.file_name().filter(|_| !source.is_dir()) else {
            continue;
        };
        let copy = pkg.join(name);
        let content = fs::read(&source).with_context(|| format!("{} can't be read", source.display()))?;
        // An unchanged file keeps its time, so that browsers need not fetch it again.
        if fs::read(&copy).ok().as_ref() != Some(&content) {
            fs::write(&copy, content)?;
        }
        names.insert(name.to_owned());
    }
    for entry in fs::read_dir(pkg)? {
        let file = entry?;
        let name = file.file_name();
        let text = name.to_string_lossy();
        let generated =
            text.starts_with("engine.") || text.starts_with("engine_") || text == ".stamp" || text == "snippets";
        if !generated && file.path().is_file() && !names.contains(&name) {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_follows_the_sources_and_leaves_the_engine_alone() {
        let folder = std::env::temp_dir().join(format!("next-token-site-{}", std::process::id()));
        let (api, pkg) = (folder.join("api"), folder.join("pkg"));
        fs::create_dir_all(&api).unwrap();
        fs::create_dir_all(&pkg).unwrap();
        fs::write(api.join("one.js"), "1").unwrap();
        fs::write(api.join("two.js"), "2").unwrap();
        fs::write(pkg.join("engine.js"), "made").unwrap();
        let pocket = folder.join("pocket.gguf");
        let missing = copy(&api, &pocket, &pkg).unwrap_err().to_string();
        fs::write(&pocket, "weights").unwrap();
        copy(&api, &pocket, &pkg).unwrap();
        fs::remove_file(api.join("two.js")).unwrap();
        fs::write(api.join("one.js"), "1b").unwrap();
        copy(&api, &pocket, &pkg).unwrap();
        let [one, model] = ["one.js", "pocket.gguf"].map(|name| fs::read_to_string(pkg.join(name)).unwrap());
        let (two, engine) = (pkg.join("two.js").exists(), pkg.join("engine.js").exists());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((one.as_str(), model.as_str(), two, engine), ("1b", "weights", false, true));
        assert!(missing.contains("pocket.gguf"), "{missing}");
    }
}
