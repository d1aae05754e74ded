//! GGUF blocks as planar words: every load aligned, the same words on the CPU and the GPU.
//!
//! A block holds 32 neighbouring values of a row. Its scale word is `d | m << 16`, two f16:
//!
//! | kind | value | words a block | from |
//! |---|---|---|---|
//! | Q4 | d·q + m, q in 0..=15 | 4; byte j holds value j (low) and j + 16 (high), as in GGUF | Q4_1; Q4_0 with m = −8·d |
//! | Q8 | d·q, q in −128..=127 | 8; byte j holds value j | Q8_0; m is 0 |

use half::f16;

use crate::error::{Error, Result};
use crate::gguf::{BLOCK, TensorInfo, TensorType};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Q4,
    Q8,
}

impl Kind {
    /// u32 words in a block of 32 values.
    pub fn words(self) -> usize {
        match self {
            Kind::Q4 => 4,
            Kind::Q8 => 8,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    pub kind: Kind,
    pub rows: usize,
    pub cols: usize,
    /// `[rows][cols / 32][kind.words()]`
    pub words: Vec<u32>,
    /// `[rows][cols / 32]`
    pub scales: Vec<u32>,
}

/// A weight matrix out of a file: packed, or f32 if it was stored as F32 or F16.
#[derive(Debug, Clone, PartialEq)]
pub enum Matrix {
    Packed(Packed),
    Dense {
        rows: usize,
        cols: usize,
        /// `[rows][cols]`
        values: Vec<f32>,
    },
}

impl Matrix {
    /// `bytes`: the tensor's bytes in the file. `bad-weights` for a wrong length or a scale that
    /// isn't finite.
    pub fn read(info: &TensorInfo, bytes: &[u8]) -> Result<Matrix> {
        if bytes.len() as u64 != info.bytes {
            return Err(Error::weights(format!(
                "The tensor {} has {} bytes in place of {}.",
                info.name,
                bytes.len(),
                info.bytes
            )));
        }
        let (rows, cols) = (info.rows, info.cols);
        let needed = rows.saturating_mul(cols).saturating_mul(info.kind.bits_in_memory()) / 8;
        Vec::<u8>::new().try_reserve_exact(needed).map_err(|_| Error::out_of_memory(needed, "the weights"))?;
        let dense = |values: Vec<f32>| match values.iter().all(|x| x.is_finite()) {
            true => Ok(Matrix::Dense { rows, cols, values }),
            false => Err(damaged(info)),
        };
        match info.kind {
            TensorType::F32 => dense(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()),
            TensorType::F16 => {
                dense(bytes.as_chunks::<2>().0.iter().map(|b| f16::from_le_bytes(*b).to_f32()).collect())
            }
            TensorType::Q4_0 => packed(info, Kind::Q4, bytes, |b| {
                let d = half_at(b, 0);
                // Exact: a multiple of eight only changes the exponent.
                (d, f16::from_f32(-8.0 * d.to_f32()), 2)
            }),
            TensorType::Q4_1 => packed(info, Kind::Q4, bytes, |b| (half_at(b, 0), half_at(b, 2), 4)),
            TensorType::Q8_0 => packed(info, Kind::Q8, bytes, |b| (half_at(b, 0), f16::ZERO, 2)),
        }
    }

    pub fn rows(&self) -> usize {
        match self {
            Matrix::Packed(packed) => packed.rows,
            Matrix::Dense { rows, .. } => *rows,
        }
    }

    pub fn cols(&self) -> usize {
        match self {
            Matrix::Packed(packed) => packed.cols,
            Matrix::Dense { cols, .. } => *cols,
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        match self {
            Matrix::Packed(packed) => 4 * (packed.words.len() + packed.scales.len()) as u64,
            Matrix::Dense { values, .. } => 4 * values.len() as u64,
        }
    }

    /// Bytes of the larger of its buffers.
    pub fn largest_buffer(&self) -> u64 {
        match self {
            Matrix::Packed(packed) => 4 * packed.words.len().max(packed.scales.len()) as u64,
            Matrix::Dense { values, .. } => 4 * values.len() as u64,
        }
    }

    /// Row `row` as f32, behind `out`.
    pub fn push_row(&self, row: usize, out: &mut Vec<f32>) {
        match self {
            Matrix::Packed(packed) => packed.push_row(row, out),
            Matrix::Dense { cols, values, .. } => out.extend_from_slice(&values[row * cols..][..*cols]),
        }
    }

    /// Puts `other`'s rows behind these; gives it back if it is of another kind or width.
    pub fn append(&mut self, other: Matrix) -> Option<Matrix> {
        match (self, other) {
            (Matrix::Packed(a), Matrix::Packed(b)) if a.kind == b.kind && a.cols == b.cols => {
                a.rows += b.rows;
                a.words.extend_from_slice(&b.words);
                a.scales.extend_from_slice(&b.scales);
                None
            }
            (
                Matrix::Dense { rows, cols, values },
                Matrix::Dense { rows: more, cols: other_cols, values: other_values },
            ) if *cols == other_cols => {
                *rows += more;
                values.extend_from_slice(&other_values);
                None
            }
            (_, other) => Some(other),
        }
    }
}

impl Packed {
    fn push_row(&self, row: usize, out: &mut Vec<f32>) {
        let (blocks, n) = (self.cols / BLOCK, self.kind.words());
        for block in row * blocks..(row + 1) * blocks {
            out.extend_from_slice(&block_values(self.kind, &self.words[block * n..][..n], self.scales[block]));
        }
    }
}

/// The 32 values of a block, by the formula of its kind.
pub fn block_values(kind: Kind, words: &[u32], scale: u32) -> [f32; BLOCK] {
    let d = f16::from_bits(scale as u16).to_f32();
    let m = f16::from_bits((scale >> 16) as u16).to_f32();
    let mut values = [0.0; BLOCK];
    for (i, byte) in words.iter().flat_map(|word| word.to_le_bytes()).enumerate() {
        match kind {
            Kind::Q4 => {
                values[i] = d * f32::from(byte & 15) + m;
                values[i + BLOCK / 2] = d * f32::from(byte >> 4) + m;
            }
            Kind::Q8 => values[i] = d * f32::from(byte as i8),
        }
    }
    values
}

/// `scales`: d, m and the number of bytes in front of the quantised values of a block.
fn packed(info: &TensorInfo, kind: Kind, bytes: &[u8], scales: impl Fn(&[u8]) -> (f16, f16, usize)) -> Result<Matrix> {
    let (_, block_bytes) = info.kind.block();
    let blocks = info.rows * info.cols / BLOCK;
    let mut packed = Packed {
        kind,
        rows: info.rows,
        cols: info.cols,
        words: Vec::with_capacity(blocks * kind.words()),
        scales: Vec::with_capacity(blocks),
    };
    for block in bytes.chunks_exact(block_bytes) {
        let (d, m, skip) = scales(block);
        if !d.is_finite() || !m.is_finite() {
            return Err(damaged(info));
        }
        packed.scales.push(u32::from(d.to_bits()) | u32::from(m.to_bits()) << 16);
        packed.words.extend(block[skip..].as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)));
    }
    Ok(Matrix::Packed(packed))
}

fn half_at(block: &[u8], at: usize) -> f16 {
    f16::from_le_bytes([block[at], block[at + 1]])
}

fn damaged(info: &TensorInfo) -> Error {
    Error::weights(format!("The file is damaged: the tensor {} holds a weight that is not a finite number.", info.name))
        .with_hint("Fetch the file again.")
}
