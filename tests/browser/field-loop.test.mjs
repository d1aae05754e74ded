// Faults that other products were reported for: positions, the cache, interrupts, and the end of
// the context.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, withPage } from "./harness.mjs";
import { apart, greedy, watch } from "./measure.mjs";

/** Two ways to compute the same logits. */
const SAME = 1e-3;

const site = setUp();

const FRANCE = "The capital of France is";
const ONCE = "Once upon a time";

test("positions, cache and interrupts, on SmolLM2", { timeout: 900_000 }, async (t) => {
  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    await page.evaluate(async () => {
      globalThis.engine = await nextToken.load({ model: "smollm2", backend: "cpu" });
    });

    await t.test("a position of a prompt doesn't see later ones", async () => {
      const layers = [0, 1, 29];
      const { whole, parts } = await page.evaluate(async ({ prompt, layers }) => {
        /** @param {import("../../www/api/next-token.js").StartOptions} options */
        const read = async (options) => {
          const run = await engine.start(options);
          await run.prefill();
          const kvs = [];
          for (const layer of layers) kvs.push(await run.kv({ layer }));
          const seen = { kvs: kvs.map(({ k, v, tokens }) => ({ k: [...k], v: [...v], tokens })), logits: [...(await run.logits()).values], ids: run.tokens };
          run.free();
          return seen;
        };
        const whole = await read({ prompt });
        const parts = [];
        for (let length = 1; length <= whole.ids.length; length += 1) {
          parts.push(await read({ prompt: whole.ids.slice(0, length), cache: false }));
        }
        return { whole, parts: parts.map((part, index) => (index + 1 < parts.length ? { ...part, logits: [] } : part)) };
      }, { prompt: "2, 4, 6, 8,", layers });
      assert.equal(whole.ids.length, 11);
      const width = whole.kvs[0].k.length / 11;
      let largest = apart(whole.logits, parts[10].logits);
      for (const [position, part] of parts.entries()) {
        for (const [index, { k, v }] of whole.kvs.entries()) {
          const place = (/** @type {number[]} */ all) => all.slice(position * width, (position + 1) * width);
          largest = Math.max(largest, apart(place(k), place(part.kvs[index].k)), apart(place(v), place(part.kvs[index].v)));
        }
      }
      t.diagnostic(`largest difference in K, V and logits between one prefill and cache-free passes: ${largest.toExponential(1)}`);
      assert.ok(largest <= SAME, String(largest));
    });

    await t.test("positions go on behind the prompt, and K is turned by them", async () => {
      const seen = await page.evaluate(async (prompt) => {
        const run = await engine.start({ prompt });
        const prefill = await run.prefill();
        const positions = [];
        for (let step = 0; step < 4; step += 1) {
          if (step > 0) positions.push(["forward", (await run.forward()).position]);
          const { position, appended } = await run.step();
          positions.push(["step", position, appended?.length]);
        }
        await run.forward();
        const again = await engine.start({ prompt: run.tokens });
        await again.prefill();
        const keys = [];
        for (const other of [run, again]) keys.push((await Promise.all([0, 29].map((layer) => other.kv({ layer })))).map(({ k }) => [...k]));
        return { prefill: prefill.position, positions, keys };
      }, FRANCE);
      assert.equal(seen.prefill, 5);
      assert.deepEqual(seen.positions, [["step", 5, 6], ["forward", 6], ["step", 6, 7], ["forward", 7], ["step", 7, 8], ["forward", 8], ["step", 8, 9]]);
      for (const layer of [0, 1]) assert.ok(apart(seen.keys[0][layer], seen.keys[1][layer]) <= SAME);
    });

    await t.test("twenty tokens with the cache are the twenty without it", async () => {
      const seen = await page.evaluate(async (prompt) => {
        const runs = [];
        for (const cache of [true, false]) runs.push(await engine.start({ prompt, cache, maxTokens: 20 }));
        for (const run of runs) await run.prefill();
        const passes = [0, 0];
        let largest = 0;
        while (runs[0].finish === null) {
          for (const [index, run] of runs.entries()) passes[index] += (await run.forward()).passes;
          const [one, other] = [(await runs[0].logits()).values, (await runs[1].logits()).values];
          largest = one.reduce((most, value, id) => Math.max(most, Math.abs(value - other[id])), largest);
          for (const run of runs) await run.step();
        }
        return { passes, largest, ends: runs.map(({ tokens, text, finish }) => ({ tokens, text, finish })) };
      }, "def fibonacci(n):");
      assert.deepEqual(seen.ends[1], seen.ends[0]);
      assert.equal(seen.ends[0].tokens.length, 6 + 20);
      assert.match(seen.ends[0].text, /return n \* fibonacci\(n -$/);
      t.diagnostic(`largest logit difference between cached and uncached, 20 tokens: ${seen.largest.toExponential(1)}; passes ${seen.passes.join(" and ")}`);
      assert.ok(seen.largest <= SAME);
      // The prompt's 6 tokens were read by the prefill; then one token a step, or all of them.
      assert.deepEqual(seen.passes, [19, Array.from({ length: 19 }, (_, step) => 7 + step).reduce((a, b) => a + b)]);
    });

    await t.test("a prefill that was cancelled leaves nothing behind that a later run would miss", async () => {
      const seen = await page.evaluate(async (once) => {
        const some = (await engine.encode(`${once} there was a river that ran from the hills down to the sea. `)).map(({ id }) => id);
        const prompt = Array.from({ length: 600 }, (_, index) => some[index % some.length]);
        /** @param {import("../../www/api/next-token.js").Run} run */
        const finish = async (run) => {
          await run.prefill();
          const first = [...(await run.logits()).values];
          const { choice } = await run.step();
          return { first, id: choice.id, tokens: run.tokens.length, cached: run.state.cached, passes: run.state.passes };
        };
        const cancelled = await engine.start({ prompt });
        /** @type {Promise<unknown>[]} */
        const cancels = [];
        const error = await attempt(cancelled.prefill({ onProgress: (done) => done >= 96 && done < 600 && cancels.push(cancelled.cancel()) }));
        await Promise.all(cancels);
        const { cached, passes, tokens, finish: reason } = cancelled.state;
        const fresh = await finish(await engine.start({ prompt }));
        await cancelled.rewind(600);
        const goesOn = await finish(cancelled);
        return { code: error.code, between: { cached, passes, tokens: tokens.length, reason }, fresh, goesOn };
      }, ONCE);
      assert.equal(seen.code, "aborted");
      const { cached, passes, tokens, reason } = seen.between;
      assert.deepEqual([tokens, reason, passes], [600, "cancelled", cached]);
      assert.ok(cached >= 96 && cached < 600, `${cached} tokens cached`);
      assert.equal(apart(seen.goesOn.first, seen.fresh.first), 0);
      assert.deepEqual({ ...seen.goesOn, first: 0 }, { ...seen.fresh, first: 0 });
      assert.deepEqual([seen.fresh.tokens, seen.fresh.cached, seen.fresh.passes], [601, 600, 600]);
    });

    await t.test("a pass over many tokens can be cancelled too", async () => {
      const seen = await page.evaluate(async (once) => {
        const some = (await engine.encode(`${once} there was a river that ran from the hills down to the sea. `)).map(({ id }) => id);
        const prompt = Array.from({ length: 300 }, (_, index) => some[index % some.length]);
        const runs = [];
        for (const cache of [true, false]) runs.push(await engine.start({ prompt, cache }));
        for (const run of runs) {
          await run.prefill();
          await run.force(28);
        }
        const [cached, uncached] = runs;
        const before = uncached.state.passes;
        const pass = attempt(uncached.forward());
        await new Promise((resolve) => setTimeout(resolve, 500));
        await uncached.cancel();
        const { code } = await pass;
        const { finish, passes, tokens } = uncached.state;
        await uncached.rewind(tokens.length);
        const steps = [await cached.step(), await uncached.step()];
        return { code, finish, spent: passes - before, ids: steps.map(({ choice }) => choice.id), passes: steps.map(({ logits }) => logits?.passes) };
      }, ONCE);
      assert.deepEqual([seen.code, seen.finish], ["aborted", "cancelled"]);
      assert.ok(seen.spent < 301, `${seen.spent} of 301 tokens computed before it ended`);
      assert.equal(seen.ids[0], seen.ids[1]);
      assert.deepEqual(seen.passes, [1, 301]);
    });

    await t.test("after a cancel the next run and this one go on, computing no token twice", async () => {
      const seen = await page.evaluate(async (prompt) => {
        const straight = await engine.start({ prompt, maxTokens: 20 });
        for await (const _ of straight);
        const stopped = await engine.start({ prompt, maxTokens: 20 });
        let steps = 0;
        for await (const _ of stopped) {
          steps += 1;
          if (steps === 10) void stopped.cancel();
        }
        const at = { ...stopped.state };
        // A whole new answer, streamed, then one made of awaited calls, while the first one waits.
        const others = [];
        const streamed = await engine.start({ prompt, maxTokens: 4 });
        for await (const _ of streamed);
        others.push(streamed.tokens.slice(4));
        const whole = await engine.start({ prompt, maxTokens: 4 });
        await whole.prefill();
        while (whole.finish === null) await whole.step();
        others.push(whole.tokens.slice(4));

        await stopped.rewind(stopped.tokens.length);
        const one = await stopped.step();
        for await (const _ of stopped);
        return { at, others, one: one.choice.id, straight: straight.state, stopped: stopped.state };
      }, ONCE);
      assert.deepEqual([seen.at.finish, seen.at.tokens.length, seen.at.cached], ["cancelled", 14, 13]);
      assert.deepEqual(seen.others, [seen.straight.tokens.slice(4, 8), seen.straight.tokens.slice(4, 8)]);
      assert.equal(seen.one, seen.straight.tokens[14]);
      assert.deepEqual(seen.stopped.tokens, seen.straight.tokens);
      assert.deepEqual([seen.stopped.finish, seen.stopped.text], ["length", seen.straight.text]);
      assert.deepEqual([seen.stopped.passes, seen.straight.passes], [23, 23]);
    });

    await t.test("a prompt that is empty, or longer than the context, is refused in words", async () => {
      const seen = await page.evaluate(async (prompt) => {
        const { context } = engine.info;
        const refuse = async (/** @type {unknown} */ options) => attempt(engine.start(/** @type {never} */ (options)).then(() => null));
        const long = [];
        for (const length of [context, context + 1]) long.push(await refuse({ prompt: Array(length).fill(28) }));
        // Each of these words is one token.
        long.push(await refuse({ prompt: " the".repeat(context + 1) }));
        const content = " the".repeat(context);
        const chat = await refuse({ messages: [{ role: "user", content }] });
        const empty = [];
        for (const options of [{ prompt: "" }, { prompt: [] }, { messages: [] }, { messages: [{ role: "nobody", content: "Hi" }] }]) empty.push(await refuse(options));
        const run = await engine.start({ prompt, maxTokens: 1 });
        for await (const _ of run);
        return { context, long, chat, empty, text: run.text };
      }, FRANCE);
      for (const [index, { code, message }] of seen.long.entries()) {
        assert.equal(code, "context-full");
        assert.match(String(message), new RegExp(`\\b${seen.context + Math.min(index, 1)}\\b.*\\b${seen.context}\\b`));
      }
      assert.equal(seen.chat.code, "context-full");
      for (const { code } of seen.empty) assert.equal(code, "bad-prompt");
      for (const { hint } of [...seen.long, seen.chat, ...seen.empty]) assert.ok(hint);
      assert.equal(seen.text, " Paris");
    });
  });
});

