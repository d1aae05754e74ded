//! The only place that knows JavaScript: conversions and a busy guard, no decisions.
//!
//! `www/api/worker.js` calls these. Errors are thrown as `Error` objects with `code` and `hint`.

mod console;
mod convert;
mod options;
mod run;
mod testing;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::device::{self, Backend};
use crate::engine::Engine;
use crate::error::Error;
use crate::loader::{GgufLoader as Loader, Placement};
use crate::model::table::Table;
use convert::{record, thrown};
use run::RunCore;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Attention, Choice, Distribution, Draws, ForkOptions, Forward, Info, Kv, Logits, Message, Piece, Prefill, Rendered, RunState, SamplingOptions, StartOptions, Step, Stop, Table } from "./next-token.js";
export type DeviceReport = { backend: "webgpu" | "cpu"; adapter: string | null; reason: string };
export type PrefillProgress = { done: number; total: number; prefill: Prefill | null };
export type TensorPlace = { name: string; offset: number; bytes: number };
"#;

thread_local! {
    /// The device of this worker, once it is open.
    static DEVICE: RefCell<Option<Placement>> = const { RefCell::new(None) };
}

unsafe extern "C" {
    /// Made by the linker: runs all static constructors (the GPU kernels register themselves so).
    fn __wasm_call_ctors();
}

/// Called once, by `init()`.
///
/// Because of this call the linker knows that somebody runs the constructors. Without it, it would
/// wrap every export so that each call runs all of them again: 30 ms a call, and a registry that
/// grows.
#[wasm_bindgen(start)]
pub fn start() {
    // SAFETY: called once, before anything that needs a constructor to have run.
    unsafe { __wasm_call_ctors() };
    console::install();
}

/// Opens the device that the next model will run on. `size`: bytes of its file, if that is known.
#[wasm_bindgen(unchecked_return_type = "DeviceReport")]
pub async fn open_device(
    #[wasm_bindgen(unchecked_param_type = "\"auto\" | \"webgpu\" | \"cpu\"")] backend: String,
    size: Option<f64>,
) -> Result<JsValue, JsValue> {
    let backend = match backend.as_str() {
        "auto" => Backend::Auto,
        "webgpu" => Backend::Webgpu,
        "cpu" => Backend::Cpu,
        other => return Err(thrown(Error::config(format!("backend is {other:?}; it must be auto, webgpu or cpu.")))),
    };
    let place = device::open(backend, size.map(|size| size as u64)).await.map_err(thrown)?;
    let report = record(&serde_json::json!({
        "backend": place.backend, "adapter": place.adapter, "reason": place.reason,
    }))?;
    DEVICE.with_borrow_mut(|device| *device = Some(place));
    Ok(report)
}

/// The GPU's name, as the browser tells it, for a device that tells none.
#[wasm_bindgen]
pub fn name_device(adapter: String) {
    DEVICE.with_borrow_mut(|device| {
        if let Some(place) = device {
            place.adapter.get_or_insert(adapter);
        }
    });
}

/// Reads a GGUF file tensor by tensor.
#[wasm_bindgen]
pub struct GgufLoader(Loader);

#[wasm_bindgen]
impl GgufLoader {
    /// undefined: call again with a longer prefix of the file.
    pub fn parse(prefix: &[u8], file_size: f64, context: Option<f64>) -> Result<Option<GgufLoader>, JsValue> {
        let context = match context {
            None => None,
            Some(n) if n.fract() == 0.0 && (0.0..4e9).contains(&n) => Some(n as usize),
            Some(n) => return Err(thrown(Error::config(format!("context is {n}; it must be a whole number.")))),
        };
        Ok(Loader::parse(prefix, file_size as u64, context).map_err(thrown)?.map(GgufLoader))
    }

    #[wasm_bindgen(unchecked_return_type = "TensorPlace[]")]
    pub fn tensors(&self) -> Result<JsValue, JsValue> {
        let places: Vec<_> = self
            .0
            .tensors()
            .iter()
            .map(|t| serde_json::json!({ "name": t.name, "offset": t.offset, "bytes": t.bytes }))
            .collect();
        record(&places)
    }

    pub fn add(&mut self, index: usize, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.add(index, bytes).map_err(thrown)
    }

    pub async fn finish(self) -> Result<Core, JsValue> {
        let place = DEVICE.with_borrow(Clone::clone);
        let place = place.unwrap_or_else(|| Placement::cpu("No device was opened."));
        Ok(Core(Rc::new(self.0.finish(place).await.map_err(thrown)?)))
    }
}

/// A loaded model.
#[wasm_bindgen]
pub struct Core(Rc<Engine>);

#[wasm_bindgen]
impl Core {
    /// undefined: the lesson's table.
    pub fn table(#[wasm_bindgen(unchecked_param_type = "Table | undefined")] table: JsValue) -> Result<Core, JsValue> {
        let table = if table.is_undefined() { Table::lesson() } else { options::table(&table).map_err(thrown)? };
        Ok(Core(Rc::new(Engine::table(&table).map_err(thrown)?)))
    }

    #[wasm_bindgen(unchecked_return_type = "Info")]
    pub fn info(&self) -> Result<JsValue, JsValue> {
        record(&self.0.info)
    }

    #[wasm_bindgen(unchecked_return_type = "Piece[]")]
    pub fn encode(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] text: JsValue,
        special: bool,
    ) -> Result<JsValue, JsValue> {
        let text = options::whole_text(&text, "text").map_err(thrown)?;
        record(&self.0.encode(&text, special).map_err(thrown)?)
    }

    pub fn start(
        &self,
        #[wasm_bindgen(unchecked_param_type = "StartOptions")] options: JsValue,
    ) -> Result<RunCore, JsValue> {
        let options = options::start(&options).map_err(thrown)?;
        Ok(RunCore::new(self.0.start(&options).map_err(thrown)?))
    }

    /// Like `start`, with K and V of the tokens that both begin with taken from `reuse`.
    pub fn start_from(
        &self,
        #[wasm_bindgen(unchecked_param_type = "StartOptions")] options: JsValue,
        reuse: &RunCore,
    ) -> Result<RunCore, JsValue> {
        let options = options::start(&options).map_err(thrown)?;
        reuse.with(|run| self.0.start_from(&options, Some(run))).map(RunCore::new)
    }

    #[wasm_bindgen(unchecked_return_type = "Rendered")]
    pub fn render(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Message[]")] messages: JsValue,
    ) -> Result<JsValue, JsValue> {
        let messages = options::messages(&messages).map_err(thrown)?;
        record(&self.0.render(&messages).map_err(thrown)?)
    }
}
