//! What only a browser can test: the CPU's vector kernel and the GPU's against the plain product.

use burn::tensor::{DType, Device, Tensor, TensorData};
use wasm_bindgen::prelude::*;

use super::DEVICE;
use super::convert::thrown;
use crate::error::Error;
use crate::linear::{Kind, Shape, packed_linear, reference, simd128};
use crate::model::llama::read;

/// Largest differences of the packed product from the reference, for weights and inputs given:
/// `[simd128, the open device]`. Shapes as in `crate::linear::pack`; `bits` is 4 or 8.
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
    let device = DEVICE.with_borrow(|place| place.as_ref().map_or_else(Device::flex, |place| place.device.clone()));
    let t = x.len() / cols;
    let upload = |values: Vec<u32>| {
        let n = values.len();
        Tensor::from_data(TensorData::new(values, [n]), (&device, DType::U32))
    };
    let x = Tensor::from_data(TensorData::new(x, [t, cols]), &device);
    let found = read(packed_linear(x, upload(words), upload(scales), shape)).await.map_err(thrown)?;
    let largest = |found: &[f32]| {
        let differences = expected.iter().zip(found).map(|(a, b)| (a - b).abs());
        differences.fold(0.0f32, |m, d| if d.is_nan() { f32::INFINITY } else { m.max(d) })
    };
    Ok(vec![largest(&vectors), largest(&found)])
}
