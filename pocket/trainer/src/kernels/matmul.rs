//! Products of matrices. On a CPU with AVX-512 by the loop below, which measured three to four times
//! as fast as the library on the long, narrow matrices of a small network; elsewhere by the library.

use gemm::Parallelism;
use rayon::prelude::*;

/// A matrix in memory, read as `rows × cols`; element (i, j) is at i·down + j·right.
#[derive(Clone, Copy)]
pub struct View<'a> {
    values: &'a [f32],
    rows: usize,
    cols: usize,
    down: usize,
    right: usize,
}

impl<'a> View<'a> {
    /// Rows one after the other.
    pub fn new(values: &'a [f32], rows: usize, cols: usize) -> View<'a> {
        assert_eq!(values.len(), rows * cols, "a matrix of {rows} × {cols}");
        View { values, rows, cols, down: cols, right: 1 }
    }

    pub fn rows(self) -> usize {
        self.rows
    }

    pub fn cols(self) -> usize {
        self.cols
    }

    pub fn transpose(self) -> View<'a> {
        View { rows: self.cols, cols: self.rows, down: self.right, right: self.down, ..self }
    }
}

/// a · b, rows one after the other.
pub fn multiply(a: View, b: View) -> Vec<f32> {
    assert_eq!(a.cols, b.rows, "sizes of a product");
    // A long first matrix read down its columns jumps through memory; as the second one it's packed.
    if a.right > 1 && a.rows > b.cols {
        let turned = multiply(b.transpose(), a.transpose());
        let turned = View::new(&turned, b.cols, a.rows).transpose();
        return (0..a.rows).flat_map(|i| (0..b.cols).map(move |j| turned.values[i + j * turned.right])).collect();
    }
    let mut out = vec![0.0; a.rows * b.cols];
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        wide::multiply(a, b, &mut out);
        return out;
    }
    library(a, b, 1.0, false, &mut out, Parallelism::Rayon(0));
    out
}

