//! Weights as blocks of 32 with their own scale, as llama.cpp reads them.

use half::f16;
use serde::{Deserialize, Serialize};

const BLOCK: usize = 32;

/// How the matrices of a file are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precision {
    F32,
    /// 8 bits and a scale: 8.5 bits a weight.
    Q8_0,
    /// 4 bits, a scale and a minimum: 5 bits a weight.
    Q4_1,
}

impl Precision {
    pub const ALL: [Precision; 3] = [Precision::F32, Precision::Q8_0, Precision::Q4_1];

    /// GGML's number of the type.
    pub fn tensor_type(self) -> u32 {
        match self {
            Precision::F32 => 0,
            Precision::Q8_0 => 8,
            Precision::Q4_1 => 3,
        }
    }

    /// `general.file_type`.
    pub fn file_type(self) -> u32 {
        match self {
            Precision::F32 => 0,
            Precision::Q8_0 => 7,
            Precision::Q4_1 => 3,
        }
    }

    pub fn from_name(name: &str) -> Result<Precision, String> {
        let found = Precision::ALL.into_iter().find(|p| p.name() == name);
        found.ok_or_else(|| format!("{name} is no precision: f32, q8_0 and q4_1 are"))
    }

    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::Q8_0 => "q8_0",
            Precision::Q4_1 => "q4_1",
        }
    }

    /// The bytes of a matrix; its columns are a multiple of 32.
    pub fn bytes(self, values: &[f32]) -> Vec<u8> {
        match self {
            Precision::F32 => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Precision::Q8_0 => values.as_chunks::<BLOCK>().0.iter().flat_map(q8_0).collect(),
            Precision::Q4_1 => values.as_chunks::<BLOCK>().0.iter().flat_map(q4_1).collect(),
        }
    }
}

/// Scale, then a signed byte for each weight.
fn q8_0(block: &[f32; BLOCK]) -> [u8; 34] {
    let largest = block.iter().fold(0.0f32, |m, x| m.max(x.abs()));
    let scale = f16::from_f32(largest / 127.0);
    let inverse = inverse(scale);
    let mut out = [0; 34];
    out[..2].copy_from_slice(&scale.to_le_bytes());
    for (out, x) in out[2..].iter_mut().zip(block) {
        *out = ((x * inverse).round().clamp(-127.0, 127.0) as i8) as u8;
    }
    out
}

/// Scale and minimum, then byte i holds weight i in its low half and weight i + 16 in its high half.
fn q4_1(block: &[f32; BLOCK]) -> [u8; 20] {
    let (low, high) = block.iter().fold((f32::MAX, f32::MIN), |(l, h), x| (l.min(*x), h.max(*x)));
    let (scale, minimum) = (f16::from_f32((high - low) / 15.0), f16::from_f32(low));
    let inverse = inverse(scale);
    let level = |x: f32| ((x - minimum.to_f32()) * inverse).round().clamp(0.0, 15.0) as u8;
    let mut out = [0; 20];
    out[..2].copy_from_slice(&scale.to_le_bytes());
    out[2..4].copy_from_slice(&minimum.to_le_bytes());
    for i in 0..BLOCK / 2 {
        out[4 + i] = level(block[i]) | level(block[i + BLOCK / 2]) << 4;
    }
    out
}

fn inverse(scale: f16) -> f32 {
    if scale == f16::ZERO { 0.0 } else { 1.0 / scale.to_f32() }
}
