// Writes GGUF files, in Node and in a page: any metadata and tensors, and one random model that has
// SmolLM2's shape. The tests build broken and unusual files with the same writer.

/**
 * One metadata value with its GGUF type. An array names the type of its items.
 * @typedef {{ type: NumberType, value: number }
 *   | { type: "uint64" | "int64", value: bigint }
 *   | { type: "bool", value: boolean }
 *   | { type: "string", value: string }
 *   | { type: "array", of: NumberType, value: ArrayLike<number> }
 *   | { type: "array", of: "string", value: string[] }} Value
 * @typedef {"uint8" | "int8" | "uint16" | "int16" | "uint32" | "int32" | "float32" | "float64"} NumberType
 */

/**
 * `shape` in GGUF's order: the contiguous dimension first, so a matrix is [in, out].
 * `type` may be any number, known or not. `data` is written as it is.
 * @typedef {{ name: string, shape: number[], type: keyof typeof TENSOR_TYPES | number, data: Uint8Array }} Tensor
 */

/** The ids of metadata types. */
const VALUE_TYPES = /** @type {const} */ ({
  uint8: 0, int8: 1, uint16: 2, int16: 3, uint32: 4, int32: 5, float32: 6,
  bool: 7, string: 8, array: 9, uint64: 10, int64: 11, float64: 12,
});

/** The ids of tensor types that the tests write by name. */
export const TENSOR_TYPES = /** @type {const} */ ({ F32: 0, F16: 1, Q4_0: 2, Q4_1: 3, Q8_0: 8 });

/** Short forms for metadata. */
export const value = {
  /** @param {number} value @returns {Value} */
  u32: (value) => ({ type: "uint32", value }),
  /** @param {number} value @returns {Value} */
  f32: (value) => ({ type: "float32", value }),
  /** @param {boolean} value @returns {Value} */
  bool: (value) => ({ type: "bool", value }),
  /** @param {string} value @returns {Value} */
  string: (value) => ({ type: "string", value }),
  /** @param {string[]} value @returns {Value} */
  strings: (value) => ({ type: "array", of: "string", value }),
  /** @param {ArrayLike<number>} value @returns {Value} */
  i32s: (value) => ({ type: "array", of: "int32", value }),
};

/** A little-endian byte buffer that grows. */
class Bytes {
  #view = new DataView(new ArrayBuffer(1 << 16));
  length = 0;

