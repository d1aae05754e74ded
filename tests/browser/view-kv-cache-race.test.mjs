// With a cache and without one: ids, passes, logits and times of two real runs, against runs of the test's own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { median, passesWith, passesWithout } from "../../www/views/kv-cache/race-words.js";
import { screenshot, setUp } from "./harness.mjs";
import { violations } from "./page.mjs";
import { frames, kvPages, longestTask, onKv, press, prompt, race, still, tableOf, text } from "./view-kv-cache.mjs";

/** @import { Page } from "playwright-core" */
/** @typedef {import("../../www/views/index.js").NtKvCache} NtKvCache */

const site = setUp(kvPages);
const one = (/** @type {string} */ attributes) => `/kv?one=${encodeURIComponent(attributes)}`;
const LOOP = one('prompt="The rain fell and"');
/** The engine's promise for a logit with and without a cache. */
const BOUND = 2e-4;

/** Same ids, counts and logits, measured by the test itself. @param {Page} page @param {number} length */
const measured = (page, length) => page.evaluate(async (length) => {
  const { engine, player } = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
  if (!engine) throw new Error("no engine");
  const runs = await Promise.all([true, false].map((cache) => engine.start({ prompt: player.prompt, maxTokens: length, cache })));
  for (const run of runs) await run.prefill();
  const steps = [];
  let difference = 0;
  for (let i = 0; i < length; i++) {
    const [a, b] = await Promise.all(runs.map((run) => run.step()));
    const [x, y] = await Promise.all(runs.map((run) => run.logits()));
    if (!a || !b || !x || !y) throw new Error("two runs");
    x.values.forEach((value, j) => (difference = Math.max(difference, Math.abs(value - Number(y.values[j])))));
    steps.push({ ids: [a.choice.id, b.choice.id], computed: [a.logits?.passes, b.logits?.passes] });
  }
  const states = runs.map(({ state }) => ({ passes: state.passes, cached: state.cached, length: state.tokens.length, finish: state.finish }));
  for (const run of runs) run.free();
  return { steps, states, difference };
}, length);

test("200 tokens on pocket: the same ids, flat against growing, counted passes as the formulas say, logits within a bound", { timeout: 600_000 }, async (t) => {
  await onKv(site.browser, site.origin + LOOP, async (page) => {
    const own = await measured(page, 200);
    assert.ok(own.steps.every(({ ids }) => ids[0] === ids[1]), "the same ids");
    assert.ok(own.difference <= BOUND, `logits differ by ${own.difference}`);
    assert.deepEqual(own.states.map((s) => s.passes), [passesWith(4, 200), passesWithout(4, 200)]);
    assert.deepEqual([passesWith(4, 200), passesWithout(4, 200)], [203, Array.from({ length: 200 }, (_, i) => 4 + i).reduce((a, b) => a + b)]);
    assert.deepEqual(own.states[0], { passes: 203, cached: 203, length: 204, finish: "length" });
    assert.deepEqual(own.steps.slice(1).map((s) => s.computed), Array.from({ length: 199 }, (_, i) => [1, 5 + i]));
    let growth = { cached: 0, plain: 0, at: "" };
    // A busy machine spoils a measurement of time: then it is made again.
    for (let i = 0; i < 3; i++) {
      await race(page, "200");
      const passes = await tableOf(page, "nt-cache-compare figure:nth-of-type(2) details");
      assert.equal(passes.length, 200);
      passes.forEach((row, n) => assert.deepEqual(row.map((cell) => cell.value), [n + 1, passesWithout(4, n + 1), passesWith(4, n + 1), passesWithout(4, n + 1), passesWith(4, n + 1)]));
      const times = await tableOf(page, "nt-cache-compare figure:nth-of-type(1) details");
      assert.deepEqual(times.map((row) => row[0]?.value), Array.from({ length: 199 }, (_, i) => 5 + i), "a pass for every step but the first");
      const of = (/** @type {number} */ column, /** @type {number} */ from, /** @type {number} */ to) => median(times.slice(from, to).map((row) => Number(row[column]?.value)));
      const [plain, cached] = [1, 2].map((column) => ({ early: of(column, 9, 29), late: of(column, 179, 199) }));
      if (!plain || !cached) throw new Error("two columns");
      const result = await text(page, "nt-cache-compare .result");
      const ratio = plain.late / cached.late;
      assert.ok(result.startsWith(`At 200 tokens a step without a cache took ${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)} times as long as with it (measured: medians of the last 20 steps`), result);
      growth = { cached: cached.late / cached.early, plain: plain.late / plain.early, at: result };
      t.diagnostic(`steps 180 to 199 against 10 to 29: ${growth.cached.toFixed(2)} with the cache, ${growth.plain.toFixed(2)} without; ${ratio.toFixed(1)} times`);
      if (growth.cached < 2 && growth.plain >= 2.5) break;
    }
    assert.ok(growth.cached < 2, `with the cache a step became ${growth.cached} times as long`);
    assert.ok(growth.plain >= 2.5, `without a cache a step became ${growth.plain} times as long`);
    assert.match(growth.at, new RegExp(`Since positions 14 to 33 a step without it has become ${growth.plain >= 10 ? Math.round(growth.plain) : growth.plain.toFixed(1)} times as long`));
    const words = await text(page, "nt-cache-compare .race");
    assert.match(words, /203 token passes with the cache \(formula: p \+ n − 1 = 4 \+ 200 − 1 = 203\), 20,700 without it \(formula: 4 \+ 5 \+ … \+ 203 = 20,700\); both counted/);
    assert.match(words, /Both wrote the same 200 tokens; the ids were compared one by one\. The logits are the same within /);
    assert.doesNotMatch(words, /identical/);
    assert.match(words, /never fed back, so the cache ends with 203 columns/);
    assert.match(words, /4 steps of each kind beforehand, on runs of their own, are left out/);
    const shown = await page.locator("nt-cache-compare .race p", { hasText: "same within" }).getAttribute("title");
    assert.equal(Number(shown), own.difference, "the largest difference is the one that the test measured");
    assert.deepEqual(await page.locator("nt-cache-compare .counter b").allInnerTexts(), ["203", "20,700"]);
    await screenshot(page, "kv-cache-race");
  });
});

