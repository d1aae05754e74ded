//! `cargo xtask train-pocket`: the model that the page starts with, made from nothing or checked.

use crate::tools::{cargo, run, target_dir};
use anyhow::Result;
use std::process::Command;

const RUSTUP: &str = "Install Rust with rustup.";

/// cargo on the trainer: built apart from the engine, whose burn has no gradients and no threads, and in a
/// profile for hours of work.
fn trainer(command: [&str; 1]) -> Command {
    let mut cargo = cargo(command);
    cargo.args(["-p", "pocket-trainer", "--profile", "train", "--target-dir"]).arg(target_dir().join("trainer"));
    cargo
}

/// Trains, or goes on where it was interrupted; then writes the file's figures into its card.
pub fn train(arguments: &[String]) -> Result<()> {
    let mut trainer = trainer(["run"]);
    trainer.arg("--").args(arguments);
    // Freed memory goes back to the system by default, only to be asked for again in the next step.
    trainer.env("MIMALLOC_PURGE_DELAY", "-1");
    run(&mut trainer, RUSTUP)?;
    // A trial with its own folders, or a call for help, leaves the card alone.
    if arguments.is_empty() || arguments == ["--now"] { exam(&["--card", "pocket/model/README.md"]) } else { Ok(()) }
}

/// The corpus again and its hash, the shipped file examined again: all must be as recorded.
pub fn check() -> Result<()> {
    exam(&["--record", "pocket/model/record.json", "--check", "pocket/model/README.md"])
}

fn exam(arguments: &[&str]) -> Result<()> {
    let mut exam = cargo(["run", "-p", "pocket-exam", "--"]);
    run(exam.arg("pocket/model/pocket.gguf").args(arguments), RUSTUP)
}

/// The trainer's own tests and lints.
pub fn test_trainer() -> Result<()> {
    run(trainer(["clippy"]).args(["--all-targets", "--quiet", "--", "-D", "warnings"]), RUSTUP)?;
    run(&mut trainer(["test"]), RUSTUP)
}
