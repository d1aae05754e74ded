//! The list of tensors: names, shapes, types and where their bytes are.

use std::collections::HashSet;

use super::cursor::{Cursor, Need};
use crate::error::{Error, Result};

/// Values in a quantised block.
pub const BLOCK: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TensorType {
    F32,
    F16,
    Q4_0,
    Q4_1,
    Q8_0,
}

/// Names of the types by number, to say which one isn't supported.
const NAMES: [&str; 31] = [
    "F32", "F16", "Q4_0", "Q4_1", "Q4_2", "Q4_3", "Q5_0", "Q5_1", "Q8_0", "Q8_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K",
    "Q6_K", "Q8_K", "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS", "I8", "I16", "I32",
    "I64", "F64", "IQ1_M", "BF16",
];

impl TensorType {
    fn from_id(id: u32, tensor: &str) -> Result<Self> {
        Ok(match id {
            0 => TensorType::F32,
            1 => TensorType::F16,
            2 => TensorType::Q4_0,
            3 => TensorType::Q4_1,
            8 => TensorType::Q8_0,
            _ => {
                let name = NAMES.get(id as usize).map_or_else(|| format!("type {id}"), |name| name.to_string());
                return Err(Error::weights(format!(
                    "The tensor {tensor} is stored as {name}, which isn't supported (F32, F16, Q8_0, Q4_0 and Q4_1 are)."
                )));
            }
        })
    }

    /// Values and bytes of a block.
    pub fn block(self) -> (usize, usize) {
        match self {
            TensorType::F32 => (1, 4),
            TensorType::F16 => (1, 2),
            TensorType::Q4_0 => (BLOCK, 18), // f16 scale, 16 bytes of nibbles
            TensorType::Q4_1 => (BLOCK, 20), // f16 scale, f16 minimum, 16 bytes of nibbles
            TensorType::Q8_0 => (BLOCK, 34), // f16 scale, 32 signed bytes
        }
    }
}

impl TensorType {
    /// Bits a value takes in memory: packed with a scale word a block, or widened to f32.
    pub fn bits_in_memory(self) -> usize {
        match self {
            TensorType::F32 | TensorType::F16 => 32,
            TensorType::Q4_0 | TensorType::Q4_1 => 5,
            TensorType::Q8_0 => 9,
        }
    }
}

#[derive(Debug, Clone)]
pub struct TensorInfo {
    pub name: String,
    /// Columns (contiguous in memory).
    pub cols: usize,
    /// Rows; 1 for a vector.
    pub rows: usize,
    pub kind: TensorType,
    /// First byte in the file.
    pub offset: u64,
    /// Bytes in the file.
    pub bytes: u64,
}

impl TensorInfo {
    pub(super) fn read(c: &mut Cursor) -> std::result::Result<TensorInfo, Need> {
        let name = c.string("tensor name")?;
        let dimensions = c.u32("tensor dimensions")?;
        if !(1..=4).contains(&dimensions) {
            return Err(
                Error::weights(format!("The file is damaged: the tensor {name} has {dimensions} dimensions.")).into()
            );
        }
        let mut shape = [1u64; 4];
        for size in shape.iter_mut().take(dimensions as usize) {
            *size = c.u64("tensor shape")?;
        }
        let id = c.u32("tensor type")?;
        let offset = c.u64("tensor offset")?;
        let kind = TensorType::from_id(id, &name)?;
        let damaged = || Error::weights(format!("The file is damaged: the tensor {name} has the shape {shape:?}."));
        if shape[2] != 1 || shape[3] != 1 || shape[0] == 0 || shape[1] == 0 {
            return Err(damaged().into());
        }
        let (values, block_bytes) = kind.block();
        if shape[0] % values as u64 != 0 {
            return Err(damaged().into());
        }
        let bytes = (shape[0] / values as u64)
            .checked_mul(shape[1])
            .and_then(|blocks| blocks.checked_mul(block_bytes as u64))
            .ok_or_else(damaged)?;
        let cols = usize::try_from(shape[0]).map_err(|_| damaged())?;
        let rows = usize::try_from(shape[1]).map_err(|_| damaged())?;
        Ok(TensorInfo { name, cols, rows, kind, offset, bytes })
    }
}

/// Turns offsets within the data into offsets within the file, and checks that all fit.
pub(super) fn place(tensors: &mut [TensorInfo], data_start: u64, alignment: u64, file_size: u64) -> Result<()> {
    let mut names = HashSet::new();
    for tensor in tensors.iter_mut() {
        let name = &tensor.name;
        if !names.insert(name.clone()) {
            return Err(Error::weights(format!("The file is damaged: the tensor {name} stands there twice.")));
        }
        if tensor.offset % alignment != 0 {
            return Err(Error::weights(format!("The file is damaged: the tensor {name} isn't aligned.")));
        }
        let end = data_start.checked_add(tensor.offset).and_then(|start| start.checked_add(tensor.bytes));
        match end {
            Some(end) if end <= file_size => tensor.offset += data_start,
            _ => {
                return Err(Error::weights(format!(
                    "The file is cut off: it ends after {file_size} bytes, before the end of the tensor {name}."
                ))
                .with_hint("Fetch the file again; the download was probably interrupted."));
            }
        }
    }
    Ok(())
}
