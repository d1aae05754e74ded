// The distribution: typed tokens, past places under other settings, many draws, loops.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cycleOf } from "../../www/core/repetition.js";
import { branches, coinOf, landings, num, onView, reads, rest, tokens, truthAt, views } from "./chance.mjs";
import { screenshot, setUp } from "./harness.mjs";
import { violations } from "./page.mjs";

/** @import { Page } from "playwright-core" */
/** @typedef {import("../../www/elements/host.js").Host} Host */

const site = setUp(views);
const limit = { timeout: 120_000 };

/** The table on show. @param {Page} page */
const table = (page) => page.evaluate(() => {
  const root = /** @type {ShadowRoot} */ (document.getElementById("view")?.shadowRoot);
  const text = (/** @type {string} */ s, /** @type {ParentNode} */ within = root) => within.querySelector(s)?.textContent ?? "";
  const visible = (/** @type {string} */ s) => root.querySelector(s)?.checkVisibility() ?? false;
  return {
    caption: text("nt-candidates caption"), looking: text("nt-candidates .looking"),
    supposed: visible("nt-candidates .supposed") ? text("nt-candidates .supposed span") : "",
    coin: text("nt-coin .words"), loop: visible(".loops") ? text(".loops") : "",
    rows: [...root.querySelectorAll("nt-candidates tbody tr")].map((tr) => {
      const cell = (/** @type {string} */ name) => /** @type {HTMLElement} */ (tr.querySelector(`td.${name}`));
      const th = /** @type {HTMLElement} */ (tr.querySelector("th"));
      return { label: th.dataset.label ?? th.textContent ?? "", id: Number(th.dataset.id ?? -1), model: Number(cell("model").title), draw: Number(cell("draw").title), says: [cell("model").textContent ?? "", cell("draw").textContent ?? ""], state: cell("state").querySelector("span")?.textContent ?? "", chosen: tr.hasAttribute("data-chosen"), rest: tr.classList.contains("rest") };
    }),
  };
});

/** @param {Page} page @param {string} name @param {string} value */
async function set(page, name, value) {
  const field = page.locator(`[data-setting="${name}"]`);
  if (!(await field.isVisible())) await page.locator("nt-settings summary").click();
  await field.fill(value);
  await field.press("Enter");
  await rest(page);
  await page.waitForTimeout(30);
  await rest(page);
}

/** Every row against the raw scores. @param {Page} page @param {number} position @param {import("./chance.mjs").Sampling} settings */
async function check(page, position, settings) {
  const view = await table(page);
  const truth = await truthAt(page, position, settings);
  let [model, draw] = [0, 0];
  for (const row of view.rows) {
    if (!row.rest) {
      assert.ok(Math.abs(row.model - num(truth.raw[row.id])) < 1e-6, `${row.label}: ${row.model}, not ${truth.raw[row.id]}`);
      assert.ok(Math.abs(row.draw - num(truth.p[row.id])) < 1e-6, `${row.label}: drawn with ${row.draw}, not ${truth.p[row.id]}`);
    }
    assert.ok(reads(row.says[0] ?? "", row.model) && reads(row.says[1] ?? "", row.draw), `${row.label}: ${row.says}`);
    model += row.model;
    draw += row.draw;
  }
  assert.ok(Math.abs(model - 1) < 1e-5 && Math.abs(draw - 1) < 1e-5, `the rows and the rest are all of it: ${model}, ${draw}`);
  return { view, truth };
}

test("a cycle: at least three rounds and six tokens, the smallest period", () => {
  assert.deepEqual(cycleOf([9, 1, 2, 1, 2, 1, 2]), { period: 2, rounds: 3, start: 1 });
  assert.equal(cycleOf([1, 2, 1, 2]), null, "two rounds are none");
  assert.equal(cycleOf([5, 5, 5, 5, 5]), null, "five of one token are none");
  assert.deepEqual(cycleOf([7, 5, 5, 5, 5, 5, 5]), { period: 1, rounds: 6, start: 1 });
  assert.deepEqual(cycleOf([2, 1, 2, 1, 2, 1, 2, 1]), { period: 2, rounds: 4, start: 0 });
  assert.deepEqual(cycleOf([3, 1, 2, 3, 1, 2, 3, 1, 2, 3]), { period: 3, rounds: 3, start: 0 }, "a round that is begun isn't counted");
  assert.equal(cycleOf([1, 2, 1, 2, 1, 2, 3]), null, "it ended");
});

