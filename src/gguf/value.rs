//! Metadata values.

use super::cursor::{Cursor, Need};
use crate::error::Error;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    String(String),
    Array(Vec<Value>),
}

/// Type ids of the format, in the order of their numbers.
const ARRAY: u32 = 9;
/// Lists in lists deeper than this are damage.
const MAX_DEPTH: u32 = 4;

impl Value {
    pub(super) fn read(c: &mut Cursor, key: &str) -> Result<Value, Need> {
        let kind = c.u32(key)?;
        Self::read_kind(c, key, kind, 0)
    }

    fn read_kind(c: &mut Cursor, key: &str, kind: u32, depth: u32) -> Result<Value, Need> {
        Ok(match kind {
            0 => Value::Unsigned(c.u8(key)?.into()),
            1 => Value::Signed((c.u8(key)? as i8).into()),
            2 => Value::Unsigned(c.u16(key)?.into()),
            3 => Value::Signed((c.u16(key)? as i16).into()),
            4 => Value::Unsigned(c.u32(key)?.into()),
            5 => Value::Signed((c.u32(key)? as i32).into()),
            6 => Value::Float(f32::from_bits(c.u32(key)?).into()),
            7 => Value::Bool(match c.u8(key)? {
                0 => false,
                1 => true,
                other => {
                    return Err(
                        Error::weights(format!("The file is damaged: {key} is a truth value of {other}.")).into()
                    );
                }
            }),
            8 => Value::String(c.string(key)?),
            ARRAY => {
                let kind = c.u32(key)?;
                let n = c.u64(key)?;
                c.fits(n, smallest(kind), key)?;
                c.take_items(n, key)?;
                if depth == MAX_DEPTH {
                    return Err(Error::weights(format!("The file is damaged: {key} has lists in lists.")).into());
                }
                let mut items = Vec::new();
                for _ in 0..n {
                    items.push(Self::read_kind(c, key, kind, depth + 1)?);
                }
                Value::Array(items)
            }
            10 => Value::Unsigned(c.u64(key)?),
            11 => Value::Signed(c.u64(key)? as i64),
            12 => Value::Float(f64::from_bits(c.u64(key)?)),
            other => {
                return Err(Error::weights(format!("The metadata entry {key} has the unknown type {other}.")).into());
            }
        })
    }

    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Unsigned(n) => Some(*n),
            Value::Signed(n) => u64::try_from(*n).ok(),
            _ => None,
        }
    }

    pub fn as_f32(&self) -> Option<f32> {
        match self {
            Value::Float(x) => Some(*x as f32),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }
}

/// The least bytes an item of this type takes.
fn smallest(kind: u32) -> u64 {
    match kind {
        2 | 3 => 2,
        4..=6 => 4,
        8 | 10..=12 => 8,
        ARRAY => 12,
        _ => 1,
    }
}
