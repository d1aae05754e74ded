// Many elements on one page: one worker, one copy of the weights, runs that don't disturb one another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, withPage } from "./harness.mjs";

/** @import { Page } from "playwright-core" */

const TAGS = ["next-token", "nt-run", "nt-distribution", "nt-tree", "nt-kv-cache", "nt-stop", "nt-stream", "nt-thinking", "nt-chat"];

const page = (/** @type {string} */ body) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
  <main><h1>Test</h1>${body}</main><script type="module" src="/define.js"></script></html>`;
const html = { "content-type": "text/html; charset=utf-8" };
const site = setUp((url) => {
  if (url.pathname === "/one") return { headers: html, body: page("<next-token autoload></next-token>") };
  if (url.pathname === "/two") return { headers: html, body: page(TAGS.flatMap((tag) => [`<${tag} autoload></${tag}>`, `<${tag} autoload></${tag}>`]).join("")) };
  if (url.pathname === "/views") return { headers: html, body: page('<nt-kv-cache for="run"></nt-kv-cache><nt-run id="run" autoload></nt-run><nt-distribution for="run"></nt-distribution><nt-tree for="nobody"></nt-tree>') };
  return null;
});

/** Scrolls past every element, so that each one sees that it is visible. @param {Page} page @param {number} count */
async function ready(page, count) {
  await page.waitForFunction(() => customElements.get("next-token") !== undefined);
  await page.evaluate(async () => {
    for (const element of document.querySelectorAll("main > *")) {
      element.scrollIntoView();
      await new Promise((done) => setTimeout(done, 30));
    }
  });
  await page.waitForFunction((count) => [...document.querySelectorAll("main > *")].filter((e) => "player" in e && /** @type {import("../../www/index.js").NextToken} */ (e).player.status === "ready").length === count, count);
}

test("two of each element share one worker and one copy of the weights", { timeout: 120_000 }, async () => {
  let alone = 0;
  await withPage(site.browser, `${site.origin}/one`, async (page) => {
    await ready(page, 1);
    alone = await page.evaluate(() => document.querySelector("next-token")?.engine?.memory() ?? 0);
  });
  await withPage(site.browser, `${site.origin}/two`, async (page) => {
    await ready(page, 2 * TAGS.length);
    assert.equal(page.workers().length, 1);
    const seen = await page.evaluate(async () => {
      const hosts = [...document.querySelectorAll("main > *")].filter((e) => "player" in e).map((e) => /** @type {import("../../www/index.js").NextToken} */ (e));
      return { engines: new Set(hosts.map((e) => e.engine)).size, players: new Set(hosts.map((e) => e.player)).size, memory: await hosts[0]?.engine?.memory(), bytes: hosts[0]?.engine?.info.bytes };
    });
    assert.deepEqual([seen.engines, seen.players], [1, 2 * TAGS.length]);
    // A second copy of the weights would take as much again.
    assert.ok(Math.abs((seen.memory ?? 0) - alone) < (seen.bytes ?? 0), `${seen.memory} bytes with ${2 * TAGS.length} elements, ${alone} with one`);

    // Both write at once, from different prompts, and each writes what it writes alone.
    const texts = await page.evaluate(async () => {
      const [a, b] = /** @type {import("../../www/index.js").NextToken[]} */ ([...document.querySelectorAll("next-token")]);
      if (!a || !b) throw new Error("two elements");
      const prompts = ["The capital of France is", "Once upon a time"];
      const write = async (/** @type {typeof a} */ element, /** @type {string} */ prompt) => {
        await element.player.reset();
        element.player.prompt = prompt;
        await element.player.set({ maxTokens: 30 });
        element.player.speed = "full";
        await element.player.play();
        return element.run?.tokens ?? [];
      };
      const single = [await write(a, prompts[0] ?? ""), await write(b, prompts[1] ?? "")];
      const both = await Promise.all([write(a, prompts[0] ?? ""), write(b, prompts[1] ?? "")]);
      return { single, both };
    });
    assert.deepEqual(texts.both, texts.single);
    assert.ok(texts.both.every((ids) => ids.length > 6));

    // One goes, the other keeps its engine; when all are gone the worker ends.
    const after = await page.evaluate(async () => {
      const [a, b] = [...document.querySelectorAll("next-token")];
      a?.remove();
      await new Promise((done) => setTimeout(done, 100));
      const step = b?.player ? ((await b.player.start()), await b.player.token(), b.steps.length) : 0;
      document.querySelector("main")?.replaceChildren();
      return step;
    });
    assert.equal(after, 1);
    await page.waitForTimeout(300);
    assert.equal(page.workers().length, 0);
  });
});

test("views show the run of the element that they name, and say so if there is none", { timeout: 60_000 }, async () => {
  await withPage(site.browser, `${site.origin}/views`, async (page) => {
    await page.waitForFunction(() => document.querySelector("nt-run")?.status === "ready");
    const seen = await page.evaluate(async () => {
      const run = document.querySelector("nt-run");
      const view = document.querySelector("nt-distribution");
      if (!run || !view) throw new Error("the page");
      await run.player.start();
      await run.player.token();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return {
        same: run.player === view.player && run.player === document.querySelector("nt-kv-cache")?.player,
        own: view.shadowRoot?.querySelectorAll("nt-prompt, nt-controls, nt-model").length,
        rows: view.shadowRoot?.querySelectorAll("nt-candidates tbody tr").length,
        lost: document.querySelector("nt-tree")?.shadowRoot?.querySelector(".run-error")?.textContent,
      };
    });
    assert.deepEqual([seen.same, seen.own], [true, 0]);
    assert.ok((seen.rows ?? 0) > 5);
    assert.match(seen.lost ?? "", /no element with the id “nobody”/);
    assert.equal(page.workers().length, 1);
  });
});

test("of two loads at once the later one counts, and nothing is left of the other", { timeout: 60_000 }, async () => {
  await withPage(site.browser, `${site.origin}/one`, async (page) => {
    await ready(page, 1);
    const seen = await page.evaluate(async () => {
      const player = document.querySelector("next-token")?.player;
      if (!player) throw new Error("the element");
      player.prompt = "Once upon a time";
      await player.start();
      player.speed = "full";
      player.play();
      await new Promise((done) => setTimeout(done, 20));
      const wanted = (/** @type {"table" | "pocket"} */ source) => /** @type {const} */ ({ source, backend: "auto", label: source });
      const outcomes = await Promise.all([player.load(wanted("table")), player.load(wanted("pocket")), player.load(wanted("table"))]);
      return { outcomes, model: player.engine?.info.model, status: player.status, label: player.wanted.label };
    });
    assert.deepEqual(seen, { outcomes: ["superseded", "superseded", "ran"], model: "table", status: "ready", label: "table" });
    await page.waitForTimeout(300);
    assert.equal(page.workers().length, 1);
  });
});

test("an element that shows the run of one that shows another's", { timeout: 60_000 }, async () => {
  await withPage(site.browser, `${site.origin}/views`, async (page) => {
    await page.waitForFunction(() => document.querySelector("nt-run")?.status === "ready");
    const same = await page.evaluate(async () => {
      const [main, view] = [document.querySelector("main"), document.querySelector("nt-distribution")];
      const second = document.createElement("nt-stop");
      if (view) view.id = "second";
      second.setAttribute("for", "second");
      main?.append(second);
      await new Promise((done) => setTimeout(done, 100));
      return second.player === document.querySelector("nt-run")?.player;
    });
    assert.ok(same);
  });
});
