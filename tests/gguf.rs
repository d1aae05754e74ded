//! The GGUF reader: real files, damaged files, hostile files.

mod common;

use common::{bytes, load};
use next_token::error::{Code, Error};
use next_token::gguf::{Header, TensorType};
use next_token::loader::{GgufLoader, Placement};
use proptest::prelude::*;

fn parse(file: &[u8]) -> Result<Option<Header>, Error> {
    Header::parse(file, file.len() as u64)
}

fn refused(file: &[u8]) -> Error {
    match GgufLoader::parse(file, file.len() as u64, None) {
        Err(error) => error,
        Ok(_) => panic!("the file was taken"),
    }
}

/// A header as the format lays it out, to be bent by the tests.
struct Writer(Vec<u8>);

impl Writer {
    fn new(version: u32, tensors: u64, entries: u64) -> Self {
        let mut w = Writer(b"GGUF".to_vec());
        w.0.extend(version.to_le_bytes());
        w.0.extend(tensors.to_le_bytes());
        w.0.extend(entries.to_le_bytes());
        w
    }

    fn string(mut self, text: &str) -> Self {
        self.0.extend((text.len() as u64).to_le_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    fn u32(mut self, n: u32) -> Self {
        self.0.extend(n.to_le_bytes());
        self
    }

    fn u64(mut self, n: u64) -> Self {
        self.0.extend(n.to_le_bytes());
        self
    }

    fn tensor(self, name: &str, shape: [u64; 2], kind: u32, offset: u64) -> Self {
        self.string(name).u32(2).u64(shape[0]).u64(shape[1]).u32(kind).u64(offset)
    }

    fn data(mut self, n: usize) -> Vec<u8> {
        let padded = self.0.len().div_ceil(32) * 32 + n;
        self.0.resize(padded, 0);
        self.0
    }
}

#[test]
fn reads_every_type_of_the_fixtures() {
    let mut kinds = Vec::new();
    for name in ["tiny-q4.gguf", "tiny-mixed.gguf"] {
        let file = bytes(name);
        let header = parse(&file).expect("parses").expect("is whole");
        assert_eq!(header.str("general.architecture").expect("text"), Some("llama"));
        for tensor in &header.tensors {
            assert!(tensor.offset + tensor.bytes <= file.len() as u64);
            kinds.push(tensor.kind);
        }
    }
    for kind in [TensorType::F32, TensorType::F16, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q8_0] {
        assert!(kinds.contains(&kind), "{kind:?} is in a fixture");
    }
}

#[test]
fn a_prefix_asks_for_more_until_the_header_is_whole() {
    let file = bytes("tiny-q4.gguf");
    let size = file.len() as u64;
    let whole = (0..file.len()).find(|n| matches!(Header::parse(&file[..*n], size), Ok(Some(_))));
    let whole = whole.expect("some prefix is enough");
    assert!(whole < file.len() / 2);
    for n in (4..whole).step_by(37) {
        assert!(matches!(Header::parse(&file[..n], size), Ok(None)), "{n} bytes ask for more");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused_in_words() {
    for name in ["tiny-q4.gguf", "tiny-mixed.gguf"] {
        let file = bytes(name);
        for n in (0..file.len()).step_by(file.len() / 200) {
            let error = refused(&file[..n]);
            assert_eq!(error.code, Code::BadWeights, "{n} bytes of {name}: {error}");
            assert!(!error.hint().is_empty());
        }
    }
}

#[test]
fn what_is_no_gguf_is_named() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:b179\nsize 98362432\n";
    for (file, word) in [
        (&b""[..], "empty"),
        (&pointer[..], "Git-LFS"),
        (b"<!doctype html><title>404</title>", "text"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "first bytes"),
        (b"GG", "ends after"),
    ] {
        let error = refused(file);
        assert_eq!(error.code, Code::BadWeights);
        assert!(error.message.contains("Not a model file") && error.message.contains(word), "{error}");
    }
}

#[test]
fn damaged_headers_are_refused() {
    let entry = |key: &str, kind: u32| Writer::new(3, 0, 1).string(key).u32(kind);
    let f32s = |shape, offset| Writer::new(3, 1, 0).tensor("t", shape, 0, offset);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("version 99", Writer::new(99, 0, 0).data(0)),
        ("big-endian", Writer::new(3u32.swap_bytes(), 0, 0).data(0)),
        ("tensor count", Writer::new(3, u64::MAX, 0).data(0)),
        ("metadata count", Writer::new(3, 0, u64::MAX).data(0)),
        ("unknown type 77", entry("k", 77).data(64)),
        ("truth value", entry("k", 7).u32(9).data(64)),
        ("more than the file can hold", entry("k", 9).u32(8).u64(u64::MAX).data(64)),
        ("more than the file can hold", entry("k", 8).u64(u64::MAX / 2).data(64)),
        ("stands there twice", Writer::new(3, 0, 2).string("k").u32(4).u32(1).string("k").u32(4).u32(2).data(0)),
        ("power of two", entry("general.alignment", 4).u32(0).data(64)),
        ("power of two", entry("general.alignment", 4).u32(33).data(64)),
        ("Q6_K", Writer::new(3, 1, 0).tensor("t", [256, 1], 14, 0).data(1024)),
        ("type 1000", Writer::new(3, 1, 0).tensor("t", [256, 1], 1000, 0).data(1024)),
        ("dimensions", Writer::new(3, 1, 0).string("t").u32(9).data(1024)),
        ("shape", f32s([0, 4], 0).data(1024)),
        ("shape", f32s([1 << 40, 1 << 40], 0).data(1024)),
        ("shape", Writer::new(3, 1, 0).tensor("t", [33, 1], 3, 0).data(1024)),
        ("isn't aligned", f32s([4, 4], 7).data(1024)),
        ("cut off", f32s([4, 4], 1 << 40).data(1024)),
        ("cut off", f32s([4, 4], u64::MAX - 31).data(1024)),
        ("stands there twice", Writer::new(3, 2, 0).tensor("t", [4, 4], 0, 0).tensor("t", [4, 4], 0, 64).data(1024)),
    ];
    for (word, file) in cases {
        let error = parse(&file).expect_err(word);
        assert_eq!(error.code, Code::BadWeights);
        assert!(error.message.contains(word), "{word:?} is in {error}");
    }
}

#[test]
fn a_list_with_more_items_than_any_vocabulary_is_refused_before_it_is_read() {
    let n = 5_000_000;
    let mut file = Writer::new(3, 0, 1).string("k").u32(9).u32(0).u64(n).0;
    file.resize(file.len() + n as usize, 1);
    assert!(parse(&file).expect_err("too many").message.contains("too many list items"));
}

#[test]
fn lists_in_lists_end() {
    let mut w = Writer::new(3, 0, 1).string("k").u32(9);
    for _ in 0..100 {
        w = w.u32(9).u64(1);
    }
    assert!(parse(&w.data(64)).expect_err("too deep").message.contains("lists in lists"));
}

/// The fixture with the first occurrence of one text replaced by another of the same length.
fn bent(from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut file = bytes("tiny-q4.gguf");
    let at = file.windows(from.len()).position(|w| w == from).expect("the text is in the file");
    file[at..at + to.len()].copy_from_slice(to);
    file
}

#[test]
fn models_of_another_kind_are_refused_by_name() {
    let error = refused(&bent(b"\x05\0\0\0\0\0\0\0llama", b"\x05\0\0\0\0\0\0\0qwen2"));
    assert!(error.message.contains("qwen2"), "{error}");
    let error = refused(&bent(b"blk.1.ffn_up.weight", b"blk.7.ffn_up.weight"));
    assert!(error.message.contains("blk.1.ffn_up.weight is missing"), "{error}");
    assert!(error.message.contains("blk.7.ffn_up.weight is not part"), "{error}");
    let error = refused(&bent(b"gpt2", b"bert"));
    assert_eq!(error.code, Code::BadTokenizer);
    assert!(error.message.contains("bert"), "{error}");
    let error = refused(&bent(b"smollm", b"qwen99"));
    assert!(error.message.contains("qwen99"), "{error}");
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let file = bytes("tiny-q4.gguf");
    let header = parse(&file).expect("parses").expect("is whole");
    for name in ["blk.0.attn_q.weight", "blk.0.attn_norm.weight", "token_embd.weight"] {
        let tensor = header.tensors.iter().find(|t| t.name == name).expect("the tensor");
        let mut file = file.clone();
        // Infinity as f16 (little-endian 7C00) in a scale, NaN as f32 in a norm.
        let bad: &[u8] = if tensor.kind == TensorType::F32 { &[0, 0, 0xC0, 0x7F] } else { &[0, 0x7C] };
        file[tensor.offset as usize..][..bad.len()].copy_from_slice(bad);
        let result = pollster::block_on(GgufLoader::load(&file, None, Placement::cpu("a test")));
        let Err(error) = result else { panic!("{name} was taken") };
        assert!(error.message.contains(name) && error.message.contains("finite"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    /// A flipped byte gives another model or an error, never a panic.
    #[test]
    fn flipped_bytes_never_panic(at in 0usize..20_000, value: u8) {
        let mut file = bytes("tiny-q4.gguf");
        let at = at % file.len();
        file[at] = value;
        let _ = GgufLoader::parse(&file, file.len() as u64, None);
    }

    #[test]
    fn any_bytes_behind_the_magic_never_panic(rest: Vec<u8>) {
        let file = [&b"GGUF\x03\0\0\0"[..], &rest].concat();
        let _ = GgufLoader::parse(&file, file.len() as u64, None);
    }
}

#[test]
fn the_context_can_be_shortened_not_stretched() {
    let file = bytes("tiny-q4.gguf");
    let parse = |context| GgufLoader::parse(&file, file.len() as u64, context);
    assert!(parse(Some(16)).is_ok());
    for wrong in [0, 1, 33] {
        assert!(parse(Some(wrong)).is_err_and(|e| e.code == Code::BadConfig), "{wrong}");
    }
    assert_eq!(load(&file).info.context, 32);
}
