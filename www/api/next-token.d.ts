/**
 * next-token: a language model that writes one token at a time, in the browser, stage by stage.
 *
 * This file is the public contract. `next-token.js` implements it, the records in it come from
 * Rust (`src/event.rs`) unchanged, and `cargo xtask test` checks both against it.
 */

export type ErrorCode =
  /** WebGPU was asked for by name and can't be used. */
  | "no-webgpu"
  /** The GPU went away while computing. */
  | "device-lost"
  /** An allocation failed. */
  | "out-of-memory"
  /** A model file couldn't be fetched. */
  | "download-failed"
  /** A model file isn't the one that was published (size or sha256 differ). */
  | "integrity"
  /** The page's Content-Security-Policy blocks WebAssembly or workers. */
  | "csp"
  /** An option is unknown, has the wrong type, or is out of range. */
  | "bad-config"
  /** The prompt is empty, isn't text, or the model has no chat template for `messages`. */
  | "bad-prompt"
  /** The file isn't a usable model: not GGUF, cut off, or of an unsupported kind. */
  | "bad-weights"
  /** The vocabulary or the merges in the file can't be used. */
  | "bad-tokenizer"
  /** The model's own chat template can't be rendered. */
  | "bad-template"
  /** The prompt doesn't fit into the context. */
  | "context-full"
  /** The model gave a logit that is not a number. */
  | "bad-logits"
  /** The call isn't possible at this stage of the loop. */
  | "out-of-order"
  /** A pass is still running; await it, or `cancel()`. */
  | "busy"
  /** This model can't do that (a table has no attention). */
  | "unsupported"
  /** The caller's AbortSignal ended the call. */
  | "aborted"
  /** `free()` was called before. */
  | "freed"
  /** A bug in the engine. The engine can't be used any more: `load()` again. */
  | "panicked";

/** Every error of this module. `message` says what happened, `hint` what to do about it. */
export class NextTokenError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
}

/** A hand-written model: for each last token, the next tokens and their probabilities. */
export interface Table {
  /** `{ last: { next: probability } }`; each row adds up to 1. */
  rows: Record<string, Record<string, number>>;
  /** What stands between two tokens when they are joined. Default: a space. */
  separator?: string;
  /** The entry that ends the run. Default: `<END>`. */
  end?: string;
}

export type ModelSource =
  /**
   * A model of about a million weights, part of this package: trained from scratch by this project on
   * a small synthetic world of capitals, short stories, lists, sums, JSON and chats. It knows nothing else.
   */
  | "pocket"
  /** SmolLM2-135M-Instruct, 98 MB, fetched from `models/` beside this module's folder. */
  | "smollm2"
  /** The lesson's transition table; nothing to fetch. */
  | "table"
  /** A GGUF file of architecture `llama`. */
  | { gguf: Blob | Uint8Array | URL | string }
  | { table: Table };

export interface LoadOptions {
  /** Default: `"pocket"`. */
  model?: ModelSource;
  /**
   * Default: `"auto"`: WebGPU on real hardware that passes the self-test, otherwise the CPU. A file known
   * to be small (4 MiB or less, such as pocket) runs on the CPU, which is faster then.
   */
  backend?: "auto" | "webgpu" | "cpu";
  /** Longest sequence in tokens; default and maximum: the smaller of the model's own and 2048. */
  context?: number;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** Where the worker script is, for hosts whose CSP forbids `blob:` workers. */
  workerUrl?: URL | string;
}

export interface Progress {
  /** `waiting`: the server doesn't have the file yet and says why in `note`. */
  phase: "engine" | "waiting" | "download" | "verify" | "weights" | "warm-up" | "ready";
  /** Bytes done in this phase. */
  loaded: number;
  /** Bytes in all, 0 if unknown. */
  total: number;
  /** True if the file came from this browser's store and nothing was downloaded. */
  cached: boolean;
  /** Something the reader should know, for example that nothing could be stored. */
  note: string | null;
}

