//! Reads GGUF files: metadata and the list of tensors, every length and offset checked.
//!
//! A file is `magic, version, counts, metadata, tensor list, padding, tensor data`. The header is
//! parsed from a prefix, so that a browser never has to hold the whole file inside wasm.
//! Source: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.

mod cursor;
mod tensor;
mod value;

use std::collections::HashMap;

use cursor::Cursor;
pub use cursor::Need;
pub use tensor::{BLOCK, TensorInfo, TensorType};
pub use value::Value;

use crate::error::{Error, Result};

/// The header of a GGUF file.
#[derive(Debug)]
pub struct Header {
    pub version: u32,
    metadata: HashMap<String, Value>,
    /// In the file's order; offsets are from the start of the file.
    pub tensors: Vec<TensorInfo>,
}

/// More metadata entries or tensors than this is a damaged count.
const MAX_ENTRIES: u64 = 1 << 16;

impl Header {
    /// Parses the header out of the first bytes of a file of `file_size` bytes.
    /// `Ok(None)`: the header goes on behind `prefix`; call again with more.
    pub fn parse(prefix: &[u8], file_size: u64) -> Result<Option<Header>> {
        if let Some(problem) = not_gguf(prefix) {
            return Err(Error::weights(problem));
        }
        match Self::read(&mut Cursor::new(prefix, file_size)) {
            Ok(header) => Ok(Some(header)),
            Err(Need::More) => Ok(None),
            Err(Need::Failed(error)) => Err(error),
        }
    }

    fn read(c: &mut Cursor) -> std::result::Result<Header, Need> {
        c.bytes(4, "magic")?;
        let version = c.u32("version")?;
        if !(2..=3).contains(&version) {
            let swapped = (2..=3).contains(&version.swap_bytes());
            let what = if swapped { "is big-endian".into() } else { format!("has version {version}") };
            return Err(Error::weights(format!(
                "The GGUF file {what}; this reader knows versions 2 and 3, little-endian."
            ))
            .into());
        }
        let tensor_count = c.count("tensor count", MAX_ENTRIES)?;
        let entry_count = c.count("metadata count", MAX_ENTRIES)?;

        let mut metadata = HashMap::new();
        for _ in 0..entry_count {
            let key = c.string("metadata key")?;
            let value = Value::read(c, &key)?;
            if metadata.insert(key.clone(), value).is_some() {
                return Err(Error::weights(format!("The metadata key {key:?} stands there twice.")).into());
            }
        }
        let alignment = match metadata.get("general.alignment") {
            None => 32,
            Some(value) => match value.as_u64() {
                Some(a) if a.is_power_of_two() && a <= 1 << 16 => a,
                _ => return Err(Error::weights("general.alignment is not a power of two.").into()),
            },
        };
        let mut tensors = Vec::new();
        for _ in 0..tensor_count {
            tensors.push(TensorInfo::read(c)?);
        }
        let data_start = c.position().div_ceil(alignment) * alignment;
        tensor::place(&mut tensors, data_start, alignment, c.file_size())?;
        Ok(Header { version, metadata, tensors })
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key)
    }

    fn wanted<'a, T>(&'a self, key: &str, kind: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>> {
        match self.metadata.get(key) {
            None => Ok(None),
            Some(value) => {
                read(value).map(Some).ok_or_else(|| Error::weights(format!("The metadata entry {key} is not {kind}.")))
            }
        }
    }

    pub fn u64(&self, key: &str) -> Result<Option<u64>> {
        self.wanted(key, "a whole number of at least 0", Value::as_u64)
    }

    pub fn f32(&self, key: &str) -> Result<Option<f32>> {
        self.wanted(key, "a number", Value::as_f32)
    }

    pub fn bool(&self, key: &str) -> Result<Option<bool>> {
        self.wanted(key, "true or false", Value::as_bool)
    }

    pub fn str(&self, key: &str) -> Result<Option<&str>> {
        self.wanted(key, "text", Value::as_str)
    }

    pub fn array(&self, key: &str) -> Result<Option<&[Value]>> {
        self.wanted(key, "a list", Value::as_array)
    }
}

/// Says what a file is if it plainly isn't GGUF.
fn not_gguf(prefix: &[u8]) -> Option<String> {
    if prefix.starts_with(b"GGUF") {
        return None;
    }
    let what = if prefix.is_empty() {
        "it is empty"
    } else if prefix.starts_with(b"version https://git-lfs") {
        "it is a Git-LFS pointer: a few lines of text that stand for the real file"
    } else if prefix.len() < 4 && b"GGUF".starts_with(prefix) {
        "it ends after its first bytes"
    } else if prefix.iter().take(64).all(|b| matches!(b, b'\t' | b'\n' | b'\r' | 32..=126)) {
        "it holds text"
    } else {
        "its first bytes are not \"GGUF\""
    };
    Some(format!("Not a model file: {what}."))
}