test("a context of 32 tokens is filled to its end, the same with the cache and without", { timeout: 120_000 }, () =>
  withPage(site.browser, `${site.origin}/blank`, async (page) => {
    await page.evaluate(async () => {
      globalThis.engine = await nextToken.load({ model: { gguf: "/fixtures/tiny-q4.gguf" }, backend: "cpu" });
    });
    // A prompt whose greedy text doesn't end by itself.
    const options = { prompt: "The cat in the hat and a", maxTokens: 1000 };
    const cached = await page.evaluate(greedy, options);
    const uncached = await page.evaluate(greedy, { ...options, cache: false });
    assert.deepEqual([cached.finish, uncached.finish, cached.chosen.length], ["context", "context", 32 - 11]);
    assert.deepEqual(uncached.chosen, cached.chosen);
    for (const [step, row] of cached.logits.entries()) assert.ok(apart(row, uncached.logits[step]) <= SAME, `step ${step}`);
    const full = await page.evaluate(watch, { options: { ...options, cache: true } });
    assert.equal(full.prompt.length + full.generated.length, 32);
    assert.deepEqual(full.steps.at(-1)?.stop, { reason: "context", joins: true, sequence: null });
  }));

test("fifty runs take no more memory than five", { timeout: 240_000 }, () =>
  withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const memory = await page.evaluate(async () => {
      const own = await nextToken.load({ model: { gguf: "/fixtures/tiny-mixed.gguf" }, backend: "cpu" });
      const memory = [];
      for (let round = 0; round < 50; round += 1) {
        const run = await own.start({ prompt: "The cat", maxTokens: 20, temperature: 1, seed: round });
        for await (const _ of run);
        run.free();
        memory.push(await own.memory());
      }
      return memory;
    });
    assert.deepEqual(new Set(memory.slice(4)).size, 1, memory.join());
  }));
