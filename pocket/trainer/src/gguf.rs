//! Writes GGUF files: metadata, then tensors, each at a multiple of 32 bytes.
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>

const ALIGNMENT: usize = 32;

/// A value of the metadata.
pub enum Value<'a> {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(&'a str),
    Texts(&'a [String]),
    I32s(&'a [i32]),
}

pub struct Tensor {
    pub name: String,
    /// Rows and columns; 1 row is written as a vector.
    pub rows: usize,
    pub cols: usize,
    /// GGML's number of the type.
    pub kind: u32,
    pub bytes: Vec<u8>,
}

pub fn write(metadata: &[(&str, Value)], tensors: &[Tensor]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend_from_slice(b"GGUF");
    file.extend_from_slice(&3u32.to_le_bytes());
    file.extend_from_slice(&(tensors.len() as u64).to_le_bytes());
    file.extend_from_slice(&(metadata.len() as u64).to_le_bytes());
    for (key, value) in metadata {
        text(&mut file, key);
        write_value(&mut file, value);
    }
    let mut offset = 0;
    for tensor in tensors {
        text(&mut file, &tensor.name);
        let sizes = [tensor.cols as u64, tensor.rows as u64];
        let sizes = if tensor.rows == 1 { &sizes[..1] } else { &sizes[..] };
        file.extend_from_slice(&(sizes.len() as u32).to_le_bytes());
        sizes.iter().for_each(|size| file.extend_from_slice(&size.to_le_bytes()));
        file.extend_from_slice(&tensor.kind.to_le_bytes());
        file.extend_from_slice(&(offset as u64).to_le_bytes());
        offset += tensor.bytes.len().next_multiple_of(ALIGNMENT);
    }
    for tensor in tensors {
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        file.extend_from_slice(&tensor.bytes);
    }
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    file
}

fn write_value(file: &mut Vec<u8>, value: &Value) {
    let kind = |file: &mut Vec<u8>, kind: u32| file.extend_from_slice(&kind.to_le_bytes());
    match value {
        Value::U32(n) => {
            kind(file, 4);
            file.extend_from_slice(&n.to_le_bytes());
        }
        Value::F32(x) => {
            kind(file, 6);
            file.extend_from_slice(&x.to_le_bytes());
        }
        Value::Bool(b) => {
            kind(file, 7);
            file.push(u8::from(*b));
        }
        Value::Text(s) => {
            kind(file, 8);
            text(file, s);
        }
        Value::Texts(items) => {
            kind(file, 9);
            kind(file, 8);
            file.extend_from_slice(&(items.len() as u64).to_le_bytes());
            items.iter().for_each(|s| text(file, s));
        }
        Value::I32s(items) => {
            kind(file, 9);
            kind(file, 5);
            file.extend_from_slice(&(items.len() as u64).to_le_bytes());
            items.iter().for_each(|n| file.extend_from_slice(&n.to_le_bytes()));
        }
    }
}

fn text(file: &mut Vec<u8>, text: &str) {
    file.extend_from_slice(&(text.len() as u64).to_le_bytes());
    file.extend_from_slice(text.as_bytes());
}
