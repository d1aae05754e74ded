/**
 * The worker: owns the WebAssembly engine, carries out one call at a time in the order of their
 * arrival, and answers each. Only `cancel` doesn't queue: it gets through between two pieces of
 * work.
 *
 * @import { Core, RunCore } from "./engine.js"
 * @import { FromWorker } from "./connection.js"
 * @import { ForkOptions, SamplingOptions, StartOptions } from "./next-token.js"
 * @import { Source } from "./options.js"
 */
import { NextTokenError, toPlain } from "./errors.js";
import { loadEngine } from "./worker-load.js";

/**
 * @typedef {{ id: number, call: string, run?: number, args: never }} Message
 *
 * @typedef {object} Entry a run
 * @property {RunCore} core
 * @property {boolean} working one of its promises is pending: then it must not be touched
 * @property {number[]} cancels ids of `cancel` calls that came meanwhile
 * @property {boolean} freed
 */

/** @type {Map<number, Entry>} */
const runs = new Map();
/** @type {Core | null} */
let core = null;
/** @type {WebAssembly.Memory | null} */
let memory = null;
/** The end of the queue of calls. */
let queue = Promise.resolve();

/**
 * @param {FromWorker} message
 * @param {Transferable[]} [transfer]
 */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

/** Calls of the engine. @type {Record<string, (message: Message) => unknown>} */
const engineCalls = {
  async load({ id, args }) {
    /** @type {{ source: Source, backend: "auto" | "webgpu" | "cpu", context: number | undefined }} */
    const { source, backend, context } = args;
    const loaded = await loadEngine(source, backend, context, {
      device: (device) => post({ device }),
      progress: (progress) => post({ id, progress }),
    });
    ({ core, memory } = loaded);
    return core.info();
  },
  encode({ args }) {
    /** @type {{ text: string, special: boolean }} */
    const { text, special } = args;
    return engine().encode(text, special);
  },
  start({ run, args }) {
    /** @type {{ options: StartOptions, reuse: number | undefined }} */
    const { options, reuse } = args;
    if (reuse === undefined) return enter(run, engine().start(options));
    const other = runs.get(reuse);
    if (!other) throw new NextTokenError("freed", "The run in reuse was freed.", "Start without it.");
    return enter(run, engine().start_from(options, other.core));
  },
  render: ({ args }) => engine().render(args),
  memory: () => memory?.buffer.byteLength ?? 0,
};

/** Calls of a run. @type {Record<string, (entry: Entry, message: Message) => unknown>} */
const runCalls = {
  prefill: (entry, { id }) => prefill(entry, id),
  forward: (entry) => entry.core.forward(),
  step: (entry, { args }) => entry.core.step(args),
  distribution: (entry, { args }) => entry.core.distribution(args),
  sample: (entry, { args }) => entry.core.sample(args),
  stop: (entry) => entry.core.stop() ?? null,
  append: (entry) => entry.core.append(),
  force: (entry, { args }) => entry.core.force(args),
  rewind: (entry, { args }) => entry.core.rewind(args),
  pieces: (entry) => entry.core.pieces(),
  fork(entry, { args }) {
    /** @type {{ options: ForkOptions, run: number }} */
    const { options, run } = args;
    return enter(run, entry.core.fork(options));
  },
  reseed: (entry, { args }) => entry.core.reseed(args),
  distributionAt(entry, { args }) {
    /** @type {{ position: number, options: SamplingOptions }} */
    const { position, options } = args;
    return entry.core.distribution_at(position, options);
  },
  draws(entry, { args }) {
    /** @type {{ position: number, times: number, seed: number | undefined, options: SamplingOptions }} */
    const { position, times, seed, options } = args;
    return entry.core.draws(position, times, seed, options);
  },
  logits: (entry, { args }) => entry.core.logits(args),
  attention: (entry, { args }) => entry.core.attention(args),
  kv(entry, { args }) {
    /** @type {{ layer: number, from: number | undefined, to: number | undefined }} */
    const { layer, from, to } = args;
    return entry.core.kv(layer, from, to);
  },
};

/** A new run under its number. @param {number | undefined} run @param {RunCore} started */
function enter(run, started) {
  runs.set(Number(run), { core: started, working: false, cancels: [], freed: false });
  return started.state();
}

