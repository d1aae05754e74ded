/**
 * @import { Connection } from "./connection.js"
 * @import { Attention, Choice, Distribution, Draws, ForkOptions, Forward, Kv, Logits, Piece, Prefill, Run as Contract,
 *   RunState, SamplingOptions, Step, Stop } from "./next-token.js"
 */
import { NextTokenError } from "./errors.js";
import { FORK, SAMPLING, badConfig, describe, known } from "./options.js";

let runs = 0;
/** Runs of all workers are numbered together. */
export const nextRun = () => ++runs;

/**
 * One sequence being written: a proxy of the state machine in the worker, with a mirror of its
 * state. Calls are carried out in the order in which they were made.
 *
 * @implements {Contract}
 */
export class Run {
  #connection;
  #id;
  #state;
  #freed = false;
  /** The pass in progress: `prefill`, `forward` or `step`. @type {string | null} */
  #pass = null;

  /**
   * @param {Connection} connection
   * @param {number} id
   * @param {RunState} state
   */
  constructor(connection, id, state) {
    this.#connection = connection;
    this.#id = id;
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  get text() {
    return this.#state.text;
  }

  get tokens() {
    return this.#state.tokens;
  }

  get finish() {
    return this.#state.finish;
  }

  /**
   * @param {{ onProgress?: (done: number, total: number) => void }} [options]
   * @returns {Promise<Prefill>}
   */
  async prefill(options) {
    const { onProgress } = known("prefill()", options, ["onProgress"]);
    if (onProgress !== undefined && typeof onProgress !== "function") {
      throw badConfig(`onProgress is ${describe(onProgress)}.`, "onProgress is a function.");
    }
    return this.#exclusive("prefill", null, ([done, total]) => onProgress?.(done, total));
  }

  /**
   * @param {SamplingOptions} [options]
   * @returns {Promise<Step>}
   */
  async step(options) {
    return this.#exclusive("step", known("step()", options, SAMPLING));
  }

  /** @returns {Promise<Forward>} */
  async forward() {
    return this.#exclusive("forward", null);
  }

  /**
   * @param {SamplingOptions} [options]
   * @returns {Promise<Distribution>}
   */
  async distribution(options) {
    return this.#send("distribution", known("distribution()", options, SAMPLING));
  }

  /**
   * @param {{ coin?: number }} [options]
   * @returns {Promise<Choice>}
   */
  async sample(options) {
    return this.#send("sample", known("sample()", options, ["coin"]));
  }

  /** @returns {Promise<Stop | null>} */
  async stop() {
    return this.#send("stop", null);
  }

  /** @returns {Promise<Step>} */
  async append() {
    return this.#send("append", null);
  }

  /**
   * @param {number} id
   * @returns {Promise<Step>}
   */
  async force(id) {
    return this.#send("force", index("force(): id", id));
  }

  /**
   * @param {number} position
   * @returns {Promise<void>}
   */
  async rewind(position) {
    return this.#send("rewind", index("rewind(): position", position));
  }

  /** @returns {Promise<void>} */
  async cancel() {
    // The only call that is let through to a pass in progress.
    return this.#call("cancel", null);
  }

  /** @returns {Promise<Piece[]>} */
  async pieces() {
    return this.#send("pieces", null);
  }

  /**
   * @param {ForkOptions} [options]
   * @returns {Promise<Run>}
   */
  async fork(options) {
    const args = known("fork()", options, FORK);
    const run = nextRun();
    try {
      /** @type {RunState} */
      const state = await this.#send("fork", { options: args, run });
      return new Run(this.#connection, run, state);
    } catch (error) {
      // This run was freed meanwhile: the worker may have made the fork all the same.
      if (this.#freed) this.#connection.call("free", null, { run }).catch(() => {});
      throw error;
    }
  }

  /**
   * @param {number} seed
   * @returns {Promise<void>}
   */
  async reseed(seed) {
    if (typeof seed !== "number") throw badConfig(`seed is ${describe(seed)}.`, "seed is a whole number, 0 or more.");
    return this.#send("reseed", seed);
  }

  /**
   * @param {number} position
   * @param {SamplingOptions} [options]
   * @returns {Promise<Distribution>}
   */
  async distributionAt(position, options) {
    const args = known("distributionAt()", options, SAMPLING);
    return this.#send("distributionAt", { position: index("distributionAt(): position", position), options: args });
  }

  /**
   * @param {number} position
   * @param {SamplingOptions & { times: number, seed?: number }} options
   * @returns {Promise<Draws>}
   */
  async draws(position, options) {
    const { times, seed, ...sampling } = known("draws()", options, [...SAMPLING, "times", "seed"]);
    if (typeof times !== "number") throw badConfig(`times is ${describe(times)}.`, "times is a whole number from 1 to 100,000.");
    if (seed !== undefined && typeof seed !== "number") throw badConfig(`seed is ${describe(seed)}.`, "seed is a whole number, 0 or more.");
    return this.#send("draws", { position: index("draws(): position", position), times, seed, options: sampling });
  }

  /**
   * @param {{ position?: number }} [options]
   * @returns {Promise<Logits>}
   */
  async logits(options) {
    const { position } = known("logits()", options, ["position"]);
    return this.#send("logits", position === undefined ? undefined : index("logits(): position", position));
  }

  /**
   * @param {{ layer: number }} options
   * @returns {Promise<Attention>}
   */
  async attention(options) {
    const { layer } = known("attention()", options, ["layer"]);
    return this.#send("attention", index("attention(): layer", layer));
  }

  /**
   * @param {{ layer: number, from?: number, to?: number }} options
   * @returns {Promise<Kv>}
   */
  async kv(options) {
    const { layer, from, to } = known("kv()", options, ["layer", "from", "to"]);
    const at = (/** @type {string} */ name, /** @type {unknown} */ value) => (value === undefined ? undefined : index(`kv(): ${name}`, value));
    return this.#send("kv", { layer: index("kv(): layer", layer), from: at("from", from), to: at("to", to) });
  }

  /** The number that the worker knows this run by, and its connection: for `start({ reuse })`. */
  get place() {
    return { connection: this.#connection, id: this.#id, freed: this.#freed };
  }

  /** @returns {AsyncGenerator<Step, void, void>} */
  async *[Symbol.asyncIterator]() {
    try {
      if (this.#state.stage === "prompt" && this.finish === null) await this.prefill();
      while (this.finish === null) yield await this.step();
    } catch (error) {
      // The run was cancelled while this waited, or just before it asked: that is an end.
      const ended = error instanceof NextTokenError && ["aborted", "out-of-order"].includes(error.code);
      if (!ended || this.finish !== "cancelled") throw error;
    }
  }

  free() {
    if (this.#freed) return;
    this.#freed = true;
    this.#connection.abandon(this.#id, freed("This run"));
    // Nobody waits for it: if the whole engine is gone, so is the run.
    this.#connection.call("free", null, { run: this.#id }).catch(() => {});
  }

  /**
   * A pass: nothing else may be asked of the run until it has settled.
   * @template T
   * @param {"prefill" | "forward" | "step"} name
   * @param {unknown} args
   * @param {(progress: [done: number, total: number]) => void} [onProgress]
   * @returns {Promise<T>}
   */
  async #exclusive(name, args, onProgress) {
    this.#refuseDuringPass(name);
    this.#pass = name;
    try {
      return await this.#call(name, args, onProgress);
    } finally {
      this.#pass = null;
    }
  }

  /**
   * @template T
   * @param {string} name
   * @param {unknown} args
   * @returns {Promise<T>}
   */
  async #send(name, args) {
    this.#refuseDuringPass(name);
    return this.#call(name, args);
  }

  /** @param {string} name */
  #refuseDuringPass(name) {
    if (this.#pass === null || this.#freed) return;
    throw new NextTokenError(
      "busy",
      `${name}() can't be called while ${this.#pass}() runs.`,
      `Await ${this.#pass}() first, or end it with cancel().`,
    );
  }

  /**
   * @template T
   * @param {string} name
   * @param {unknown} args
   * @param {(progress: [done: number, total: number]) => void} [onProgress]
   * @returns {Promise<T>}
   */
  async #call(name, args, onProgress) {
    if (this.#freed) throw freed("This run");
    /** @param {RunState} state */
    const onState = (state) => {
      this.#state = state;
    };
    return this.#connection.call(name, args, { run: this.#id, onState, onProgress });
  }
}

/** @param {string} what */
export const freed = (what) =>
  new NextTokenError("freed", `${what} was freed.`, "Don't use it after free(). load() or start() gives a new one.");

/**
 * WebAssembly would make 0 of a value that isn't a number, and drop fractions.
 * @param {string} what
 * @param {unknown} value
 */
function index(what, value) {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
  throw badConfig(`${what} is ${describe(value)}.`, "It is a whole number, 0 or more.");
}
