//! The records that views, traces and tests read: plain data, camelCase, as in `next-token.d.ts`.
//!
//! Probabilities are fractions from 0 to 1, times are milliseconds, ranks and positions count from 0.

use serde::Serialize;

macro_rules! records {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }
    )*};
}

records! {
    /// What runs, where, and how big it is.
    pub struct Info {
        model: String,
        architecture: &'static str,
        backend: &'static str,
        adapter: Option<String>,
        reason: String,
        parameters: u64,
        layers: usize,
        heads: usize,
        kv_heads: usize,
        head_dim: usize,
        context: usize,
        context_of_model: usize,
        vocabulary: usize,
        bytes: u64,
        kv_bytes_per_token: usize,
        chat: bool,
    }

    pub struct Piece {
        id: u32,
        text: String,
        bytes: Vec<u8>,
        special: bool,
    }

    pub struct SettingsRecord {
        temperature: f64,
        top_k: usize,
        top_p: f64,
        min_p: f64,
        repetition_penalty: f64,
        top: usize,
    }

    pub struct Candidate {
        #[serde(flatten)]
        piece: Piece,
        logit: f32,
        p_raw: f64,
        p: f64,
        rank: usize,
        kept: bool,
        why: Option<&'static str>,
    }

    pub struct Tail {
        count: usize,
        kept: usize,
        mass: f64,
        mass_raw: f64,
    }

    pub struct DistributionRecord {
        settings: SettingsRecord,
        candidates: Vec<Candidate>,
        tail: Tail,
        kept: usize,
        entropy_bits: f64,
    }

    /// How often a token was drawn, beside how likely that was.
    pub struct Draw {
        #[serde(flatten)]
        piece: Piece,
        rank: usize,
        count: usize,
        p: f64,
        p_raw: f64,
    }

    /// Many draws for one position. Tokens that were never drawn are left out.
    pub struct Draws {
        position: usize,
        times: usize,
        seed: u64,
        settings: SettingsRecord,
        draws: Vec<Draw>,
    }

    /// A conversation as the model reads it, and who wrote which tokens.
    pub struct Rendered {
        pieces: Vec<Piece>,
        parts: Option<Vec<RenderedPart>>,
    }

    /// Tokens `from` up to `to` come from this message, or from the template.
    pub struct RenderedPart {
        message: Option<usize>,
        from: usize,
        to: usize,
    }

    pub struct ChoiceRecord {
        #[serde(flatten)]
        piece: Piece,
        rank: Option<usize>,
        p: Option<f64>,
        p_raw: Option<f64>,
        lo: Option<f64>,
        hi: Option<f64>,
        coin: Option<f64>,
        method: &'static str,
    }

    pub struct StopRecord {
        reason: &'static str,
        joins: bool,
        sequence: Option<String>,
    }

    pub struct Appended {
        piece: Piece,
        text: String,
        length: usize,
    }

    pub struct LogitsSummary {
        min: f32,
        max: f32,
        ms: f64,
        passes: usize,
    }

    pub struct Forward {
        position: usize,
        passes: usize,
        ms: f64,
        min: f32,
        max: f32,
    }

    pub struct Prefill {
        pieces: Vec<Piece>,
        #[serde(flatten)]
        forward: Forward,
    }

    /// One whole turn of the loop.
    pub struct Step {
        v: u32,
        index: usize,
        position: usize,
        pieces: Option<Vec<Piece>>,
        logits: Option<LogitsSummary>,
        settings: SettingsRecord,
        candidates: Vec<Candidate>,
        tail: Option<Tail>,
        kept: Option<usize>,
        entropy_bits: Option<f64>,
        choice: ChoiceRecord,
        stop: Option<StopRecord>,
        appended: Option<Appended>,
        ms: f64,
    }

    pub struct PrefillProgress {
        done: usize,
        total: usize,
        prefill: Option<Prefill>,
    }

    pub struct RunState {
        stage: &'static str,
        tokens: Vec<u32>,
        prompt_length: usize,
        prompt_text: String,
        text: String,
        held: String,
        pending: Vec<u8>,
        segments: Vec<Segment>,
        naive: String,
        finish: Option<&'static str>,
        cached: usize,
        reused: usize,
        max_tokens: usize,
        passes: u64,
        capacity: usize,
    }
}

/// Text as it is drawn: characters, and bytes that are no character.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Segment {
    Text(String),
    Bytes(Vec<u8>),
}
