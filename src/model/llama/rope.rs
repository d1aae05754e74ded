//! Rotary position embedding: each pair (x₂ᵢ, x₂ᵢ₊₁) of a head is turned by position · base^(−2i/d).
//!
//! GGUF files of this architecture store q and k with the pairs side by side (interleaved).

use burn::tensor::{Device, Tensor, TensorData};

use super::config::Config;

pub struct Rope {
    head_dim: usize,
    /// Angle of a position of 1, by pair: `[head_dim / 2]`, in f64: angles grow with positions.
    frequencies: Vec<f64>,
    device: Device,
}

/// Cosine and sine at some positions, ready to be multiplied with: `[t, 1, head_dim]` each.
pub struct Angles {
    cos: Tensor<3>,
    /// Negated at even places, where the turned pair takes −x₂ᵢ₊₁ · sin.
    sin: Tensor<3>,
}

impl Rope {
    pub fn new(config: &Config, device: &Device) -> Rope {
        let d = config.head_dim;
        let base = f64::from(config.rope_base);
        let frequencies = (0..d / 2).map(|i| base.powf(-2.0 * i as f64 / d as f64)).collect();
        Rope { head_dim: d, frequencies, device: device.clone() }
    }

    /// For `t` positions from `from` on.
    pub fn angles(&self, from: usize, t: usize) -> Angles {
        let d = self.head_dim;
        let (mut cos, mut sin) = (Vec::with_capacity(t * d), Vec::with_capacity(t * d));
        for position in from..from + t {
            for frequency in &self.frequencies {
                let (s, c) = (position as f64 * frequency).sin_cos();
                cos.extend([c as f32, c as f32]);
                sin.extend([-s as f32, s as f32]);
            }
        }
        let tensor = |values| Tensor::from_data(TensorData::new(values, [t, 1, d]), &self.device);
        Angles { cos: tensor(cos), sin: tensor(sin) }
    }
}

impl Angles {
    /// `[t, heads, head_dim]` to the same: x · cos + swapped(x) · (∓sin).
    pub fn rotate(&self, x: Tensor<3>) -> Tensor<3> {
        let [t, heads, d] = x.dims();
        let swapped = x.clone().reshape([t, heads, d / 2, 2]).flip([3]).reshape([t, heads, d]);
        x * self.cos.clone() + swapped * self.sin.clone()
    }
}
