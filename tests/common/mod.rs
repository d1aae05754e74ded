//! What several tests need: models, fixtures, runs.

#![allow(dead_code)] // every test binary uses a part

use std::path::{Path, PathBuf};
use std::rc::Rc;

use next_token::engine::Engine;
use next_token::loader::{GgufLoader, Placement};
use next_token::run::Run;
use next_token::settings::StartOptions;
use serde_json::Value;

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

pub fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

pub fn json(name: &str) -> Value {
    serde_json::from_slice(&bytes(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

pub fn load(file: &[u8]) -> Rc<Engine> {
    Rc::new(pollster::block_on(GgufLoader::load(file, None, Placement::cpu("a test"))).expect("the model loads"))
}

pub fn tiny(name: &str) -> Rc<Engine> {
    load(&bytes(&format!("{name}.gguf")))
}

/// The 98 MB model, where it was fetched. `cargo xtask test` fetches it before the tests run.
pub fn smollm2() -> Option<Rc<Engine>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/SmolLM2-135M-Instruct.Q4_1.gguf");
    match std::fs::read(&path) {
        Ok(file) => Some(load(&file)),
        Err(e) if std::env::var_os("NEXT_TOKEN_WITHOUT_SMOLLM2").is_some() => {
            println!("skipped: {} ({e})", path.display());
            None
        }
        Err(e) => panic!(
            "{}: {e}. `cargo xtask test` fetches it; NEXT_TOKEN_WITHOUT_SMOLLM2=1 skips what needs it.",
            path.display()
        ),
    }
}

/// A run whose prompt is read.
pub fn start(engine: &Rc<Engine>, options: &StartOptions) -> Run {
    let mut run = engine.start(options).expect("the run starts");
    pollster::block_on(run.prefill()).expect("the prompt is read");
    run
}

pub fn ids(value: &Value) -> Vec<u32> {
    let list = value.as_array().expect("a list of ids");
    list.iter().map(|id| id.as_u64().expect("an id") as u32).collect()
}

pub fn floats(value: &Value) -> Vec<f32> {
    let list = value.as_array().expect("a list of numbers");
    list.iter().map(|x| x.as_f64().expect("a number") as f32).collect()
}

/// The largest difference of two lists of the same length.
pub fn furthest(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |m, (a, b)| {
        assert!(a.is_finite() && b.is_finite());
        m.max((a - b).abs())
    })
}
