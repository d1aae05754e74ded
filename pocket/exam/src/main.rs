//! `pocket-exam FILE.gguf`: measures what the pocket model can do, and keeps the model card true.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use lexopt::prelude::*;
use pocket_exam::parts::Part;
use pocket_exam::workers::Workers;
use pocket_exam::{card, exam, promises, record, section, table};

const USAGE: &str = "\
pocket-exam FILE.gguf [options]

  --only PART      capitals, thinking, loops, stories, few-shot, json or perplexity; may be repeated
  --json OUT       all figures, as JSON
  --card README    writes the measured section between <!-- exam --> and <!-- /exam -->
  --check README   fails if that section isn't what is measured now, or if a promise is broken
  --record FILE    fails if the corpus or the file isn't the one in this record of the training
  --threads N      default 2; changes only the time
";

#[derive(Default)]
struct Options {
    file: PathBuf,
    only: Vec<Part>,
    json: Option<PathBuf>,
    card: Option<PathBuf>,
    check: Option<PathBuf>,
    record: Option<PathBuf>,
    threads: Option<usize>,
}

fn main() -> ExitCode {
    match options().and_then(|options| options.map_or(Ok(()), |options| run(&options))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// `None`: only the usage was asked for.
fn options() -> Result<Option<Options>> {
    let mut options = Options::default();
    let mut args = lexopt::Parser::from_env();
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => {
                print!("{USAGE}");
                return Ok(None);
            }
            Long("only") => {
                let name = args.value()?.string()?;
                let Some(part) = Part::ALL.into_iter().find(|part| part.name() == name) else {
                    bail!("there is no part `{name}`. The parts: {}", Part::ALL.map(Part::name).join(", "));
                };
                options.only.push(part);
            }
            Long("json") => options.json = Some(args.value()?.into()),
            Long("card") => options.card = Some(args.value()?.into()),
            Long("check") => options.check = Some(args.value()?.into()),
            Long("record") => options.record = Some(args.value()?.into()),
            Long("threads") => options.threads = Some(args.value()?.parse()?),
            Value(file) if options.file.as_os_str().is_empty() => options.file = file.into(),
            other => return Err(other.unexpected().into()),
        }
    }
    if options.file.as_os_str().is_empty() {
        bail!("no file is named\n\n{USAGE}");
    }
    if !options.only.is_empty() && (options.card.is_some() || options.check.is_some()) {
        bail!("the card has all parts, so --only doesn't go with --card or --check");
    }
    Ok(Some(options))
}

fn run(options: &Options) -> Result<()> {
    let file = fs::read(&options.file).with_context(|| format!("{} can't be read", options.file.display()))?;
    // Before the minute that the exam takes: the card must be there and have its markers.
    for path in [&options.card, &options.check].into_iter().flatten() {
        card::section(&read(path)?).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &options.record {
        record::check(&read(path)?, &file).with_context(|| path.display().to_string())?;
    }
    let workers = Workers { file: &file, threads: options.threads.unwrap_or(2) };
    let parts = if options.only.is_empty() { Part::ALL.to_vec() } else { options.only.clone() };
    let begun = Instant::now();
    let report = exam::examine(&workers, &parts, |part| {
        eprintln!("{:6.1} s  {}", begun.elapsed().as_secs_f64(), part.name());
    })?;
    eprintln!("{:6.1} s  done", begun.elapsed().as_secs_f64());
    // Whoever reads the table may have seen enough before its end.
    let _ = std::io::stdout().write_all(table::table(&report).as_bytes());

    if let Some(path) = &options.json {
        write(path, &(serde_json::to_string_pretty(&report)? + "\n"))?;
    }
    let section = section::section(&report);
    if let Some(path) = &options.card {
        write(path, &card::replace(&read(path)?, &section)?)?;
    }
    let broken = promises::broken(&report);
    if !broken.is_empty() {
        eprintln!("not what is promised of this model:\n  {}", broken.join("\n  "));
    }
    if let Some(path) = &options.check {
        let text = read(path)?;
        if let Some(difference) = card::difference(card::section(&text)?, &section) {
            bail!(
                "{} isn't what is measured. Line {} of the section has\n  {}\nand it should be\n  {}\nWrite it anew with --card.",
                path.display(),
                difference.line,
                difference.card,
                difference.measured
            );
        }
        eprintln!("{} is what is measured", path.display());
    }
    // After the card is written: it tells the truth about a model that isn't good enough, too.
    let complete = options.card.is_some() || options.check.is_some();
    ensure!(broken.is_empty() || !complete, "{} promises are broken", broken.len());
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))
}
