// Which model the page starts with, what it says of each, and what it does when one can't be had.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, serve } from "./harness.mjs";
import { drawn, onPage, pages, press, run, shown, status, violations } from "./page.mjs";

/** @import { Page } from "playwright-core" */

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
/** Answers in place of files, by how the path begins. @type {Record<string, import("./harness.mjs").Answer>} */
let answers = {};
before(async () => {
  site = await serve((url) => answers[Object.keys(answers).find((start) => url.pathname.startsWith(start)) ?? ""] ?? pages(url));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

const MISSING = { status: 404, body: "no" };
const words = { "content-type": "text/plain" };

/** @param {typeof answers} given @param {() => Promise<void>} work */
async function withAnswers(given, work) {
  answers = given;
  try {
    await work();
  } finally {
    answers = {};
  }
}

/** Chooses SmolLM2 in the panel. @param {Page} page */
async function choose(page) {
  await page.getByRole("button", { name: "Change model" }).click();
  await page.locator("nt-model select").first().selectOption("smollm2");
  await drawn(page);
}

const fault = (/** @type {Page} */ page) => page.locator("nt-loading .fault").innerText();
const model = (/** @type {Page} */ page) => page.locator("nt-model strong").innerText();

test("the page starts with pocket at once, says what it is, and asks for SmolLM2's 98 MB", async () => {
  site.requests.length = 0;
  await onPage(browser, `${site.origin}/`, async (page) => {
    await status(page, "ready");
    assert.equal(await model(page), "pocket");
    const said = await page.locator("nt-model").innerText();
    for (const word of [/trained from scratch/, /synthetic world/, /1 million parameters/, /knows nothing else/, /Runs on CPU\. A model this small/]) assert.match(said, word);
    assert.match((await shown(page)).log.at(-1) ?? "", /^pocket is loaded and runs on the CPU/);
    assert.deepEqual(await violations(page), [], "pocket");
    const examples = await page.locator("nt-prompt .example").evaluateAll((all) => all.map((node) => node instanceof HTMLElement && node.title));
    assert.equal(examples.length, 7);
    assert.ok(examples.includes("Problem: 27 + 58 + 36\nSteps:"));
    await page.getByText("Chat", { exact: true }).click();
    await drawn(page);
    assert.ok(await page.getByRole("button", { name: "Tell me a story." }).isVisible());
    await page.getByText("Plain text", { exact: true }).click();
    await press(page, "token");
    assert.equal((await shown(page)).chips.filter((c) => c.generated).length, 1);

    await choose(page);
    assert.match(await page.locator("nt-model select").first().innerText(), /the real thing \(98 MB\)/);
    assert.match(await page.locator("nt-model .panel .what").innerText(), /135 million.*160 MB of memory.*98 MB from.*Apache-2\.0/s);
    assert.ok(await page.getByRole("button", { name: "Load (98 MB)" }).isVisible());
    assert.deepEqual(await violations(page), [], "choosing SmolLM2");
    assert.deepEqual(site.requests.filter(({ path }) => path.startsWith("/models/")), [], "choosing downloads nothing");
  });
});

test("without autoload SmolLM2 waits for a gesture, the table doesn't", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    const made = (/** @type {string} */ name) => page.evaluate((name) => {
      document.querySelector("next-token")?.remove();
      const element = document.createElement("next-token");
      element.setAttribute("model", name);
      document.querySelector("main")?.append(element);
    }, name);
    await made("smollm2");
    await drawn(page);
    await page.waitForTimeout(200);
    await status(page, "idle");
    assert.ok(await page.getByRole("button", { name: "Run it live (98 MB)" }).isVisible());
    await page.getByRole("button", { name: "Use pocket" }).click();
    await status(page, "ready");
    assert.equal(await model(page), "pocket");
    await made("table");
    await status(page, "ready");
  });
});

