/**
 * One worker and one copy of the weights for each model on a page, however many elements use it. Each
 * user has runs of its own; calls queue in the worker.
 */

import { engineModule } from "./api.js";

/** @typedef {import("../api/next-token.js").Engine} Engine */
/** @typedef {import("../api/next-token.js").Progress} Progress */
/** @typedef {import("../api/next-token.js").ModelSource} ModelSource */
/** @typedef {{ engine: Engine, release: (broken?: boolean) => void }} Lease `broken`: the engine can't be used any more */
/**
 * @typedef {object} Entry
 * @property {Promise<Engine>} engine
 * @property {Engine | null} ready the same, once it is there
 * @property {number} users those who wait for it count
 * @property {AbortController} abort
 * @property {Set<(progress: Progress) => void>} listeners
 * @property {Progress | null} progress the latest, for those who come later
 */

/** @type {Map<string, Entry>} */
const entries = new Map();
/** @type {WeakMap<object, number>} */
const files = new WeakMap();
let lastFile = 0;

/** @param {ModelSource} source @param {string} backend */
function keyOf(source, backend) {
  return `${backend} ${typeof source === "string" ? source : "table" in source ? JSON.stringify(source.table) : nameOf(source.gguf)}`;
}

/** @param {Blob | Uint8Array | URL | string} file */
function nameOf(file) {
  if (typeof file === "string" || file instanceof URL) return new URL(file, globalThis.document?.baseURI).href;
  const number = files.get(file) ?? ++lastFile;
  files.set(file, number);
  return `file ${number}`;
}

/**
 * The engine of a model: the one that is there, or a new one. `release` it when it isn't needed any more;
 * the last one to do so ends its worker.
 * @param {{ source: ModelSource, backend: "auto" | "webgpu" | "cpu" }} wanted
 * @param {{ onProgress?: (progress: Progress) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<Lease>}
 */
export async function acquire({ source, backend }, { onProgress, signal } = {}) {
  const key = keyOf(source, backend);
  // One whose worker failed is of no use to anybody any more.
  if (entries.get(key)?.ready?.ended) entries.delete(key);
  const entry = entries.get(key) ?? begin(key, source, backend);
  entry.users += 1;
  if (onProgress) {
    entry.listeners.add(onProgress);
    if (entry.progress) onProgress(entry.progress);
  }
  let released = false;
  const release = (broken = false) => {
    if (onProgress) entry.listeners.delete(onProgress);
    if (broken && entries.get(key) === entry) entries.delete(key);
    if (released) return;
    released = true;
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entries.get(key) === entry) entries.delete(key);
    // Still loading: nobody waits for it any more.
    entry.abort.abort();
    entry.engine.then((engine) => engine.free(), () => {});
  };
  try {
    const engine = await Promise.race([entry.engine, aborted(signal)]);
    if (onProgress) entry.listeners.delete(onProgress);
    return { engine, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** @param {string} key @param {ModelSource} source @param {"auto" | "webgpu" | "cpu"} backend @returns {Entry} */
function begin(key, source, backend) {
  const abort = new AbortController();
  /** @type {Entry} */
  const entry = { engine: Promise.reject(), ready: null, users: 0, abort, listeners: new Set(), progress: null };
  entry.engine.catch(() => {});
  entry.engine = (async () => {
    const { load } = await engineModule();
    return load({
      model: source,
      backend,
      signal: abort.signal,
      onProgress: (progress) => {
        entry.progress = progress;
        for (const listener of [...entry.listeners]) listener(progress);
      },
    });
  })();
  entry.engine.then((engine) => (entry.ready = engine), () => {});
  // A load that failed isn't kept: the next one tries again.
  entry.engine.catch(() => entries.get(key) === entry && entries.delete(key));
  entries.set(key, entry);
  return entry;
}

/** Never settles without a signal. @param {AbortSignal | undefined} signal @returns {Promise<never>} */
function aborted(signal) {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(Object.assign(new Error("Loading was cancelled."), { code: "aborted", hint: "" }));
    if (signal?.aborted) fail();
    signal?.addEventListener("abort", fail, { once: true });
  });
}
