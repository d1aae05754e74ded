// Model files with random damage: each gives a typed error or a model that runs, never a crash.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { generator } from "./gguf.mjs";
import { ROOT, launch, serve, withPage } from "./harness.mjs";

const SEED = 30;
const COUNT = 2000;

/** Numbers that stand at the limits of something. */
const EXTREMES = [0, 1, 2, 255, 2 ** 16, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

/**
 * Where to write which 32 bits. Most of the damage goes to the header, and a part to the weights.
 * @param {number} length
 * @param {number} header
 */
function damages(length, header) {
  const random = generator(SEED);
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: 1 + (random.next() % 3) }, () => {
      const at = random.next() % ((random.next() % 8 === 0 ? length : header) - 4);
      const word = random.next() % 2 === 0 ? EXTREMES[random.next() % EXTREMES.length] : random.next();
      return { at, word, bytes: 1 + (random.next() % 4) };
    }));
}

/**
 * In the page, on the engine itself: a worker for each file would take minutes.
 * @param {{ url: string, list: ReturnType<typeof damages> }} task
 */
async function loadDamaged({ url, list }) {
  const engine = await import("/pkg/engine.js");
  await engine.default({ module_or_path: "/pkg/engine_bg.wasm" });
  await engine.open_device("cpu");
  const whole = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const load = async (/** @type {Uint8Array} */ file) => {
    const loader = engine.GgufLoader.parse(file, file.length);
    if (!loader) throw Object.assign(new Error("cut"), { code: "bad-weights", hint: "-" });
    for (const [index, { offset, bytes }] of loader.tensors().entries()) loader.add(index, file.subarray(offset, offset + bytes));
    const core = await loader.finish();
    const run = core.start({ prompt: "The cat", maxTokens: 2 });
    for (let prefill = null; prefill === null;) ({ prefill } = await run.prefill_chunk());
    await run.step(undefined);
    run.free();
    core.free();
  };
  await load(whole);
  const results = [];
  for (const damage of list) {
    const file = whole.slice();
    const view = new DataView(file.buffer);
    for (const { at, word, bytes } of damage) for (let byte = 0; byte < bytes; byte += 1) view.setUint8(at + byte, word >>> (8 * byte));
    try {
      await load(file);
      results.push({ code: "loads" });
    } catch (error) {
      const { code, message, hint } = /** @type {{ code?: string, message: string, hint?: string }} */ (error);
      results.push({ code: code ?? "no code", message, hint });
    }
  }
  await load(whole);
  return results;
}

for (const name of ["tiny-q4", "tiny-mixed"]) {
  test(`${name} with random damage`, { timeout: 300_000 }, async (t) => {
    const file = await readFile(path.join(ROOT, `tests/fixtures/${name}.gguf`));
    const header = file.indexOf("output_norm.weight") + 100;
    const site = await serve();
    const browser = await launch();
    try {
      await withPage(browser, `${site.origin}/blank`, async (page) => {
        const list = damages(file.length, header);
        const results = await page.evaluate(loadDamaged, { url: `/fixtures/${name}.gguf`, list });
        /** @type {Map<string, number>} */
        const counts = new Map();
        for (const [index, { code, message, hint }] of results.entries()) {
          const known = ["loads", "bad-weights", "bad-tokenizer", "bad-template", "bad-logits", "bad-prompt", "bad-config"];
          assert.ok(known.includes(code), `damage ${JSON.stringify(list[index])}: ${code}, ${message}`);
          assert.ok(code === "loads" || hint, `${message}: no hint`);
          counts.set(code, (counts.get(code) ?? 0) + 1);
        }
        assert.ok((counts.get("bad-weights") ?? 0) > COUNT / 10, JSON.stringify([...counts]));
        t.diagnostic(`${COUNT} files of seed ${SEED}: ${[...counts].map(([code, count]) => `${code} ${count}`).join(", ")}`);
      });
    } finally {
      await browser.close();
      await site.close();
    }
  });
}
