//! The model's one custom operation: a linear layer whose weights stay quantised in memory.
//!
//! `pack` turns GGUF blocks into planar words that both devices read. `ops` is burn's backend
//! extension with three implementations of the same product: `reference` (plain Rust, also the
//! native path), `simd128` (CPU in the browser) and `gpu` (WebGPU).

#[cfg(target_arch = "wasm32")]
mod gpu;
mod ops;
pub mod pack;
pub mod reference;
#[cfg(target_arch = "wasm32")]
pub mod simd128;

use burn::tensor::{DType, Device, Int, Tensor, TensorData};

pub use ops::{Shape, packed_linear};
pub use pack::{Kind, Matrix, Packed};

/// `y = x · Wᵀ`, with W `[rows, cols]`.
#[derive(Debug)]
pub struct Linear {
    /// Usually one; more if matrices of different types stand side by side.
    parts: Vec<Part>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a few hundred exist, and each is used at every token")]
enum Part {
    Packed {
        words: Tensor<1, Int>,
        scales: Tensor<1, Int>,
        shape: Shape,
    },
    /// `[cols, rows]`
    Dense(Tensor<2>),
}

impl Linear {
    /// Puts matrices on the device, stacked by rows: one product gives all their outputs.
    /// Neighbours of the same type become one.
    pub fn stack(matrices: Vec<Matrix>, device: &Device) -> Linear {
        let mut stacked: Vec<Matrix> = Vec::new();
        for matrix in matrices {
            let rest = match stacked.last_mut() {
                Some(last) => last.append(matrix),
                None => Some(matrix),
            };
            stacked.extend(rest);
        }
        Linear { parts: stacked.into_iter().map(|matrix| Part::upload(matrix, device)).collect() }
    }

    /// `x`: `[t, cols]`; gives `[t, rows]`.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let mut outputs: Vec<Tensor<2>> = self.parts.iter().map(|part| part.forward(x.clone())).collect();
        match outputs.len() {
            1 => outputs.remove(0),
            _ => Tensor::cat(outputs, 1),
        }
    }
}

impl Part {
    fn upload(matrix: Matrix, device: &Device) -> Part {
        match matrix {
            Matrix::Packed(Packed { kind, rows, cols, words, scales }) => Part::Packed {
                words: upload(words, device),
                scales: upload(scales, device),
                shape: Shape { kind, rows, cols },
            },
            Matrix::Dense { rows, cols, values } => {
                let weights = Tensor::<2>::from_data(TensorData::new(values, [rows, cols]), device);
                Part::Dense(weights.transpose())
            }
        }
    }

    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        match self {
            Part::Packed { words, scales, shape } => packed_linear(x, words.clone(), scales.clone(), *shape),
            Part::Dense(weights) => x.matmul(weights.clone()),
        }
    }
}

fn upload(words: Vec<u32>, device: &Device) -> Tensor<1, Int> {
    let n = words.len();
    Tensor::from_data(TensorData::new(words, [n]), (device, DType::U32))
}
