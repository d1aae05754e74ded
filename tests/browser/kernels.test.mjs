// The product on packed blocks: the CPU's vector kernel and the GPU's, against the plain one, over
// random shapes, kinds, weights and inputs, and over every scale that a file can hold.
import assert from "node:assert/strict";
import { test } from "node:test";
import { float16, generator } from "./gguf.mjs";
import { launch, serve, withPage } from "./harness.mjs";

/** Sums are taken in another order. Relative to the sum of all absolute values. */
const TOLERANCE = 2e-6;
const SEED = 20;

/**
 * How large d and m of a block are: a model's, any finite float16, too small for a normal one, or none.
 * @typedef {"usual" | "any" | "subnormal" | "zero"} Scales
 */

/** @param {ReturnType<typeof generator>} random @param {4 | 8} bits @param {Scales} scales */
function scaleOf(random, bits, scales) {
  const sign = () => (random.next() & 1) << 15;
  switch (scales) {
    case "zero": return 0;
    case "any": return ((sign() | random.next() % 0x7c00) | ((sign() | random.next() % 0x7c00) << 16)) >>> 0;
    case "subnormal": return ((sign() | random.next() % 0x400) | ((sign() | random.next() % 0x400) << 16)) >>> 0;
    case "usual": {
      // d · q stays near ±0.3 for both kinds; m centres the four-bit values, and is 0 for the others.
      const d = float16(random.between(0.5, 1) * (bits === 4 ? 0.04 : 0.0025));
      const m = bits === 4 ? float16(random.between(-0.33, -0.27)) : 0;
      return (d | (m << 16)) >>> 0;
    }
  }
}

/** @param {ReturnType<typeof generator>} random @param {number} index */
function randomCase(random, index) {
  /** @template T @param {readonly T[]} from */
  const pick = (from) => from[random.next() % from.length];
  const bits = pick(/** @type {const} */ ([4, 8]));
  const cols = 32 * pick([1, 2, 3, 5, 7, 8, 18, 19, 48]);
  const rows = pick([1, 2, 3, 5, 7, 31, 64, 65, 97, 192, 301]);
  // Each number of tokens from 1 to 9 in turn, and now and then a whole chunk of a prompt.
  const t = index % 10 === 9 ? 33 : 1 + (index % 10);
  const scales = pick(/** @type {const} */ (["usual", "usual", "any", "subnormal", "zero"]));
  const blocks = (rows * cols) / 32;
  return {
    bits, rows, cols, t, scales,
    x: Array.from({ length: t * cols }, () => random.between(-1, 1)),
    words: Array.from({ length: blocks * bits }, random.next),
    // The file format has no m for eight bits.
    scale: Array.from({ length: blocks }, () => scaleOf(random, bits, scales) & (bits === 8 ? 0xffff : -1)).map((word) => word >>> 0),
  };
}

/**
 * In the page: one weight a row, so that each product is exactly one scale times a whole number.
 * There are more rows than workgroups in one dimension, and every finite float16 is among them.
 */
async function everyScale() {
  const engine = await import("/pkg/engine.js");
  const rows = 65_540;
  const x = new Float32Array(32);
  x[0] = 1;
  const finite = Uint32Array.from({ length: rows }, (_, row) => ((row & 0x7c00) === 0x7c00 ? 0 : row & 0xffff));
  /** @param {number} first the first byte of each block, which holds its first value */
  const words = (/** @type {number} */ bits, /** @type {number} */ first) => {
    const all = new Uint32Array(rows * bits);
    for (let row = 0; row < rows; row += 1) all[row * bits] = first;
    return all;
  };
  const found = {
    d4: await engine.check_packed(4, rows, 32, x, words(4, 0x0f), finite),
    m4: await engine.check_packed(4, rows, 32, x, words(4, 0), finite.map((bits) => bits << 16)),
    d8: await engine.check_packed(8, rows, 32, x, words(8, 0x80), finite),
  };
  return Object.entries(found).map(([name, pair]) => ({ name, differences: [...pair] }));
}

for (const { gpu, count } of [{ gpu: false, count: 120 }, { gpu: true, count: 60 }]) {
  test(`the packed product on ${gpu ? "WebGPU" : "the CPU"}`, { timeout: 300_000 }, async (t) => {
    const site = await serve();
    const browser = await launch({ gpu });
    try {
      await withPage(browser, `${site.origin}/blank`, async (page) => {
        await page.evaluate(async (backend) => {
          const engine = await import("/pkg/engine.js");
          await engine.default({ module_or_path: "/pkg/engine_bg.wasm" });
          const device = await engine.open_device(backend);
          if (device.backend !== backend) throw new Error(`${device.backend} in place of ${backend}`);
        }, gpu ? /** @type {const} */ ("webgpu") : /** @type {const} */ ("cpu"));
        const random = generator(SEED);
        let largest = [0, 0];
        for (let index = 0; index < count; index += 1) {
          const one = randomCase(random, index);
          const found = await page.evaluate(async ({ bits, rows, cols, x, words, scale }) => {
            const engine = await import("/pkg/engine.js");
            const result = await engine.check_packed(bits, rows, cols, Float32Array.from(x), Uint32Array.from(words), Uint32Array.from(scale));
            return [...result];
          }, one);
          assert.equal(found.length, 2);
          largest = largest.map((most, kind) => Math.max(most, found[kind]));
          const what = `case ${index}, Q${one.bits}, [${one.t}, ${one.cols}] × [${one.rows}, ${one.cols}], scales: ${one.scales}`;
          for (const difference of found) assert.ok(difference <= TOLERANCE, `${what}: off by ${found}`);
        }
        t.diagnostic(`${count} cases of seed ${SEED}; largest relative difference: simd128 ${largest[0].toExponential(1)}, device ${largest[1].toExponential(1)}`);

        const exact = await page.evaluate(everyScale);
        assert.deepEqual(exact.map(({ differences }) => differences), [[0, 0], [0, 0], [0, 0]], JSON.stringify(exact));
      });
    } finally {
      await browser.close();
      await site.close();
    }
  });
}