function engine() {
  if (core) return core;
  throw new NextTokenError("out-of-order", "No model is loaded.", "Await load() first.");
}

/**
 * Chunk by chunk, so that `cancel` can come between.
 * @param {Entry} entry
 * @param {number} id
 */
async function prefill(entry, id) {
  let position = 0;
  await nextTask();
  while (!entry.freed && entry.cancels.length === 0) {
    const { done, total, prefill } = await entry.core.prefill_chunk();
    position = done;
    post({ id, progress: [done, total] });
    await nextTask();
    // Cancelled after the last chunk is cancelled too: one rule for the caller.
    if (prefill && entry.cancels.length === 0) return prefill;
  }
  throw new NextTokenError(
    "aborted",
    `Reading the prompt was cancelled after ${position} tokens.`,
    "rewind() to the prompt's end and prefill() again: what was computed stays.",
  );
}

const channel = new MessageChannel();

/** Lets the messages in that wait. A timer would wait for 4 ms each time. */
function nextTask() {
  return new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
}

self.onmessage = ({ data }) => {
  /** @type {Message} */
  const message = data;
  const entry = runs.get(message.run ?? -1);
  if (entry && message.call === "free") entry.freed = true;
  if (entry && message.call === "cancel") {
    entry.cancels.push(message.id);
    if (entry.working) entry.core.interrupt();
    else settleCancels(entry);
    return;
  }
  queue = queue.then(() => carryOut(message));
};

/** @param {Message} message */
async function carryOut(message) {
  const { id, call } = message;
  const entry = runs.get(message.run ?? -1);
  /** @type {FromWorker} */
  const answer = { id };
  try {
    if (call in engineCalls) {
      answer.ok = await engineCalls[call](message);
    } else if (entry && call === "free") {
      runs.delete(message.run ?? -1);
      entry.core.free();
    } else if (entry && call in runCalls) {
      entry.working = true;
      answer.ok = await runCalls[call](entry, message);
    } else {
      throw new NextTokenError("freed", `There is no run for ${call}().`, "start() gives a new one.");
    }
  } catch (error) {
    answer.error = toPlain(error);
    // A trap leaves the engine's memory in an unknown state: nothing may run on it again.
    if (answer.error.code === "panicked") return post({ fatal: fatal(error) });
  }
  if (entry) entry.working = false;
  finish(answer, entry);
}

/**
 * @param {FromWorker} answer
 * @param {Entry | undefined} entry
 */
function finish(answer, entry) {
  try {
    if (entry && !entry.freed) {
      if (entry.cancels.length > 0) entry.core.cancel();
      answer.state = entry.core.state();
    }
    post(answer, buffers(answer.ok));
    if (entry) settleCancels(entry);
  } catch (error) {
    post({ fatal: fatal(error) });
  }
}

/** @param {Entry} entry */
function settleCancels(entry) {
  const ids = entry.cancels.splice(0);
  if (ids.length === 0 || entry.freed) return;
  /** @type {FromWorker} */
  let answer = { id: 0 };
  try {
    entry.core.cancel();
    answer = { id: 0, ok: null, state: entry.core.state() };
  } catch (error) {
    answer = { id: 0, error: toPlain(error) };
  }
  for (const id of ids) post({ ...answer, id });
}

/**
 * Buffers of the arrays in an answer: they are copies already, so they are handed over.
 * @param {unknown} value
 */
function buffers(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value)
    .filter((part) => part instanceof Float32Array)
    .map((part) => part.buffer);
}

/** What the engine printed last: before a trap, that is why. */
let lastWords = "";
const print = console.error;
console.error = (...parts) => {
  lastWords = parts.join(" ");
  print(...parts);
};

/** @param {unknown} thrown */
function fatal(thrown) {
  const plain = toPlain(thrown);
  const trap = thrown instanceof WebAssembly.RuntimeError && lastWords !== "";
  return trap ? { ...plain, message: `The engine failed: ${lastWords}` } : plain;
}

// A trap inside an asynchronous call surfaces here, and its promise never settles.
self.addEventListener("error", (event) => {
  event.preventDefault();
  post({ fatal: fatal(event.error ?? new Error(event.message)) });
});
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  post({ fatal: fatal(event.reason) });
});

post({ ready: true });