test("a server that has yet to fetch SmolLM2: its words are shown, and those of a failure; there is a way back", async () => {
  const coming = { status: 202, headers: { ...words, "retry-after": "1" }, body: "It is being fetched, for 3 s so far." };
  await withAnswers({ "/models/": coming }, () =>
    onPage(browser, `${site.origin}/`, async (page) => {
      await status(page, "ready");
      await choose(page);
      await page.getByRole("button", { name: "Load (98 MB)" }).click();
      const phase = page.locator("nt-loading .phase", { hasText: "3 s so far" });
      await phase.waitFor();
      assert.equal(await phase.innerText(), "Waiting for the server. It is being fetched, for 3 s so far.");
      assert.equal(await page.locator("nt-loading [role=status]").textContent(), "Waiting for the server, 0%", "said once, not each second");
      assert.deepEqual(await violations(page), [], "waiting");
      answers = { "/models/": { status: 502, headers: words, body: "SmolLM2 can't be fetched: no network" } };
      await status(page, "error");
      assert.match(await fault(page), /answered 502 Bad Gateway: SmolLM2 can't be fetched: no network\.\s+Load again/);
      answers = { "/models/": coming };
      await page.getByRole("button", { name: "Retry" }).click();
      await phase.waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await status(page, "idle");
      await page.getByRole("button", { name: "Back to pocket" }).click();
      await status(page, "ready");
      assert.equal(await model(page), "pocket");
    }, { expected: [/502/] }));
});

test("an author's SmolLM2 that isn't there: pocket runs in its place, and it can be tried again", async () => {
  await withAnswers({ "/models/": MISSING }, () =>
    onPage(browser, `${site.origin}/with?model=smollm2`, async (page) => {
      await status(page, "ready");
      assert.match(await page.locator("nt-model .notice").innerText(), /SmolLM2-135M-Instruct is not here.*pocket runs in its place/s);
      await run(page, "The capital of France is");
      await press(page, "token");
      assert.equal((await shown(page)).chips.filter((c) => c.generated).length, 1);
      answers = {};
      await page.getByRole("button", { name: "Retry SmolLM2-135M-Instruct" }).click();
      await page.waitForFunction(() => (document.querySelector("next-token")?.engine?.info.parameters ?? 0) > 1e8);
      await drawn(page);
      assert.equal(await model(page), "SmolLM2-135M-Instruct");
      assert.match((await shown(page)).log.at(-1) ?? "", /^SmolLM2-135M-Instruct is loaded/, "said as it is shown");
      assert.equal(await page.locator("nt-model .notice").innerText(), "");
    }, { expected: [/404/] }));
});

test("without pocket the table runs in its place; without the engine nothing does, and the page says so", async () => {
  await withAnswers({ "/pkg/pocket.gguf": MISSING }, () =>
    onPage(browser, `${site.origin}/`, async (page) => {
      await status(page, "ready");
      assert.match(await page.locator("nt-model .notice").innerText(), /pocket is not here.*table runs in its place/s);
      await run(page, "The capital of France is");
      await press(page, "token");
      assert.equal((await shown(page)).chips.at(-1)?.label, "Paris");
      answers = {};
      await page.getByRole("button", { name: "Retry pocket" }).click();
      await page.waitForFunction(() => document.querySelector("next-token")?.engine?.info.architecture === "llama");
    }, { expected: [/404/] }));
  await withAnswers({ "/pkg/engine_bg.wasm": MISSING }, () =>
    onPage(browser, `${site.origin}/`, async (page) => {
      // Between two attempts the state is an error for a moment as well.
      await page.locator("nt-loading h2", { hasText: "pocket can’t run" }).waitFor();
      await status(page, "error");
      assert.match(await fault(page), /engine_bg\.wasm can't be fetched: the server answered 404/);
      answers = {};
      await page.getByRole("button", { name: "Retry" }).click();
      await status(page, "ready");
      assert.equal(await model(page), "pocket");
    }, { expected: [/404/] }));
});
