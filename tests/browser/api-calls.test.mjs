// Calls of the public API that are out of order, wrong, at the wrong time, or cut short.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, tableTests, withPage } from "./harness.mjs";

const site = setUp();
const onTable = tableTests(site);


onTable("a call out of order is an error, and the run goes on as if it had not been made", async (page) => {
  const { errors, text, finish, last } = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    const errors = [];
    errors.push(["distribution before prefill", await attempt(run.distribution())]);
    errors.push(["forward before prefill", await attempt(run.forward())]);
    errors.push(["step before prefill", await attempt(run.step())]);
    await run.prefill();
    errors.push(["distribution before forward", await attempt(run.distribution())]);
    await run.forward();
    errors.push(["forward twice", await attempt(run.forward())]);
    errors.push(["sample before distribution", await attempt(run.sample())]);
    errors.push(["append before sample", await attempt(run.append())]);
    errors.push(["stop before sample", await attempt(run.stop())]);
    await run.distribution();
    await run.sample();
    await run.append();
    errors.push(["sample after append", await attempt(run.sample())]);
    while (run.finish === null) await run.step();
    errors.push(["step after the end", await attempt(run.step())]);
    return { errors, text: run.text, finish: run.finish, last: run.tokens.length };
  });
  for (const [name, error] of errors) {
    assert.equal(/** @type {{ code?: string }} */ (error).code, "out-of-order", `${name}: ${JSON.stringify(error)}`);
    assert.ok(/** @type {{ hint?: string }} */ (error).hint, `${name} has no hint`);
  }
  assert.deepEqual([text.trim(), finish, last], ["Paris .", "eos", 7]);
});

onTable("while a pass runs everything but cancel is busy, and nothing is lost", async (page) => {
  const { busy, step, text } = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    await run.prefill();
    const pass = run.step();
    const calls = [
      run.step(), run.forward(), run.prefill(), run.distribution(), run.sample(), run.stop(), run.append(),
      run.force(0), run.rewind(0), run.pieces(), run.logits(), run.attention({ layer: 0 }), run.kv({ layer: 0 }),
      run.fork(), run.reseed(1), run.distributionAt(5), run.draws(5, { times: 3 }),
    ];
    const busy = await Promise.all(calls.map((call) => attempt(/** @type {Promise<unknown>} */ (call))));
    const step = await pass;
    while (run.finish === null) await run.step();
    return { busy: busy.map(({ code }) => code), step, text: run.text };
  });
  assert.deepEqual(busy, Array(17).fill("busy"));
  assert.equal(step.choice.text, "Paris");
  assert.equal(text.trim(), "Paris .");
});

onTable("a prefill that is asked for again gives the same record and computes nothing", async (page) => {
  const { first, again, passes } = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    const first = await run.prefill();
    const again = await run.prefill();
    return { first, again, passes: run.state.passes };
  });
  assert.deepEqual(again, first);
  assert.equal(passes, 5);
});

onTable("quick calls need not be awaited one by one", async (page) => {
  const step = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "The capital of France is" });
    await run.prefill();
    await run.forward();
    const calls = [run.distribution({ top: 2 }), run.sample(), run.stop(), run.append()];
    const [distribution, choice, , appended] = await Promise.all(calls);
    return { distribution, choice, appended };
  });
  assert.equal(/** @type {import("../../www/api/next-token.js").Distribution} */ (step.distribution).candidates.length, 2);
  assert.equal(/** @type {import("../../www/api/next-token.js").Choice} */ (step.choice).text, "Paris");
});

onTable("an unknown option is named, and the valid ones are listed", async (page) => {
  const errors = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "is" });
    const wrong = /** @type {never} */ ({ tempature: 1 });
    const out = [
      await attempt(nextToken.load(wrong)), await attempt(engine.start(wrong)), await attempt(engine.encode("", wrong)),
      await attempt(run.prefill(wrong)), await attempt(run.step(wrong)), await attempt(run.distribution(wrong)),
      await attempt(run.sample(wrong)), await attempt(run.attention(wrong)), await attempt(run.kv(wrong)),
    ];
    await run.prefill();
    await run.step();
    return { out: out.map(({ code, message, hint }) => ({ code, message, hint })), tokens: run.tokens.length };
  });
  for (const { code, message, hint } of errors.out) {
    assert.equal(code, "bad-config");
    assert.match(String(message), /tempature/);
    assert.match(String(hint), /object with: /);
  }
  assert.equal(errors.tokens, 2);
});

