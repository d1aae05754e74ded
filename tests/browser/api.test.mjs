// The public API on the table model, whose every number is known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, tableTests, withPage } from "./harness.mjs";

const site = setUp();
const onTable = tableTests(site);


onTable("the lesson's run, stage by stage and number by number", async (page) => {
  const seen = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is", maxTokens: 20 });
    const prefill = await run.prefill();
    const steps = [];
    const logits = [(await run.logits()).values];
    while (run.finish === null) {
      steps.push(await run.step());
      if (run.finish === null) {
        await run.forward();
        logits.push((await run.logits()).values);
      }
    }
    return { prefill, steps, logits: logits.map((row) => [...row]), state: run.state, text: run.text, finish: run.finish };
  });
  assert.deepEqual(seen.prefill.pieces.map(({ text }) => text.trim()), ["The", "capital", "of", "France", "is"]);
  const expected = [
    [["Paris", 0.92], ["located", 0.05], ["the", 0.03]],
    [[".", 0.85], [",", 0.1], [" a", 0.05]],
    [["<END>", 0.99], ["\n", 0.01]],
  ];
  assert.equal(seen.steps.length, 3);
  for (const [index, step] of seen.steps.entries()) {
    assert.equal(step.index, index);
    for (const [rank, [text, p]] of expected[index].entries()) {
      const candidate = step.candidates[rank];
      assert.equal(candidate.text, text);
      assert.ok(Math.abs(candidate.pRaw - Number(p)) < 1e-6, `${text}: ${candidate.pRaw}`);
    }
    checkAgainstLogits(step, seen.logits[index]);
    assert.equal(step.choice.method, "greedy");
    assert.equal(step.choice.text, expected[index][0][0]);
  }
  assert.equal(seen.steps[2].stop?.reason, "eos");
  assert.equal(seen.steps[2].appended, null);
  assert.equal(seen.finish, "eos");
  assert.equal(seen.state.tokens.length - seen.state.promptLength, 2);
  assert.equal(seen.state.promptText + seen.text, "The capital of France is Paris .");
});

/**
 * Computes the probabilities anew from the raw scores of the whole vocabulary.
 * @param {import("../../www/api/next-token.js").Step} step
 * @param {number[]} logits
 */
function checkAgainstLogits(step, logits) {
  const highest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const sum = weights.reduce((a, b) => a + b, 0);
  for (const { id, pRaw } of step.candidates) {
    assert.ok(Math.abs(pRaw - weights[id] / sum) < 1e-6, `token ${id}: ${pRaw}, from the logits ${weights[id] / sum}`);
  }
  const { tail } = step;
  assert.ok(tail);
  const shown = step.candidates.reduce((total, { pRaw }) => total + pRaw, 0);
  assert.ok(Math.abs(shown + tail.massRaw - 1) < 1e-5);
  const drawn = step.candidates.reduce((total, { p }) => total + p, 0);
  assert.ok(Math.abs(drawn + tail.mass - 1) < 1e-5);
  assert.equal(step.candidates.length + tail.count, logits.length);
}

onTable("the coin decides, and lies in the interval of what it chose", async (page) => {
  const draws = await page.evaluate(async () => {
    const out = [];
    for (const coin of [0, 0.9199, 0.9201, 0.9699, 0.9701, 0.999999]) {
      const run = await engine.start({ prompt: "is", temperature: 1 });
      await run.prefill();
      await run.forward();
      await run.distribution();
      out.push(await run.sample({ coin }));
    }
    return out;
  });
  assert.deepEqual(draws.map(({ text }) => text), ["Paris", "Paris", "located", "located", "the", "the"]);
  for (const { coin, lo, hi, method } of draws) {
    assert.ok(coin !== null && lo !== null && hi !== null && lo <= coin && coin < hi, `${lo} ${coin} ${hi}`);
    assert.equal(method, "sampled");
  }
});

onTable("the same seed gives the same coins", async (page) => {
  const [one, two, other] = await page.evaluate(async () => {
    const runs = [];
    for (const seed of [7, 7, 8]) {
      const coins = [];
      const run = await engine.start({ prompt: "is", temperature: 1.5, seed, maxTokens: 5 });
      for await (const step of run) coins.push(step.choice.coin);
      runs.push(coins);
    }
    return runs;
  });
  assert.deepEqual(one, two);
  assert.notDeepEqual(one, other);
});

onTable("iteration writes the whole run; breaking out leaves it usable", async (page) => {
  const seen = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    const first = [];
    for await (const step of run) {
      first.push(step.choice.text);
      break;
    }
    const rest = [];
    for await (const step of run) rest.push(step.choice.text);
    return { first, rest, finish: run.finish };
  });
  assert.deepEqual(seen, { first: ["Paris"], rest: [".", "<END>"], finish: "eos" });
});

