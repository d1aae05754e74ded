//! A run, as the worker calls it. While a pass is computing the run is out of its slot, and a
//! second call finds it `busy`.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Float32Array, Object, Reflect};
use wasm_bindgen::prelude::*;

use super::convert::{record, thrown};
use super::options;
use crate::error::{Code, Error, Result};
use crate::run::Run;

#[wasm_bindgen]
pub struct RunCore {
    slot: Cell<Option<Run>>,
    /// Set by `interrupt`, read between the chunks of a pass.
    interrupted: Rc<Cell<bool>>,
}

type Js = std::result::Result<JsValue, JsValue>;

impl RunCore {
    pub fn new(mut run: Run) -> Self {
        let interrupted = Rc::new(Cell::new(false));
        let flag = interrupted.clone();
        run.set_interrupt(Box::new(move || {
            let flag = flag.clone();
            Box::pin(async move {
                next_task().await;
                if flag.get() { Err(Error::new(Code::Aborted, "The pass was cancelled.")) } else { Ok(()) }
            })
        }));
        RunCore { slot: Cell::new(Some(run)), interrupted }
    }

    fn take(&self) -> std::result::Result<Run, JsValue> {
        self.slot.take().ok_or_else(|| thrown(Error::new(Code::Busy, "A pass of this run is still computing.")))
    }

    /// Calls `f` with the run, if no pass is computing.
    pub(super) fn with<T>(&self, f: impl FnOnce(&mut Run) -> Result<T>) -> std::result::Result<T, JsValue> {
        let mut run = self.take()?;
        let result = f(&mut run);
        self.slot.set(Some(run));
        result.map_err(thrown)
    }

    /// Awaits `f` with the run out of its slot.
    async fn pass<T>(&self, f: impl AsyncFnOnce(&mut Run) -> Result<T>) -> std::result::Result<T, JsValue> {
        let mut run = self.take()?;
        self.interrupted.set(false);
        let result = f(&mut run).await;
        self.slot.set(Some(run));
        result.map_err(thrown)
    }
}

#[wasm_bindgen]
impl RunCore {
    #[wasm_bindgen(unchecked_return_type = "PrefillProgress")]
    pub async fn prefill_chunk(&self) -> Js {
        record(&self.pass(async |run| run.prefill_chunk().await).await?)
    }

    /// Ends the pass that is computing at its next chunk, with `aborted`. May be called meanwhile.
    pub fn interrupt(&self) {
        self.interrupted.set(true);
    }

    #[wasm_bindgen(unchecked_return_type = "Piece[]")]
    pub fn pieces(&self) -> Js {
        record(&self.with(|run| Ok(run.pieces()))?)
    }

    #[wasm_bindgen(unchecked_return_type = "Forward")]
    pub async fn forward(&self) -> Js {
        record(&self.pass(async |run| run.forward().await).await?)
    }

    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub async fn step(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SamplingOptions | undefined")] options: JsValue,
    ) -> Js {
        let options = options::sampling(&options).map_err(thrown)?;
        record(&self.pass(async |run| run.step(&options).await).await?)
    }

    #[wasm_bindgen(unchecked_return_type = "Distribution")]
    pub fn distribution(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SamplingOptions | undefined")] options: JsValue,
    ) -> Js {
        let options = options::sampling(&options).map_err(thrown)?;
        record(&self.with(|run| run.distribution(&options))?)
    }

    #[wasm_bindgen(unchecked_return_type = "Choice")]
    pub fn sample(
        &self,
        #[wasm_bindgen(unchecked_param_type = "{ coin?: number } | undefined")] options: JsValue,
    ) -> Js {
        let coin = options::number(&options, "coin").map_err(thrown)?;
        record(&self.with(|run| run.sample(coin))?)
    }

    #[wasm_bindgen(unchecked_return_type = "Stop | null")]
    pub fn stop(&self) -> Js {
        record(&self.with(Run::stop)?)
    }

    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn append(&self) -> Js {
        record(&self.with(Run::append)?)
    }

    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn force(&self, id: f64) -> Js {
        let id = whole("id", id)?;
        record(&self.with(|run| run.force(id as u32))?)
    }

    pub fn rewind(&self, position: f64) -> std::result::Result<(), JsValue> {
        let position = whole("position", position)?;
        self.with(|run| run.rewind(position))
    }

