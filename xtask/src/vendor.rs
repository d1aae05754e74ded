//! What the page takes from npm, as plain modules in `pkg/vendor/`: the plots' library and a tokenizer.

use crate::{browser, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the bundles: `www/vendor/NAME.src.js` becomes `pkg/vendor/NAME.js`.
const BUNDLES: [&str; 2] = ["plot", "o200k"];

/// What a site without them lacks. It is built all the same: everything else needs no Node.
const MISSING: &str = "Plots show only their data tables, and the o200k token counter is missing, until Node.js 20 or \
                       later with npm is there. Install it and run this again.";

pub fn build(pkg: &Path, offline: bool) -> Result<()> {
    refresh(&tools::root(), pkg, |folder| {
        node_is_new_enough()?;
        browser::npm_packages_from(offline)?;
        browser::bundle(folder)
    })
}

/// Makes the bundles anew if their sources, the bundler or the packages changed.
fn refresh(root: &Path, pkg: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let folder = pkg.join("vendor");
    let stamp_file = folder.join(".stamp");
    let stamp = stamp(root)?;
    let made = files(&folder).iter().all(|file| file.is_file());
    if made && fs::read_to_string(&stamp_file).is_ok_and(|found| found == stamp) {
        return Ok(());
    }
    // Old ones may lack what the page asks of them: none is better, the page says so.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    match make(&folder) {
        Ok(()) => fs::write(stamp_file, stamp)?,
        Err(error) => println!("\n{MISSING}\n  ({error:#})"),
    }
    Ok(())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let endings = ["js", "d.ts", "LICENSES.txt"];
    BUNDLES.iter().flat_map(|name| endings.map(|ending| folder.join(format!("{name}.{ending}")))).collect()
}

fn stamp(root: &Path) -> Result<String> {
    let mut inputs = vec!["package-lock.json".to_owned(), "xtask/vendor.mjs".to_owned()];
    inputs.extend(BUNDLES.iter().map(|name| format!("www/vendor/{name}.src.js")));
    let line = |name: &String| {
        let hash = tools::sha256(&root.join(name)).with_context(|| format!("{name} can't be read"))?;
        Ok(format!("{hash} {name}\n"))
    };
    inputs.iter().map(line).collect()
}

fn node_is_new_enough() -> Result<()> {
    let answer = tools::program("node").arg("--version").output().context("`node` can't be run")?;
    let version = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    match major(&version) {
        Some(20..) => Ok(()),
        _ => bail!("node is {version}"),
    }
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_are_made_once_for_the_same_inputs_and_are_gone_when_they_cant_be_made() {
        let root = std::env::temp_dir().join(format!("next-token-vendor-{}", std::process::id()));
        let pkg = root.join("pkg");
        for name in ["package-lock.json", "xtask/vendor.mjs", "www/vendor/plot.src.js", "www/vendor/o200k.src.js"] {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, name).unwrap();
        }
        let mut made = 0;
        let mut make = |fails: bool| {
            let count = &mut made;
            refresh(&root, &pkg, |folder| {
                *count += 1;
                for file in files(folder) {
                    fs::write(file, "bundle")?;
                    if fails {
                        bail!("npm isn't there");
                    }
                }
                Ok(())
            })
            .unwrap();
            (*count, pkg.join("vendor/o200k.js").exists())
        };
        let first = make(false);
        let again = make(false);
        fs::write(root.join("www/vendor/plot.src.js"), "changed").unwrap();
        let failed = make(true);
        let at_last = make(false);
        fs::remove_file(pkg.join("vendor/plot.js")).unwrap();
        let lost = make(false);
        fs::remove_dir_all(&root).unwrap();
        assert_eq!([first, again, failed, at_last, lost], [(1, true), (1, true), (2, false), (3, true), (4, true)]);
    }

    #[test]
    fn a_version_of_node_has_a_major_number() {
        assert_eq!([major("v20.20.2"), major("v8.0.0"), major("20.1"), major("")], [Some(20), Some(8), None, None]);
    }
}
