//! burn's backend extension: how the packed product finds its kernel.

use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::backend::{Backend, Dispatch, Flex, backend_extension};
use burn::tensor::{Int, Tensor, TensorData};

use super::pack::Kind;

/// Type and shape of a packed matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub kind: Kind,
    pub rows: usize,
    pub cols: usize,
}

#[cfg_attr(target_arch = "wasm32", backend_extension(Cube, Flex))]
#[cfg_attr(not(target_arch = "wasm32"), backend_extension(Flex))]
pub trait PackedOps: Backend {
    /// `x`: `[t, cols]` f32; `words`, `scales`: u32 as in `pack`; gives `[t, rows]` f32.
    fn packed_linear(
        x: FloatTensor<Self>,
        words: IntTensor<Self>,
        scales: IntTensor<Self>,
        shape: Shape,
    ) -> FloatTensor<Self>;
}

/// `x`: `[t, cols]`; gives `[t, rows]`.
pub fn packed_linear(x: Tensor<2>, words: Tensor<1, Int>, scales: Tensor<1, Int>, shape: Shape) -> Tensor<2> {
    let (x, words, scales) = (x.into_dispatch(), words.into_dispatch(), scales.into_dispatch());
    Tensor::from_dispatch(<Dispatch as PackedOps>::packed_linear(x, words, scales, shape))
}

impl PackedOps for Flex {
    fn packed_linear(
        x: FloatTensor<Self>,
        words: IntTensor<Self>,
        scales: IntTensor<Self>,
        shape: Shape,
    ) -> FloatTensor<Self> {
        #[cfg(not(target_arch = "wasm32"))]
        use super::reference::multiply;
        #[cfg(target_arch = "wasm32")]
        use super::simd128::multiply;

        let x = x.to_contiguous();
        let x: &[f32] = x.as_slice().unwrap_or(&[]);
        let t = x.len() / shape.cols;
        let out = multiply(x, words.storage(), scales.storage(), shape);
        FloatTensor::<Self>::from_data(TensorData::new(out, [t, shape.rows]))
    }
}