onTable("rewind and force: another branch from the same prefix, and back", async (page) => {
  const seen = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    for await (const _ of run);
    const first = { tokens: [...run.tokens], text: run.text };
    await run.rewind(run.state.promptLength);
    const rewound = { finish: run.finish, text: run.text };
    await run.forward();
    const { candidates } = await run.distribution();
    const located = candidates.find(({ text }) => text === "located")?.id ?? -1;
    const forced = await run.force(located);
    for await (const _ of run);
    const branch = run.text;
    await run.rewind(run.state.promptLength);
    for await (const _ of run);
    const again = { tokens: [...run.tokens], text: run.text };

    await run.rewind(run.state.promptLength);
    await run.step();
    const blind = await run.force(located);
    const pieces = await run.pieces();
    return { first, rewound, forced, branch, again, blind, pieces, tokens: run.tokens };
  });
  assert.deepEqual([seen.rewound.finish, seen.rewound.text], [null, ""]);
  assert.equal(seen.forced.choice.method, "forced");
  assert.equal(seen.branch.trim(), "located");
  assert.deepEqual(seen.again, seen.first);
  assert.ok(seen.forced.tail && seen.forced.kept && seen.forced.entropyBits && seen.forced.choice.pRaw);
  // Forced without a pass: what isn't known is null, and no number stands in for it.
  const { logits, candidates, tail, kept, entropyBits, choice } = seen.blind;
  assert.deepEqual([logits, candidates, tail, kept, entropyBits, choice.p, choice.pRaw, choice.rank], [null, [], null, null, null, null, null, null]);
  assert.deepEqual(seen.pieces.map(({ id }) => id), seen.tokens);
});

onTable("rewind: what was kept decides whether the run goes on", async (page) => {
  const seen = await page.evaluate(async () => {
    const prompt = "The capital of France is";
    const states = [];
    const limited = await engine.start({ prompt, maxTokens: 1 });
    for await (const _ of limited);
    await limited.rewind(limited.tokens.length);
    states.push([limited.finish, limited.text, (await attempt(limited.step())).code]);
    await limited.rewind(limited.state.promptLength);
    await limited.rewind(limited.state.promptLength);
    await limited.step();
    states.push([limited.finish, limited.text, limited.tokens.length]);

    const stopped = await engine.start({ prompt, stop: "Paris" });
    for await (const _ of stopped);
    await stopped.rewind(stopped.tokens.length);
    states.push([stopped.finish, stopped.text, stopped.state.held, (await attempt(stopped.step())).code]);

    // An end-of-text token joins nothing, so nothing that was kept ends the run.
    const ended = await engine.start({ prompt });
    for await (const _ of ended);
    await ended.rewind(ended.tokens.length);
    states.push([ended.finish, (await ended.step()).choice.text, ended.finish]);
    return states;
  });
  assert.deepEqual(seen, [
    ["length", " Paris", "out-of-order"], ["length", " Paris", 6], ["stop", " ", "", "out-of-order"], [null, "<END>", "eos"],
  ]);
});

onTable("a table has no attention and no cache to look into", async (page) => {
  const codes = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "is" });
    await run.prefill();
    return [(await attempt(run.attention({ layer: 0 }))).code, (await attempt(run.kv({ layer: 0 }))).code];
  });
  assert.deepEqual(codes, ["unsupported", "unsupported"]);
});

test("a stop sequence that arrives in pieces is never shown", { timeout: 60_000 }, () =>
  withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const stream = ["Sure", "!", " Here", " is", " the", " answer", ":", " 42", "\n", "User", ":", " next", " question"];
    const seen = await page.evaluate(async (stream) => {
      /** @type {Record<string, Record<string, number>>} */
      const rows = { Q: { [stream[0]]: 1 } };
      // The second ":" ends the run, so the row of the first one stands.
      stream.slice(1).forEach((next, index) => { rows[stream[index]] ??= { [next]: 1 }; });
      const own = await nextToken.load({ model: { table: { rows, separator: "" } } });
      const run = await own.start({ prompt: "Q", stop: "\nUser:" });
      const states = [];
      for await (const step of run) states.push({ token: step.choice.text, stop: step.stop, ...run.state });
      return states;
    }, stream);
    assert.deepEqual(seen.map(({ token }) => token), stream.slice(0, 11));
    const final = "Sure! Here is the answer: 42";
    for (const { text } of seen) assert.ok(final.startsWith(text), JSON.stringify(text));
    assert.deepEqual(seen.slice(8, 10).map(({ held }) => held), ["\n", "\nUser"]);
    const last = seen[10];
    assert.deepEqual([last.text, last.held, last.finish], [final, "", "stop"]);
    assert.deepEqual([last.stop?.reason, last.stop?.sequence], ["stop", "\nUser:"]);
    assert.ok(last.naive.startsWith(`${final}\nUser`), JSON.stringify(last.naive));
  }));
