// Two tiny random models in the browser, on the CPU, against values of an independent float32
// forward pass (tests/fixtures): every kind of matrix, every stage's numbers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { withContext } from "./gguf.mjs";
import { ROOT, fixture, launch, serve, withPage } from "./harness.mjs";
import { apart, greedy, inside, prefixes, withSingles } from "./measure.mjs";

/** Largest difference allowed from the reference, for logits, probabilities, weights, K and V. */
const TOLERANCE = 1e-4;

/**
 * @typedef {{ prompt: string, ids: number[], logits: number[], greedy_ids?: number[], greedy_text?: string,
 *   top10?: [number, number][][] }} Case
 * @typedef {{ shape: Record<string, number>, cases: Case[], positions: { prompt: string, ids: number[], logits: number[][] },
 *   attention: { ids: number[], layer: number, weights: number[][] },
 *   kv: { ids: number[], layer: number, k: number[][][], v: number[][][] } }} Reference
 */

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;

before(async () => {
  site = await serve(async ({ pathname }) => {
    if (!pathname.startsWith("/longer/")) return null;
    // With room for one token behind the longest prompt.
    const name = pathname.slice("/longer/".length);
    const file = await readFile(path.join(ROOT, "tests/fixtures", name));
    return { body: withContext(file, name.startsWith("tiny-q4") ? 33 : 65) };
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

for (const name of ["tiny-q4", "tiny-mixed"]) {
  test(`${name} on the CPU`, { timeout: 300_000 }, async (t) => {
    /** @type {Reference} */
    const reference = (await fixture("tiny.json")).models[name];
    await withPage(browser, `${site.origin}/blank`, async (page) => {
      await page.evaluate(async (gguf) => {
        globalThis.engine = await nextToken.load({ model: { gguf }, backend: "cpu" });
      }, `/fixtures/${name}.gguf`);
      let largest = 0;
      /** @param {ArrayLike<number>} found @param {ArrayLike<number>} expected @param {string} what */
      const near = (found, expected, what) => {
        const difference = apart(found, expected);
        largest = Math.max(largest, difference);
        assert.ok(difference <= TOLERANCE, `${what}: off by ${difference}`);
      };

      await t.test("has the shape that its file says", async () => {
        const info = await page.evaluate(() => engine.info);
        const { blocks, heads, kv_heads: kvHeads, head_dim: headDim, context, vocabulary } = reference.shape;
        assert.deepEqual(
          [info.layers, info.heads, info.kvHeads, info.headDim, info.context, info.contextOfModel, info.vocabulary],
          [blocks, heads, kvHeads, headDim, context, context, vocabulary],
        );
        assert.equal(info.kvBytesPerToken, 2 * blocks * kvHeads * headDim * 4);
      });

      for (const { prompt, ids, logits, greedy_ids: chosen, greedy_text: text, top10 } of reference.cases) {
        await t.test(`computes the reference's logits and text: ${JSON.stringify(prompt)}`, async () => {
          const pieces = await page.evaluate((prompt) => engine.encode(prompt), prompt);
          assert.deepEqual(pieces.map(({ id }) => id), ids);
          if (!chosen || !top10) {
            assert.equal(ids.length, reference.shape.context);
            return;
          }
          const seen = await page.evaluate(greedy, { prompt, maxTokens: chosen.length });
          near(seen.logits[0], logits, "logits");
          assert.deepEqual(seen.chosen, chosen);
          for (const [step, row] of top10.entries()) {
            const values = seen.logits[step];
            const most = Math.max(...values);
            const sum = values.reduce((total, value) => total + Math.exp(value - most), 0);
            near(row.map(([id]) => Math.exp(values[id] - most) / sum), row.map(([, p]) => p), `probabilities of step ${step}`);
          }
          // Control tokens are not text. Bytes that wait for more are no character yet.
          const shown = seen.text + (seen.pending.length > 0 ? "\ufffd" : "");
          assert.equal(shown, String(text).replace("<|im_end|>", ""));
          assert.equal(seen.finish, chosen.at(-1) === 2 ? "eos" : "length");
        });
      }

      await t.test("computes every position of a prompt from the tokens up to it", async () => {
        const rows = await page.evaluate(prefixes, reference.positions.ids);
        for (const [position, row] of rows.entries()) near(row, reference.positions.logits[position], `position ${position}`);
      });

      await t.test("tells the reference's attention, K and V", async () => {
        const { attention, kv } = reference;
        const seen = await page.evaluate(inside, { ids: attention.ids, layer: attention.layer });
        assert.deepEqual([seen.attention.heads, seen.attention.tokens], [attention.weights.length, attention.ids.length]);
        near(seen.attention.weights, attention.weights.flat(), "attention");
        const found = await page.evaluate(inside, { ids: kv.ids, layer: kv.layer });
        // The reference has [head][token][value], the contract [token][head][value].
        const tokensFirst = (/** @type {number[][][]} */ all) => kv.ids.flatMap((_, token) => all.flatMap((head) => head[token]));
        near(found.kv.k, tokensFirst(kv.k), "K");
        near(found.kv.v, tokensFirst(kv.v), "V");
        assert.equal(found.kv.tokens, kv.ids.length);
      });

      await t.test("one prefill is as many single steps, and the cache changes nothing", async () => {
        // As long as it can be: a prompt is read in pieces, and these must fit together too.
        const longest = reference.cases.at(-1)?.ids ?? [];
        const seen = await page.evaluate(withSingles, longest.slice(0, -1));
        for (const [layer, { attention, k, v }] of seen.layers.entries()) {
          near(attention[1], attention[0], `attention of layer ${layer}`);
          near(k[1], k[0], `K of layer ${layer}`);
          near(v[1], v[0], `V of layer ${layer}`);
        }
        near(seen.logits[1], seen.logits[0], "logits");
        for (const { prompt, greedy_ids: chosen } of reference.cases.filter((one) => one.greedy_ids)) {
          const runs = [];
          for (const cache of [true, false]) {
            runs.push(await page.evaluate(greedy, { prompt, maxTokens: chosen?.length, cache }));
          }
          assert.deepEqual(runs[1].chosen, runs[0].chosen);
          for (const [step, row] of runs[1].logits.entries()) near(row, runs[0].logits[step], `${JSON.stringify(prompt)}, step ${step}`);
        }
      });

      await t.test("fills its context to the last token", async () => {
        const last = reference.cases.at(-1);
        assert.ok(last && last.ids.length === reference.shape.context);
        const row = await page.evaluate(async ({ gguf, ids }) => {
          const longer = await nextToken.load({ model: { gguf }, backend: "cpu" });
          const run = await longer.start({ prompt: ids });
          await run.prefill();
          const { values } = await run.logits();
          longer.free();
          return [...values];
        }, { gguf: `/longer/${name}.gguf`, ids: last.ids });
        near(row, last.logits, "logits");
      });

      t.diagnostic(`${name}: largest difference from the reference, or between two ways: ${largest.toExponential(1)} (allowed ${TOLERANCE})`);
    });
  });
}
