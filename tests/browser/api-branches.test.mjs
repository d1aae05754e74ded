// Forks, prefix reuse, looking back and rendering, through the public API in a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, tableTests, withPage } from "./harness.mjs";

const site = setUp();
const onTable = tableTests(site);

/** @param {string} name @param {(page: import("playwright-core").Page) => Promise<void>} body */
const onPocket = (name, body) =>
  test(name, { timeout: 60_000 }, () =>
    withPage(site.browser, `${site.origin}/blank`, async (page) => {
      await page.evaluate(async () => {
        globalThis.engine = await nextToken.load();
      });
      await body(page);
    }));

onPocket("a fork shares what is computed and goes its own way", async (page) => {
  const seen = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is", maxTokens: 8 });
    await run.prefill();
    const steps = [await run.step(), await run.step()];
    const before = structuredClone(run.state);
    const fork = await run.fork({ position: run.state.promptLength });
    const start = { tokens: [...fork.tokens], passes: fork.state.passes, cached: fork.state.cached };
    const forward = await fork.forward();
    const [london] = await engine.encode(" Madrid");
    const forced = await fork.force(london?.id ?? -1);
    const next = await fork.step();
    const alone = await engine.start({ prompt: fork.tokens.slice(0, -1), maxTokens: 8 });
    await alone.prefill();
    const straight = await alone.step();
    return { steps, before, after: structuredClone(run.state), start, forward, forced, next, straight, tokens: [...run.tokens] };
  });
  assert.deepEqual(seen.after, seen.before, "the run stays as it was");
  assert.deepEqual(seen.start, { tokens: seen.tokens.slice(0, seen.before.promptLength), passes: 0, cached: seen.before.promptLength });
  assert.equal(seen.forward.passes, 0, "the scores came along");
  assert.equal(seen.forced.choice.method, "forced");
  const rank = seen.forced.choice.rank ?? -1;
  assert.ok(rank > 0 && seen.steps[0]?.candidates[0]?.text === " Paris");
  assert.equal(seen.next.logits?.passes, 1);
  assert.equal(seen.next.choice.id, seen.straight.choice.id);
  assert.ok(Math.abs((seen.next.choice.pRaw ?? 0) - (seen.straight.choice.pRaw ?? 1)) < 1e-5);
});

onPocket("a prefix is reused by ids, and the engine says how much of it", async (page) => {
  const seen = await page.evaluate(async () => {
    /** @type {import("../../www/api/next-token.js").Message[]} */
    const messages = [{ role: "user", content: "What is the capital of France?" }];
    const first = await engine.start({ messages, maxTokens: 20 });
    for await (const step of first) void step;
    messages.push({ role: "assistant", content: first.text }, { role: "user", content: "What is the capital of Spain?" });
    const [with_, without] = [await engine.start({ messages, reuse: first }), await engine.start({ messages })];
    const [a, b] = [await with_.prefill(), await without.prefill()];
    const [x, y] = [await with_.logits(), await without.logits()];
    const prompt = with_.tokens;
    const known = first.tokens.slice(0, first.state.cached);
    let same = 0;
    while (same < known.length && known[same] === prompt[same]) same += 1;
    const apart = Math.max(...x.values.map((value, i) => Math.abs(value - (y.values[i] ?? NaN))));
    const rendered = await engine.render(messages);
    return { reused: with_.state.reused, none: without.state.reused, a: a.passes, b: b.passes, length: prompt.length, same, apart, ids: rendered.pieces.map((p) => p.id), prompt, parts: rendered.parts };
  });
  assert.ok(seen.same > 10);
  assert.deepEqual([seen.reused, seen.none], [seen.same, 0]);
  assert.deepEqual([seen.a, seen.b], [seen.length - seen.same, seen.length]);
  assert.ok(seen.apart < 1e-4, `logits differ by ${seen.apart}`);
  assert.deepEqual(seen.ids, seen.prompt);
  assert.deepEqual(seen.parts?.filter((part) => part.message !== null).map((part) => part.message), [0, 1, 2]);
});

onPocket("what is wrong with a fork, a reuse or a look back is told by name", async (page) => {
  const errors = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    await run.prefill();
    const other = await nextToken.load({ model: "table" });
    const freed = await engine.start({ prompt: "The" });
    freed.free();
    const wrong = (/** @type {unknown} */ value) => /** @type {never} */ (value);
    const prompt = "The capital";
    return [
      await attempt(run.fork({ position: 1 })), await attempt(run.fork(wrong({ temperature: 1 }))), await attempt(run.fork({ stop: "" })),
      await attempt(other.start({ prompt: "is", reuse: run })), await attempt(engine.start({ prompt, reuse: wrong("run") })),
      await attempt(engine.start({ prompt, reuse: run, cache: false })), await attempt(run.reseed(-1)), await attempt(run.reseed(wrong("1"))),
      await attempt(run.draws(7, wrong({ times: "many" }))), await attempt(run.draws(run.tokens.length, { times: 0 })),
      await attempt(engine.start({ prompt, reuse: freed })), await attempt(run.distributionAt(2)), await attempt(other.render([{ role: "user", content: "x" }])),
    ].map(({ code, message, hint }) => ({ code, said: `${message} ${hint}` }));
  });
  assert.deepEqual(errors.map(({ code }) => code), [...Array(10).fill("bad-config"), "freed", "out-of-order", "bad-prompt"]);
  for (const { said } of errors) assert.ok(said.length > 20, said);
});

onTable("looking back and drawing many times change nothing", async (page) => {
  const seen = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    await run.prefill();
    while (run.finish === null) await run.step();
    const before = structuredClone(run.state);
    const at = run.state.promptLength;
    const warm = await run.distributionAt(at, { temperature: 2 });
    const logits = await run.logits({ position: at });
    const draws = await run.draws(at, { times: 1000, temperature: 1, seed: 4 });
    return { before, after: structuredClone(run.state), warm, values: [...logits.values], draws };
  });
  assert.deepEqual(seen.after, seen.before);
  const weights = seen.values.map((x) => Math.exp(x / 2));
  const sum = weights.reduce((a, b) => a + b, 0);
  for (const c of seen.warm.candidates) assert.ok(Math.abs(c.p - (weights[c.id] ?? 0) / sum) < 1e-9);
  assert.equal(seen.draws.draws.reduce((sum, draw) => sum + draw.count, 0), 1000);
  assert.equal(seen.draws.draws[0]?.text, "Paris");
  assert.ok(Math.abs((seen.draws.draws[0]?.count ?? 0) / 1000 - 0.92) < 0.06);
});