test("past the end of the text both go on in the same way, and it is said", async () => {
  await onKv(site.browser, site.origin + one('prompt="The capital of France is"'), async (page) => {
    const longest = await longestTask(site.browser, page, () => race(page, "20"));
    assert.ok(longest <= 50, `the longest task took ${longest} ms`);
    const words = await text(page, "nt-cache-compare .race");
    assert.match(words, /Both wrote the same 20 tokens/);
    assert.match(words, /a control token, such as the end of the text, was drawn; the likeliest other token was taken in its place in both runs/);
    assert.deepEqual((await page.locator("nt-cache-compare .counter b").allInnerTexts()).map((n) => Number(n.replace(",", ""))), [passesWith(5, 20), passesWithout(5, 20)]);
  });
});

test("cancel ends it and gives its runs back; it runs again; removal and another model leave no error", async () => {
  await onKv(site.browser, site.origin + LOOP, async (page) => {
    const begin = async () => {
      await page.locator("nt-cache-compare select").selectOption("200");
      await page.locator('[data-do="race"]').click();
      await page.waitForFunction(() => Number(/^(\d+) of 200$/.exec(document.querySelector("nt-kv-cache")?.shadowRoot?.querySelector("nt-cache-compare .where")?.textContent ?? "")?.[1]) > 10);
    };
    const freed = () => page.evaluate(() => {
      const { calls } = /** @type {{ calls: { call: string }[] }} */ (/** @type {unknown} */ (globalThis));
      return [calls.filter((c) => c.call === "start").length, calls.filter((c) => c.call === "free").length];
    });
    await begin();
    await page.locator('[data-do="cancel-race"]').focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /cancelled after \d+/.test(document.querySelector("nt-kv-cache")?.shadowRoot?.querySelector("nt-cache-compare .where")?.textContent ?? ""));
    await page.waitForFunction(() => {
      const { calls } = /** @type {{ calls: { call: string }[] }} */ (/** @type {unknown} */ (globalThis));
      return calls.filter((c) => c.call === "free").length === 4;
    });
    assert.deepEqual(await freed(), [4, 4]);
    await race(page, "20");
    assert.deepEqual(await freed(), [8, 8]);
    // A new run of the player beside it doesn't end it; another model does.
    await begin();
    const going = await page.evaluate(async () => {
      const { player, shadowRoot } = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
      await player.start();
      await player.token();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return /** @type {HTMLElement | null} */ (shadowRoot?.querySelector('[data-do="cancel-race"]'))?.hidden;
    });
    assert.equal(going, false, "it goes on");
    await page.evaluate(() => document.querySelector("nt-kv-cache")?.setAttribute("model", "table"));
    await page.waitForFunction(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).engine?.info.layers === 0);
    await page.evaluate(() => document.querySelector("nt-kv-cache")?.setAttribute("model", "pocket"));
    await page.waitForFunction(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).engine?.info.layers === 4);
    await race(page, "20");
    assert.match(await text(page, "nt-cache-compare .race"), /Both wrote the same 20 tokens/);
    await begin();
    await page.evaluate(() => document.querySelector("nt-kv-cache")?.remove());
    await page.waitForTimeout(400);
  });
});