test("a typed token makes a branch, its ids are shown, several can be taken one after another", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "pocket", prompt: "Once upon a time" }, async (page) => {
    await tokens(page, 3);
    const before = await branches(page);
    const field = page.locator("[data-force]");
    await field.focus();
    await page.keyboard.type(" two");
    await page.locator("nt-force .pieces li").first().waitFor();
    const ids = () => page.evaluate(() => [...(document.getElementById("view")?.shadowRoot?.querySelectorAll("nt-force .pieces small") ?? [])].map((s) => Number(s.textContent)));
    const encode = (/** @type {string} */ text) => page.evaluate(async (text) => (await /** @type {Host} */ (document.getElementById("view")).player.engine?.encode(text, { special: false }))?.map((p) => p.id) ?? [], text);
    assert.deepEqual(await ids(), await encode(" two"));
    assert.equal((await ids()).length, 1);
    const [two] = await ids();
    await page.keyboard.press("Enter");
    await rest(page);
    let now = await branches(page);
    assert.equal(now.length, 2);
    assert.deepEqual(now[0], { ...before[0], here: false }, "the old one stays as it was");
    assert.deepEqual(now[1]?.ids, [...(before[0]?.ids.slice(0, 2) ?? []), two]);
    assert.equal(now[1]?.passes, 0, "its scores were stored");
    const { view } = await check(page, 6, { temperature: 0 });
    assert.match(view.rows.find((r) => r.chosen)?.state ?? "", /^forced/);

    await field.fill(" and the grey frog");
    await page.locator("nt-force button", { hasText: "Take all" }).waitFor();
    const many = await encode(" and the grey frog");
    assert.ok(many.length > 1);
    assert.deepEqual(await ids(), many);
    assert.match(await page.locator("nt-force .hint").innerText(), new RegExp(`This is ${many.length} tokens`));
    await page.locator("nt-force button", { hasText: "Take all" }).click();
    await page.waitForFunction((n) => /** @type {Host} */ (document.getElementById("view")).player.timeline.steps.length === n, 2 + many.length);
    await rest(page);
    now = await branches(page);
    assert.equal(now.length, 3);
    assert.deepEqual(now[2]?.ids.slice(2), many);
    assert.equal(now[2]?.passes, many.length - 1, "a pass for each after the first");
    const p = await page.evaluate(() => /** @type {Host} */ (document.getElementById("view")).player.timeline.steps.map((s) => s.choice.pRaw));
    for (const [i, value] of p.entries()) assert.ok(Math.abs(num(value ?? NaN) - num((await truthAt(page, 4 + i)).raw[num(now[2]?.ids[i])])) < 1e-6, `token ${i} has its probability`);

    // Control tokens written out are letters.
    await field.fill("<|im_end|>");
    await page.waitForTimeout(100);
    assert.ok((await ids()).length > 1, "not one control token");
    await field.fill("");
    await page.locator("nt-force button[type=submit]").click();
    await rest(page);
    assert.equal((await branches(page)).length, 3, "nothing typed, nothing taken");
  });
});

test("the lesson's table, and a word that it doesn't know", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "table", prompt: "The capital of France is" }, async (page) => {
    await tokens(page, 1);
    const { view } = await check(page, 5, { temperature: 0 });
    assert.deepEqual(view.rows.slice(0, 3).map((r) => r.label), ["Paris", "located", "the"]);
    for (const [label, p] of /** @type {[string, number][]} */ ([["Paris", 0.92], ["located", 0.05], ["the", 0.03]])) assert.ok(Math.abs(num(view.rows.find((r) => r.label === label)?.model) - p) < 1e-6, label);
    await page.locator("[data-force]").fill("Berlin");
    await page.locator("nt-force .error:not(:empty)").waitFor();
    assert.match(await page.locator("nt-force .error").innerText(), /table doesn’t know/);
    await page.locator("[data-force]").fill("located");
    await page.locator("nt-force .pieces li").waitFor();
    await page.locator("[data-force]").press("Enter");
    await rest(page);
    assert.equal((await branches(page)).length, 2);
  });
});