export interface Info {
  /** The name in the file, or `table`. */
  model: string;
  architecture: "llama" | "table";
  backend: "webgpu" | "cpu";
  /** The GPU's name where the browser tells it. */
  adapter: string | null;
  /** Why this backend runs, in words for the reader. */
  reason: string;
  /** Number of weights. */
  parameters: number;
  layers: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  /** Longest sequence here, in tokens. */
  context: number;
  /** Longest sequence the model was made for, in tokens. */
  contextOfModel: number;
  /** Entries in the vocabulary. */
  vocabulary: number;
  /** Bytes the weights take in memory. */
  bytes: number;
  /** Bytes of KV cache a token: 2 · layers · kvHeads · headDim · 4. */
  kvBytesPerToken: number;
  /** Whether `messages` can be given (the file has a chat template). */
  chat: boolean;
}

/** One token. */
export interface Piece {
  id: number;
  /** Its text. Bytes that are no whole character are U+FFFD here: draw `bytes` instead. */
  text: string;
  /** Its exact bytes. */
  bytes: number[];
  /** A control token, such as the end of a turn. */
  special: boolean;
}

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface SamplingOptions {
  /** 0 is greedy (default); otherwise logits are divided by it. */
  temperature?: number;
  /** Keep the k most likely tokens; 0 keeps all (default). */
  topK?: number;
  /** Keep the smallest set of most likely tokens whose probability reaches p; 1 keeps all (default). */
  topP?: number;
  /** Cut tokens below minP times the highest probability; 0 keeps all (default). */
  minP?: number;
  /** Divide (or multiply, if negative) the logits of tokens already in the sequence; 1 is off (default). */
  repetitionPenalty?: number;
  /** Number of candidates in the record. Default 12. */
  top?: number;
}

export interface StartOptions extends SamplingOptions {
  /** Text, or token ids. Exactly one of `prompt` and `messages`. */
  prompt?: string | number[];
  messages?: Message[];
  /** Whether control tokens written out in `prompt` count as such. Default true. Never in `messages`. */
  special?: boolean;
  /** Integer from 0 to 2^53 − 1. Default 0. Same seed, same model, same backend: same coins. */
  seed?: number;
  /** Default 64. */
  maxTokens?: number;
  /** Stop sequences. Default none. */
  stop?: string | string[];
  /** false computes every token again at each pass. Default true. */
  cache?: boolean;
  /**
   * A run of the same engine: K and V of the tokens that both begin with, by ids, are copied from it
   * instead of computed (a prefix cache). It stays as it is. Not together with `cache: false`.
   */
  reuse?: Run;
}

/** What a fork does otherwise than its run. */
export interface ForkOptions {
  /** Tokens that both begin with, prompt included; from the prompt's length to the present one (default). */
  position?: number;
  seed?: number;
  maxTokens?: number;
  stop?: string | string[];
  cache?: boolean;
}

/** How often a token was drawn, beside how likely that was. */
export interface Draw extends Piece {
  rank: number;
  count: number;
  p: number;
  pRaw: number;
}

/** Many draws for one position, by rank. Tokens that were never drawn are left out. */
export interface Draws {
  position: number;
  times: number;
  seed: number;
  settings: Settings;
  draws: Draw[];
}

/** A conversation as the model reads it. */
export interface Rendered {
  pieces: Piece[];
  /**
   * Who wrote which tokens, in order: tokens `from` up to `to` come from `messages[message]`, or, if
   * that is null, from the template. A token with bytes of both belongs to where its first byte comes
   * from. null if the template does more than to put text around the messages.
   */
  parts: { message: number | null; from: number; to: number }[] | null;
}

/** The settings a turn was computed with, all filled in. */
export interface Settings {
  temperature: number;
  topK: number;
  topP: number;
  minP: number;
  repetitionPenalty: number;
  top: number;
}

export interface Candidate {
  id: number;
  text: string;
  bytes: number[];
  special: boolean;
  /** The model's raw score. */
  logit: number;
  /** The model's probability: softmax over the full vocabulary before any setting. */
  pRaw: number;
  /** The probability it is drawn with: after penalty, temperature and cuts, renormalised. */
  p: number;
  /** 0 is the most likely to be drawn; ties go to the lower id. */
  rank: number;
  kept: boolean;
  /** Which setting cut it. */
  why: null | "greedy" | "top-k" | "top-p" | "min-p";
}

