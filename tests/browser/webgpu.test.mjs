// WebGPU against the CPU, on a software adapter: slow, so the models are small, but they have
// every kind of matrix, and one has SmolLM2's own shapes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { smollm2Shaped, withContext } from "./gguf.mjs";
import { ROOT, fixture, launch, serve, withPage } from "./harness.mjs";
import { apart, greedy, inside, withSingles } from "./measure.mjs";

/** Largest difference allowed between logits of two backends. */
const TOLERANCE = 1e-3;

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;

before(async () => {
  const tiny = await readFile(path.join(ROOT, "tests/fixtures/tiny-mixed.gguf"));
  /** @type {Record<string, Uint8Array>} */
  const made = { "/shaped.gguf": smollm2Shaped(), "/long.gguf": withContext(tiny, 600) };
  site = await serve(({ pathname }) => (pathname in made ? { body: made[pathname] } : null));
  browser = await launch({ gpu: true });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * In the page: the logits of a prompt and of a few tokens after it, by both backends.
 * @param {{ gguf: string, prompts: (string | number[])[], steps: number }} task
 */
async function compare({ gguf, prompts, steps }) {
  /** @param {"webgpu" | "cpu"} backend */
  const compute = async (backend) => {
    const own = await nextToken.load({ model: { gguf }, backend });
    const rows = [];
    /** @type {{ prefill: number[], step: number[] }} */
    const ms = { prefill: [], step: [] };
    for (const prompt of prompts) {
      const run = await own.start({ prompt, maxTokens: 1000 });
      ms.prefill.push((await run.prefill()).ms);
      rows.push((await run.logits()).values);
      // The same tokens on both, so that one difference doesn't become another text.
      for (let step = 0; step < steps; step += 1) {
        await run.force((7 * step + 3) % own.info.vocabulary);
        ms.step.push((await run.forward()).ms);
        rows.push((await run.logits()).values);
      }
      run.free();
    }
    const { info } = own;
    own.free();
    return { info, rows, ms };
  };
  const gpu = await compute("webgpu");
  const cpu = await compute("cpu");
  const differences = gpu.rows.map((row, index) =>
    row.reduce((most, value, entry) => {
      const difference = Math.abs(value - cpu.rows[index][entry]);
      return Number.isNaN(difference) ? Infinity : Math.max(most, difference);
    }, 0));
  const best = (/** @type {Float32Array} */ row) => row.indexOf(row.reduce((most, value) => Math.max(most, value)));
  const spread = cpu.rows.map((row) => row[best(row)] - row.reduce((least, value) => Math.min(least, value)));
  return {
    gpu: gpu.info, cpu: cpu.info, ms: gpu.ms, differences, spread,
    sameBest: gpu.rows.every((row, index) => best(row) === best(cpu.rows[index])),
    rows: gpu.rows.filter((_, index) => index % (steps + 1) === 0).map((row) => [...row].slice(0, 300)),
  };
}

/**
 * @param {string} gguf
 * @param {(string | number[])[]} prompts
 * @param {number} steps
 */
async function checkModel(gguf, prompts, steps) {
  /** @type {Awaited<ReturnType<typeof compare>> | undefined} */
  let seen;
  await withPage(browser, `${site.origin}/blank`, async (page) => {
    seen = await page.evaluate(compare, { gguf, prompts, steps });
  });
  assert.ok(seen);
  assert.deepEqual([seen.gpu.backend, seen.cpu.backend], ["webgpu", "cpu"]);
  assert.match(seen.gpu.adapter ?? "", /swiftshader/i);
  assert.equal(seen.differences.length, prompts.length * (steps + 1));
  for (const [index, difference] of seen.differences.entries()) {
    assert.ok(difference <= TOLERANCE, `row ${index}: logits differ by ${difference}`);
    assert.ok(seen.spread[index] > 0.5, `row ${index}: all logits are nearly the same (${seen.spread[index]})`);
  }
  assert.ok(seen.sameBest, "the most likely token is another one");
  const middle = (/** @type {number[]} */ times) => times.toSorted((a, b) => a - b)[times.length >> 1]?.toFixed(0);
  return { ...seen, largest: Math.max(...seen.differences), times: `prefill ${middle(seen.ms.prefill)} ms, step ${middle(seen.ms.step)} ms` };
}

for (const name of ["tiny-q4", "tiny-mixed"]) {
  test(`${name}: WebGPU computes what the CPU and the reference compute`, { timeout: 300_000 }, async (t) => {
    const { cases, positions, attention, kv } = (await fixture("tiny.json")).models[name];
    /** @type {{ prompt: string, ids: number[], logits: number[] }[]} */
    const written = cases.slice(0, -1);
    // More tokens than one piece of a prefill has, if the context allows.
    const long = cases.at(-1).ids.slice(0, 40).slice(0, -5);
    const seen = await checkModel(`/fixtures/${name}.gguf`, [...written.map(({ prompt }) => prompt), long], 3);
    t.diagnostic(`largest logit difference between the backends: ${seen.largest.toExponential(1)} (allowed ${TOLERANCE}); ${seen.times}`);
    let off = 0;
    /** @param {ArrayLike<number>} found @param {ArrayLike<number>} expected @param {string} what */
    const near = (found, expected, what) => {
      const difference = apart(found, expected);
      off = Math.max(off, difference);
      assert.ok(difference <= TOLERANCE, `${what}: off by ${difference}`);
    };
    for (const [index, { prompt, logits }] of written.entries()) near(seen.rows[index], logits, prompt);

    await withPage(browser, `${site.origin}/blank`, async (page) => {
      await page.evaluate(async (gguf) => {
        globalThis.engine = await nextToken.load({ model: { gguf }, backend: "webgpu" });
      }, `/fixtures/${name}.gguf`);
      const weights = (await page.evaluate(inside, { ids: attention.ids, layer: attention.layer })).attention.weights;
      near(weights, attention.weights.flat(), "attention");
      const cache = (await page.evaluate(inside, { ids: kv.ids, layer: kv.layer })).kv;
      // The reference has [head][token][value], the contract [token][head][value].
      const tokensFirst = (/** @type {number[][][]} */ all) => kv.ids.flatMap((/** @type {number} */ _, /** @type {number} */ token) => all.flatMap((head) => head[token]));
      near(cache.k, tokensFirst(kv.k), "K");
      near(cache.v, tokensFirst(kv.v), "V");

      const pairs = await page.evaluate(withSingles, positions.ids);
      near(pairs.logits[1], pairs.logits[0], "logits of single steps");
      near(pairs.logits[0], positions.logits.at(-1), "logits");
      for (const [layer, { attention: seenWeights, k, v }] of pairs.layers.entries()) {
        near(seenWeights[1], seenWeights[0], `attention of layer ${layer} of single steps`);
        near(k[1], k[0], `K of layer ${layer} of single steps`);
        near(v[1], v[0], `V of layer ${layer} of single steps`);
      }
      const { prompt, greedy_ids: chosen } = cases[0];
      const [cached, uncached] = [
        await page.evaluate(greedy, { prompt, maxTokens: 4 }),
        await page.evaluate(greedy, { prompt, maxTokens: 4, cache: false }),
      ];
      assert.deepEqual([cached.chosen, uncached.chosen], [chosen.slice(0, 4), chosen.slice(0, 4)]);
      for (const [step, row] of uncached.logits.entries()) near(row, cached.logits[step], `step ${step} without a cache`);
    });
    t.diagnostic(`largest difference from the reference, or between two ways on WebGPU: ${off.toExponential(1)}`);
  });
}

test("SmolLM2's shapes, two blocks: WebGPU computes what the CPU computes", { timeout: 600_000 }, async (t) => {
  const prompt = Array.from({ length: 9 }, (_, index) => 300 + 5000 * index);
  const seen = await checkModel("/shaped.gguf", [prompt], 2);
  assert.deepEqual([seen.gpu.layers, seen.gpu.heads, seen.gpu.kvHeads, seen.gpu.headDim], [2, 9, 3, 64]);
  t.diagnostic(`largest logit difference: ${seen.largest.toExponential(1)} (allowed ${TOLERANCE}); ${seen.times}`);
});

test("a prompt of 520 tokens: WebGPU computes what the CPU computes", { timeout: 300_000 }, async (t) => {
  const prompt = Array.from({ length: 520 }, (_, index) => 3 + ((37 * index) % 290));
  const seen = await checkModel("/long.gguf", [prompt], 1);
  t.diagnostic(`largest logit difference: ${seen.largest.toExponential(1)} (allowed ${TOLERANCE}); ${seen.times}`);
});

test("auto doesn't take a software adapter, and says why", { timeout: 120_000 }, () =>
  withPage(browser, `${site.origin}/blank`, async (page) => {
    const info = await page.evaluate(async () => (await nextToken.load({ model: { gguf: "/fixtures/tiny-q4.gguf" } })).info);
    assert.equal(info.backend, "cpu");
    assert.match(info.reason, /software/i);
  }));
