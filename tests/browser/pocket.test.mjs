// pocket, the model that comes with the module: found beside it wherever that is, loaded by default,
// and refused in words when it isn't what it should be. What it has learnt is in its card, which `cargo xtask
// train-pocket --check` holds; here are only the examples that the page offers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { MODELS } from "../../www/core/models.js";
import { ROOT, launch, serve, withPage } from "./harness.mjs";

const FILE = "/pkg/pocket.gguf";
const MODEL = "/models/SmolLM2-135M-Instruct.Q4_1.gguf";

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
/** Answers in place of files; of several, each request takes one. @type {Record<string, import("./harness.mjs").Answer[]>} */
const answers = {};
before(async () => {
  site = await serve(async ({ pathname }) => {
    const answer = answers[pathname]?.shift();
    if (answer) return answer;
    const deep = pathname.startsWith("/some/where/pkg/") && pathname.slice("/some/where/".length);
    if (!deep) return null;
    const type = deep.endsWith(".js") ? "text/javascript" : deep.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return { headers: { "content-type": type }, body: await readFile(path.join(ROOT, deep)) };
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

test("the package holds the model that is committed", async () => {
  const [packaged, committed] = await Promise.all(["pkg/pocket.gguf", "pocket/model/pocket.gguf"].map((file) => readFile(path.join(ROOT, file))));
  assert.ok(packaged.equals(committed), "`cargo xtask build` copies it");
});

test("load() without options is pocket, on the CPU, and nothing but the package is fetched", { timeout: 60_000 }, () =>
  withPage(browser, `${site.origin}/blank`, async (page) => {
    site.requests.length = 0;
    const seen = await page.evaluate(async () => {
      /** @type {string[]} */
      const phases = [];
      const own = await nextToken.load({ onProgress: ({ phase }) => phases.push(phase) });
      const run = await own.start({ prompt: "The capital of France is", maxTokens: 3 });
      await run.prefill();
      while (run.finish === null) await run.step();
      const named = await nextToken.load({ model: "pocket" });
      return { info: own.info, named: named.info, phases: [...new Set(phases)], made: run.state.tokens.length - run.state.promptLength };
    });
    assert.deepEqual(seen.named, seen.info);
    assert.deepEqual([seen.info.architecture, seen.info.backend, seen.info.chat], ["llama", "cpu", true]);
    assert.match(seen.info.reason, /this small.*faster on the CPU/);
    assert.ok(seen.info.parameters < 3e6, `${seen.info.parameters}`);
    assert.deepEqual(seen.phases, ["engine", "download", "weights", "warm-up", "ready"]);
    assert.ok(seen.made > 0);
    assert.ok(site.requests.some(({ path: asked }) => asked === FILE));
    assert.deepEqual(site.requests.filter(({ path: asked }) => !asked.startsWith("/pkg/")), []);
  }));

test("the page's examples: the same sum is wrong at once and right in steps, and a story comes to its end", { timeout: 60_000 }, () =>
  withPage(browser, `${site.origin}/blank`, async (page) => {
    const prompts = MODELS.find(({ id }) => id === "pocket")?.prompts ?? [];
    const texts = await page.evaluate(async (prompts) => {
      const engine = await nextToken.load();
      /** @type {Record<string, { text: string, finish: string | null }>} */
      const texts = {};
      for (const prompt of prompts) {
        const run = await engine.start({ prompt, maxTokens: 256 });
        await run.prefill();
        while (run.finish === null) await run.step();
        texts[prompt] = { text: run.text, finish: run.finish };
      }
      return texts;
    }, prompts);
    const sums = prompts.filter((prompt) => prompt.startsWith("Problem:"));
    assert.deepEqual(sums.map((prompt) => prompt.split("\n")[1]), ["Steps:", "Answer:"]);
    for (const prompt of sums) {
      const truth = [...prompt.matchAll(/\d+/g)].reduce((sum, [number]) => sum + Number(number), 0);
      const said = Number(texts[prompt].text.split("Answer:").at(-1));
      if (prompt.endsWith("Steps:")) assert.equal(said, truth, texts[prompt].text);
      else assert.ok(said > 30 && said !== truth, `at once it says ${said}`);
    }
    assert.equal(texts["Once upon a time"].finish, "eos");
    assert.equal(texts["The rain fell and"].finish, "length", "greedy loops to the limit");
    assert.equal(texts["The capital of France is"].text, " Paris.");
  }));

test("it is found beside the module, wherever that is", { timeout: 60_000 }, () =>
  withPage(browser, `${site.origin}/blank`, async (page) => {
    site.requests.length = 0;
    const architecture = await page.evaluate(async () => {
      /** @type {typeof nextToken} */
      const other = await import(`${location.origin}/some/where/pkg/next-token.js`);
      return (await other.load()).info.architecture;
    });
    assert.equal(architecture, "llama");
    assert.deepEqual(site.requests.filter(({ path: asked }) => asked.endsWith(".gguf")).map(({ path: asked }) => asked), ["/some/where/pkg/pocket.gguf"]);
  }));

test("a pocket that is missing, cut, or a web page in its place", { timeout: 60_000 }, () =>
  withPage(browser, `${site.origin}/blank`, async (page) => {
    const whole = await readFile(path.join(ROOT, "pkg/pocket.gguf"));
    answers[FILE] = [{ status: 404, body: "no" }, { body: whole.subarray(0, whole.length >> 1) }, { body: "<!doctype html><title>Home</title>" }, { body: "" }];
    const tried = [];
    for (let i = 0; i < 4; i++) tried.push(await page.evaluate(() => attempt(nextToken.load().then(() => null))));
    assert.deepEqual(tried.map(({ code }) => code), ["download-failed", "bad-weights", "bad-weights", "download-failed"]);
    assert.match(String(tried[0]?.message), /pocket\.gguf/);
    for (const { message, hint } of tried) assert.ok(message && hint);
    assert.equal(await page.evaluate(async () => (await nextToken.load()).info.architecture), "llama", "and then it works");
  }, { expected: [/404/] }));

test("auto computes small files on the CPU, webgpu asked for by name still computes the same", { timeout: 120_000 }, async () => {
  const own = await launch({ gpu: true });
  try {
    await withPage(own, `${site.origin}/blank`, async (page) => {
      const seen = await page.evaluate(async () => {
        const bytes = new Uint8Array(await (await fetch("/fixtures/tiny-mixed.gguf")).arrayBuffer());
        /** @type {import("../../www/api/next-token.js").ModelSource[]} */
        const small = ["pocket", { gguf: bytes }, { gguf: new Blob([bytes]) }];
        const reasons = [];
        for (const model of small) reasons.push((await nextToken.load({ model })).info.reason);
        const texts = [];
        const infos = [];
        for (const backend of /** @type {const} */ (["auto", "webgpu"])) {
          const engine = await nextToken.load({ backend });
          const run = await engine.start({ prompt: "The capital of France is", maxTokens: 4 });
          await run.prefill();
          while (run.finish === null) await run.step();
          texts.push(run.state.tokens);
          infos.push(engine.info);
          engine.free();
        }
        return { reasons, texts, infos };
      });
      for (const reason of seen.reasons) assert.match(reason, /this small/);
      assert.deepEqual(seen.infos.map(({ backend }) => backend), ["cpu", "webgpu"]);
      assert.match(seen.infos[1]?.adapter ?? "", /swiftshader/i);
      assert.deepEqual(seen.texts[1], seen.texts[0]);
    });
  } finally {
    await own.close();
  }
});

test("a server that has yet to fetch SmolLM2 is asked again, and its words are passed on", { timeout: 60_000 }, () =>
  withPage(browser, `${site.origin}/blank`, async (page) => {
    const plain = { "content-type": "text/plain; charset=utf-8", "retry-after": "1" };
    /** @param {import("./harness.mjs").Answer} last */
    const load = (last) => {
      answers[MODEL] = [{ status: 202, headers: plain, body: "Soon." }, { status: 202, headers: plain, body: "Sooner." }, last];
      return page.evaluate(async () => {
        /** @type {(string | null)[]} */
        const waiting = [];
        const tried = await attempt(nextToken.load({
          model: "smollm2", onProgress: ({ phase, note }) => phase === "waiting" && waiting.push(note),
        }).then(() => null));
        return { waiting, code: tried.code, message: tried.message };
      });
    };
    const failed = await load({ status: 502, headers: plain, body: "No network" });
    assert.deepEqual([failed.waiting, failed.code], [["Soon.", "Sooner."], "download-failed"]);
    assert.match(String(failed.message), /answered 502.*: No network\.$/);
    const page404 = await load({ status: 500, headers: { "content-type": "text/html" }, body: "<b>no</b>" });
    assert.doesNotMatch(String(page404.message), /<b>/);
    const other = await load({ body: "not the model" });
    assert.deepEqual([other.waiting.length, other.code], [2, "integrity"], "what comes then is the file");
  }, { expected: [/50[02]/] }));