/** All the entries that are not among the candidates, in one. */
export interface Tail {
  count: number;
  /** How many of them are kept. */
  kept: number;
  /** Sum of their `p`. */
  mass: number;
  /** Sum of their `pRaw`. */
  massRaw: number;
}

export interface Distribution {
  settings: Settings;
  /** The `top` first entries by rank. */
  candidates: Candidate[];
  tail: Tail;
  /** Entries kept, over the full vocabulary. */
  kept: number;
  /** Entropy of the model's probabilities (`pRaw`), in bits. */
  entropyBits: number;
}

export interface Choice {
  id: number;
  text: string;
  bytes: number[];
  special: boolean;
  /** null if forced without a forward pass. */
  rank: number | null;
  p: number | null;
  pRaw: number | null;
  /** Its interval on the cumulative bar, `lo <= coin < hi` for a sampled choice. */
  lo: number | null;
  hi: number | null;
  /** null unless sampled. */
  coin: number | null;
  method: "greedy" | "sampled" | "forced";
}

export type FinishReason = "eos" | "length" | "stop" | "context" | "cancelled";

export interface Stop {
  reason: "eos" | "length" | "stop" | "context";
  /** Whether the token joins the sequence (all but `eos`). */
  joins: boolean;
  /** For `stop`: the sequence that matched. */
  sequence: string | null;
}

export interface Appended {
  piece: Piece;
  /** Text that became final with this token; may be empty, may hold earlier tokens' text. */
  text: string;
  /** Tokens in the sequence now. */
  length: number;
}

/** One whole turn of the loop. */
export interface Step {
  v: 1;
  /** 0 for the first generated token. */
  index: number;
  /** Position of the new token in the sequence. */
  position: number;
  /** The prompt's tokens; in step 0 only. */
  pieces: Piece[] | null;
  /** Of the forward pass; null if the token was forced without one. */
  logits: { min: number; max: number; ms: number; passes: number } | null;
  settings: Settings;
  candidates: Candidate[];
  /** null, and no candidates, if the token was forced without a forward pass. */
  tail: Tail | null;
  kept: number | null;
  entropyBits: number | null;
  choice: Choice;
  /** null: the run goes on. */
  stop: Stop | null;
  /** null at the end-of-text token, which joins nothing. */
  appended: Appended | null;
  /** Computing time of all stages of this turn, in ms. */
  ms: number;
}

export interface Forward {
  /** Position of the token that the logits are for. */
  position: number;
  /** Tokens computed in this pass: 0 if the prefill had already computed these logits. */
  passes: number;
  ms: number;
  min: number;
  max: number;
}

export interface Prefill extends Forward {
  /** The prompt's tokens. */
  pieces: Piece[];
}

/** Text as it is drawn: characters, and bytes that are no character. */
export type Segment = { text: string } | { bytes: number[] };

/**
 * The last stage that was done. `prompt`: nothing yet. `append` also after `rewind`: a forward
 * pass comes next. `done`: `finish` says why.
 */
export type Stage =
  | "prompt" | "prefill" | "forward" | "distribution" | "sample" | "stop" | "append" | "done";

/** Where a run stands. */
export interface RunState {
  stage: Stage;
  tokens: number[];
  promptLength: number;
  promptText: string;
  text: string;
  /** Text that may turn out to be the beginning of a stop sequence. Never final before it is released. */
  held: string;
  /** Bytes of a character that isn't complete yet. */
  pending: number[];
  /** `text` with stray bytes kept apart. */
  segments: Segment[];
  /** What a server without hold-back would have shown. */
  naive: string;
  finish: FinishReason | null;
  /** Tokens whose K and V are in the cache. */
  cached: number;
  /** Tokens of the prompt whose K and V were copied from `reuse`. */
  reused: number;
  /** Generated tokens after which `length` ends the run. */
  maxTokens: number;
  /** Tokens computed so far, all passes together. */
  passes: number;
  capacity: number;
}

export interface Attention {
  layer: number;
  heads: number;
  /** Tokens attended to. */
  tokens: number;
  /** `[heads][tokens]`: weights of the newest computed token, each row adds up to 1. */
  weights: Float32Array;
}