onTable("settings that are no number or out of range are refused, and the run stays usable", async (page) => {
  const { started, onRun, text } = await page.evaluate(async () => {
    /** @type {Record<string, unknown>[]} */
    const wrong = [
      { temperature: NaN }, { temperature: -1 }, { temperature: Infinity }, { temperature: "hot" },
      { topK: -1 }, { topK: 1.5 }, { topK: NaN }, { topP: -0.1 }, { topP: 1.1 }, { topP: NaN },
      { minP: -1 }, { minP: 2 }, { minP: NaN }, { repetitionPenalty: 0 }, { repetitionPenalty: NaN },
      { top: -1 }, { top: 0.5 },
    ];
    const startOnly = [
      { seed: -1 }, { seed: 0.5 }, { seed: NaN }, { seed: 2 ** 53 }, { maxTokens: -1 }, { maxTokens: NaN },
      { stop: [1] }, { stop: [""] }, { cache: "yes" }, { special: 1 }, { messages: "x", prompt: undefined },
    ];
    const started = [];
    for (const options of [...wrong, ...startOnly]) {
      const tried = await attempt(engine.start(/** @type {never} */ ({ prompt: "is", ...options })));
      started.push([JSON.stringify(options), tried.code ?? "accepted"]);
    }
    const run = await engine.start({ prompt: "The capital of France is" });
    await run.prefill();
    await run.forward();
    const onRun = [];
    for (const options of wrong) {
      const name = JSON.stringify(options);
      onRun.push([`distribution ${name}`, (await attempt(run.distribution(options))).code ?? "accepted"]);
      onRun.push([`step ${name}`, (await attempt(run.step(options))).code ?? "accepted"]);
    }
    await run.distribution({ temperature: 1 });
    for (const coin of [1, -0.1, NaN, "x"]) {
      const tried = await attempt(run.sample({ coin: /** @type {number} */ (coin) }));
      onRun.push([`coin ${coin}`, tried.code ?? "accepted"]);
    }
    for (const id of [-1, 0.5, NaN, 1e6, 2 ** 32]) {
      onRun.push([`force ${id}`, (await attempt(run.force(id))).code ?? "accepted"]);
      onRun.push([`rewind ${id}`, (await attempt(run.rewind(id))).code ?? "accepted"]);
    }
    await run.distribution({ temperature: 0 });
    while (run.finish === null) await run.step();
    return { started, onRun, text: run.text };
  });
  for (const [name, code] of [...started, ...onRun]) {
    assert.ok(code === "bad-config" || (code === "bad-prompt" && /messages/.test(name)), `${name}: ${code}`);
  }
  assert.equal(text.trim(), "Paris .");
});

onTable("a prompt must be there, be text, and fit", async (page) => {
  const errors = await page.evaluate(async () => {
    /** @type {[string, unknown][]} */
    const cases = [
      ["empty", { prompt: "" }], ["none", {}], ["number", { prompt: 5 }], ["no ids", { prompt: [] }],
      ["both", { prompt: "is", messages: [{ role: "user", content: "is" }] }],
      ["chat", { messages: [{ role: "user", content: "is" }] }],
      ["half a character", { prompt: "is \ud83d" }], ["unknown id", { prompt: [1_000_000] }], ["id is no number", { prompt: [NaN] }],
    ];
    const out = [];
    for (const [name, options] of cases) out.push([name, (await attempt(engine.start(/** @type {never} */ (options)))).code ?? "accepted"]);
    out.push(["half a character to encode", (await attempt(engine.encode("\ude00"))).code ?? "accepted"]);
    const long = "is ".repeat(engine.info.context + 1).trim();
    const full = await attempt(engine.start({ prompt: long }).then((run) => run.prefill()));
    return { out, full, context: engine.info.context };
  });
  for (const [name, code] of errors.out) assert.ok(["bad-prompt", "bad-config"].includes(code), `${name}: ${code}`);
  assert.equal(errors.full.code, "context-full");
  for (const number of [errors.context, errors.context + 1]) {
    assert.match(String(errors.full.message).replace(/[\s,.]/g, ""), new RegExp(String(number)));
  }
});

