//! The engine as WebAssembly: rustup's target, cargo, wasm-bindgen.

use crate::tools::{self, cargo, program, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::time::Instant;
use wasm_bindgen_cli_support::Bindgen;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Raise this when the way the bindings are made changes; it makes every `pkg/` stale.
const RECIPE: &str = "wasm-bindgen 0.2.130, recipe 1";

/// rustup would add what `rust-toolchain.toml` lists by itself, but not where automatic
/// installs are switched off. Does nothing if the target is there, without asking the network.
pub fn add_target() -> Result<()> {
    let hint = "Install rustup, which brings Rust.";
    let listed = program("rustup")
        .args(["target", "list", "--installed"])
        .output()
        .with_context(|| format!("`rustup` can't be run. {hint}"))?;
    if String::from_utf8_lossy(&listed.stdout).lines().any(|line| line == TARGET) {
        return Ok(());
    }
    run(program("rustup").args(["target", "add", TARGET]), hint)
}

/// Builds the engine and writes `engine.js`, `engine_bg.wasm` and `engine.d.ts` into `pkg`.
pub fn build(pkg: &Path, offline: bool) -> Result<()> {
    let mut command = cargo(["build", "--release", "--target", TARGET, "-p", "next-token", "--lib"]);
    if offline {
        command.arg("--offline");
    }
    run(&mut command, "Install Rust with rustup.")?;
    let wasm = tools::target_dir().join(TARGET).join("release/next_token.wasm");
    bind(&wasm, pkg)
}

fn bind(wasm: &Path, pkg: &Path) -> Result<()> {
    // The tool takes seconds on a module of this size: run it only on a new module.
    let stamp_file = pkg.join(".stamp");
    // A profiler needs the names of functions, readers don't: they are two thirds of the module.
    let names = std::env::var_os("NEXT_TOKEN_NAMES").is_some();
    let stamp = format!("{RECIPE}, names {names}, module {}\n", tools::sha256(wasm)?);
    let made = ["engine.js", "engine_bg.wasm", "engine.d.ts"].iter().all(|name| pkg.join(name).is_file());
    if made && fs::read_to_string(&stamp_file).is_ok_and(|found| found == stamp) {
        return Ok(());
    }
    fs::create_dir_all(pkg)?;
    let _ = fs::remove_file(&stamp_file);
    println!("$ wasm-bindgen --target web --out-name engine");
    let begun = Instant::now();
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .out_name("engine")
        .web(true)?
        .typescript(true)
        .remove_name_section(!names)
        .remove_producers_section(true);
    bindgen.generate(pkg).context("wasm-bindgen can't make the bindings")?;
    println!("  {:.1} s", begun.elapsed().as_secs_f64());
    fs::write(stamp_file, stamp)?;
    Ok(())
}
