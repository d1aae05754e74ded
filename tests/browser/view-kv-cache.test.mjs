// The wall of the cache: every number on show against the tensors, what is fetched and when, and what a table can't do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesWords, formula, numbersOf } from "../../www/views/kv-cache/words.js";
import { screenshot, setUp } from "./harness.mjs";
import { violations } from "./page.mjs";
import { frames, kvPages, longestTask, onKv, press, prompt, still, tableOf, text } from "./view-kv-cache.mjs";

/** @import { Page } from "playwright-core" */
/** @typedef {import("../../www/views/index.js").NtKvCache} NtKvCache */

const site = setUp(kvPages);
const POCKET = `/kv?one=${encodeURIComponent('prompt="The rain fell and"')}`;

/** K, V and attention as the engine gives them. @param {Page} page @param {number} layer */
const truth = (page, layer) => page.evaluate(async (layer) => {
  const { player } = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
  const read = await player.inspect(async (run) => ({ kv: await run.kv({ layer }), attention: await run.attention({ layer }), cached: run.state.cached }));
  if (!read) throw new Error("no run");
  const { kv, attention, cached } = read;
  return { cached, k: [...kv.k], v: [...kv.v], kvHeads: kv.kvHeads, headDim: kv.headDim, heads: attention.heads, tokens: attention.tokens, weights: [...attention.weights] };
}, layer);

/** @param {number[]} values */
const rms = (values) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);

/** @param {unknown} a @param {number} b @param {string} what */
const near = (a, b, what) => assert.ok(Math.abs(Number(a) - b) <= 1e-5 * Math.max(1, Math.abs(b)), `${what}: ${a} for ${b}`);

test("the wall, the vectors and the attention show the tensors: every number anew from kv() and attention()", async () => {
  await onKv(site.browser, site.origin + POCKET, async (page) => {
    await prompt(page, "The rain fell and");
    assert.match(await text(page, "nt-cache-wall .pass"), /The cache is empty: 4 tokens wait for the prefill/);
    await press(page, "step");
    assert.match(await text(page, "nt-cache-wall .pass"), /one pass computed all 4 columns of the prompt together/);
    await press(page, "token", 3);
    // Three tokens: the third waits for its pass.
    assert.match(await text(page, "nt-cache-wall .pass"), /One column, .*, is all that the last pass computed; the 5 to its left are only read.*gets its column at the next forward pass/);
    await page.locator("nt-cache-vectors summary").first().click();
    for (const layer of [0, 3]) {
      await page.locator("nt-cache-wall select").first().selectOption({ value: String(layer) });
      for (const head of [-1, 1]) {
        await page.locator("nt-cache-wall select").nth(1).selectOption({ value: String(head) });
        await still(page);
        const real = await truth(page, layer);
        assert.equal(real.cached, 6);
        const width = real.kvHeads * real.headDim;
        const of = (/** @type {"k" | "v"} */ side, /** @type {number} */ column) => (head < 0 ? real[side].slice(column * width, (column + 1) * width) : real[side].slice(column * width + head * real.headDim, column * width + (head + 1) * real.headDim));
        const rows = await tableOf(page, "nt-cache-wall .as-table");
        assert.equal(rows.length, 6);
        rows.forEach((row, i) => {
          near(row[2]?.value, rms(of("k", i)), `K of column ${i}`);
          near(row[3]?.value, rms(of("v", i)), `V of column ${i}`);
        });
        const numbers = await tableOf(page, "nt-cache-vectors .as-table");
        assert.deepEqual(numbers.map((row) => [row[1]?.value, row[2]?.value]), of("k", 5).map((k, i) => [k, of("v", 5)[i]]));
        const shares = await tableOf(page, "nt-cache-attention .as-table");
        assert.equal(real.tokens, 6);
        const sums = Array.from({ length: real.heads }, () => 0);
        shares.forEach((row, i) => {
          const each = sums.map((_, h) => Number(real.weights[h * 6 + i]));
          assert.deepEqual(row.slice(3).map((cell) => cell.value), each);
          near(row[2]?.value, each.reduce((a, b) => a + b, 0) / real.heads, "mean over the heads");
          each.forEach((x, h) => (sums[h] = Number(sums[h]) + x));
        });
        for (const sum of sums) near(sum, 1, "a head's shares");
      }
    }
    // The same brick by mouse, by its colour and by the slider.
    await page.locator("nt-cache-wall select").first().selectOption({ value: "1" });
    await page.locator("nt-cache-wall select").nth(1).selectOption({ value: "-1" });
    await still(page);
    const real = await truth(page, 1);
    const canvas = page.locator("nt-cache-wall canvas");
    const box = await canvas.boundingBox();
    if (!box) throw new Error("no wall");
    const wide = Math.min(110, Math.floor(((box.width - 4) / 8) * 2) / 2);
    // Layer 2 of 4 is the third row from the top.
    const at = { x: 2 + 2 * wide + 10, y: 26 + 2 * 36 + 6 };
    await canvas.hover({ position: at });
    await frames(page);
    const k = rms(real.k.slice(2 * 64, 3 * 64));
    assert.match(await text(page, "nt-cache-wall .detail"), new RegExp(`Layer 2, column 2: .*fell.*Root mean square of all 2 KV heads together, 64 numbers each: K ${k.toFixed(3).replace(".", "\\.")}`));
    const drawn = await canvas.evaluate((node, { x, y }) => {
      const context = /** @type {HTMLCanvasElement} */ (node).getContext("2d");
      const root = /** @type {ShadowRoot} */ (node.getRootNode());
      const rgb = (/** @type {string} */ name) => getComputedStyle(/** @type {Element} */ (root.querySelector(`.ink-${name}`))).color.match(/[\d.]+/g)?.map(Number) ?? [];
      const ratio = devicePixelRatio;
      return { pixel: [...(context?.getImageData(x * ratio, y * ratio, 1, 1).data ?? [])].slice(0, 3), k: rgb("k"), card: rgb("card"), most: Number(/** @type {HTMLElement} */ (root.querySelector(".scale .k .most")).title) };
    }, at);
    const share = 0.1 + 0.9 * (Math.round((k / drawn.most) * 64) / 64);
    drawn.card.forEach((c, i) => assert.ok(Math.abs(Number(drawn.pixel[i]) - (c + (Number(drawn.k[i]) - c) * share)) <= 1.5, `colour ${drawn.pixel} for a share of ${share}`));
    await page.mouse.move(0, 0);
    await page.locator("nt-cache-wall input[type=range]").focus();
    await page.keyboard.press("Home");
    await frames(page);
    assert.match(await text(page, "nt-cache-wall .detail"), /Layer 2, column 0: .*The/);
    await page.keyboard.press("ArrowRight");
    await frames(page);
    assert.match(await text(page, "nt-cache-wall .detail"), /column 1: .*rain/);
    assert.equal(await page.evaluate(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).player.timeline.live), true, "the slider's arrows didn't step");
  });
});