test("a past place under the present settings: said so, without a pass, with a way back", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "pocket", prompt: "Once upon a time" }, async (page) => {
    await tokens(page, 6);
    const passes = (await branches(page)).map((b) => b.passes);
    await page.evaluate(() => /** @type {Host} */ (document.getElementById("view")).player._go(2 + 5 * 2 + 4));
    await rest(page);
    assert.equal((await table(page)).supposed, "");
    await check(page, 6, { temperature: 0 });
    await set(page, "temperature", "1.5");
    let { view } = await check(page, 6, { temperature: 1.5 });
    assert.equal(view.supposed, "With the present settings. It was drawn with: greedy (temperature 0).");
    assert.match(view.caption, /temperature 1\.5/);
    assert.match(view.coin, /^As it was drawn, with greedy/);
    assert.equal(view.rows.find((r) => r.chosen)?.state, "chosen then");
    for (const [name, value] of [["topK", "3"], ["topP", "0.8"], ["minP", "0.05"]]) await set(page, name ?? "", value ?? "");
    await check(page, 6, { temperature: 1.5, topK: 3, topP: 0.8, minP: 0.05 });
    await page.getByRole("button", { name: "Restore the settings it was drawn with" }).click();
    await rest(page);
    await page.waitForTimeout(50);
    ({ view } = await check(page, 6, { temperature: 0 }));
    assert.equal(view.supposed, "");
    assert.deepEqual((await branches(page)).map((b) => b.passes), passes, "no pass for any of it");
    assert.match(view.looking, /Another row makes a branch here/);
    // A click anywhere on a row: the old branch stays.
    const other = view.rows[1];
    await page.locator("nt-candidates tbody tr").nth(1).locator("td.model").click();
    await rest(page);
    const now = await branches(page);
    assert.equal(now[1]?.ids.at(-1), other?.id);
    assert.equal(now[0]?.ids.length, 6);
    // The token that was there is a way that is known: no third branch.
    const own = now[0]?.ids[2];
    await page.locator(`nt-candidates tbody tr:has(th[data-id="${own}"])`).click();
    await rest(page);
    assert.equal((await branches(page)).length, 2);
    assert.equal((await branches(page))[0]?.here, true);
    assert.deepEqual((await branches(page)).map((b) => b.passes), [passes[0], 0]);
  });
});

test("pointing at a token shows what it was drawn from; pointing away restores", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "pocket", prompt: "Once upon a time", temperature: "1", seed: "3" }, async (page) => {
    await tokens(page, 5);
    const live = await table(page);
    await page.locator("nt-tokens li.generated").nth(1).hover();
    await rest(page);
    const { view } = await check(page, 5, { temperature: 1 });
    assert.match(view.looking, /You point at .* step 2/);
    assert.equal(view.rows.find((r) => r.chosen)?.id, (await branches(page))[0]?.ids[1]);
    await page.locator("h1").hover();
    await rest(page);
    assert.deepEqual(await table(page), live);
    await page.locator("nt-tokens li").first().focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
    await rest(page);
    assert.match((await table(page)).looking, /step 3/);
    await check(page, 6, { temperature: 1 });
    // Another row while pointing: the branch begins there.
    await page.locator("nt-candidates tbody tr").nth(1).locator(".take").focus();
    await rest(page);
    assert.deepEqual((await table(page)).rows.map((r) => r.id), live.rows.map((r) => r.id), "the focus went away");
  });
});

