//! `cargo xtask <command>`: everything there is to do with this repository.

mod bench;
mod browser;
mod budget;
mod model;
mod on_demand;
mod pocket;
mod serve;
mod site;
mod start;
mod test;
mod tools;
mod vendor;
mod wasm;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <command>

  start [--port 8000] [--no-open] [--offline]
              build everything, serve the site on this machine; SmolLM2 comes when
              the page asks for it
  test [--only STAGE]...
              all the checks, as in CI; --only runs the stages named
  bench       decode and prefill speed in a headless browser, beside wllama
  build [--offline]
              only put the site together, in pkg/
  model       only fetch SmolLM2, into models/
  train-pocket [--check]
              train the small model from scratch, or go on where it was interrupted
              (hours); --check makes its corpus again and examines the shipped file.
              Other options go to the trainer, which is built first: train-pocket --help

Environment
  NEXT_TOKEN_TARGET_DIR or CARGO_TARGET_DIR   where cargo builds (default: target/)
  CHROME                                      the Chromium for test and bench
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = lexopt::Parser::from_env();
    let command = match args.next()? {
        Some(Value(command)) => command.string()?,
        Some(Short('h') | Long("help")) | None => "help".to_owned(),
        Some(other) => return Err(other.unexpected().into()),
    };
    if command == "train-pocket" {
        let rest = args.raw_args()?.map(|arg| arg.string()).collect::<Result<Vec<_>, _>>()?;
        return if rest == ["--check"] { pocket::check() } else { pocket::train(&rest) };
    }
    let mut options = start::Options::default();
    let mut only = Vec::new();
    while let Some(arg) = args.next()? {
        match (command.as_str(), arg) {
            ("start", Long("port")) => options.port = Some(args.value()?.parse()?),
            ("start", Long("no-open")) => options.open = false,
            ("start" | "build", Long("offline")) => options.offline = true,
            ("test", Long("only")) => only.push(args.value()?.string()?),
            (_, Short('h') | Long("help")) => {
                print!("{USAGE}");
                return Ok(());
            }
            (_, other) => return Err(other.unexpected().into()),
        }
    }
    match command.as_str() {
        "start" => start::run(&options),
        "test" => test::run(&only),
        "bench" => bench::run(),
        "build" => site::build(options.offline),
        "model" => model::fetch(&tools::root()).map(drop),
        "help" => {
            print!("{USAGE}");
            Ok(())
        }
        other => bail!("there is no command `{other}`\n\n{USAGE}"),
    }
}
