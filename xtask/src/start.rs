//! `cargo xtask start`: from a fresh checkout to the page.

use crate::on_demand::OnDemand;
use crate::tools::{on_path, program, root};
use crate::{model, serve, site};
use anyhow::Result;
use std::process::Stdio;

pub struct Options {
    /// None: the first free one from the default on.
    pub port: Option<u16>,
    pub open: bool,
    pub offline: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: None, open: true, offline: false }
    }
}

pub fn run(options: &Options) -> Result<()> {
    // First of all, so that nobody waits for a build and then reads that the port is taken.
    let listener = serve::listen(options.port)?;
    site::build(options.offline)?;
    let root = root();
    if model::present(&root).is_none() {
        let how = if options.offline { "--offline forbids fetching it" } else { "it comes when the page asks for it" };
        println!("SmolLM2 isn't in models/; {how}. `cargo xtask model` fetches it ahead.");
    }
    let smollm2 = OnDemand::new(&root, (!options.offline).then_some(model::fetch));
    let url = format!("http://{}/", listener.local_addr()?);
    println!("\n  next-token runs at {url}   (Ctrl+C ends it)\n");
    if options.open {
        open(&url);
    }
    serve::serve(&root, listener, smollm2)
}

/// Opens the page where there is a desktop; the address is printed anyway.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        program("open")
    } else if cfg!(windows) {
        let mut command = program("cmd");
        command.args(["/c", "start", ""]);
        command
    } else if let Some(opener) = on_path(&["xdg-open"]) {
        program(opener)
    } else {
        return;
    };
    let _ = command.arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
