/**
 * From nothing to a loaded model, in the worker. The file stays in JavaScript's memory and goes
 * to WebAssembly tensor by tensor: its memory, which can't shrink, never holds all of the file.
 *
 * @import { Device } from "./connection.js"
 * @import { Progress } from "./next-token.js"
 * @import { Source } from "./options.js"
 * @import { Bytes } from "./download.js"
 */
import { fetchAny, fetchPublished, get, readBlob } from "./download.js";
import { NextTokenError } from "./errors.js";
import { SMOLLM2 } from "./models.js";

/** The header of a GGUF file (settings, vocabulary, list of tensors) usually fits in so much. */
const FIRST_PREFIX = 16 << 20;

/**
 * @typedef {typeof import("./engine.js")} EngineModule
 * @typedef {{ device: (device: Device) => void, progress: (progress: Progress) => void }} Reports
 */

/**
 * @param {Source} source
 * @param {"auto" | "webgpu" | "cpu"} backend
 * @param {number | undefined} context
 * @param {Reports} reports
 */
export async function loadEngine(source, backend, context, reports) {
  /**
   * @param {Progress["phase"]} phase
   * @param {number} [loaded]
   * @param {number} [total]
   */
  const report = (phase, loaded = 0, total = 0) =>
    reports.progress({ phase, loaded, total, cached: false, note: null });

  report("engine");
  const engine = await importEngine();
  const wasm = await get(new URL("./engine_bg.wasm", import.meta.url));
  const { memory } = await engine.default({ module_or_path: wasm });
  if (source.kind === "table") {
    const core = engine.Core.table(source.table ?? undefined);
    report("ready");
    return { core, memory };
  }

  // Before the download, so that nobody waits for 98 MB to read that there is no WebGPU.
  reports.device(await engine.open_device(backend, await adapterName()));
  const file = await readSource(source, reports.progress);
  const loader = parse(engine, file, context);
  const tensors = loader.tensors();
  const total = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  let loaded = 0;
  for (const [index, { offset, bytes }] of tensors.entries()) {
    report("weights", loaded, total);
    loader.add(index, file.subarray(offset, offset + bytes));
    loaded += bytes;
  }
  report("weights", loaded, total);
  report("warm-up");
  const core = await loader.finish();
  report("ready", total, total);
  return { core, memory };
}

/** What the browser tells of its GPU: the engine's own way to ask gives no names on the web. */
async function adapterName() {
  try {
    const adapter = await navigator.gpu.requestAdapter();
    const { description, vendor, architecture, device } = adapter?.info ?? {};
    return description || [vendor, architecture, device].filter(Boolean).join(" ") || undefined;
  } catch {
    // No WebGPU: the engine says so in its own words.
    return undefined;
  }
}

async function importEngine() {
  const url = new URL("./engine.js", import.meta.url);
  try {
    return await import("./engine.js");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = "The folder of this module must also hold engine.js and engine_bg.wasm.";
    throw new NextTokenError("download-failed", `${url.href} can't be loaded: ${why}`, hint);
  }
}

/**
 * @param {Exclude<Source, { kind: "table" }>} source
 * @param {(progress: Progress) => void} report
 * @returns {Promise<Bytes>}
 */
async function readSource(source, report) {
  switch (source.kind) {
    case "smollm2":
      return fetchPublished(SMOLLM2, report);
    case "url":
      return fetchAny(new URL(source.url), report);
    case "blob":
      return readBlob(source.blob, report);
    case "bytes":
      return /** @type {Bytes} */ (source.bytes);
  }
}

/**
 * @param {EngineModule} engine
 * @param {Bytes} file
 * @param {number | undefined} context
 */
function parse(engine, file, context) {
  for (let size = Math.min(FIRST_PREFIX, file.length); ; size = Math.min(2 * size, file.length)) {
    const loader = engine.GgufLoader.parse(file.subarray(0, size), file.length, context);
    if (loader) return loader;
    if (size === file.length) {
      const hint = "Fetch the file again, whole.";
      throw new NextTokenError("bad-weights", "The file ends before its list of tensors does.", hint);
    }
  }
}