test("only new columns are fetched; walking back and another branch's shared beginning cost no call", async () => {
  await onKv(site.browser, site.origin + POCKET, async (page) => {
    const calls = () => page.evaluate(() => /** @type {{ calls: { call: string, args: { layer: number, from?: number, to?: number } }[] }} */ (/** @type {unknown} */ (globalThis)).calls.splice(0).filter((c) => c.call === "kv" || c.call === "attention"));
    await prompt(page, "The rain fell and");
    await press(page, "step");
    let made = await calls();
    assert.deepEqual(made.filter((c) => c.call === "attention").map((c) => c.args), [0]);
    assert.ok(made.filter((c) => c.call === "kv").every((c) => c.args.from === 0 && c.args.to === 4));
    await press(page, "token", 2);
    await calls();
    await press(page, "token");
    made = (await calls()).filter((c) => c.call === "kv");
    assert.deepEqual(made.map((c) => [c.args.layer, c.args.from, c.args.to]), [[0, 5, 6], [1, 5, 6], [2, 5, 6], [3, 5, 6]]);
    const now = await text(page, "nt-cache-attention .pass");
    await press(page, "back", 5);
    assert.match(await text(page, "nt-cache-attention .pass"), /column 4,/);
    assert.match(await text(page, "nt-cache-bytes .formula"), /2 · 4 · 2 · 32 · 5 · 4 = 10,240 bytes/);
    await press(page, "back", 9);
    assert.match(await text(page, "nt-cache-wall .pass"), /Prefill: one pass computed all 4 columns/);
    assert.deepEqual(await calls(), [], "walking back");
    // Another token in place of the third: a branch that shares five columns.
    await page.evaluate(async () => {
      const { player } = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
      player.latest();
      const id = player.timeline.turn?.distribution?.candidates[1]?.id;
      await player.force(Number(id));
    });
    await still(page);
    assert.equal(await page.evaluate(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).player.branches.length), 2);
    assert.deepEqual((await calls()).filter((c) => c.call === "kv"), [], "all six columns are shared");
    await press(page, "token");
    made = (await calls()).filter((c) => c.call === "kv");
    assert.deepEqual(made.map((c) => [c.args.from, c.args.to]), Array.from({ length: 4 }, () => [6, 7]));
    const real = await truth(page, 0);
    (await tableOf(page, "nt-cache-wall .as-table")).forEach((row, i) => near(row[2]?.value, rms(real.k.slice(i * 64, (i + 1) * 64)), `column ${i} of the branch`));
    await calls();
    await page.evaluate(() => {
      const { player } = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
      const [first] = player.branches;
      if (first) player.visit(first);
    });
    await still(page);
    assert.equal(await text(page, "nt-cache-attention .pass"), now);
    assert.deepEqual(await calls(), [], "back on the first branch");
  });
});

