/**
 * Options objects: an unknown key is an error that names it. Values are checked in Rust, which
 * knows their ranges; those of `load` are checked here, since they never reach it.
 *
 * @import { LoadOptions, ModelSource, Table } from "./next-token.js"
 */
import { NextTokenError } from "./errors.js";

export const SAMPLING = ["temperature", "topK", "topP", "minP", "repetitionPenalty", "top"];
export const START = [
  "prompt", "messages", "special", "seed", "maxTokens", "stop", "cache", ...SAMPLING,
];
export const FORK = ["position", "seed", "maxTokens", "stop", "cache"];
const LOAD = ["model", "backend", "context", "onProgress", "signal", "workerUrl"];

/**
 * @param {string} message
 * @param {string} hint
 */
export const badConfig = (message, hint) => new NextTokenError("bad-config", message, hint);

/**
 * A copy of the options without undefined values.
 * @param {string} call for the message, for example `step()`
 * @param {unknown} options undefined counts as `{}`
 * @param {readonly string[]} keys
 * @returns {Record<string, unknown>}
 */
export function known(call, options, keys) {
  if (options === undefined) return {};
  const valid = `${call} takes an object with: ${keys.join(", ")}.`;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw badConfig(`${call} was given ${describe(options)} in place of an options object.`, valid);
  }
  const entries = Object.entries(options);
  for (const [key] of entries) {
    if (!keys.includes(key)) throw badConfig(`${call} has no option "${key}".`, valid);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * What the worker gets of the load options.
 * @typedef {{ kind: "pocket" } | { kind: "smollm2" } | { kind: "table", table: Table | null }
 *   | { kind: "blob", blob: Blob } | { kind: "bytes", bytes: Uint8Array } | { kind: "url", url: string }} Source
 */

/**
 * @param {LoadOptions | undefined} options
 */
export function loadOptions(options) {
  const given = /** @type {LoadOptions} */ (known("load()", options, LOAD));
  const { backend = "auto", context, onProgress, signal, workerUrl } = given;
  if (!["auto", "webgpu", "cpu"].includes(backend)) {
    throw badConfig(`backend is ${describe(backend)}.`, 'backend is "auto", "webgpu" or "cpu".');
  }
  if (context !== undefined && !(Number.isSafeInteger(context) && context > 0)) {
    throw badConfig(`context is ${describe(context)}.`, "context is a whole number of tokens, at least 1.");
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw badConfig(`onProgress is ${describe(onProgress)}.`, "onProgress is a function.");
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw badConfig(`signal is ${describe(signal)}.`, "signal is the signal of an AbortController.");
  }
  const worker = workerUrl === undefined ? undefined : address("workerUrl", workerUrl);
  const from = source(given.model ?? "pocket");
  if (from.kind === "table" && backend === "webgpu") {
    throw new NextTokenError("no-webgpu", "A table is not computed on a GPU.", "Leave backend out, or use a model file.");
  }
  if (from.kind === "table" && context !== undefined) {
    throw badConfig("A table has no context to be shortened.", "context is for model files.");
  }
  return { source: from, backend, context, onProgress, signal, workerUrl: worker };
}

/**
 * @param {ModelSource} model
 * @returns {Source}
 */
function source(model) {
  if (model === "pocket" || model === "smollm2") return { kind: model };
  if (model === "table") return { kind: "table", table: null };
  const hint = 'model is "pocket", "smollm2", "table", { gguf: Blob | Uint8Array | URL }, or { table: { rows } }.';
  if (typeof model !== "object" || model === null) throw badConfig(`model is ${describe(model)}.`, hint);
  const given = known("model", model, ["gguf", "table"]);
  if (Object.keys(given).length !== 1) throw badConfig("model must have exactly one of gguf and table.", hint);
  if ("table" in given) {
    const table = /** @type {unknown} */ (known("table", given.table, ["rows", "separator", "end"]));
    return { kind: "table", table: /** @type {Table} */ (table) };
  }
  const { gguf } = given;
  if (gguf instanceof Blob) return { kind: "blob", blob: gguf };
  if (gguf instanceof Uint8Array) return { kind: "bytes", bytes: gguf };
  return { kind: "url", url: address("gguf", gguf).href };
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {URL} relative ones are relative to the page
 */
function address(key, value) {
  if (typeof value === "string" || value instanceof URL) {
    try {
      return new URL(value, globalThis.document?.baseURI ?? globalThis.location?.href);
    } catch {
      // Told below.
    }
  }
  throw badConfig(`${key} is ${describe(value)}.`, `${key} is a URL${key === "gguf" ? ", a Blob or a Uint8Array" : ""}.`);
}

/** @param {unknown} value */
export function describe(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return `an object (${value.constructor?.name ?? "no class"})`;
  return typeof value === "function" ? "a function" : String(value);
}