test("two on a page share one worker and don't disturb one another", async () => {
  await onKv(site.browser, `${site.origin}/kv?one=${encodeURIComponent('prompt="The rain fell and"')}&two=${encodeURIComponent('prompt="Once upon a time"')}`, async (page) => {
    await page.evaluate(() => document.getElementById("two")?.scrollIntoView());
    await page.waitForFunction(() => /** @type {NtKvCache} */ (/** @type {unknown} */ (document.getElementById("two"))).status === "ready");
    await page.evaluate(async () => {
      const [a, b] = /** @type {NtKvCache[]} */ ([...document.querySelectorAll("nt-kv-cache")]);
      if (!a || !b) throw new Error("two");
      await Promise.all([a, b].map(async ({ player }, i) => {
        for (let n = 0; n < 3 + i; n++) await player.token();
      }));
    });
    for (const [id, cached] of /** @type {[string, number][]} */ ([["one", 6], ["two", 7]])) {
      await page.evaluate((id) => document.getElementById(id)?.scrollIntoView(), id);
      await still(page, id);
      assert.match(await page.locator(`#${id} nt-cache-bytes .sizes`).innerText(), new RegExp(`, ${cached} columns`));
    }
    assert.equal(page.workers().length, 1);
    // Two elements of one kind have one label; a page of its own would name them.
    assert.deepEqual(await violations(page), []);
  });
});

for (const [width, colorScheme] of /** @type {[number, "light" | "dark"][]} */ ([[1280, "light"], [768, "dark"], [375, "light"], [375, "dark"]])) {
  test(`axe finds nothing and no label is cut, ${colorScheme} ${width}: ready, mid-run, end`, async () => {
    await onKv(site.browser, site.origin + LOOP, async (page) => {
      assert.deepEqual(await violations(page), [], "ready");
      await prompt(page, "The rain fell and");
      await press(page, "token", 3);
      await page.locator("nt-cache-vectors summary").first().click();
      for (const part of ["wall", "attention", "vectors"]) await tableOf(page, `nt-cache-${part} .as-table`);
      assert.deepEqual(await violations(page), [], "mid-run");
      await screenshot(page, `kv-cache-mid-${colorScheme}-${width}`);
      await race(page, "50");
      assert.deepEqual(await violations(page), [], "end");
      await screenshot(page, `kv-cache-end-${colorScheme}-${width}`);
    }, { context: { viewport: { width, height: 3000 }, colorScheme } });
  });
}

test("usable at 320 px: nothing sticks out, targets of 24 px, long walls scroll in their own strip", async () => {
  await onKv(site.browser, site.origin + LOOP, async (page) => {
    await prompt(page, "Once upon a time there was a small cat. ".repeat(5));
    await press(page, "token", 2);
    await page.locator("nt-cache-vectors summary").first().click();
    await race(page, "20");
    await frames(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    const problems = await page.evaluate(() => {
      const root = document.querySelector("nt-kv-cache")?.shadowRoot;
      const found = [];
      for (const node of root?.querySelectorAll("button, select, input, summary, h2, h3, dt") ?? []) {
        if (!(node instanceof HTMLElement) || !node.checkVisibility() || node.closest(".examples")) continue;
        const box = node.getBoundingClientRect();
        if (!node.matches("h2, h3, dt") && (box.height < 23.9 || box.width < 23.9)) found.push(`${node.localName} “${node.textContent?.slice(0, 30)}” is ${box.width} by ${box.height}`);
        if (node.matches("h2, h3, dt, button") && node.scrollWidth > node.clientWidth + 1) found.push(`${node.localName} “${node.textContent?.slice(0, 30)}” is cut`);
      }
      return found;
    });
    assert.deepEqual(problems, []);
    const lane = page.locator("nt-cache-wall .lane");
    assert.equal(await lane.getAttribute("tabindex"), "0");
    assert.ok(await lane.evaluate((node) => node.scrollLeft > 0), "the newest column is in view");
    await screenshot(page, "kv-cache-320");
  }, { context: { viewport: { width: 320, height: 900 } } });
});
