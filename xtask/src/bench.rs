//! `cargo xtask bench`: how fast the engine is in a browser, beside another one on the same file.

use crate::{browser, model, site, tools};
use anyhow::Result;

pub fn run() -> Result<()> {
    site::build(false)?;
    model::fetch(&tools::root())?;
    browser::npm_packages()?;
    browser::node(&["tests/browser/bench.mjs".to_owned()])
}
