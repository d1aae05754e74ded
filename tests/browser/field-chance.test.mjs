// Faults that other products were reported for: settings, and the probabilities that are told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { coinOf } from "./chance.mjs";
import { setUp, withPage } from "./harness.mjs";

const site = setUp();

const FRANCE = "The capital of France is";
const ONCE = "Once upon a time";
const PARIS = 7042;

/** Every number in a record. @param {unknown} value @returns {number[]} */
function numbers(value) {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbers) : [];
}

/** In the page: the distribution of the first token under some settings. @param {{ prompt: string, list: import("../../www/api/next-token.js").SamplingOptions[] }} task */
async function distributions({ prompt, list }) {
  const run = await engine.start({ prompt });
  await run.prefill();
  await run.forward();
  const found = [];
  for (const settings of list) {
    const distribution = await run.distribution(settings);
    found.push({ distribution, choice: await run.sample() });
  }
  const { values } = await run.logits();
  run.free();
  return { found, logits: [...values] };
}

test("settings and probabilities, on SmolLM2", { timeout: 600_000 }, async (t) => {
  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    await page.evaluate(async () => {
      globalThis.engine = await nextToken.load({ model: "smollm2", backend: "cpu" });
    });

    await t.test("a temperature of 0, or nearly, takes the most likely token and makes no NaN", async () => {
      const list = [0, 1e-9, 1e-40].map((temperature) => ({ temperature }));
      const { found } = await page.evaluate(distributions, { prompt: FRANCE, list });
      for (const { distribution, choice } of found) {
        assert.deepEqual([choice.id, choice.p, distribution.candidates[0].id], [PARIS, 1, PARIS]);
        assert.ok(numbers([distribution, choice]).every(Number.isFinite));
      }
    });

    await t.test("a top-p of 0, or nearly, keeps the most likely token", async () => {
      const list = [0, 1e-9].map((topP) => ({ topP, temperature: 1 }));
      const { found } = await page.evaluate(distributions, { prompt: FRANCE, list });
      for (const { distribution, choice } of found) assert.deepEqual([distribution.kept, choice.id, choice.p], [1, PARIS, 1]);
    });

    await t.test("a setting that is no number is refused, and the one before stays", async () => {
      const seen = await page.evaluate(async (prompt) => {
        const run = await engine.start({ prompt, temperature: 0.5 });
        await run.prefill();
        await run.forward();
        const codes = [];
        /** @type {Record<string, unknown>[]} */
        const wrong = ["", "abc", null, -1, NaN, Infinity].map((temperature) => ({ temperature }));
        for (const options of [...wrong, { topP: -0.1 }]) {
          codes.push((await attempt(run.distribution(options))).code, (await attempt(engine.start({ prompt, ...options }))).code);
        }
        const { settings } = await run.distribution();
        return { codes, settings, id: (await run.sample({ coin: 0 })).id };
      }, FRANCE);
      assert.deepEqual(seen.codes, Array(14).fill("bad-config"));
      assert.deepEqual([seen.settings.temperature, seen.settings.topP, seen.id], [0.5, 1, PARIS]);
    });

    await t.test("the model's probability and the chance at the draw are two numbers", async () => {
      const list = [0.5, 1, 2].map((temperature) => ({ temperature }));
      const { found } = await page.evaluate(distributions, { prompt: FRANCE, list });
      const rounded = found.map(({ distribution: { candidates: [{ id, pRaw, p }] } }) => [id, pRaw.toFixed(3), p.toFixed(3)]);
      assert.deepEqual(rounded, [[PARIS, "0.773", "0.992"], [PARIS, "0.773", "0.773"], [PARIS, "0.773", "0.052"]]);
    });

    await t.test("shares are of the whole vocabulary, with one entry for the rest", async () => {
      const { found: [{ distribution }], logits } = await page.evaluate(distributions, { prompt: FRANCE, list: [{ temperature: 10, top: 50 }] });
      const { candidates, tail } = distribution;
      const shown = candidates.reduce((sum, { p }) => sum + p, 0);
      assert.deepEqual([candidates.length, tail.count, candidates[0].id], [50, logits.length - 50, PARIS]);
      assert.deepEqual([candidates[0].p, shown, tail.mass].map((share) => (100 * share).toPrecision(2)), ["0.013", "0.36", "1.0e+2"]);
      assert.equal((100 * tail.mass).toFixed(2), "99.64");
      assert.ok(Math.abs(shown + tail.mass - 1) < 1e-9);
    });

    await t.test("top-p cuts where a sum in double precision says", async () => {
      const { found: [{ distribution }], logits } = await page.evaluate(distributions, { prompt: FRANCE, list: [{ temperature: 1, topP: 0.999 }] });
      const most = Math.max(...logits);
      const weights = logits.map((logit) => Math.exp(logit - most)).sort((a, b) => b - a);
      const target = 0.999 * weights.reduce((a, b) => a + b, 0);
      let kept = 0;
      for (let sum = 0; sum < target; kept += 1) sum += weights[kept];
      t.diagnostic(`top-p 0.999 keeps ${distribution.kept} tokens; the reference's logits give 4961`);
      assert.ok(Math.abs(distribution.kept - kept) <= 1, `${distribution.kept} kept, ${kept} recounted`);
      assert.ok(Math.abs(kept - 4961) <= 5, `${kept}`);
      assert.ok(distribution.candidates.every((candidate) => candidate.kept && candidate.why === null));
    });

    await t.test("a top-p that keeps one token always draws it", async () => {
      const ids = await page.evaluate(async (prompt) => {
        const ids = [];
        for (let seed = 0; seed < 20; seed += 1) {
          const run = await engine.start({ prompt, temperature: 2, topP: 0.01, seed, maxTokens: 1 });
          for await (const step of run) ids.push(step.choice.id);
          run.free();
        }
        return ids;
      }, FRANCE);
      assert.deepEqual(ids, Array(20).fill(PARIS));
    });

    await t.test("what was set is what the run used", async () => {
      const settings = { temperature: 0.7, topK: 40, topP: 0.95, seed: 7, maxTokens: 12 };
      const seen = await page.evaluate(async ({ prompt, settings }) => {
        const steps = [];
        const whole = await engine.start({ prompt, ...settings, stop: "\u0000 never" });
        for await (const step of whole) steps.push(step);
        const stop = steps[7].appended?.piece.text ?? "";
        const stopped = await engine.start({ prompt, ...settings, stop });
        let last = null;
        for await (const step of stopped) last = step.stop;
        return { steps, finish: whole.finish, stop, last, text: whole.text, stopped: { text: stopped.text, finish: stopped.finish } };
      }, { prompt: ONCE, settings });
      assert.deepEqual([seen.steps.length, seen.finish], [12, "length"]);
      for (const [index, step] of seen.steps.entries()) {
        const { temperature, topK, topP } = step.settings;
        assert.deepEqual([temperature, topK, topP], [0.7, 40, 0.95]);
        assert.ok(step.kept !== null && step.kept >= 1 && step.kept <= 40);
        assert.equal(step.choice.coin, coinOf(7, index));
      }
      assert.deepEqual([seen.last?.sequence, seen.stopped.finish], [seen.stop, "stop"]);
      assert.equal(seen.stopped.text, seen.text.slice(0, seen.text.indexOf(seen.stop)));
    });
  });
});
