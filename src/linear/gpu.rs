//! The packed product on the GPU: one workgroup a row and token, threads stride over the words.
//!
//! No subgroups and no f16 type: neither is there on every browser. At most four storage buffers.

use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::tensor::DType;
use burn_cubecl::{CubeBackend, kernel::into_contiguous, tensor::CubeTensor};
use cubecl::prelude::*;

use super::ops::{PackedOps, Shape};
use super::pack::Kind;
use crate::gguf::BLOCK;

/// Threads in a workgroup. Rows of SmolLM2 have 72 to 192 words (Q4) or 144 (Q8).
const THREADS: u32 = 64;
/// Most workgroups in one dimension that WebGPU guarantees.
const MAX_WORKGROUPS: usize = 65535;

/// f16 bits to f32, subnormals included: a GPU may flush them, so they are made by a product.
#[cube]
fn f16_bits(bits: u32) -> f32 {
    let exponent = (bits >> 10) & 31;
    let mantissa = bits & 1023;
    let mut value = f32::cast_from(mantissa) * f32::new(5.960_464_5e-8); // 2^-24
    if exponent != 0 {
        value = f32::reinterpret(((exponent + 112) << 23) | (mantissa << 13));
    }
    if (bits & 0x8000) != 0 {
        value = -value;
    }
    value
}

#[cube(launch_unchecked)]
fn kernel(
    x: &[f32],
    words: &[u32],
    scales: &[u32],
    out: &mut [f32],
    first_row: u32,
    #[comptime] rows: u32,
    #[comptime] cols: u32,
    #[comptime] four_bits: bool,
) {
    let mut partial = Shared::<[f32]>::new_slice(THREADS as usize);
    let row = first_row + CUBE_POS_X;
    let token = CUBE_POS_Y;
    let words_per_block = comptime!(if four_bits { 4u32 } else { 8u32 });
    let words_per_row = comptime!(cols / 32 * words_per_block);
    let mut sum = f32::new(0.0);
    let mut w = UNIT_POS_X;
    while w < words_per_row {
        let block = w / words_per_block;
        let i = w % words_per_block;
        let word = words[(row * words_per_row + w) as usize];
        let scale = scales[(row * comptime!(cols / 32) + block) as usize];
        let base = token * cols + block * 32 + i * 4;
        let mut qx = f32::new(0.0);
        let mut sx = f32::new(0.0);
        #[unroll]
        for j in 0..4u32 {
            let byte = (word >> (8 * j)) & 0xff;
            let low = x[(base + j) as usize];
            if comptime!(four_bits) {
                let high = x[(base + j + 16) as usize];
                qx += f32::cast_from(byte & 15) * low + f32::cast_from(byte >> 4) * high;
                sx += low + high;
            } else {
                // Two's complement: 128 and up stand for negative numbers.
                let signed = f32::cast_from(byte) - f32::cast_from(byte >> 7) * f32::new(256.0);
                qx += signed * low;
            }
        }
        sum += f16_bits(scale & 0xffff) * qx + f16_bits(scale >> 16) * sx;
        w += THREADS;
    }
    partial[UNIT_POS_X as usize] = sum;
    sync_cube();
    // Not THREADS / 2: what is known at compile time can't change at run time.
    let mut half = CUBE_DIM_X / 2;
    while half > 0 {
        if UNIT_POS_X < half {
            let other = partial[(UNIT_POS_X + half) as usize];
            partial[UNIT_POS_X as usize] += other;
        }
        sync_cube();
        half /= 2;
    }
    if UNIT_POS_X == 0 {
        out[(token * rows + row) as usize] = partial[0];
    }
}

impl PackedOps for CubeBackend {
    fn packed_linear(
        x: FloatTensor<Self>,
        words: IntTensor<Self>,
        scales: IntTensor<Self>,
        shape: Shape,
    ) -> FloatTensor<Self> {
        let x = into_contiguous(x);
        let Shape { kind, rows, cols } = shape;
        debug_assert_eq!(cols % BLOCK, 0);
        let t = x.meta.shape()[0];
        let client = x.client.clone();
        let buffer = client.empty(t * rows * 4);
        let out = CubeTensor::new_contiguous(client.clone(), x.device.clone(), [t, rows].into(), buffer, DType::F32);
        for first in (0..rows).step_by(MAX_WORKGROUPS) {
            let n = (rows - first).min(MAX_WORKGROUPS) as u32;
            // SAFETY: workgroup positions stay below `n` and `t`, so every index is within its buffer.
            unsafe {
                kernel::launch_unchecked(
                    &client,
                    CubeCount::Static(n, t as u32, 1),
                    CubeDim::new_1d(THREADS),
                    x.clone().into_buffer_arg(),
                    words.clone().into_buffer_arg(),
                    scales.clone().into_buffer_arg(),
                    out.clone().into_buffer_arg(),
                    first as u32,
                    rows as u32,
                    cols as u32,
                    kind == Kind::Q4,
                );
            }
        }
        out
    }
}