test("what nobody looked at then is computed again on a run of its own, and is right", async () => {
  await onKv(site.browser, site.origin + POCKET, async (page) => {
    await prompt(page, "The rain fell and");
    await press(page, "token", 3);
    await page.locator("nt-cache-wall select").first().selectOption({ value: "2" });
    await still(page);
    const real = await truth(page, 2);
    await press(page, "token", 2);
    await press(page, "back", 10);
    await page.locator("nt-cache-wall select").first().selectOption({ value: "2" });
    await still(page);
    const kept = await tableOf(page, "nt-cache-attention .as-table");
    assert.deepEqual(kept.map((row) => row[3]?.value), real.weights.slice(0, 6), "read when it was new");
    // Layer 4 was never on show; the engine has only the newest pass's attention.
    await page.locator("nt-cache-wall select").first().selectOption({ value: "3" });
    await frames(page);
    await page.getByRole("button", { name: "Compute it again" }).click();
    await page.locator("nt-cache-attention .lane").waitFor({ state: "visible" });
    await still(page);
    const recalled = await tableOf(page, "nt-cache-attention .as-table");
    const fresh = await page.evaluate(async () => {
      const { player } = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
      const run = await player.engine?.start({ prompt: player.run?.tokens.slice(0, 6) ?? [] });
      if (!run) throw new Error("no engine");
      await run.prefill();
      const { weights } = await run.attention({ layer: 3 });
      run.free();
      return [...weights];
    });
    assert.equal(recalled.length, 6);
    recalled.forEach((row, i) => near(row[3]?.value, Number(fresh[i]), `column ${i}`));
    assert.equal(await page.evaluate(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).run?.tokens.length), 9, "the run on show stayed");
  });
});

test("bytes: the lesson's exact values, on SmolLM2, and the formula with the model's own numbers", async () => {
  const shape = /** @type {import("../../www/api/next-token.js").Info} */ (/** @type {unknown} */ ({ layers: 30, kvHeads: 3, headDim: 64 }));
  assert.equal(numbersOf(shape), 11_520);
  assert.equal(formula(shape, 1), "2 · 30 · 3 · 64 · 1 · 4");
  assert.equal(bytesWords(46_080), "46 kB (46,080 bytes)");
  await onKv(site.browser, `${site.origin}/kv?one=${encodeURIComponent('model="smollm2"')}`, async (page) => {
    await prompt(page, "The capital of France is");
    await press(page, "token", 2);
    const sizes = await text(page, "nt-cache-bytes .sizes");
    assert.match(sizes, /11,520 numbers, 46,080 bytes in float32/);
    assert.match(sizes, /276 kB \(276,480 bytes\), 6 columns/);
    assert.match(sizes, /94 MB \(94,371,840 bytes\), 2,048 columns/);
    assert.match(await text(page, "nt-cache-bytes .formula"), /2 · 30 · 3 · 64 · 6 · 4 = 276,480 bytes/);
    const real = await truth(page, 0);
    assert.equal(real.k.length + real.v.length, 6 * (11_520 / 30));
    (await tableOf(page, "nt-cache-wall .as-table")).forEach((row, i) => near(row[2]?.value, rms(real.k.slice(i * 192, (i + 1) * 192)), `column ${i}`));
    assert.match(await text(page, "nt-cache-attention .pass"), /mean over the 9 heads/);
    await screenshot(page, "kv-cache-smollm2");
  });
});

test("a long prompt is read 32 tokens at a time, and the view says so; a finished run leaves its last token out", async () => {
  await onKv(site.browser, site.origin + POCKET, async (page) => {
    await prompt(page, "Once upon a time there was a small cat. ".repeat(6));
    await press(page, "step");
    assert.match(await text(page, "nt-cache-wall .pass"), /the engine read the prompt up to 32 tokens at a time/);
    await page.evaluate(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).player.set({ maxTokens: 3 }));
    await prompt(page, "The rain fell and");
    await press(page, "token", 3);
    assert.match(await text(page, "nt-cache-wall .pass"), /The last token, .*, was never fed back: it has no column/);
    assert.match(await text(page, "nt-cache-bytes .sizes"), /, 6 columns/);
    assert.equal(await page.evaluate(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).run?.state.cached), 4 + 3 - 1);
  });
});