test("many draws: exactly those of the coins, beside what was to be expected", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "pocket", prompt: "Once upon a time", temperature: "1", seed: "5" }, async (page) => {
    await tokens(page, 4);
    await page.evaluate(() => /** @type {Host} */ (document.getElementById("view")).player._go(2 + 5 * 3 + 4));
    const passes = (await branches(page)).map((b) => b.passes);
    await page.locator("nt-draws summary").click();
    const read = () => page.evaluate(() => {
      const root = document.getElementById("view")?.shadowRoot;
      const part = root?.querySelector("nt-draws");
      return {
        caption: part?.querySelector("caption")?.textContent ?? "", words: part?.querySelector(".words")?.textContent ?? "", hint: part?.querySelector(".hint")?.textContent ?? "",
        rows: [...(part?.querySelectorAll("tbody tr") ?? [])].map((tr) => ({ label: tr.querySelector("bdi, th")?.textContent ?? "", rest: tr.classList.contains("rest"), count: Number(tr.querySelector(".count")?.textContent?.replaceAll(",", "")), share: tr.querySelector(".share")?.textContent ?? "", expected: tr.querySelector(".expected")?.textContent ?? "", p: Number(/** @type {HTMLElement} */ (tr).dataset.p) })),
      };
    });
    const candidates = (await table(page)).rows.filter((r) => !r.rest);
    const compare = async (/** @type {number} */ times, /** @type {number} */ seed, /** @type {import("./chance.mjs").Sampling} */ settings) => {
      const truth = await truthAt(page, 7, settings);
      const counts = landings(truth, Array.from({ length: times }, (_, i) => coinOf(seed, i)));
      const view = await read();
      assert.match(view.caption, new RegExp(`seed ${seed}\\.`));
      const rows = view.rows.filter((r) => !r.rest);
      const ids = (await table(page)).rows.filter((r) => !r.rest && r.draw > 0).slice(0, rows.length).map((r) => r.id);
      assert.equal(rows.length, ids.length);
      let [left, mass] = [times, 1];
      for (const [i, row] of rows.entries()) {
        const id = num(ids[i]);
        assert.equal(row.count, counts.get(id) ?? 0, row.label);
        assert.ok(Math.abs(row.p - num(truth.p[id])) < 1e-6);
        assert.ok(reads(row.share, row.count / times) && reads(row.expected, row.p), `${row.label}: ${row.share}, ${row.expected}`);
        left -= row.count;
        mass -= num(truth.p[id]);
      }
      const others = view.rows.find((r) => r.rest);
      assert.equal(others?.count ?? 0, left, "the others");
      assert.ok(Math.abs((others?.p ?? 0) - mass) < 1e-5);
      const distance = truth.p.reduce((sum, p, id) => sum + Math.abs((counts.get(id) ?? 0) / times - p), 0) / 2;
      assert.ok(Math.abs(Number(view.words.match(/differ by ([\d.]+)/)?.[1]) - distance) <= 0.000501, `${view.words}: ${distance}`);
      const worst = Math.max(...[...rows.map((r, i) => ({ n: r.count, p: num(truth.p[num(ids[i])]) })), { n: left, p: mass }].filter(({ p }) => times * p >= 5 && times * (1 - p) >= 5).map(({ n, p }) => Math.abs(n - times * p) / Math.sqrt(times * p * (1 - p))), -1);
      if (worst >= 0) assert.ok(Math.abs(Number(view.words.match(/([\d.]+) standard errors off/)?.[1]) - worst) <= 0.0501, `${view.words}: ${worst}`);
      return view;
    };
    assert.ok(candidates.length > 4);
    await page.locator("[data-times='100']").click();
    await page.locator("nt-draws tbody tr").first().waitFor();
    await rest(page);
    await compare(100, 5, { temperature: 1 });
    await page.locator("[data-times='100']").click();
    await page.waitForFunction(() => document.getElementById("view")?.shadowRoot?.querySelector("nt-draws caption")?.textContent?.includes("seed 6"));
    await compare(100, 6, { temperature: 1 });
    // The knobs move the draws, too: the same coins.
    await set(page, "temperature", "2");
    await compare(100, 6, { temperature: 2 });
    await page.locator("[data-times='1000']").click();
    await page.waitForFunction(() => document.getElementById("view")?.shadowRoot?.querySelector("nt-draws caption")?.textContent?.startsWith("1,000"));
    const view = await compare(1000, 7, { temperature: 2 });
    assert.ok(num(view.rows.find((r) => r.rest)?.count) > 0, "tokens outside of the first rows");
    await set(page, "temperature", "0");
    assert.match((await read()).hint, /every draw is the same/);
    assert.equal((await read()).rows[0]?.count, 1000);
    assert.equal((await read()).rows.length, 1);
    assert.deepEqual((await branches(page)).map((b) => b.passes), passes, "no pass for any of it");
  });
});

