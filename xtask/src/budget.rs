//! What a visitor downloads, held to limits.

use crate::tools::root;
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes as they lie on the disk, and after gzip.
struct Limit {
    what: &'static str,
    files: fn(&Path) -> Result<Vec<Vec<u8>>>,
    raw: usize,
    gzip: usize,
}

/// What was measured when they were set, and 15 % more; the model's is the project's own promise. Most of
/// the engine is wgpu and the compiler of the GPU's kernels.
const LIMITS: [Limit; 6] = [
    Limit {
        what: "engine (wasm)",
        files: |root| Ok(vec![fs::read(root.join("pkg/engine_bg.wasm"))?]),
        raw: 20_400_000,
        gzip: 4_200_000,
    },
    Limit {
        what: "pocket (model)",
        files: |root| Ok(vec![fs::read(root.join("pkg/pocket.gguf"))?]),
        raw: 2_500_000,
        gzip: 2_500_000,
    },
    Limit { what: "scripts (before a token)", files: |root| scripts(root, false), raw: 400_000, gzip: 140_000 },
    // Each view's are fetched when its element is used; this is all of them together.
    Limit { what: "scripts (views, plots)", files: |root| scripts(root, true), raw: 620_000, gzip: 215_000 },
    // With the first plot.
    Limit { what: "plots (d3)", files: |root| vendored(root, "plot"), raw: 57_000, gzip: 18_200 },
    // Only where o200k tokens are counted. Most of it is the list of tokens.
    Limit { what: "o200k (tokenizer)", files: |root| vendored(root, "o200k"), raw: 2_350_000, gzip: 1_170_000 },
];

pub fn check() -> Result<()> {
    let root = root();
    let mut over = false;
    println!("{:<26}{:>12}{:>12}{:>12}{:>12}", "", "bytes", "limit", "gzip", "limit");
    for limit in &LIMITS {
        let files = (limit.files)(&root)?;
        let raw = files.iter().map(Vec::len).sum::<usize>();
        let gzip = files.iter().map(|file| gzip(file)).sum::<Result<usize>>()?;
        println!("{:<26}{raw:>12}{:>12}{gzip:>12}{:>12}", limit.what, limit.raw, limit.gzip);
        over |= raw > limit.raw || gzip > limit.gzip;
    }
    if over {
        bail!("over the size budget. Make it smaller, or raise the limit in xtask/src/budget.rs and say why.");
    }
    Ok(())
}

fn gzip(content: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    Ok(encoder.finish()?.len())
}

fn vendored(root: &Path, name: &str) -> Result<Vec<Vec<u8>>> {
    let file = root.join(format!("pkg/vendor/{name}.js"));
    Ok(vec![fs::read(&file).with_context(|| format!("{} wasn't made", file.display()))?])
}

/// Our own modules: those of the views and their plots, or all the others.
fn scripts(root: &Path, views: bool) -> Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    // www/api is the source of what lies in pkg: count it once. pkg/vendor has its own limits.
    for folder in ["www", "pkg"] {
        collect(&root.join(folder), &mut found)?;
    }
    let of_a_view = |file: &Path| ["www/views", "www/plot"].iter().any(|folder| file.starts_with(root.join(folder)));
    found.iter().filter(|file| of_a_view(file) == views).map(|file| Ok(fs::read(file)?)).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !["www/api", "www/vendor", "pkg/vendor"].iter().any(|folder| path.ends_with(folder)) {
                collect(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "js") {
            found.push(path);
        }
    }
    Ok(())
}
