// The lab page: all views on one run with one transport, smooth while pocket writes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { screenshot, setUp, tasks, withPage } from "./harness.mjs";
import { violations } from "./page.mjs";

/** @import { Page } from "playwright-core" */

const site = setUp();
const VIEWS = ["next-token", "nt-tree", "nt-kv-cache", "nt-stop", "nt-stream", "nt-thinking", "nt-chat"];
/** The law of large pages: a longer one can be felt. */
const TASK = 50;

/** @param {(page: Page) => Promise<void>} body @param {import("playwright-core").BrowserContextOptions} [context] */
const onLab = (body, context = {}) =>
  withPage(site.browser, `${site.origin}/lab.html`, async (page) => {
    page.setDefaultTimeout(60_000);
    await page.waitForFunction(() => customElements.get("next-token") !== undefined);
    // Views fetch their code when they are there, and start work of their own when they can be seen.
    await page.waitForFunction(() => document.querySelector("nt-run")?.status === "ready");
    await page.waitForFunction((tags) => tags.every((tag) => (document.querySelector(tag)?.shadowRoot?.querySelector("section")?.childElementCount ?? 0) > 2), VIEWS);
    await body(page);
  }, { context: { viewport: { width: 1280, height: 900 }, ...context } });

/** Starts on a prompt and plays as fast as it can. @param {Page} page @param {string} prompt @param {number} tokens */
async function play(page, prompt, tokens) {
  await page.evaluate(async ({ prompt, tokens }) => {
    const player = document.querySelector("nt-run")?.player;
    if (!player) throw new Error("no run");
    await player.reset();
    player.prompt = prompt;
    await player.set({ maxTokens: tokens });
    player.speed = "full";
    await player.play();
  }, { prompt, tokens });
}

test("every view follows the one run, by keyboard", { timeout: 120_000 }, () =>
  onLab(async (page) => {
    await page.locator("nt-run textarea").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => (document.querySelector("nt-run")?.player.timeline.edge ?? -1) >= 0);
    // Into the transport, by Tab alone: the last element of the page.
    await page.locator("nt-transport [data-do='step']").focus();
    for (let i = 0; i < 2; i += 1) {
      await page.keyboard.press("Shift+ArrowRight");
      await page.waitForFunction((n) => document.querySelector("nt-run")?.steps.length === n, i + 1);
    }
    const seen = await page.evaluate((tags) => {
      const run = document.querySelector("nt-run");
      const players = tags.map((tag) => /** @type {import("../../www/index.js").NextToken | null} */ (document.querySelector(tag))?.player === run?.player);
      const visible = tags.map((tag) => document.querySelector(tag)?.shadowRoot?.querySelector(".run-error:not([hidden])")?.textContent ?? "");
      return { players, visible, text: run?.run?.text };
    }, VIEWS);
    assert.deepEqual(seen, { players: VIEWS.map(() => true), visible: VIEWS.map(() => ""), text: " Paris." });
    assert.equal(page.workers().length, 1);
  }));

test("no task of the main thread is longer than 50 ms while pocket writes and all views follow", { timeout: 240_000 }, () =>
  onLab(async (page) => {
    await play(page, "Once upon a time", 20); // what is compiled and laid out at first use is not the question
    for (const place of ["nt-run", "nt-tree", "nt-kv-cache", "nt-stop", "nt-stream"]) {
      await page.locator(place).scrollIntoViewIfNeeded();
      const spent = await tasks(site.browser, page, () => play(page, "Once upon a time", 150));
      assert.ok(spent.length > 50, `${spent.length} tasks`);
      const longest = Math.max(...spent);
      console.log(`${place} in view: longest task ${longest.toFixed(1)} ms of processor time`);
      assert.ok(longest <= TASK, `a task of ${longest} ms with ${place} in view`);
    }
    const steps = await page.evaluate(() => document.querySelector("nt-run")?.steps.length ?? 0);
    assert.ok(steps > 100, `${steps} steps`);
  }));

for (const scheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1280, 768, 375]) {
    test(`axe finds nothing, nothing scrolls sideways: ${width} px, ${scheme}`, { timeout: 120_000 }, () =>
      onLab(async (page) => {
        await play(page, "Once upon a time", 24);
        await page.waitForTimeout(300);
        assert.deepEqual(await violations(page), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, "the page scrolls sideways");
        await screenshot(page, `lab-${width}-${scheme}`);
      }, { viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: "reduce" }));
  }
}
