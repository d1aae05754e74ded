//! `cargo xtask test`: all the checks, in an order that fails early. CI runs exactly this.

use crate::tools::{cargo, program, root, run as run_tool};
use crate::{browser, budget, model, pocket, site, wasm};
use anyhow::{Context, Result, bail};
use std::time::Instant;

type Stage = (&'static str, fn() -> Result<()>);

const STAGES: [Stage; 14] = [
    ("fmt", fmt),
    ("features", features),
    ("model", || model::fetch(&root()).map(drop)),
    ("xtask", xtask),
    ("npm", browser::npm_packages),
    ("site", || site::build(false)),
    ("budget", budget::check),
    ("types", browser::typescript),
    ("browser", browser_tests),
    ("native", native),
    ("pocket", pocket::check),
    ("trainer", pocket::test_trainer),
    ("clippy", clippy),
    ("clippy-wasm", clippy_wasm),
];

pub fn run(only: &[String]) -> Result<()> {
    let names = STAGES.map(|(name, _)| name).join(", ");
    if let Some(unknown) = only.iter().find(|name| STAGES.iter().all(|stage| stage.0 != name.as_str())) {
        bail!("there is no stage `{unknown}`. The stages: {names}");
    }
    let chosen = STAGES.iter().filter(|(name, _)| only.is_empty() || only.iter().any(|wanted| wanted == name));
    let mut times = Vec::new();
    for (name, stage) in chosen {
        println!("\n== {name}");
        let begun = Instant::now();
        let result = stage();
        let seconds = begun.elapsed().as_secs_f64();
        println!("== {name}: {} in {seconds:.1} s", if result.is_ok() { "passed" } else { "FAILED" });
        result.with_context(|| format!("stage {name}"))?;
        times.push((name, seconds));
    }
    println!("\nAll passed:");
    for (name, seconds) in &times {
        println!("  {name:<12}{seconds:>8.1} s");
    }
    Ok(())
}

const RUSTUP: &str = "Install Rust with rustup.";

fn fmt() -> Result<()> {
    run_tool(&mut cargo(["fmt", "--all", "--check"]), RUSTUP)
}

/// burn's default features bring kernel tuning and fusion, which panic in a browser. Features of
/// a crate unify over the whole tree, so one careless dependency would switch them on.
fn features() -> Result<()> {
    let tree = cargo(["tree", "-p", "next-token", "-e", "features", "--target", wasm::TARGET, "--prefix", "none"])
        .output()
        .context(RUSTUP)?;
    if !tree.status.success() {
        bail!("cargo tree failed: {}", String::from_utf8_lossy(&tree.stderr));
    }
    let text = String::from_utf8_lossy(&tree.stdout);
    let lines = text.lines().count();
    if let Some(line) = text.lines().find(|line| line.contains("autotune") || line.contains("fusion")) {
        bail!("the wasm build must not have autotune or fusion: {line}");
    }
    println!("{lines} lines of features, none of them autotune or fusion");
    Ok(())
}

fn xtask() -> Result<()> {
    run_tool(&mut own(["clippy"], &["--all-targets", "--quiet", "--", "-D", "warnings"]), RUSTUP)?;
    run_tool(&mut own(["test"], &[]), RUSTUP)
}

/// cargo on this package, in the target directory that the alias `cargo xtask` uses.
fn own(command: [&str; 1], rest: &[&str]) -> std::process::Command {
    let mut command = cargo(command);
    command.args(["-p", "xtask", "--target-dir", "target/xtask"]).args(rest);
    command
}

/// What is built with the engine's own features; the trainer is not.
const PACKAGES: [&str; 6] = ["-p", "next-token", "-p", "small-world", "-p", "pocket-exam"];

fn native() -> Result<()> {
    run_tool(cargo(["test"]).args(PACKAGES), RUSTUP)
}

fn clippy() -> Result<()> {
    run_tool(cargo(["clippy"]).args(PACKAGES).args(["--all-targets", "--", "-D", "warnings"]), RUSTUP)
}

/// In the profile of the build, so that build scripts and macros are compiled once.
fn clippy_wasm() -> Result<()> {
    let mut command = cargo(["clippy", "-p", "next-token", "--release", "--target", wasm::TARGET]);
    run_tool(command.args(["--", "-D", "warnings"]), RUSTUP)
}

fn browser_tests() -> Result<()> {
    let folder = root().join("tests/browser");
    let mut files: Vec<String> = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".test.mjs"))
        .map(|name| format!("tests/browser/{name}"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("no browser tests in {}", folder.display());
    }
    run_tool(program("node").arg("--version"), "Install Node.js 20 or later.")?;
    // One file at a time: each runs its own browser and wants the processor to itself.
    let mut args: Vec<String> = ["--test", "--test-concurrency=1", "--test-reporter=spec"].map(String::from).into();
    args.append(&mut files);
    browser::node(&args)
}
