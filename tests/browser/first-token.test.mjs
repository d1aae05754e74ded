// From navigation to the first token, as a reader has it who was here before: pocket, the default
// settings, a browser with its caches. It prints what it measures; no time is asserted.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { launchWithProfile, serve } from "./harness.mjs";

const WARM = 4;

/**
 * Milliseconds since navigation began, by what had happened then.
 * @typedef {Record<"defined" | "worker" | "engine" | "weights" | "ready" | "step" | "token", number>} Marks
 */

/** In the page, before its own scripts: notes when what happens, and presses Token as soon as it can be pressed. */
function watch() {
  /** @type {Record<string, number>} */
  const at = {};
  Object.assign(globalThis, { at });
  const note = (/** @type {string} */ name) => (at[name] ??= performance.now());
  customElements.whenDefined("next-token").then(() => note("defined"));
  addEventListener("nt-progress", (event) => {
    const { progress } = /** @type {import("../../www/index.js").LoadingEvent} */ (event);
    // The worker runs; its first look at the model shows that the engine is compiled.
    if (progress.phase === "engine") note("worker");
    else if (progress.phase === "download") note("engine");
    else if (progress.phase === "weights") note("weights");
  });
  addEventListener("nt-ready", () => {
    note("ready");
    const press = () => {
      const button = document.querySelector("next-token")?.shadowRoot?.querySelector('[data-do="token"]');
      if (!(button instanceof HTMLElement) || !button.checkVisibility() || button.getAttribute("aria-disabled") === "true") {
        requestAnimationFrame(press);
        return;
      }
      note("step");
      button.click();
    };
    press();
  });
  addEventListener("nt-step", () => note("token"));
}

test("the first token after navigation, measured", { timeout: 180_000 }, async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "next-token-profile-"));
  const site = await serve();
  const browser = await launchWithProfile(folder);
  try {
    await browser.addInitScript(watch);
    const visit = async () => {
      const page = await browser.newPage();
      await page.goto(`${site.origin}/`);
      await page.waitForFunction(() => /** @type {{ at?: Record<string, number> }} */ (globalThis).at?.token);
      const marks = await page.evaluate(() => /** @type {{ at?: Record<string, number> }} */ (globalThis).at);
      const shown = await page.evaluate(() => {
        const element = document.querySelector("next-token");
        return { steps: element?.steps.length, backend: element?.engine?.info.backend, reason: element?.engine?.info.reason };
      });
      await page.close();
      return { marks: /** @type {Marks} */ (marks), shown };
    };
    const cold = await visit();
    const first = site.requests.splice(0);
    assert.equal(first.filter(({ path: asked }) => asked === "/pkg/pocket.gguf").length, 1);
    assert.deepEqual(first.filter(({ path: asked }) => asked.startsWith("/models/")), [], "no other model is asked for");
    const visits = [];
    for (let i = 0; i < WARM; i++) {
      visits.push(await visit());
      const again = site.requests.splice(0);
      assert.ok(again.length > 0 && again.every(({ status }) => status === 304), "the cache was warm");
    }
    for (const { marks, shown } of [cold, ...visits]) {
      assert.deepEqual([shown.steps, shown.backend], [1, "cpu"]);
      assert.match(shown.reason ?? "", /this small.*CPU/);
      const order = [marks.defined, marks.worker, marks.engine, marks.weights, marks.ready, marks.step, marks.token];
      assert.deepEqual(order, order.toSorted((a, b) => a - b), "each phase after the one before");
      assert.ok(marks.defined > 0);
    }
    const best = visits.map(({ marks }) => marks).reduce((least, marks) => (marks.token < least.token ? marks : least));
    /** @param {Marks} m */
    const words = (m) => {
      const ms = (/** @type {number} */ n) => `${n.toFixed(0)} ms`;
      return `ready to step ${ms(m.step)}, first token ${ms(m.token)} (page and elements ${ms(m.defined)}, then: worker ${ms(m.worker - m.defined)}, `
        + `engine compiled ${ms(m.engine - m.worker)}, model read ${ms(m.ready - m.engine)}, drawn ${ms(m.step - m.ready)}, token ${ms(m.token - m.step)})`;
    };
    t.diagnostic(`warm caches, best of ${WARM}: ${words(best)}`);
    t.diagnostic(`first visit, empty caches: ${words(cold.marks)}`);
  } finally {
    await browser.close();
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
});
