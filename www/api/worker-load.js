/**
 * From nothing to a loaded model, in the worker. The file stays in JavaScript's memory and goes
 * to WebAssembly tensor by tensor: its memory, which can't shrink, never holds all of the file.
 *
 * @import { Device } from "./connection.js"
 * @import { Progress } from "./next-token.js"
 * @import { Source } from "./options.js"
 * @import { Bytes } from "./download.js"
 */
import { fetchPublished, get, readAll, readBlob } from "./download.js";
import { NextTokenError } from "./errors.js";
import { POCKET, SMOLLM2 } from "./models.js";

/** The header of a GGUF file (settings, vocabulary, list of tensors) usually fits in so much. */
const FIRST_PREFIX = 16 << 20;

/**
 * @typedef {typeof import("./engine.js")} EngineModule
 * @typedef {Exclude<Source, { kind: "table" | "pocket" }>} ModelFile pocket is bytes by then
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
  // Together, so that nothing waits for the other: the first token is soon to come.
  const [engine, wasm, packaged] = await Promise.all([
    importEngine(),
    get(new URL("./engine_bg.wasm", import.meta.url)),
    source.kind === "pocket" ? get(POCKET) : null,
  ]);
  const { memory } = await engine.default({ module_or_path: wasm });
  if (source.kind === "table") {
    const core = engine.Core.table(source.table ?? undefined);
    report("ready");
    return { core, memory };
  }

  const pocket = packaged && (await readAll(packaged, 0, false, reports.progress));
  const from = /** @type {ModelFile} */ (pocket ? { kind: "bytes", bytes: pocket } : source);
  // Before a download, so that nobody waits for 98 MB to read that there is no WebGPU.
  const device = await engine.open_device(backend, sizeOf(from));
  reports.device(device);
  if (device.backend === "webgpu" && !device.adapter) await nameAdapter(engine);
  const file = await readSource(from, reports.progress);
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

/** Bytes of the file, if that is known before it is read. @param {ModelFile} source */
function sizeOf(source) {
  switch (source.kind) {
    case "smollm2":
      return SMOLLM2.bytes;
    case "blob":
      return source.blob.size;
    case "bytes":
      return source.bytes.length;
    case "url":
      return undefined;
  }
}

/** What the browser tells of its GPU: the engine's own way to ask gives no names on the web. @param {EngineModule} engine */
async function nameAdapter(engine) {
  try {
    const adapter = await navigator.gpu.requestAdapter();
    const { description, vendor, architecture, device } = adapter?.info ?? {};
    const name = description || [vendor, architecture, device].filter(Boolean).join(" ");
    if (name) engine.name_device(name);
  } catch {
    // It has none.
  }
}

async function importEngine() {
  const url = new URL("./engine.js", import.meta.url);
  try {
    return await import("./engine.js");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = "The folder of this module must also hold engine.js, engine_bg.wasm and pocket.gguf.";
    throw new NextTokenError("download-failed", `${url.href} can't be loaded: ${why}`, hint);
  }
}

/**
 * @param {ModelFile} source
 * @param {(progress: Progress) => void} report
 * @returns {Promise<Bytes>}
 */
async function readSource(source, report) {
  switch (source.kind) {
    case "smollm2":
      return fetchPublished(SMOLLM2, report);
    case "url":
      return readAll(await get(new URL(source.url)), 0, false, report);
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
