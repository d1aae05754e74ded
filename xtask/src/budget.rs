//! What a visitor downloads before the first token, held to limits.

use crate::tools::root;
use anyhow::{Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Bytes as they lie on the disk, and after gzip.
struct Limit {
    what: &'static str,
    files: fn(&Path) -> Result<Vec<Vec<u8>>>,
    raw: usize,
    gzip: usize,
}

/// What was measured when they were set, and 15 % more; the model's is the project's own promise. Most of
/// the engine is wgpu and the compiler of the GPU's kernels.
const LIMITS: [Limit; 3] = [
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
    Limit { what: "scripts (all JavaScript)", files: scripts, raw: 317_000, gzip: 100_000 },
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

fn scripts(root: &Path) -> Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    // www/api is the source of what lies in pkg: count it once.
    for folder in ["www", "pkg"] {
        collect(&root.join(folder), &mut found)?;
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("www/api") {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "js") {
            found.push(fs::read(path)?);
        }
    }
    Ok(())
}
