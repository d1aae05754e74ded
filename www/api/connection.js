/**
 * The page's end of the worker: calls go out with a number, answers come back with it, and every
 * call settles whatever happens to the worker.
 *
 * @import { PlainError } from "./errors.js"
 * @import { Progress, RunState } from "./next-token.js"
 */
import { CSP_HINT, NextTokenError, PANIC_HINT, fromPlain } from "./errors.js";

/**
 * @typedef {{ backend: "webgpu" | "cpu", adapter: string | null, reason: string }} Device
 *
 * What the worker posts. The first message is `ready`, which shows that its script runs.
 * @typedef {object} FromWorker
 * @property {true} [ready]
 * @property {Device} [device] what the engine will compute on; during `load`
 * @property {PlainError} [fatal] the engine is dead
 * @property {number} [id] of the call that this answers
 * @property {Progress | [done: number, total: number]} [progress] of the call; more will come
 * @property {unknown} [ok]
 * @property {PlainError} [error]
 * @property {RunState | null} [state] of the call's run, after it
 *
 * @typedef {object} CallOptions
 * @property {number} [run]
 * @property {(state: RunState) => void} [onState] called before the call settles
 * @property {(progress: never) => void} [onProgress]
 * @property {Transferable[]} [transfer]
 *
 * @typedef {CallOptions & { resolve: (value: never) => void, reject: (error: NextTokenError) => void }} Pending
 */

export class Connection {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #lastId = 0;
  /** @type {NextTokenError | null} */
  #ended = null;
  #ready = false;
  /** @type {Device | null} */
  device = null;

  /** @param {URL | undefined} workerUrl default: `worker.js` beside this module */
  constructor(workerUrl) {
    const url = workerUrl ?? new URL("./worker.js", import.meta.url);
    const blocked = watchPolicy();
    try {
      this.#worker = startWorker(url);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.end(new NextTokenError("csp", `No worker can be started here: ${why}`, CSP_HINT));
      return;
    }
    this.#worker.onmessage = ({ data }) => {
      this.#ready = true;
      this.#receive(data);
    };
    this.#worker.onmessageerror = () => this.#panic("an answer of the worker can't be read");
    this.#worker.onerror = (event) => {
      event.preventDefault();
      if (this.#ready) {
        this.#panic(event.message);
      } else if (blocked()) {
        this.end(new NextTokenError("csp", `The worker ${url.href} is blocked.`, CSP_HINT));
      } else {
        const hint = `Check that this address answers with JavaScript. ${CSP_HINT}`;
        this.end(new NextTokenError("download-failed", `The worker ${url.href} can't be loaded.`, hint));
      }
    };
  }

  /** Whether every further call fails. */
  get ended() {
    return this.#ended !== null;
  }

  /** @param {string | undefined} message */
  #panic(message) {
    this.end(new NextTokenError("panicked", `The engine failed: ${message || "no message"}`, PANIC_HINT));
  }

  /**
   * @template T
   * @param {string} call
   * @param {unknown} args what the worker gets; must be cloneable
   * @param {CallOptions} [options]
   * @returns {Promise<T>}
   */
  call(call, args, options = {}) {
    return new Promise((resolve, reject) => {
      if (this.#ended || !this.#worker) {
        reject(this.#ended);
        return;
      }
      const id = ++this.#lastId;
      try {
        this.#worker.postMessage({ id, call, run: options.run, args }, options.transfer ?? []);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const hint = "Options are plain values: numbers, text, lists, objects of these.";
        reject(new NextTokenError("bad-config", `An option can't be sent to the worker: ${why}`, hint));
        return;
      }
      this.#pending.set(id, { ...options, resolve, reject });
    });
  }

  /** @param {FromWorker} message */
  #receive(message) {
    if (message.fatal) this.end(fromPlain(message.fatal));
    if (message.device) this.device = message.device;
    const pending = message.id === undefined ? undefined : this.#pending.get(message.id);
    if (message.id === undefined || !pending) return;
    if (message.progress) {
      try {
        pending.onProgress?.(/** @type {never} */ (message.progress));
      } catch (error) {
        // The caller's mistake: shown as such, and the call goes on.
        reportError(error);
      }
      return;
    }
    this.#pending.delete(message.id);
    if (message.state) pending.onState?.(message.state);
    if (message.error) pending.reject(fromPlain(message.error));
    else pending.resolve(/** @type {never} */ (message.ok));
  }

  /**
   * Gives up what is pending for one run; the worker isn't asked to answer.
   * @param {number} run
   * @param {NextTokenError} error
   */
  abandon(run, error) {
    for (const [id, pending] of this.#pending) {
      if (pending.run !== run) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
  }

  /**
   * Ends the worker. All pending and later calls fail with the first error given.
   * @param {NextTokenError} error
   */
  end(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#ended ??= error;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(this.#ended);
  }
}

/**
 * A worker's script must be of the page's own origin. A module served from elsewhere starts
 * through a worker of two lines, in which `import.meta.url` still points to where it came from.
 * @param {URL} url
 */
function startWorker(url) {
  if (url.origin === location.origin) return new Worker(url, { type: "module", name: "next-token" });
  const script = new Blob([`import ${JSON.stringify(url.href)};\n`], { type: "text/javascript" });
  const blobUrl = URL.createObjectURL(script);
  try {
    return new Worker(blobUrl, { type: "module", name: "next-token" });
  } finally {
    // The worker has fetched it by then; browsers resolve the address when it is constructed.
    setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
  }
}

/** Whether the page's policy blocked something since: a worker's own error event doesn't tell. */
function watchPolicy() {
  let blocked = false;
  const note = () => {
    blocked = true;
  };
  globalThis.document?.addEventListener("securitypolicyviolation", note, { once: true });
  setTimeout(() => globalThis.document?.removeEventListener("securitypolicyviolation", note), 10_000);
  return () => blocked;
}
