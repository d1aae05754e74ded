//! A Chromium for the tests, Node, and the few npm packages.

use crate::tools::{self, on_path, program, root, run};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const NODE: &str = "Install Node.js 20 or later.";

/// `CHROME`, or one on PATH, or on Debian as root a freshly installed one.
pub fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME").filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        if !path.is_file() {
            bail!("CHROME names {}, which is no file", path.display());
        }
        return Ok(path);
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    let debian = Path::new("/etc/debian_version").exists() && on_path(&["apt-get"]).is_some();
    if !debian || !is_root() {
        bail!("no Chromium on PATH. Install Chromium or Chrome, or name one in the variable CHROME.");
    }
    let environment = ("DEBIAN_FRONTEND", "noninteractive");
    let apt = || {
        let mut command = program("apt-get");
        command.env(environment.0, environment.1);
        command
    };
    run(apt().args(["update", "-qq"]), "")?;
    run(apt().args(["install", "-y", "-qq", "--no-install-recommends", "chromium"]), "")?;
    installed().context("apt-get installed chromium, yet it isn't on PATH")
}

fn installed() -> Option<PathBuf> {
    let mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    on_path(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
        .or_else(|| mac.is_file().then_some(mac))
}

fn is_root() -> bool {
    let answer = program("id").arg("-u").output();
    answer.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}

/// `npm ci`, unless what is installed is already what the lock file says.
pub fn npm_packages() -> Result<()> {
    npm_packages_from(false)
}

/// The same; `offline` takes them from npm's cache.
pub fn npm_packages_from(offline: bool) -> Result<()> {
    let root = root();
    let stamp_file = root.join("node_modules/.next-token-lock");
    let stamp = tools::sha256(&root.join("package-lock.json"))?;
    if std::fs::read_to_string(&stamp_file).is_ok_and(|found| found == stamp) {
        println!("node_modules is as package-lock.json says");
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = program(npm);
    command.args(["ci", "--no-audit", "--no-fund"]);
    if offline {
        command.arg("--offline");
    }
    run(&mut command, NODE)?;
    std::fs::write(stamp_file, stamp)?;
    Ok(())
}

/// Packages of npm as plain modules, in `folder`.
pub fn bundle(folder: &Path) -> Result<()> {
    run(program("node").arg("xtask/vendor.mjs").arg(folder), NODE)
}

/// Node with the browser named, run in the checkout.
pub fn node(args: &[String]) -> Result<()> {
    run(program("node").args(args).env("CHROME", chromium()?), NODE)
}

/// The type check of every script, against the public contract.
pub fn typescript() -> Result<()> {
    run(program("node").args(["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]), NODE)
}
