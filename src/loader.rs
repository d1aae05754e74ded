//! From a model file to an engine: header, then tensor by tensor, then the self-test and the device.

use burn::tensor::Device;

use crate::chat::ChatTemplate;
use crate::engine::{Encoder, Engine, Subwords};
use crate::error::{Code, Error, Result};
use crate::event::Info;
use crate::gguf::{Header, TensorInfo};
use crate::model::llama::{Config, LlamaModel, Loader, selftest};
use crate::tokenizer::{FromFile, Tokenizer};

/// Where the model will run, and why.
#[derive(Debug, Clone)]
pub struct Placement {
    pub device: Device,
    pub backend: &'static str,
    pub adapter: Option<String>,
    pub reason: String,
    /// Whether the caller insists on this backend.
    pub forced: bool,
    /// Bytes of the largest buffer that can be bound.
    pub max_binding: u64,
}

impl Placement {
    pub fn cpu(reason: impl Into<String>) -> Placement {
        Placement {
            device: Device::flex(),
            backend: "cpu",
            adapter: None,
            reason: reason.into(),
            forced: false,
            max_binding: u64::MAX,
        }
    }

    /// The CPU in place of this device, unless the caller insists on it.
    fn refuse(self, reason: String) -> Result<Placement> {
        if self.forced { Err(Error::new(Code::NoWebgpu, reason)) } else { Ok(Placement::cpu(reason)) }
    }
}

pub struct GgufLoader {
    name: String,
    text: FromFile,
    chat: Option<ChatTemplate>,
    weights: Loader,
    context: usize,
}

impl GgufLoader {
    /// Parses the first bytes of a file; `None`: give a longer prefix. Everything the metadata can
    /// tell is checked here, before a weight is read.
    pub fn parse(prefix: &[u8], file_size: u64, context: Option<usize>) -> Result<Option<GgufLoader>> {
        let Some(header) = Header::parse(prefix, file_size)? else {
            return Ok(None);
        };
        // First, so that a model of another architecture is told by that, not by its tokenizer.
        let config = Config::from_gguf(&header)?;
        let text = Tokenizer::from_gguf(&header)?;
        let weights = Loader::new(config, &header, text.vocabulary.len())?;
        let longest = weights.config.context.min(Engine::CONTEXT);
        let context = match context {
            None => longest,
            Some(n) if (2..=longest).contains(&n) => n,
            Some(n) => return Err(Error::config(format!("context is {n}; it must be from 2 to {longest}."))),
        };
        let token = |key: &str| -> Result<String> {
            Ok(header.u64(key)?.map(|id| text.vocabulary.piece(id as u32).text).unwrap_or_default())
        };
        let chat = match header.str("tokenizer.chat_template")? {
            None => None,
            Some(source) => Some(ChatTemplate::new(
                source,
                &token("tokenizer.ggml.bos_token_id")?,
                &token("tokenizer.ggml.eos_token_id")?,
            )?),
        };
        let name = header.str("general.name")?.unwrap_or("unnamed model").to_string();
        Ok(Some(GgufLoader { name, text, chat, weights, context }))
    }

    /// A whole file in memory, on one device. For native use.
    pub async fn load(file: &[u8], context: Option<usize>, place: Placement) -> Result<Engine> {
        let Some(mut loader) = GgufLoader::parse(file, file.len() as u64, context)? else {
            return Err(Error::weights("The file is cut off in its header."));
        };
        for index in 0..loader.tensors().len() {
            let TensorInfo { offset, bytes, .. } = loader.tensors()[index];
            // Within the file: the header's offsets are checked.
            loader.add(index, &file[offset as usize..(offset + bytes) as usize])?;
        }
        loader.finish(place).await
    }

    pub fn tensors(&self) -> &[TensorInfo] {
        self.weights.tensors()
    }

    /// Takes the bytes of tensor `index`.
    pub fn add(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        self.weights.add(index, bytes)
    }

    /// Whether this GPU holds the weights and computes what the CPU computes.
    async fn test(&self, place: Placement) -> Result<Placement> {
        let largest = self.weights.largest_buffer();
        if largest > place.max_binding {
            let most = place.max_binding;
            return place.refuse(format!("A weight matrix takes {largest} bytes; this GPU binds at most {most}."));
        }
        match selftest::difference(&self.weights, &place.device).await {
            Ok(difference) if difference <= selftest::TOLERANCE => Ok(place),
            Ok(difference) => place
                .refuse(format!("WebGPU failed the self-test: one layer differs by {difference:.1e} from the CPU.")),
            Err(error) => place.refuse(format!("WebGPU failed the self-test: {error}")),
        }
    }

    /// Puts everything on the device, after a self-test of one layer if it is a GPU.
    pub async fn finish(self, place: Placement) -> Result<Engine> {
        let place = if place.backend == "cpu" { place } else { self.test(place).await? };
        let config = self.weights.config;
        let (parameters, bytes) = self.weights.size();
        let info = Info {
            model: self.name,
            architecture: "llama",
            backend: place.backend,
            adapter: place.adapter,
            reason: place.reason,
            parameters,
            layers: config.layers,
            heads: config.heads,
            kv_heads: config.kv_heads,
            head_dim: config.head_dim,
            context: self.context,
            context_of_model: config.context,
            vocabulary: self.text.vocabulary.len(),
            bytes,
            kv_bytes_per_token: config.kv_bytes(),
            chat: self.chat.is_some(),
        };
        let FromFile { vocabulary, tokenizer, eos } = self.text;
        Ok(Engine {
            info,
            vocabulary,
            eos,
            encoder: Encoder::Subwords(Box::new(Subwords { tokenizer, chat: self.chat })),
            model: Box::new(LlamaModel::new(self.weights.finish(&place.device, place.backend == "cpu")?)),
        })
    }
}