/// out = scale · a · b, added to what is there if `add`; by the library.
pub fn library(a: View, b: View, scale: f32, add: bool, out: &mut [f32], threads: Parallelism) {
    let (m, k, n) = (a.rows, a.cols, b.cols);
    assert!(k == b.rows && out.len() == m * n, "sizes of a product");
    let [row, a_right, a_down, b_right, b_down] = [n, a.right, a.down, b.right, b.down].map(|n| n as isize);
    let (a, b, before) = (a.values.as_ptr(), b.values.as_ptr(), if add { 1.0 } else { 0.0 });
    // SAFETY: views hold rows · cols elements at their strides, `out` m · n.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            row,
            add,
            a,
            a_right,
            a_down,
            b,
            b_right,
            b_down,
            before,
            scale,
            false,
            false,
            false,
            threads,
        );
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{
        __m512, __mmask16, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_mask_storeu_ps, _mm512_maskz_loadu_ps,
        _mm512_set1_ps, _mm512_setzero_ps,
    };

    use super::*;

    /// Columns of a panel: four registers.
    const COLS: usize = 64;
    /// Rows of a tile: 6 · 4 sums stay in registers.
    const ROWS: usize = 6;
    /// Depth of a panel: 256 · 64 floats fit into the second cache.
    const DEPTH: usize = 256;
    /// Rows that a task takes.
    const CHUNK: usize = 2048;

    /// Where tasks write; each writes its own rows and columns.
    struct Out(*mut f32);
    unsafe impl Sync for Out {}

    pub fn multiply(a: View, b: View, out: &mut [f32]) {
        let out = Out(out.as_mut_ptr());
        let (panels, chunks) = (b.cols.div_ceil(COLS), a.rows.div_ceil(CHUNK));
        (0..panels * chunks).into_par_iter().for_each(|task| {
            let (col, row) = (task % panels * COLS, task / panels * CHUNK);
            let out = &out;
            // SAFETY: the caller saw avx512f; the tasks' rows and columns lie inside and don't overlap.
            unsafe { panel(a, b, row..(row + CHUNK).min(a.rows), col, out.0) }
        });
    }

    #[target_feature(enable = "avx512f")]
    unsafe fn panel(a: View, b: View, rows: std::ops::Range<usize>, col: usize, out: *mut f32) {
        let width = COLS.min(b.cols - col);
        let mask = |i: usize| -> __mmask16 { ((1u32 << width.saturating_sub(16 * i).min(16)) - 1) as u16 };
        let masks = [mask(0), mask(1), mask(2), mask(3)];
        let mut packed = [0.0f32; DEPTH * COLS];
        for start in (0..a.cols).step_by(DEPTH) {
            let depth = DEPTH.min(a.cols - start);
            for (p, packed) in packed.chunks_exact_mut(COLS).take(depth).enumerate() {
                let from = (start + p) * b.down + col * b.right;
                if b.right == 1 {
                    packed[..width].copy_from_slice(&b.values[from..][..width]);
                } else {
                    for (j, packed) in packed.iter_mut().take(width).enumerate() {
                        *packed = b.values[from + j * b.right];
                    }
                }
            }
            let mut row = rows.start;
            while row < rows.end {
                // SAFETY: the view holds these elements; `out` holds a.rows · b.cols.
                unsafe {
                    let from = a.values.as_ptr().add(row * a.down + start * a.right);
                    let to = out.add(row * b.cols + col);
                    if rows.end - row >= ROWS {
                        tile::<ROWS>(from, a.down, a.right, &packed, depth, to, b.cols, masks, start > 0);
                        row += ROWS;
                    } else {
                        tile::<1>(from, a.down, a.right, &packed, depth, to, b.cols, masks, start > 0);
                        row += 1;
                    }
                }
            }
        }
    }

    // Indices over registers, which the compiler unrolls.
    #[inline]
    #[target_feature(enable = "avx512f")]
    #[allow(clippy::too_many_arguments, clippy::needless_range_loop)]
    unsafe fn tile<const N: usize>(
        a: *const f32,
        down: usize,
        right: usize,
        packed: &[f32; DEPTH * COLS],
        depth: usize,
        out: *mut f32,
        stride: usize,
        masks: [__mmask16; 4],
        add: bool,
    ) {
        let mut sums: [[__m512; 4]; N] = [[_mm512_setzero_ps(); 4]; N];
        // SAFETY: as for `panel`.
        unsafe {
            if add {
                for i in 0..N {
                    for j in 0..4 {
                        sums[i][j] = _mm512_maskz_loadu_ps(masks[j], out.wrapping_add(i * stride + 16 * j));
                    }
                }
            }
            let mut b = packed.as_ptr();
            let mut a = a;
            for _ in 0..depth {
                let row = [
                    _mm512_loadu_ps(b),
                    _mm512_loadu_ps(b.add(16)),
                    _mm512_loadu_ps(b.add(32)),
                    _mm512_loadu_ps(b.add(48)),
                ];
                for i in 0..N {
                    let x = _mm512_set1_ps(*a.add(i * down));
                    for j in 0..4 {
                        sums[i][j] = _mm512_fmadd_ps(x, row[j], sums[i][j]);
                    }
                }
                b = b.add(COLS);
                // Past the matrix after the last turn, where nothing is read any more.
                a = a.wrapping_add(right);
            }
            for i in 0..N {
                for j in 0..4 {
                    _mm512_mask_storeu_ps(out.wrapping_add(i * stride + 16 * j), masks[j], sums[i][j]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn products_are_right() {
        let mut random = Random::new(1);
        let mut matrix = |n: usize| (0..n).map(|_| random.normal()).collect::<Vec<f32>>();
        for (m, k, n) in [(1, 1, 1), (7, 3, 5), (8, 300, 48), (50, 520, 49), (2100, 33, 100)] {
            let (a, b) = (matrix(m * k), matrix(k * n));
            for (a_turned, b_turned) in [(false, false), (true, false), (false, true), (true, true)] {
                let a = if a_turned { View::new(&a, k, m).transpose() } else { View::new(&a, m, k) };
                let b = if b_turned { View::new(&b, n, k).transpose() } else { View::new(&b, k, n) };
                let got = multiply(a, b);
                for (i, got) in got.iter().enumerate() {
                    let term = |p: usize| {
                        let x = a.values[i / n * a.down + p * a.right];
                        f64::from(x) * f64::from(b.values[p * b.down + i % n * b.right])
                    };
                    let want: f64 = (0..k).map(term).sum();
                    assert!((f64::from(*got) - want).abs() < 1e-4, "{m} × {k} × {n} at {i}: {got} against {want}");
                }
            }
        }
    }
}