  /** Makes room for `count` bytes and returns where they go. @param {number} count */
  #reserve(count) {
    const at = this.length;
    this.length += count;
    if (this.length > this.#view.byteLength) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.#view.byteLength));
      larger.set(new Uint8Array(this.#view.buffer));
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  /** @param {NumberType} type @param {number} value */
  number(type, value) {
    const size = Number(/\d+/.exec(type)?.[0]) / 8;
    const at = this.#reserve(size);
    switch (type) {
      case "uint8": return this.#view.setUint8(at, value);
      case "int8": return this.#view.setInt8(at, value);
      case "uint16": return this.#view.setUint16(at, value, true);
      case "int16": return this.#view.setInt16(at, value, true);
      case "uint32": return this.#view.setUint32(at, value, true);
      case "int32": return this.#view.setInt32(at, value, true);
      case "float32": return this.#view.setFloat32(at, value, true);
      case "float64": return this.#view.setFloat64(at, value, true);
    }
  }

  /** @param {number | bigint} value */
  u64(value) {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    const at = this.#reserve(bytes.length);
    new Uint8Array(this.#view.buffer).set(bytes, at);
  }

  /** @param {string} text */
  string(text) {
    const bytes = new TextEncoder().encode(text);
    this.u64(bytes.length);
    this.raw(bytes);
  }

  /** @param {Value} item */
  value(item) {
    this.number("uint32", VALUE_TYPES[item.type]);
    switch (item.type) {
      case "array":
        this.number("uint32", VALUE_TYPES[item.of]);
        this.u64(item.value.length);
        if (item.of === "string") for (const text of item.value) this.string(text);
        else for (let i = 0; i < item.value.length; i++) this.number(item.of, item.value[i] ?? 0);
        return;
      case "string": return this.string(item.value);
      case "bool": return this.number("uint8", item.value ? 1 : 0);
      case "uint64":
      case "int64": return this.u64(item.value);
      default: return this.number(item.type, item.value);
    }
  }

  done() {
    return new Uint8Array(this.#view.buffer, 0, this.length);
  }
}

/**
 * A GGUF version 3 file. The alignment is that of `general.alignment`, or 32.
 * @param {{ metadata: Record<string, Value>, tensors: Tensor[] }} file
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function writeGguf({ metadata, tensors }) {
  const alignment = metadata["general.alignment"];
  const step = alignment?.type === "uint32" ? alignment.value : 32;
  /** @param {number} at */
  const aligned = (at) => Math.ceil(at / step) * step;

  const head = new Bytes();
  head.raw(new TextEncoder().encode("GGUF"));
  head.number("uint32", 3);
  head.u64(tensors.length);
  head.u64(Object.keys(metadata).length);
  for (const [key, item] of Object.entries(metadata)) {
    head.string(key);
    head.value(item);
  }
  let offset = 0;
  const offsets = tensors.map(({ name, shape, type, data }) => {
    const at = offset;
    head.string(name);
    head.number("uint32", shape.length);
    for (const size of shape) head.u64(size);
    head.number("uint32", typeof type === "number" ? type : TENSOR_TYPES[type]);
    head.u64(at);
    offset = aligned(at + data.length);
    return at;
  });

  const start = aligned(head.length);
  const file = new Uint8Array(start + offset);
  file.set(head.done());
  tensors.forEach(({ data }, i) => file.set(data, start + (offsets[i] ?? 0)));
  return file;
}

/**
 * The same file with another context length, a number that no weight depends on.
 * @param {Buffer} file
 * @param {number} tokens
 */
export function withContext(file, tokens) {
  const copy = Buffer.from(file);
  const key = "llama.context_length";
  // Behind the key stands the type of the value, then the value.
  const at = copy.indexOf(key) + key.length;
  if (copy.readUInt32LE(at) !== VALUE_TYPES.uint32) throw new Error(`no ${key} as a uint32`);
  copy.writeUInt32LE(tokens, at + 4);
  return copy;
}

/**
 * Uniform 32-bit integers from a seed (mulberry32): the same everywhere.
 * @param {number} seed
 */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  /** @param {number} low @param {number} high */
  const between = (low, high) => low + (high - low) * (next() / 2 ** 32);
  return { next, between };
}

/**
 * The nearest float16, as its bits. Only for numbers that float16 holds at full precision.
 * @param {number} number
 */
export function float16(number) {
  const size = Math.abs(number);
  if (!(size >= 2 ** -14 && size < 65504)) throw new RangeError(`${number} is no normal float16`);
  const exponent = Math.floor(Math.log2(size));
  const fraction = Math.round((size / 2 ** exponent - 1) * 1024); // 1024 carries into the exponent
  return (number < 0 ? 0x8000 : 0) | (((exponent + 15) << 10) + fraction);
}

/**
 * Blocks of 32 random values of about the given size (standard deviation), mean near 0: random
 * bytes, then a scale for each block, half to one and a half times the usual one.
 * @param {ReturnType<typeof generator>} random @param {"Q4_1" | "Q8_0"} type
 * @param {number} values @param {number} size
 */
function randomBlocks(random, type, values, size) {
  const stride = type === "Q4_1" ? 20 : 34;
  const usual = size / (type === "Q4_1" ? Math.sqrt((16 ** 2 - 1) / 12) : Math.sqrt((256 ** 2 - 1) / 12));
  const data = new Uint8Array((values / 32) * stride);
  const words = new Uint32Array(data.buffer, 0, data.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = random.next();
  const view = new DataView(data.buffer);
  for (let at = 0; at < data.length; at += stride) {
    const d = usual * random.between(0.5, 1.5);
    view.setUint16(at, float16(d), true);
    if (type === "Q4_1") view.setUint16(at + 2, float16(d * -random.between(6.5, 8.5)), true);
  }
  return data;
}

/** The template of SmolLM2, which is Apache-2.0. */
const CHAT_TEMPLATE = `{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system
You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>
' }}{% endif %}{{'<|im_start|>' + message['role'] + '
' + message['content'] + '<|im_end|>' + '
'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant
' }}{% endif %}`;

/** GPT-2's spelling of the 256 bytes: printable ones as they are, the others from U+0100 on. */
function byteTokens() {
  const printable = /[!-~\u00a1-\u00ac\u00ae-\u00ff]/;
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  let shifted = 0x100;
  return bytes.map((char) => (printable.test(char) ? char : String.fromCharCode(shifted++)));
}

/**
 * Three control tokens, the bytes, a few merges, and placeholders (" w300") up to `size`.
 * @param {number} size
 */
function vocabulary(size) {
  const control = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
  const merges = ["Ġ t", "Ġ a", "i n", "h e", "r e", "o n", "e r", "Ġt he", "a t", "Ġ s", "Ġ o", "e n"];
  const tokens = [...control, ...byteTokens(), ...merges.map((pair) => pair.replace(" ", ""))];
  while (tokens.length < size) tokens.push(`Ġw${tokens.length}`);
  const types = tokens.map((_, id) => (id < control.length ? 3 : 1));
  return { tokens, types, merges };
}

/**
 * A random model with the shape and the types of SmolLM2-135M, but few blocks and a placeholder
 * vocabulary: about 30 MB for the embedding and 2.2 MB a block. Its logits spread by 2 to 3.
 * @param {{ blocks?: number, seed?: number }} [options]
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function smollm2Shaped({ blocks = 2, seed = 1 } = {}) {
  const [width, heads, kvHeads, ffn, size] = [576, 9, 3, 1536, 49152];
  const kv = (width / heads) * kvHeads;
  const random = generator(seed);
  const { tokens, types, merges } = vocabulary(size);

  /** @param {string} name @returns {Tensor} */
  const norm = (name) => {
    const weights = Float32Array.from({ length: width }, () => random.between(0.5, 1.5));
    return { name, shape: [width], type: "F32", data: new Uint8Array(weights.buffer) };
  };
  /**
   * `gain`: the size of the outputs where the inputs have size 1.
   * @param {string} name @param {number} wide @param {number} out @param {number} gain
   * @param {"Q4_1" | "Q8_0"} [type] @returns {Tensor}
   */
  const matrix = (name, wide, out, gain, type = "Q4_1") => ({
    name, shape: [wide, out], type, data: randomBlocks(random, type, wide * out, gain / Math.sqrt(wide)),
  });

  const tensors = [matrix("token_embd.weight", width, size, 2.4, "Q8_0")];
  for (let block = 0; block < blocks; block++) {
    const p = `blk.${block}.`;
    tensors.push(
      norm(`${p}attn_norm.weight`),
      matrix(`${p}ffn_down.weight`, ffn, width, 0.9),
      matrix(`${p}ffn_gate.weight`, width, ffn, 1.5),
      matrix(`${p}ffn_up.weight`, width, ffn, 1.5),
      norm(`${p}ffn_norm.weight`),
      matrix(`${p}attn_k.weight`, width, kv, 1.4),
      matrix(`${p}attn_output.weight`, width, width, 1.3),
      matrix(`${p}attn_q.weight`, width, width, 1.4),
      matrix(`${p}attn_v.weight`, width, kv, 1.3),
    );
  }
  tensors.push(norm("output_norm.weight"));

  return writeGguf({
    metadata: {
      "general.architecture": value.string("llama"),
      "general.name": value.string(`random, shaped like SmolLM2, ${blocks} blocks`),
      "general.file_type": value.u32(3),
      "general.quantization_version": value.u32(2),
      "llama.block_count": value.u32(blocks),
      "llama.context_length": value.u32(2048),
      "llama.embedding_length": value.u32(width),
      "llama.feed_forward_length": value.u32(ffn),
      "llama.attention.head_count": value.u32(heads),
      "llama.attention.head_count_kv": value.u32(kvHeads),
      "llama.attention.layer_norm_rms_epsilon": value.f32(1e-5),
      "llama.rope.freq_base": value.f32(100000),
      "llama.rope.dimension_count": value.u32(width / heads),
      "llama.vocab_size": value.u32(size),
      "tokenizer.ggml.model": value.string("gpt2"),
      "tokenizer.ggml.pre": value.string("smollm"),
      "tokenizer.ggml.tokens": value.strings(tokens),
      "tokenizer.ggml.token_type": value.i32s(types),
      "tokenizer.ggml.merges": value.strings(merges),
      "tokenizer.ggml.bos_token_id": value.u32(1),
      "tokenizer.ggml.eos_token_id": value.u32(2),
      "tokenizer.ggml.add_bos_token": value.bool(false),
      "tokenizer.ggml.add_space_prefix": value.bool(false),
      "tokenizer.chat_template": value.string(CHAT_TEMPLATE),
    },
    tensors,
  });
}
