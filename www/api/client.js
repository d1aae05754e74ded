/**
 * `load` starts a worker, which fetches a model and runs it; `Engine` speaks for it.
 *
 * @import { Engine as Contract, Info, LoadOptions, Message, Piece, Rendered, RunState, StartOptions } from "./next-token.js"
 */
import { Connection } from "./connection.js";
import { NextTokenError } from "./errors.js";
import { START, badConfig, describe, known, loadOptions } from "./options.js";
import { Run, freed, nextRun } from "./run.js";

/**
 * Loads a model in a worker of its own.
 * @param {LoadOptions} [options]
 * @returns {Promise<Engine>}
 */
export async function load(options) {
  const given = loadOptions(options);
  if (typeof Worker === "undefined") {
    const hint = "next-token runs in a browser. Importing it elsewhere is fine; loading a model isn't.";
    throw new NextTokenError("unsupported", "There are no workers here.", hint);
  }
  try {
    return await attempt(given, given.backend);
  } catch (error) {
    const reason = gpuFailure(error);
    if (reason === null || given.backend !== "auto") throw error;
    // An engine that failed on the GPU is dead: a new worker starts over, on the CPU.
    return attempt(given, "cpu", `WebGPU failed here (${reason}), so this runs on the CPU.`);
  }
}

/** Errors of a load that had chosen WebGPU. @type {WeakSet<object>} */
const onGpu = new WeakSet();

/** @param {unknown} error */
function gpuFailure(error) {
  const tell = error instanceof NextTokenError && onGpu.has(error);
  return tell && ["panicked", "device-lost", "out-of-memory", "bad-logits"].includes(error.code) ? error.message : null;
}

/**
 * @param {ReturnType<typeof loadOptions>} given
 * @param {"auto" | "webgpu" | "cpu"} backend
 * @param {string} [reason] told in place of the engine's own
 */
async function attempt({ source, context, onProgress, signal, workerUrl }, backend, reason) {
  const aborted = () =>
    new NextTokenError("aborted", "Loading was cancelled.", "load() again to start over; a model that was stored stays.");
  if (signal?.aborted) throw aborted();
  const connection = new Connection(workerUrl);
  const abort = () => connection.end(aborted());
  signal?.addEventListener("abort", abort, { once: true });
  try {
    // A copy, so that the caller's bytes stay the caller's, is handed over without another one.
    const own = source.kind === "bytes" ? { kind: "bytes", bytes: source.bytes.slice() } : source;
    const transfer = own.kind === "bytes" && "bytes" in own ? [own.bytes.buffer] : [];
    /** @type {Info} */
    const info = await connection.call("load", { source: own, backend, context }, { onProgress, transfer });
    return new Engine(connection, reason ? { ...info, reason } : info);
  } catch (error) {
    const failure = error instanceof NextTokenError ? error : freed("This engine");
    if (connection.device?.backend === "webgpu") onGpu.add(failure);
    connection.end(failure);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** @implements {Contract} */
export class Engine {
  #connection;
  #info;

  /**
   * @param {Connection} connection
   * @param {Info} info
   */
  constructor(connection, info) {
    this.#connection = connection;
    this.#info = info;
  }

  get info() {
    return this.#info;
  }

  get ended() {
    return this.#connection.ended;
  }

  /**
   * @param {string} text
   * @param {{ special?: boolean }} [options]
   * @returns {Promise<Piece[]>}
   */
  async encode(text, options) {
    const { special = true } = known("encode()", options, ["special"]);
    if (typeof text !== "string") {
      throw new NextTokenError("bad-prompt", `encode() was given ${describe(text)}.`, "It takes text.");
    }
    if (typeof special !== "boolean") throw badConfig(`special is ${describe(special)}.`, "special is true or false.");
    return this.#connection.call("encode", { text, special });
  }

  /**
   * @param {StartOptions} options
   * @returns {Promise<Run>}
   */
  async start(options) {
    const { reuse, ...args } = known("start()", options, [...START, "reuse"]);
    const run = nextRun();
    const from = reuse === undefined ? undefined : this.#placeOf(reuse);
    /** @type {RunState} */
    const state = await this.#connection.call("start", { options: args, reuse: from }, { run });
    return new Run(this.#connection, run, state);
  }

  /** @param {unknown} reuse */
  #placeOf(reuse) {
    if (!(reuse instanceof Run)) throw badConfig(`reuse is ${describe(reuse)}.`, "reuse is a run of this engine.");
    const { connection, id, freed: gone } = reuse.place;
    if (gone) throw freed("The run in reuse");
    if (connection !== this.#connection) throw badConfig("reuse is a run of another engine.", "K and V fit their own model only.");
    return id;
  }

  /**
   * @param {Message[]} messages
   * @returns {Promise<Rendered>}
   */
  async render(messages) {
    return this.#connection.call("render", messages);
  }

  /** @returns {Promise<number>} */
  async memory() {
    return this.#connection.call("memory", null);
  }

  free() {
    this.#connection.end(freed("This engine"));
  }
}
