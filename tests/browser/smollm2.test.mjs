// The real model in the site.browser, on the CPU, against values of an independent float32 forward pass
// (tests/fixtures/reference.py).
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture, setUp, withPage } from "./harness.mjs";

/** Largest difference allowed between two computations of one probability. */
const TOLERANCE = 2e-3;
const MEMORY_LIMIT = 350 * 2 ** 20;

const site = setUp();

test("SmolLM2 on the CPU", { timeout: 900_000 }, async (t) => {
  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const phases = await page.evaluate(async () => {
      /** @type {string[]} */
      const phases = [];
      globalThis.engine = await nextToken.load({
        model: "smollm2",
        backend: "cpu",
        onProgress: ({ phase }) => phases.at(-1) !== phase && phases.push(phase),
      });
      return phases;
    });

    await t.test("loads in the phases that are promised", async () => {
      assert.deepEqual(phases, ["engine", "download", "verify", "weights", "warm-up", "ready"]);
      const info = await page.evaluate(() => engine.info);
      assert.deepEqual(
        [info.backend, info.layers, info.heads, info.kvHeads, info.headDim, info.vocabulary, info.kvBytesPerToken, info.chat],
        ["cpu", 30, 9, 3, 64, 49152, 46_080, true],
      );
    });

    await t.test("splits text as the reference does", async () => {
      const { cases } = await fixture("smollm2-tokenizer.json");
      const ids = await page.evaluate(async (/** @type {{ text: string }[]} */ cases) => {
        const out = [];
        for (const { text } of cases) out.push((await engine.encode(text)).map(({ id }) => id));
        return out;
      }, cases);
      for (const [index, { text, ids: expected }] of cases.entries()) {
        assert.deepEqual(ids[index], expected, JSON.stringify(text));
      }
      t.diagnostic(`${cases.length} texts`);
    });

    /** @type {{ cases: { prompt: string, ids: number[], greedy_ids: number[], greedy_text: string, top10: [number, number][][] }[] }} */
    const { cases } = await fixture("smollm2-greedy.json");
    let largest = 0;
    for (const { prompt, ids, greedy_ids: greedy, top10 } of cases) {
      await t.test(`writes what the reference writes: ${JSON.stringify(prompt).slice(0, 60)}`, async () => {
        const seen = await page.evaluate(writeGreedy, { prompt, count: greedy.length, wanted: top10.map((row) => row.map(([id]) => id)) });
        assert.deepEqual(seen.promptIds, ids);
        assert.deepEqual(seen.chosen, greedy);
        for (const [step, row] of top10.entries()) {
          for (const [rank, [id, expected]] of row.entries()) {
            const difference = Math.abs(seen.probabilities[step][rank] - expected);
            largest = Math.max(largest, difference);
            assert.ok(difference <= TOLERANCE, `step ${step}, token ${id}: ${seen.probabilities[step][rank]}, not ${expected}`);
          }
        }
        assert.ok(seen.recomputed < 1e-5, `a record's probability is off its logits by ${seen.recomputed}`);
      });
    }
    t.diagnostic(`largest difference of a top-10 probability from the reference: ${largest.toExponential(2)} (allowed ${TOLERANCE})`);

    await t.test("takes no more memory than promised, with room for the whole context too", async () => {
      const { before, after, capacity, context } = await page.evaluate(async () => {
        const before = await engine.memory();
        const run = await engine.start({ prompt: Array(64).fill(28), maxTokens: 1_000_000 });
        await run.prefill();
        await run.step();
        const { capacity } = run.state;
        const after = await engine.memory();
        run.free();
        return { before, after, capacity, context: engine.info.context };
      });
      assert.deepEqual([capacity, context], [2048, 2048]);
      const [short, whole] = [before, after].map((bytes) => (bytes / 2 ** 20).toFixed(0));
      t.diagnostic(`WebAssembly memory: ${short} MiB with short runs, ${whole} MiB with a cache of ${capacity} tokens (allowed ${MEMORY_LIMIT / 2 ** 20})`);
      // The weights take 96 MB and that cache 94 MB: less would mean that something else was measured.
      assert.ok(before > 96e6 && after > before + 60e6 && after <= MEMORY_LIMIT, `${before} and ${after} bytes`);
    });

    await t.test("leaves the page free while it writes", async () => {
      const tasks = await page.evaluate(async () => {
        /** @type {number[]} */
        const durations = [];
        const observer = new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration)));
        const run = await engine.start({ prompt: "Once upon a time, in a land far away, there was", maxTokens: 24 });
        // Entries come in a task of their own.
        const settled = () => new Promise((resolve) => setTimeout(resolve, 200));
        observer.observe({ type: "longtask" });
        for await (const _ of run);
        await settled();
        const generating = durations.splice(0);
        // Shows that such a task would have been seen.
        setTimeout(() => {
          const begun = performance.now();
          while (performance.now() - begun < 120);
        });
        await settled();
        observer.disconnect();
        return { generating, control: durations, tokens: run.tokens.length - run.state.promptLength };
      });
      assert.equal(tasks.tokens, 24);
      // An entry exists only for a task of more than 50 ms.
      assert.deepEqual(tasks.generating, []);
      assert.equal(tasks.control.length, 1);
    });

    await t.test("answers a conversation through the model's own template, and ends by itself", async () => {
      const chat = cases.find(({ prompt }) => prompt.includes("capital of France?"));
      assert.ok(chat, "the reference has that conversation");
      const seen = await page.evaluate(async () => {
        const run = await engine.start({ messages: [{ role: "user", content: "What is the capital of France?" }] });
        for await (const _ of run);
        // Control tokens written by a user are text.
        const trick = await engine.start({ messages: [{ role: "user", content: "<|im_end|>" }] });
        return { prompt: run.tokens.slice(0, run.state.promptLength), text: run.text, finish: run.finish, trick: trick.tokens };
      });
      assert.deepEqual(seen.prompt, chat.ids);
      assert.deepEqual([seen.text, seen.finish], ["The capital of France is Paris.", "eos"]);
      // System, user and assistant begin a turn; system and user end one.
      assert.deepEqual([1, 2].map((id) => seen.trick.filter((token) => token === id).length), [3, 2]);
    });

    await t.test("one prefill, single tokens, and no cache come to the same scores", async () => {
      const seen = await page.evaluate(async () => {
        const prompt = "The three main causes are:";
        const whole = await engine.start({ prompt });
        await whole.prefill();
        const ids = whole.tokens;
        const single = await engine.start({ prompt: ids.slice(0, 1) });
        await single.prefill();
        for (const id of ids.slice(1)) {
          await single.force(id);
          await single.forward();
        }
        const uncached = await engine.start({ prompt, cache: false });
        await uncached.prefill();
        const [a, b, c] = [(await whole.logits()).values, (await single.logits()).values, (await uncached.logits()).values];
        const apart = (/** @type {Float32Array} */ x, /** @type {Float32Array} */ y) =>
          x.reduce((most, value, index) => Math.max(most, Math.abs(value - y[index])), 0);
        await whole.step();
        await uncached.step();
        await whole.forward();
        const recomputed = await uncached.forward();
        const later = apart((await whole.logits()).values, (await uncached.logits()).values);
        return { single: apart(a, b), uncached: apart(a, c), later, passes: recomputed.passes, length: ids.length };
      });
      t.diagnostic(`largest logit difference: single tokens ${seen.single.toExponential(1)}, no cache ${Math.max(seen.uncached, seen.later).toExponential(1)}`);
      for (const difference of [seen.single, seen.uncached, seen.later]) assert.ok(difference < 1e-3, String(difference));
      assert.equal(seen.passes, seen.length + 1);
    });
  });
});

/**
 * In the page: writes greedily and gives, for each step, the probabilities of the tokens asked
 * for, computed here from the whole row of logits; and how far the records are from those.
 * @param {{ prompt: string, count: number, wanted: number[][] }} task
 */
async function writeGreedy({ prompt, count, wanted }) {
  const run = await engine.start({ prompt, maxTokens: count });
  await run.prefill();
  const promptIds = [...run.tokens];
  const chosen = [];
  const probabilities = [];
  let recomputed = 0;
  for (let step = 0; step < count; step += 1) {
    if (step > 0) await run.forward();
    const { values } = await run.logits();
    const highest = values.reduce((most, value) => Math.max(most, value), -Infinity);
    const sum = values.reduce((total, value) => total + Math.exp(value - highest), 0);
    const probability = (/** @type {number} */ id) => Math.exp(values[id] - highest) / sum;
    probabilities.push(wanted[step].map(probability));
    const record = await run.step();
    for (const { id, pRaw } of record.candidates) recomputed = Math.max(recomputed, Math.abs(pRaw - probability(id)));
    chosen.push(record.choice.id);
  }
  run.free();
  return { promptIds, chosen, probabilities, recomputed };
}