test("with the cache off the wall is read anew after every pass", async () => {
  await onKv(site.browser, site.origin + POCKET, async (page) => {
    await prompt(page, "The rain fell and");
    await press(page, "token");
    await page.getByLabel("Without a cache", { exact: true }).focus();
    await page.keyboard.press("Space");
    await frames(page);
    assert.match(await text(page, "nt-cache-wall"), /from the next Start on/);
    await page.evaluate(() => /** @type {{ calls: unknown[] }} */ (/** @type {unknown} */ (globalThis)).calls.splice(0));
    await prompt(page, "The rain fell and");
    await press(page, "token", 3);
    const { passes, computed } = await page.evaluate(() => {
      const element = /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache"));
      return { passes: element.run?.state.passes, computed: element.steps.map((s) => s.logits?.passes) };
    });
    assert.deepEqual([passes, computed], [4 + 5 + 6, [0, 5, 6]], "it really computes all of it again");
    assert.match(await text(page, "nt-cache-wall .pass"), /Without a cache: this pass computed all 6 columns again/);
    assert.match(await text(page, "nt-cache-bytes .sizes"), /thrown away before each pass/);
    const kv = await page.evaluate(() => /** @type {{ calls: { call: string, args: { from?: number } }[] }} */ (/** @type {unknown} */ (globalThis)).calls.filter((c) => c.call === "kv").map((c) => c.args.from));
    assert.ok(kv.every((from) => from === 0), "from the first column on");
  });
});

test("at full speed nothing stale is shown, no task is long, and after it everything is current", async (t) => {
  await onKv(site.browser, site.origin + POCKET, async (page) => {
    await prompt(page, "The rain fell and");
    await press(page, "token", 2);
    await page.locator("nt-cache-vectors summary").first().click();
    await page.locator("nt-controls select").selectOption("full");
    const longest = await longestTask(site.browser, page, async () => {
      await page.locator('[data-do="play"]').click();
      await page.waitForFunction(() => {
        const root = document.querySelector("nt-kv-cache")?.shadowRoot;
        const [attention, vectors] = ["nt-cache-attention", "nt-cache-vectors"].map((tag) => root?.querySelector(tag));
        return attention instanceof HTMLElement && vectors instanceof HTMLElement && /isn’t drawn/.test(attention.innerText) && /aren’t drawn/.test(vectors.innerText);
      });
      await page.waitForFunction(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).status === "done");
      await still(page);
    });
    t.diagnostic(`longest task of the main thread: ${longest.toFixed(1)} ms of computing`);
    assert.ok(longest <= 50, `the longest task took ${longest} ms`);
    const real = await truth(page, 0);
    assert.equal(real.cached, 4 + 256 - 1);
    assert.match(await text(page, "nt-cache-attention .pass"), /column 258, /);
    const rows = await tableOf(page, "nt-cache-wall .as-table");
    assert.equal(rows.length, 259);
    rows.forEach((row, i) => near(row[2]?.value, rms(real.k.slice(i * 64, (i + 1) * 64)), `column ${i}`));
  });
});

test("a table has no K and V, and the view says so; another model brings the wall back", async () => {
  await onKv(site.browser, `${site.origin}/kv?one=${encodeURIComponent('model="table"')}`, async (page) => {
    await prompt(page, "The capital of France is");
    await press(page, "token", 2);
    assert.match(await text(page, "nt-cache-none"), /has no K and V; it looks at the last token only/);
    for (const part of ["wall", "attention", "vectors", "bytes", "compare"]) assert.equal(await page.locator(`nt-cache-${part}`).isVisible(), false, part);
    assert.deepEqual(await violations(page), []);
    await page.evaluate(() => document.querySelector("nt-kv-cache")?.setAttribute("model", "pocket"));
    await page.waitForFunction(() => /** @type {NtKvCache} */ (document.querySelector("nt-kv-cache")).engine?.info.layers === 4);
    await prompt(page, "The rain fell and");
    await press(page, "token", 2);
    assert.equal(await page.locator("nt-cache-none").isVisible(), false);
    assert.equal((await tableOf(page, "nt-cache-wall .as-table")).length, 5);
  });
});