onTable("cancel: during prefill, during a step, while idle, and in a loop", async (page) => {
  const seen = await page.evaluate(async () => {
    const fresh = async () => engine.start({ prompt: "The capital of France is" });
    const prefilling = await fresh();
    const [prefill, cancelled] = await Promise.all([attempt(prefilling.prefill()), attempt(prefilling.cancel())]);
    const finish = prefilling.finish;
    await prefilling.rewind(prefilling.tokens.length);
    await prefilling.prefill();
    while (prefilling.finish === null) await prefilling.step();

    const stepping = await fresh();
    await stepping.prefill();
    const [step] = await Promise.all([attempt(stepping.step()), stepping.cancel()]);
    const afterStep = { finish: stepping.finish, tokens: stepping.tokens.length };
    await stepping.rewind(stepping.tokens.length);
    while (stepping.finish === null) await stepping.step();

    const idle = await fresh();
    await idle.cancel();
    let idleSteps = 0;
    for await (const _ of idle) idleSteps += 1;

    const looping = await fresh();
    let loops = 0;
    for await (const _ of looping) {
      loops += 1;
      void looping.cancel();
    }
    return {
      prefill, cancelled, finish, resumed: prefilling.text, step, afterStep, continued: stepping.text,
      idle: [idle.finish, idleSteps], looping: [looping.finish, loops],
    };
  });
  assert.equal(seen.prefill.code, "aborted");
  assert.ok("ok" in seen.cancelled);
  assert.equal(seen.finish, "cancelled");
  assert.equal(seen.resumed.trim(), "Paris .");
  assert.equal(seen.step.ok?.choice.text, "Paris");
  assert.deepEqual(seen.afterStep, { finish: "cancelled", tokens: 6 });
  assert.equal(seen.continued.trim(), "Paris .");
  assert.deepEqual(seen.idle, ["cancelled", 0]);
  assert.deepEqual(seen.looping, ["cancelled", 1]);
});

onTable("after free() every call says so, pending ones too", async (page) => {
  const codes = await page.evaluate(async () => {
    const run = await engine.start({ prompt: "is" });
    const other = await engine.start({ prompt: "is" });
    const pending = attempt(run.prefill());
    run.free();
    run.free();
    const codes = [(await pending).code, (await attempt(run.step())).code];
    codes.push((await attempt(other.prefill())).code ?? "other run works");
    const late = attempt(other.step());
    engine.free();
    engine.free();
    other.free();
    codes.push((await late).code, (await attempt(engine.encode("is"))).code, (await attempt(engine.start({ prompt: "is" }))).code);
    return codes;
  });
  assert.deepEqual(codes, ["freed", "freed", "other run works", "freed", "freed", "freed"]);
});

test("an aborted load ends at once, and the next one works", { timeout: 60_000 }, () =>
  withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const seen = await page.evaluate(async () => {
      const before = new AbortController();
      before.abort();
      const during = new AbortController();
      const loading = attempt(nextToken.load({ model: "table", signal: during.signal, onProgress: () => during.abort() }));
      const codes = [(await attempt(nextToken.load({ model: "table", signal: before.signal }))).code, (await loading).code];
      const next = await nextToken.load({ model: "table", signal: new AbortController().signal });
      return { codes, model: next.info.architecture };
    });
    assert.deepEqual(seen, { codes: ["aborted", "aborted"], model: "table" });
  }));

test("what a table has no use for is refused, not ignored", { timeout: 60_000 }, () =>
  withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const codes = await page.evaluate(async () => {
      const codes = [];
      for (const options of [{ backend: /** @type {const} */ ("webgpu") }, { context: 10 }]) {
        codes.push((await attempt(nextToken.load({ model: "table", ...options }).then(() => null))).code);
      }
      return codes;
    });
    assert.deepEqual(codes, ["no-webgpu", "bad-config"]);
  }));
