//! What only a browser can test: the CPU's vector kernel and the GPU's against the plain product.

use burn::tensor::{DType, Device, Tensor, TensorData};
use wasm_bindgen::prelude::*;

use super::DEVICE;
use super::convert::thrown;
use crate::error::Error;
use crate::linear::{Kind, Shape, packed_linear, reference, simd128};
use crate::model::llama::read;

/// Largest differences of the packed product from the reference, for weights and inputs given:
/// `[simd128, the open device]`, each as a part of Σ (|d·q| + |m|)·|x|, which is what rounding errors
/// grow with. Shapes as in `crate::linear::pack`; `bits` is 4 or 8.
#[wasm_bindgen]
pub async fn check_packed(
    bits: u32,
    rows: usize,
    cols: usize,
    x: Vec<f32>,
    words: Vec<u32>,
    scales: Vec<u32>,
) -> Result<Vec<f32>, JsValue> {
    let kind = if bits == 4 { Kind::Q4 } else { Kind::Q8 };
    let blocks = rows * cols / 32;
    if !cols.is_multiple_of(32)
        || !x.len().is_multiple_of(cols)
        || words.len() != blocks * kind.words()
        || scales.len() != blocks
    {
        return Err(thrown(Error::config("The lengths don't fit the shape.")));
    }
    let shape = Shape { kind, rows, cols };
    let expected = reference::multiply(&x, &words, &scales, shape);
    let vectors = simd128::multiply(&x, &words, &scales, shape);
    let sizes = sizes(&x, &words, &scales, shape);
    let device = DEVICE.with_borrow(|place| place.as_ref().map_or_else(Device::flex, |place| place.device.clone()));
    let t = x.len() / cols;
    let upload = |values: Vec<u32>| {
        let n = values.len();
        Tensor::from_data(TensorData::new(values, [n]), (&device, DType::U32))
    };
    let x = Tensor::from_data(TensorData::new(x, [t, cols]), &device);
    let found = read(packed_linear(x, upload(words), upload(scales), shape)).await.map_err(thrown)?;
    let largest = |found: &[f32]| {
        if found.len() != expected.len() {
            return f32::INFINITY;
        }
        let differences = expected.iter().zip(found).map(|(a, b)| (a - b).abs());
        let parts = differences.zip(&sizes).map(|(d, size)| if d == 0.0 { 0.0 } else { d / size });
        parts.fold(0.0f32, |m, d| if d.is_nan() { f32::INFINITY } else { m.max(d) })
    };
    Ok(vec![largest(&vectors), largest(&found)])
}

/// The product with all signs taken away.
fn sizes(x: &[f32], words: &[u32], scales: &[u32], shape: Shape) -> Vec<f32> {
    let x: Vec<f32> = x.iter().map(|x| x.abs()).collect();
    let scales: Vec<u32> = scales.iter().map(|scale| scale & 0x7fff_7fff).collect();
    let unsigned = |word: &u32| u32::from_le_bytes(word.to_le_bytes().map(|b| (b as i8).unsigned_abs().min(127)));
    let words: Vec<u32> = match shape.kind {
        Kind::Q4 => words.to_vec(),
        Kind::Q8 => words.iter().map(unsigned).collect(),
    };
    reference::multiply(&x, &words, &scales, shape)
}
