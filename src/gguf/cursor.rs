//! A reader over the first bytes of a file that knows the size of the whole file.

use crate::error::{Error, Result};

/// Why a read stopped.
#[derive(Debug)]
pub enum Need {
    /// The bytes are in the file, but not in the prefix given.
    More,
    Failed(Error),
}

impl From<Error> for Need {
    fn from(error: Error) -> Self {
        Need::Failed(error)
    }
}

type Read<T> = std::result::Result<T, Need>;

pub struct Cursor<'a> {
    prefix: &'a [u8],
    at: usize,
    file_size: u64,
    /// Items that lists in the metadata may still have, all together.
    items_left: u64,
}

/// A vocabulary of 256,000 with its merges, scores and types has about a million items.
const MAX_ITEMS: u64 = 1 << 22;

impl<'a> Cursor<'a> {
    pub fn new(prefix: &'a [u8], file_size: u64) -> Self {
        Cursor { prefix, at: 0, file_size, items_left: MAX_ITEMS }
    }

    pub fn position(&self) -> u64 {
        self.at as u64
    }

    pub fn file_size(&self) -> u64 {
        self.file_size
    }

    /// The next `n` bytes; fails if the file is shorter than that.
    pub fn bytes(&mut self, n: u64, what: &str) -> Read<&'a [u8]> {
        let end = (self.at as u64).checked_add(n).filter(|end| *end <= self.file_size);
        let Some(end) = end else {
            return Err(cut(self.file_size, what).into());
        };
        match usize::try_from(end).ok().and_then(|end| self.prefix.get(self.at..end)) {
            Some(bytes) => {
                self.at += bytes.len();
                Ok(bytes)
            }
            None => Err(Need::More),
        }
    }

    fn array<const N: usize>(&mut self, what: &str) -> Read<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(N as u64, what)?);
        Ok(out)
    }

    pub fn u8(&mut self, what: &str) -> Read<u8> {
        Ok(self.array::<1>(what)?[0])
    }

    pub fn u16(&mut self, what: &str) -> Read<u16> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    pub fn u32(&mut self, what: &str) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub fn u64(&mut self, what: &str) -> Read<u64> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub fn count(&mut self, what: &str, most: u64) -> Read<u64> {
        let n = self.u64(what)?;
        if n > most {
            return Err(Error::weights(format!("The file is damaged: its {what} is {n}.")).into());
        }
        Ok(n)
    }

    /// Fails early if `n` items of at least `size` bytes can't fit into the rest of the file.
    pub fn fits(&self, n: u64, size: u64, what: &str) -> Result<()> {
        match n.checked_mul(size) {
            Some(bytes) if bytes <= self.file_size - self.at as u64 => Ok(()),
            _ => Err(Error::weights(format!(
                "The file is damaged or cut off: {what} says it has {n} items, more than the file can hold."
            ))),
        }
    }

    /// Counts the items of a list: in memory they take far more than the byte they may take in the file.
    pub fn take_items(&mut self, n: u64, what: &str) -> Result<()> {
        self.items_left = self.items_left.checked_sub(n).ok_or_else(|| {
            Error::weights(format!("The metadata has too many list items: with {what}, more than {MAX_ITEMS}."))
        })?;
        Ok(())
    }

    pub fn string(&mut self, what: &str) -> Read<String> {
        let n = self.u64(what)?;
        self.fits(n, 1, what)?;
        let bytes = self.bytes(n, what)?;
        String::from_utf8(bytes.to_vec())
            .map_err(|_| Error::weights(format!("The file is damaged: a {what} is not UTF-8.")).into())
    }
}

fn cut(file_size: u64, what: &str) -> Error {
    Error::weights(format!("The file is cut off: it ends after {file_size} bytes, in the middle of its {what}."))
        .with_hint("Fetch the file again; the download was probably interrupted.")
}
