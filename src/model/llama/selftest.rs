//! Does a GPU compute what the CPU computes? One layer, several tokens and then one more.
//!
//! Wrong results on a single browser's WebGPU are a known kind of fault, and they raise no error.

use burn::tensor::{Device, Tensor, TensorData};

use super::cache::Cache;
use super::config::Config;
use super::read;
use super::rope::Rope;
use super::weights::Loader;
use crate::error::Result;

/// Largest difference, relative to the largest value, that float32 in another order explains.
pub const TOLERANCE: f32 = 1e-3;

/// Largest difference between the devices' outputs of the first layer, relative to the largest value.
pub async fn difference(loader: &Loader, gpu: &Device) -> Result<f32> {
    let expected = outputs(loader, &Device::flex()).await?;
    let found = outputs(loader, gpu).await?;
    let largest = expected.iter().fold(f32::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let furthest = expected.iter().zip(&found).fold(0.0f32, |m, (a, b)| {
        let difference = (a - b).abs();
        if difference.is_nan() { f32::INFINITY } else { m.max(difference) }
    });
    Ok(furthest / largest)
}

/// The layer's outputs for three tokens in one pass and for a fourth behind them.
async fn outputs(loader: &Loader, device: &Device) -> Result<Vec<f32>> {
    let config = Config { layers: 1, ..loader.config };
    let block = loader.block_copy(0, device)?;
    let rope = Rope::new(&config, device);
    let mut cache = Cache::new(&config, 4, device);
    let mut all = Vec::new();
    for (t, seed) in [(3, 1), (1, 2)] {
        let values = noise(t * config.d, seed);
        let x = Tensor::from_data(TensorData::new(values, [t, config.d]), device);
        let pass = cache.begin(t, &rope)?;
        all.extend(read(block.forward(x, 0, &mut cache, &pass)).await?);
        cache.commit(t);
    }
    Ok(all)
}

/// Numbers in [−1, 1), the same each time (a linear congruential generator).
fn noise(n: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1u32 << 23) as f32 - 1.0
    };
    (0..n).map(|_| next()).collect()
}