    pub fn cancel(&self) -> std::result::Result<(), JsValue> {
        self.with(|run| {
            run.cancel();
            Ok(())
        })
    }

    /// Coins thrown from now on come from this seed.
    pub fn reseed(&self, seed: f64) -> std::result::Result<(), JsValue> {
        self.with(|run| run.reseed(seed))
    }

    /// A run of its own that begins with the same tokens.
    pub fn fork(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ForkOptions | undefined")] options: JsValue,
    ) -> std::result::Result<RunCore, JsValue> {
        let options = options::fork(&options).map_err(thrown)?;
        self.with(|run| run.fork(&options)).map(RunCore::new)
    }

    #[wasm_bindgen(unchecked_return_type = "Distribution")]
    pub fn distribution_at(
        &self,
        position: f64,
        #[wasm_bindgen(unchecked_param_type = "SamplingOptions | undefined")] options: JsValue,
    ) -> Js {
        let position = whole("position", position)?;
        let options = options::sampling(&options).map_err(thrown)?;
        record(&self.with(|run| run.distribution_at(position, &options))?)
    }

    #[wasm_bindgen(unchecked_return_type = "Draws")]
    pub fn draws(
        &self,
        position: f64,
        times: f64,
        seed: Option<f64>,
        #[wasm_bindgen(unchecked_param_type = "SamplingOptions | undefined")] options: JsValue,
    ) -> Js {
        let position = whole("position", position)?;
        let options = options::sampling(&options).map_err(thrown)?;
        record(&self.with(|run| run.draws(position, times, seed, &options))?)
    }

    #[wasm_bindgen(unchecked_return_type = "Logits")]
    pub fn logits(&self, position: Option<f64>) -> Js {
        let position = position.map(|position| whole("position", position)).transpose()?;
        self.with(|run| {
            let (position, logits) = match position {
                None => run.logits()?,
                Some(position) => (position, run.logits_at(position)?),
            };
            Ok(object(&[("position", position)], &[("values", logits.values())]))
        })
    }

    #[wasm_bindgen(unchecked_return_type = "Attention")]
    pub async fn attention(&self, layer: f64) -> Js {
        let layer = whole("layer", layer)?;
        let a = self.pass(async |run| run.attention(layer).await).await?;
        Ok(object(&[("layer", a.layer), ("heads", a.heads), ("tokens", a.tokens)], &[("weights", &a.weights)]))
    }

    #[wasm_bindgen(unchecked_return_type = "Kv")]
    pub async fn kv(&self, layer: f64, from: Option<f64>, to: Option<f64>) -> Js {
        let layer = whole("layer", layer)?;
        let from = from.map(|from| whole("from", from)).transpose()?;
        let to = to.map(|to| whole("to", to)).transpose()?;
        let kv = self.pass(async |run| run.kv_of(layer, from.unwrap_or(0)..to.unwrap_or(run.cached())).await).await?;
        let sizes = [
            ("layer", kv.layer),
            ("from", kv.from),
            ("kvHeads", kv.kv_heads),
            ("headDim", kv.head_dim),
            ("tokens", kv.tokens),
        ];
        Ok(object(&sizes, &[("k", &kv.k), ("v", &kv.v)]))
    }

    #[wasm_bindgen(unchecked_return_type = "RunState")]
    pub fn state(&self) -> Js {
        record(&self.with(|run| Ok(run.state()))?)
    }
}

fn whole(name: &str, n: f64) -> std::result::Result<usize, JsValue> {
    if n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&n) {
        return Ok(n as usize);
    }
    Err(thrown(Error::config(format!("{name} is {n}; it must be a whole number of at least 0."))))
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &js_sys::Function, ms: i32);
}

/// Lets the messages in that wait.
async fn next_task() {
    let promise = js_sys::Promise::new(&mut |resolve, _| set_timeout(&resolve, 0));
    // It can't be rejected.
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}

/// A plain object of sizes and copied float arrays.
fn object(sizes: &[(&str, usize)], arrays: &[(&str, &[f32])]) -> JsValue {
    let object = Object::new();
    // Setting a property of a fresh object can't fail.
    for (key, value) in sizes {
        let _ = Reflect::set(&object, &(*key).into(), &(*value as f64).into());
    }
    for (key, values) in arrays {
        let _ = Reflect::set(&object, &(*key).into(), &Float32Array::from(*values));
    }
    object.into()
}
