//! The packed product with wasm's 128-bit vectors; activations stay f32.
//!
//! Per block: Σ (d·q + m)·x = d·Σ q·x + m·Σ x. The sums of x don't depend on the row, so they are
//! made once. Rows share a tile of up to four tokens, so that each weight is unpacked once for them.

use std::arch::wasm32::*;

use super::ops::Shape;
use super::pack::Kind;
use crate::gguf::BLOCK;

/// Vectors of four values in a block.
const LANES: usize = BLOCK / 4;

/// `x`: `[t][cols]`, gives `[t][rows]`.
pub fn multiply(x: &[f32], words: &[u32], scales: &[u32], shape: Shape) -> Vec<f32> {
    let Shape { kind, rows, cols } = shape;
    let t = x.len() / cols;
    let mut out = vec![0.0; t * rows];
    let mut from = 0;
    while from < t {
        let x = &x[from * cols..];
        let out = &mut out[from * rows..];
        let tile = (t - from).min(4);
        match (kind, tile) {
            (Kind::Q4, 4) => tile_product::<4, Q4>(x, words, scales, rows, cols, out),
            (Kind::Q4, 3) => tile_product::<3, Q4>(x, words, scales, rows, cols, out),
            (Kind::Q4, 2) => tile_product::<2, Q4>(x, words, scales, rows, cols, out),
            (Kind::Q4, _) => tile_product::<1, Q4>(x, words, scales, rows, cols, out),
            (Kind::Q8, 4) => tile_product::<4, Q8>(x, words, scales, rows, cols, out),
            (Kind::Q8, 3) => tile_product::<3, Q8>(x, words, scales, rows, cols, out),
            (Kind::Q8, 2) => tile_product::<2, Q8>(x, words, scales, rows, cols, out),
            (Kind::Q8, _) => tile_product::<1, Q8>(x, words, scales, rows, cols, out),
        }
        from += tile;
    }
    out
}

/// How the 32 values of a block are unpacked to f32, without scale.
trait Unpack {
    const KIND: Kind;
    /// `words` points at a whole block.
    unsafe fn unpack(words: *const u32) -> [v128; LANES];
}

struct Q4;
struct Q8;

/// Sixteen bytes below 128 as four vectors of f32. The signed conversion is one instruction on x86,
/// the unsigned one is several.
#[inline(always)]
fn widen_u8(bytes: v128) -> [v128; 4] {
    let (low, high) = (u16x8_extend_low_u8x16(bytes), u16x8_extend_high_u8x16(bytes));
    [
        f32x4_convert_i32x4(u32x4_extend_low_u16x8(low)),
        f32x4_convert_i32x4(u32x4_extend_high_u16x8(low)),
        f32x4_convert_i32x4(u32x4_extend_low_u16x8(high)),
        f32x4_convert_i32x4(u32x4_extend_high_u16x8(high)),
    ]
}

#[inline(always)]
fn widen_i8(bytes: v128) -> [v128; 4] {
    let (low, high) = (i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes));
    [
        f32x4_convert_i32x4(i32x4_extend_low_i16x8(low)),
        f32x4_convert_i32x4(i32x4_extend_high_i16x8(low)),
        f32x4_convert_i32x4(i32x4_extend_low_i16x8(high)),
        f32x4_convert_i32x4(i32x4_extend_high_i16x8(high)),
    ]
}

impl Unpack for Q4 {
    const KIND: Kind = Kind::Q4;

    #[inline(always)]
    unsafe fn unpack(words: *const u32) -> [v128; LANES] {
        // SAFETY: the caller gives a whole block, 16 bytes.
        let nibbles = unsafe { v128_load(words.cast()) };
        let [a, b, c, d] = widen_u8(v128_and(nibbles, u8x16_splat(15)));
        let [e, f, g, h] = widen_u8(u8x16_shr(nibbles, 4));
        [a, b, c, d, e, f, g, h]
    }
}

impl Unpack for Q8 {
    const KIND: Kind = Kind::Q8;

    #[inline(always)]
    unsafe fn unpack(words: *const u32) -> [v128; LANES] {
        // SAFETY: the caller gives a whole block, 32 bytes.
        let (first, second) = unsafe { (v128_load(words.cast()), v128_load(words.add(4).cast())) };
        let [a, b, c, d] = widen_i8(first);
        let [e, f, g, h] = widen_i8(second);
        [a, b, c, d, e, f, g, h]
    }
}

/// All rows for `T` tokens.
fn tile_product<const T: usize, U: Unpack>(
    x: &[f32],
    words: &[u32],
    scales: &[u32],
    rows: usize,
    cols: usize,
    out: &mut [f32],
) {
    let (blocks, n) = (cols / BLOCK, U::KIND.words());
    // The pointers below stay within these.
    assert!(x.len() >= T * cols && out.len() >= T * rows);
    assert!(words.len() >= rows * blocks * n && scales.len() >= rows * blocks);
    let sums = block_sums(&x[..T * cols]);
    let mut d = vec![0.0f32; blocks];
    let mut m = vec![0.0f32; blocks];
    for row in 0..rows {
        let scales = &scales[row * blocks..][..blocks];
        for ((d, m), scale) in d.iter_mut().zip(&mut m).zip(scales) {
            *d = half_to_f32(scale & 0xffff);
            *m = half_to_f32(scale >> 16);
        }
        let mut total = [f32x4_splat(0.0); T];
        for (b, d) in d.iter().enumerate() {
            // SAFETY: block b of this row is within `words`, and block b of token i within `x`.
            unsafe {
                let q = U::unpack(words.as_ptr().add((row * blocks + b) * n));
                for (i, total) in total.iter_mut().enumerate() {
                    let x = x.as_ptr().add(i * cols + b * BLOCK);
                    let mut even = f32x4_mul(q[0], v128_load(x.cast()));
                    let mut odd = f32x4_mul(q[1], v128_load(x.add(4).cast()));
                    for lane in (2..LANES).step_by(2) {
                        even = f32x4_add(even, f32x4_mul(q[lane], v128_load(x.add(4 * lane).cast())));
                        odd = f32x4_add(odd, f32x4_mul(q[lane + 1], v128_load(x.add(4 * lane + 4).cast())));
                    }
                    *total = f32x4_add(*total, f32x4_mul(f32x4_splat(*d), f32x4_add(even, odd)));
                }
            }
        }
        for (i, total) in total.iter().enumerate() {
            let mut sum = horizontal_sum(*total);
            if U::KIND == Kind::Q4 {
                sum += dot(&m, &sums[i * blocks..][..blocks]);
            }
            out[i * rows + row] = sum;
        }
    }
}

/// Σ x of every block: `[t][cols / 32]`.
fn block_sums(x: &[f32]) -> Vec<f32> {
    x.as_chunks::<BLOCK>().0.iter().map(|block| block.iter().sum()).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 4];
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

fn horizontal_sum(v: v128) -> f32 {
    (f32x4_extract_lane::<0>(v) + f32x4_extract_lane::<2>(v))
        + (f32x4_extract_lane::<1>(v) + f32x4_extract_lane::<3>(v))
}

/// f16 bits to f32 without a branch, so that the compiler makes vectors of it. Exact for all finite
/// values, subnormals too; the loader refuses the others.
#[inline(always)]
fn half_to_f32(bits: u32) -> f32 {
    const TWO_TO_112: f32 = f32::from_bits((112 + 127) << 23);
    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * TWO_TO_112;
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}