export interface Kv {
  layer: number;
  /** Position of the first token in it. */
  from: number;
  kvHeads: number;
  headDim: number;
  tokens: number;
  /** `[tokens][kvHeads][headDim]`, after the position's rotation. */
  k: Float32Array;
  /** `[tokens][kvHeads][headDim]`. */
  v: Float32Array;
}

export interface Logits {
  /** Position that these are the scores for. */
  position: number;
  /** One score per entry of the vocabulary. */
  values: Float32Array;
}

export class Run implements AsyncIterable<Step> {
  /**
   * Reads the prompt, up to 32 tokens at a time, and gives the first logits. `aborted` if cancelled:
   * `rewind()` to the prompt's length and call it again; what was computed stays.
   */
  prefill(options?: { onProgress?: (done: number, total: number) => void }): Promise<Prefill>;
  /** The rest of the turn, or a whole one. */
  step(options?: SamplingOptions): Promise<Step>;
  forward(): Promise<Forward>;
  /** May be called again with other settings; costs no forward pass. */
  distribution(options?: SamplingOptions): Promise<Distribution>;
  /** Draws. `coin` in [0, 1) replaces the seeded one. */
  sample(options?: { coin?: number }): Promise<Choice>;
  /** The stop check of the chosen token; `append` does it if you don't. null: it goes on. */
  stop(): Promise<Stop | null>;
  append(): Promise<Step>;
  /** Appends this token in place of a drawn one. */
  force(id: number): Promise<Step>;
  /**
   * Keeps the first `position` tokens (prompt included) and goes on from there. Undoes `finish`,
   * unless the tokens kept reach a limit or a stop sequence already. The next forward pass computes
   * nothing where the scores are still stored (of a long run the latest 64 MB are).
   */
  rewind(position: number): Promise<void>;
  /**
   * A run of its own that begins with the same tokens: K, V and scores are copied, not computed. This
   * one stays as it is. Its `passes` count from 0. Raising `maxTokens` goes on where `length` ended a run.
   */
  fork(options?: ForkOptions): Promise<Run>;
  /** Coins thrown from now on come from this seed. */
  reseed(seed: number): Promise<void>;
  /**
   * The distribution that the token at `position` was drawn from, or will be, under any settings.
   * From stored scores: no pass, and the run stays where it is. `out-of-order` if there are none.
   */
  distributionAt(position: number, options?: SamplingOptions): Promise<Distribution>;
  /**
   * Draws `times` (1 to 100,000) tokens for one position; changes nothing. Draw i takes the coin that
   * generated token i of a run with this seed would get. Default seed: the run's.
   */
  draws(position: number, options: SamplingOptions & { times: number; seed?: number }): Promise<Draws>;
  /** Ends the run as soon as the pass in progress allows. Everything computed stays. */
  cancel(): Promise<void>;
  /** The tokens of the whole sequence. */
  pieces(): Promise<Piece[]>;
  /** Default: those of the last pass. */
  logits(options?: { position?: number }): Promise<Logits>;
  attention(options: { layer: number }): Promise<Attention>;
  /** Of all cached tokens, or of those from `from` up to `to`. */
  kv(options: { layer: number; from?: number; to?: number }): Promise<Kv>;
  /** Text generated so far and final. */
  readonly text: string;
  /** Ids of the whole sequence, prompt included. */
  readonly tokens: number[];
  readonly finish: FinishReason | null;
  readonly state: RunState;
  free(): void;
  [Symbol.asyncIterator](): AsyncIterator<Step>;
}

export class Engine {
  readonly info: Info;
  /** Whether it can't be used any more: it was freed, or its worker failed (`panicked`). */
  readonly ended: boolean;
  encode(text: string, options?: { special?: boolean }): Promise<Piece[]>;
  start(options: StartOptions): Promise<Run>;
  /** The messages as the model reads them, up to where it begins to answer; nothing is computed. */
  render(messages: Message[]): Promise<Rendered>;
  /** Bytes of WebAssembly memory taken so far; it never shrinks. Graphics memory isn't in it. */
  memory(): Promise<number>;
  /** Ends the worker and gives all memory back. */
  free(): void;
}

/** Loads a model in a worker of its own. */
export function load(options?: LoadOptions): Promise<Engine>;