for (const [prompt, period] of /** @type {[string, number][]} */ ([["The rain fell and", 2], ["They walked and", 2], ["It was very,", 2]])) {
  test(`greedy goes round: ${prompt}`, limit, async () => {
    await onView(site, { tag: "nt-distribution", model: "pocket", prompt }, async (page) => {
      await tokens(page, 3);
      assert.equal((await table(page)).loop, "");
      await tokens(page, 21);
      const ids = (await branches(page))[0]?.ids ?? [];
      const view = await table(page);
      const rounds = Number(view.loop.match(/have come (\d+) times in a row/)?.[1]);
      let whole = 0;
      while (ids.slice(-period * (whole + 1), ids.length - period * whole).join() === ids.slice(-period).join()) whole += 1;
      assert.equal(rounds, whole);
      assert.match(view.loop, new RegExp(`The last ${period} tokens`));
      assert.match(view.loop, /Greedy throws no coin/);
      const length = await page.evaluate(() => /** @type {Host} */ (document.getElementById("view")).player.timeline.prompt.length);
      const round = [];
      for (let back = 1; back <= period; back++) round.push(num((await truthAt(page, length + ids.length - back)).raw[num(ids.at(-back))]));
      const least = Math.min(...round);
      assert.ok(reads(view.loop.match(/at least ([\d.]+%)/)?.[1] ?? "", least), `${view.loop}: ${least}`);
      assert.equal(await page.locator("li.chip[data-loop='begins']").count(), Math.ceil((await page.locator("li.chip[data-loop]").count()) / period));
      // Walking back to before it: the loop isn't there yet.
      await page.evaluate(() => /** @type {Host} */ (document.getElementById("view")).player._go(2 + 5 * 2 + 4));
      await rest(page);
      assert.equal((await table(page)).loop, "");
      assert.equal(await page.locator("li.chip[data-loop]").count(), 0);
    });
  });
}

test("a loop that was drawn is none of greedy's", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "pocket", prompt: "It was very,", temperature: "0.8", seed: "1" }, async (page) => {
    await tokens(page, 24);
    const { loop } = await table(page);
    assert.match(loop, /times in a row/);
    assert.doesNotMatch(loop, /Greedy/);
  });
});

test("SmolLM2: the model's probability and the chance at the draw, the rest of the whole vocabulary", limit, async () => {
  await onView(site, { tag: "nt-distribution", model: "smollm2", prompt: "The capital of France is", "max-tokens": "3" }, async (page) => {
    await tokens(page, 1);
    const { view } = await check(page, 5, { temperature: 0 });
    for (const [i, [label, p]] of /** @type {[string, number][]} */ ([["·Paris", 0.7725], ["·the", 0.0645], ["·London", 0.0125]]).entries()) {
      assert.equal(view.rows[i]?.label, label);
      assert.ok(Math.abs(num(view.rows[i]?.model) - p) < 0.00051, `${label} ${view.rows[i]?.model}`);
    }
    for (const [temperature, chance] of /** @type {[number, number][]} */ ([[0.5, 0.992], [1, 0.773], [2, 0.052]])) {
      await set(page, "temperature", String(temperature));
      const { view } = await check(page, 5, { temperature });
      assert.equal(num(view.rows[0]?.model).toFixed(3), "0.773");
      assert.equal(num(view.rows[0]?.draw).toFixed(3), chance.toFixed(3));
    }
    await page.locator("nt-candidates select").selectOption("50");
    await set(page, "temperature", "10");
    const wide = await table(page);
    assert.equal((100 * num(wide.rows[0]?.draw)).toFixed(3), "0.013");
    assert.equal((100 * wide.rows.filter((r) => !r.rest).reduce((sum, r) => sum + r.draw, 0)).toFixed(2), "0.36");
    assert.equal((100 * num(wide.rows.find((r) => r.rest)?.draw)).toFixed(2), "99.64");
  });
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`axe finds nothing, ${colorScheme}: looking back, supposed, draws, loop`, limit, async () => {
    for (const width of [1280, 375]) {
      await onView(site, { tag: "nt-distribution", model: "pocket", prompt: "The rain fell and" }, async (page) => {
        await tokens(page, 14);
        await set(page, "temperature", "1");
        await page.locator("nt-draws summary").click();
        await page.locator("[data-times='100']").click();
        await page.locator("[data-force]").fill(" walked home");
        await page.locator("nt-force .pieces li").first().waitFor();
        await rest(page);
        assert.deepEqual(await violations(page), []);
        await screenshot(page, `distribution-${colorScheme}-${width}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} px`);
      }, { viewport: { width, height: 4400 }, colorScheme });
    }
  });
}
