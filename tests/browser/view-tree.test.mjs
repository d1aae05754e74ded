// The tree of branches: a river to walk along, to fork, to compare; nothing is computed twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TreeModel, pathWords } from "../../www/views/tree/model.js";
import { branches, coinOf, num, onView, reads, ready, rest, tokens, truthAt, views } from "./chance.mjs";
import { screenshot, setUp, tasks } from "./harness.mjs";
import { onPage, violations } from "./page.mjs";

/** @import { Page } from "playwright-core" */
/** @typedef {import("../../www/elements/host.js").Host} Host */

const site = setUp(views);
const limit = { timeout: 120_000 };

/** What the view shows. @param {Page} page */
const tree = (page) => page.evaluate(() => {
  const root = /** @type {ShadowRoot} */ (document.getElementById("view")?.shadowRoot);
  const text = (/** @type {string} */ s, /** @type {ParentNode} */ within = root) => within.querySelector(s)?.textContent ?? "";
  const bands = new Map([...root.querySelectorAll(".river path")].map((p) => [p.getAttribute("d"), p]));
  return {
    passes: Number(text(".passes").match(/together: ([\d,]+)/)?.[1]?.replaceAll(",", "")),
    nodes: [...root.querySelectorAll("button.node")].map((b) => {
      const li = /** @type {HTMLElement} */ (b.parentElement);
      return { label: text("bdi", b), p: text(".p", b), mark: text(".mark", b), spoken: text(".sr", b), here: b.hasAttribute("aria-current"), way: li.dataset.way, x: li.offsetLeft, lane: li.offsetTop, title: b.getAttribute("title") ?? "" };
    }),
    bands: [...bands.values()].length,
    widths: [...root.querySelectorAll(".river path")].map((p) => Number(p.getAttribute("stroke-width"))),
    look: { title: text("nt-tree-look h2"), facts: [...root.querySelectorAll("nt-tree-look dd")].map((d) => d.textContent ?? ""), ways: [...root.querySelectorAll(".ways li")].map((li) => ({ label: text("bdi", li), p: text(".p", li), full: Number(/** @type {HTMLElement} */ (li.querySelector(".p")).title), says: text(".says", li) })), why: text(".again .hint"), can: !root.querySelector(".again button")?.hasAttribute("aria-disabled") },
    cards: [...root.querySelectorAll(".branches > li")].map((li) => ({ name: text("h3", li), text: text(".text", li), facts: [...li.querySelectorAll("dd")].map((d) => d.textContent ?? ""), here: li.hasAttribute("data-here") })),
    undo: root.querySelector(".undo")?.checkVisibility() ? text(".undo") : "",
  };
});

/** The river's and the cards' numbers against the raw scores. @param {Page} page */
async function check(page) {
  const view = await tree(page);
  const all = await branches(page);
  const prompt = await page.evaluate(() => /** @type {Host} */ (document.getElementById("view")).player.timeline.prompt.length);
  // What begins alike is drawn once.
  const prefixes = new Set(all.flatMap((b) => b.ids.map((_, i) => b.ids.slice(0, i + 1).join())));
  assert.equal(view.nodes.length, prefixes.size);
  assert.equal(view.passes, all.reduce((sum, b) => sum + b.passes, 0));
  for (const [i, branch] of all.entries()) {
    const pRaw = await page.evaluate(async ({ i, prompt, ids }) => {
      const run = /** @type {Host} */ (document.getElementById("view")).player.branches[i]?.run;
      const found = [];
      for (const [at, id] of ids.entries()) {
        const { values } = /** @type {import("../../www/api/next-token.js").Logits} */ (await run?.logits({ position: prompt + at }));
        const top = values.reduce((a, b) => Math.max(a, b), -Infinity);
        found.push(Math.exp((values[id] ?? NaN) - top) / values.reduce((sum, x) => sum + Math.exp(x - top), 0));
      }
      return found;
    }, { i, prompt, ids: branch.ids });
    const product = pRaw.reduce((a, b) => a * b, 1);
    const card = view.cards[i];
    assert.ok(reads(card?.facts[0] ?? "", product) || Math.abs(product - 1e-4) < 1e-6, `${card?.name}: ${card?.facts[0]}, not ${product}`);
    assert.ok(card?.text.endsWith(branch.text), `${card?.text} ends in ${branch.text}`);
    assert.match(card?.facts[1] ?? "", new RegExp(`^${branch.ids.length} tokens? generated`));
    assert.equal(card?.here, branch.here);
  }
  return view;
}

/** A step record of a token with this probability. @param {number} id @param {number | null} pRaw @returns {any} */
const step = (id, pRaw) => ({ choice: { id, pRaw, method: "greedy" } });
/** @param {any[]} steps @param {number} id @returns {any} */
const branch = (steps, id) => ({ id, seeds: [], timeline: { steps, turns: steps.map((s) => ({ step: s, choice: s.choice })) } });

test("branches with the same beginning are one; a token without a pass leaves its path without a probability", () => {
  const model = new TreeModel();
  const one = branch([step(1, 0.5), step(2, 0.5), step(3, 1)], 1);
  const two = branch([step(1, 0.5), step(2, 0.5), step(4, null), step(5, 0.5)], 2);
  const three = branch([step(1, 0.5), step(6, 0.25)], 3);
  model.sync([one, two, three]);
  assert.deepEqual(model.nodes.map((n) => [n.id, n.lane, n.branches.map((b) => b.id), n.log === null ? null : Number(Math.exp(n.log).toFixed(9))]), [
    [1, 0, [1, 2, 3], 0.5], [2, 0, [1, 2], 0.25], [3, 0, [1], 0.25], [4, 1, [2], null], [5, 1, [2], null], [6, 2, [3], 0.125],
  ]);
  const [kept] = model.nodes;
  model.sync([two, three]);
  assert.equal(model.nodes[0], kept, "what stays is the same node");
  assert.deepEqual(model.nodes.map((n) => [n.id, n.lane]), [[1, 0], [2, 0], [4, 0], [5, 0], [6, 1]]);
  assert.equal(pathWords(null), "–");
  assert.equal(pathWords(Math.log(0.25)), "25.0%");
  assert.equal(pathWords(Math.log(5.84e-12)), "5.8 × 10⁻¹²");
  assert.equal(pathWords(-2000), "2.5 × 10⁻⁸⁶⁹".replace("2.5", (10 ** (1 - ((2000 / Math.LN10) % 1))).toFixed(1)));
});

test("by keyboard: along the text, back, another token, a second arm; no pass but for what is new", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "pocket", prompt: "Once upon a time" }, async (page) => {
    await page.locator("nt-prompt textarea").press("Enter");
    await rest(page);
    await page.locator('[data-do="token"]').focus();
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Enter");
      await rest(page);
    }
    let view = await check(page);
    assert.equal(view.nodes.length, 6);
    assert.equal(view.nodes[5]?.here, true);
    assert.equal(view.look.can, false, "greedy draws nothing");
    assert.match(view.look.why, /Greedy throws no coin/);
    const first = (await branches(page))[0];
    // One Tab stop; the arrows go along.
    const focused = () => page.evaluate(() => document.getElementById("view")?.shadowRoot?.activeElement?.querySelector("bdi")?.textContent ?? "");
    await page.locator("button.node[tabindex='0']").focus();
    assert.equal(await page.locator(".nodes button[tabindex='0']").count(), 1);
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
    await rest(page);
    view = await tree(page);
    assert.equal(await focused(), view.nodes[2]?.label);
    assert.match(view.look.title, /step 3/);
    assert.equal(view.nodes[5]?.here, true, "looking is not going");
    const truth = await truthAt(page, 6);
    for (const way of view.look.ways) assert.ok(truth.raw.some((p) => Math.abs(p - way.full) < 1e-6) && reads(way.p, way.full), `${way.label} ${way.p}`);
    assert.deepEqual(view.look.ways.slice(0, 6).map((w) => w.full.toFixed(5)), truth.order.slice(0, 6).map((id) => num(truth.raw[id]).toFixed(5)));
    await page.keyboard.press("Enter");
    await rest(page);
    view = await tree(page);
    assert.equal(view.nodes[2]?.here, true);
    assert.deepEqual(view.nodes.map((n) => n.way), ["on", "on", "on", "ahead", "ahead", "ahead"]);
    assert.deepEqual((await branches(page)).map((b) => b.passes), [first?.passes], "going there computes nothing");
    // Another way on, by keyboard.
    await page.locator("button.way").first().focus();
    const other = view.look.ways.filter((w) => w.says === "make a branch")[1];
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await rest(page);
    view = await check(page);
    assert.equal(view.cards.length, 2);
    const arm = view.nodes[6];
    assert.equal(arm?.label, other?.label);
    assert.equal(arm?.mark, "forced");
    assert.equal(arm?.x, view.nodes[2]?.x, "in the column of the token whose place it took");
    assert.ok(num(arm?.lane) > num(view.nodes[2]?.lane), "below it");
    assert.deepEqual((await branches(page)).map((b) => b.passes), [first?.passes, 0]);
    await tokens(page, 3);
    view = await check(page);
    assert.equal((await branches(page))[1]?.passes, 3);
    assert.equal((await branches(page))[1]?.ids.length, 6);
    assert.deepEqual((await branches(page))[0]?.ids, first?.ids, "the old one stays");
    // Up and down between the arms; Home is the prompt.
    await page.locator("button.node[tabindex='0']").focus();
    const below = await focused();
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), view.nodes[5]?.label);
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), below);
    await page.keyboard.press("Home");
    assert.equal(await focused(), "Once·upon·a·time");
    await page.keyboard.press("Enter");
    await rest(page);
    const passes = (await branches(page)).map((b) => b.passes);
    // All of it once more: every place of every branch.
    for (const i of view.nodes.keys()) {
      await page.locator("button.node").nth(i).click();
      await rest(page);
      assert.equal((await tree(page)).nodes[i]?.here, true);
    }
    assert.deepEqual((await branches(page)).map((b) => b.passes), passes, "walking computes nothing");
  });
});

test("by mouse: hover shows what else was likely; draw again, remove, undo", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "pocket", prompt: "Once upon a time", temperature: "1", seed: "4", "max-tokens": "12" }, async (page) => {
    await tokens(page, 8);
    await page.locator("button.node").nth(1).hover();
    await rest(page);
    let view = await tree(page);
    assert.match(view.look.title, /step 2/);
    await page.locator("h1").hover();
    await rest(page);
    assert.match((await tree(page)).look.title, /step 8/);
    await page.locator("button.node").nth(1).click();
    const before = await branches(page);
    await page.getByRole("button", { name: "Draw again from here" }).click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 2);
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.timeline.steps.length === 2);
    await rest(page);
    let all = await branches(page);
    assert.deepEqual(all[1]?.passes, 0, "drawn from stored scores");
    assert.deepEqual(all[1]?.ids.slice(0, 1), before[0]?.ids.slice(0, 1));
    const drawn = await page.evaluate(() => { const { player } = /** @type {Host} */ (document.getElementById("view")); return { coin: player.timeline.steps[1]?.choice.coin, seed: player.branch?.seed, shown: player.settings.seed }; });
    assert.equal(drawn.seed, 5, "the next seed");
    assert.equal(drawn.shown, 5, "the seed field says which");
    assert.equal(drawn.coin, coinOf(5, 1));
    await tokens(page, 4);
    view = await check(page);
    assert.ok(view.nodes.some((n) => /seed 5|seed 4, 5/.test(n.mark)), "the mark says which seed");
    // Greedy now, from a place of the first branch: the arm is drawn by the settings of now.
    await page.locator("button.node").nth(4).click();
    await page.locator("button.way").first().click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 3);
    await tokens(page, 2);
    await check(page);
    all = await branches(page);
    const texts = (await tree(page)).cards.map((c) => c.text);
    // Take the second away, and back.
    await page.getByRole("button", { name: "Remove branch 2" }).click();
    await rest(page);
    view = await tree(page);
    assert.match(view.undo, /Branch 2 is removed/);
    assert.deepEqual(view.cards.map((c) => c.name.split(",")[0]), ["Branch 1", "Branch 3"]);
    assert.equal(view.passes, all.reduce((sum, b) => sum + b.passes, 0), "what was spent stays counted");
    await page.getByRole("button", { name: "Undo" }).click();
    await rest(page);
    view = await check(page);
    assert.deepEqual(view.cards.map((c) => c.text), texts);
    assert.equal(view.undo, "");
    // Remove the one on show; then a new branch ends the way back.
    await page.getByRole("button", { name: "Remove branch 2" }).click();
    await rest(page);
    assert.equal((await branches(page)).find((b) => b.here)?.id, 1);
    await page.locator("button.node").nth(0).click();
    await page.locator("button.way").first().click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 3);
    await rest(page);
    view = await tree(page);
    assert.equal(view.undo, "");
    assert.deepEqual((await branches(page)).map((b) => b.id), [1, 3, 4], "no number is given twice");
    assert.equal(view.passes, (await branches(page)).reduce((sum, b) => sum + b.passes, num(all[1]?.passes)));
    // Down to the last one, which stays.
    for (const id of [4, 3]) {
      await page.getByRole("button", { name: `Remove branch ${id}` }).click();
      await rest(page);
    }
    assert.equal(await page.getByRole("button", { name: "Remove branch 1" }).getAttribute("aria-disabled"), "true");
    assert.equal((await tree(page)).cards.length, 1);
  });
});

test("a limit can be raised: the branch goes on, K and V stay, and the numbers name the new limit", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "pocket", prompt: "Once upon a time", "max-tokens": "5" }, async (page) => {
    await tokens(page, 5);
    let view = await tree(page);
    assert.match(view.cards[0]?.facts[2] ?? "", /^length/);
    const passes = view.passes;
    await page.getByRole("button", { name: "Go on with branch 1" }).click();
    await rest(page);
    assert.equal((await tree(page)).passes, passes, "nothing is computed again");
    await tokens(page, 5);
    view = await tree(page);
    assert.equal(view.passes, passes + 5);
    assert.match(view.cards[0]?.facts[1] ?? "", /^10 tokens/);
    const said = await page.evaluate(() => [...(document.getElementById("view")?.shadowRoot?.querySelectorAll("[role=log] p") ?? [])].at(-1)?.textContent ?? "");
    assert.match(said, /Max tokens \(10\) is reached/);
  });
});

test("the lesson's table: probabilities of paths that can be checked by hand", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "table", prompt: "The capital of France is" }, async (page) => {
    await tokens(page, 3);
    let view = await tree(page);
    assert.deepEqual(view.nodes.map((n) => [n.label, n.p]), [["Paris", "92.0%"], [".", "85.0%"], ["<END>", "99.0%"]]);
    assert.equal(view.cards[0]?.facts[0], "77.4%", "0.92 · 0.85 · 0.99");
    assert.match(view.cards[0]?.facts[2] ?? "", /^eos/);
    await page.locator("button.node").nth(0).click();
    await rest(page);
    view = await tree(page);
    assert.deepEqual(view.look.ways.slice(0, 3).map((w) => [w.label, w.p]), [["Paris", "92.0%"], ["located", "5.0%"], ["the", "3.0%"]]);
    await page.locator("button.way").nth(0).click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 2);
    await rest(page);
    view = await tree(page);
    assert.equal(view.cards[1]?.facts[0], "5.0%");
    // Bands: all of the height is certainty.
    for (const [i, p] of [1, 0.92, 0.92 * 0.85, 0.92 * 0.85 * 0.99, 0.05].entries()) assert.ok(Math.abs(num(view.widths[i]) - Math.max(1.5, 28 * p)) < 0.02, `${view.widths[i]} for ${p}`);
  });
});

test("SmolLM2: Paris, and in its place London", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "smollm2", prompt: "The capital of France is", "max-tokens": "4" }, async (page) => {
    await tokens(page, 2);
    let view = await tree(page);
    assert.equal(view.nodes[0]?.label, "·Paris");
    assert.match(view.nodes[0]?.title ?? "", /this token: 0\.772/);
    await page.locator("button.node").nth(0).click();
    await page.locator("button.way", { hasText: "London" }).click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 2);
    await rest(page);
    view = await check(page);
    assert.equal(view.cards[1]?.facts[0], "1.2%");
    assert.equal((await branches(page))[1]?.passes, 0);
  });
});

test("beside the loop: one run, one worker, two instances that don't disturb each other", limit, async () => {
  const html = `<nt-run id="view" model="pocket" prompt="Once upon a time"></nt-run><nt-tree for="view" id="tree"></nt-tree><nt-distribution for="view" id="dist"></nt-distribution><nt-tree id="own" model="pocket" prompt="The rain fell and"></nt-tree>`;
  await onPage(site.browser, `${site.origin}/view?${new URLSearchParams({ html })}`, async (page) => {
    await ready(page);
    await page.locator("#own").scrollIntoViewIfNeeded();
    await ready(page, "own");
    await tokens(page, 4);
    const count = (/** @type {string} */ id) => page.evaluate((id) => document.getElementById(id)?.shadowRoot?.querySelectorAll("button.node").length, id);
    assert.equal(await count("tree"), 4);
    assert.equal(await count("own"), 0);
    await page.locator("#tree button.node").nth(1).click();
    await rest(page);
    // The row taken in the one view is an arm in the other.
    await page.locator("#dist nt-candidates tbody tr").nth(1).locator("td.model").click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 2);
    await rest(page);
    assert.equal(await count("tree"), 5);
    assert.equal(page.workers().length, 1);
    await page.evaluate(async () => { for (let i = 0; i < 3; i++) await /** @type {Host} */ (document.getElementById("own")).player.token(); });
    await rest(page, "own");
    assert.equal(await count("own"), 3);
    assert.equal(await count("tree"), 5);
    await page.locator("#own button.node").nth(0).click();
    await page.locator("#own button.way").first().click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("own")).player.branches.length === 2);
    await rest(page, "own");
    assert.equal((await branches(page)).length, 2);
    assert.equal(await page.evaluate(() => document.getElementById("own")?.shadowRoot?.querySelector(".branches h3")?.textContent), "Branch 1");
  });
});

test("twelve branches of a hundred tokens: no long task while it writes, it scrolls inside itself, and can be taken away", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "pocket", prompt: "Once upon a time", temperature: "0.8", "max-tokens": "100", seed: "1" }, async (page) => {
    await page.evaluate(async () => {
      const { player } = /** @type {Host} */ (document.getElementById("view"));
      for (let b = 0; b < 12; b++) {
        if (b > 0) {
          await player.visit(/** @type {import("../../www/core/branch.js").Branch} */ (player.branches[0]), 6 + 5 * (3 + b * 5));
          await player.redraw();
        }
        else await player.token();
        while (player.run?.finish === null && player.timeline.steps.length < (b === 11 ? 30 : 100)) await player.token();
      }
    });
    await rest(page);
    await check(page);
    const all = await branches(page);
    assert.equal(all.length, 12);
    // Caches of a shared processor are in its time, too: the best of three rounds.
    let least = Infinity;
    for (let round = 0; round < 3 && least > 50; round++) {
      await page.evaluate(async () => {
        const { player } = /** @type {Host} */ (document.getElementById("view"));
        await player.visit(/** @type {import("../../www/core/branch.js").Branch} */ (player.branches[0]), 6 + 5 * (2 + player.branches.length));
        await player.redraw();
      });
      await rest(page);
      const spent = await tasks(site.browser, page, () => page.evaluate(async () => {
        const { player } = /** @type {Host} */ (document.getElementById("view"));
        player.speed = "full";
        await player.play();
      }));
      assert.ok(spent.length > 20, `${spent.length} tasks`);
      least = Math.min(least, Math.max(...spent));
    }
    assert.ok(least <= 50, `a task of ${least} ms`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 375);
    const river = await page.evaluate(() => { const r = /** @type {HTMLElement} */ (document.getElementById("view")?.shadowRoot?.querySelector(".river")); return [r.scrollWidth, r.clientWidth]; });
    assert.ok(num(river[0]) > num(river[1]) * 3, "it scrolls inside itself");
    await screenshot(page, "tree-twelve-375");
    // Taken away while it writes.
    await page.evaluate(async () => {
      const view = /** @type {Host} */ (document.getElementById("view"));
      await view.player.reset();
      view.player.play();
      await new Promise((done) => setTimeout(done, 60));
      view.remove();
      await new Promise((done) => setTimeout(done, 200));
    });
    assert.equal(page.workers().length, 0);
  }, { viewport: { width: 375, height: 900 } });
});

test("visiting while it plays pauses first; after Stop and a new start all works again", limit, async () => {
  await onView(site, { tag: "nt-tree", model: "pocket", prompt: "Once upon a time", "max-tokens": "200" }, async (page) => {
    await tokens(page, 5);
    await page.evaluate(() => { const { player } = /** @type {Host} */ (document.getElementById("view")); player.speed = "full"; player.play(); });
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.timeline.steps.length > 20);
    await page.locator("button.node").nth(2).click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.status === "paused");
    await rest(page);
    assert.equal((await tree(page)).nodes[2]?.here, true);
    const n = (await branches(page))[0]?.ids.length;
    await page.waitForTimeout(100);
    assert.equal((await branches(page))[0]?.ids.length, n, "paused");
    await page.locator('[data-do="play"]').click();
    await page.waitForFunction((n) => /** @type {Host} */ (document.getElementById("view")).player.timeline.steps.length > n + 5, num(n));
    await page.locator('[data-do="stop"]').click();
    await rest(page);
    await page.locator("button.node").nth(1).click();
    await rest(page);
    await page.locator("button.way").first().click();
    await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 2);
    await rest(page);
    await check(page);
    await page.locator("nt-prompt .primary").click();
    await rest(page);
    await tokens(page, 3);
    await check(page);
    assert.equal((await tree(page)).cards[0]?.name, "Branch 1, on show");
  });
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1280, 768, 375, 320]) {
    test(`axe finds nothing and nothing sticks out, ${colorScheme} ${width}`, limit, async () => {
      await onView(site, { tag: "nt-tree", model: "pocket", prompt: "Once upon a time" }, async (page) => {
        assert.deepEqual(await violations(page), [], "ready");
        await tokens(page, 7);
        await page.locator("button.node").nth(2).click();
        await page.locator("button.way").nth(0).click();
        await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 2);
        await tokens(page, 4);
        await page.locator("button.node").nth(5).click();
        await page.locator("button.way").nth(1).click();
        await page.waitForFunction(() => /** @type {Host} */ (document.getElementById("view")).player.branches.length === 3);
        await tokens(page, 3);
        await page.getByRole("button", { name: "Remove branch 2" }).click();
        await rest(page);
        assert.deepEqual(await violations(page), [], "three branches, one removed");
        await page.getByRole("button", { name: "Undo" }).click();
        await rest(page);
        await screenshot(page, `tree-${colorScheme}-${width}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
        const small = await page.evaluate(() => [...(document.getElementById("view")?.shadowRoot?.querySelectorAll("nt-tree-river button, nt-tree-look button, nt-tree-branches button, nt-force input, nt-force button") ?? [])].filter((b) => b.checkVisibility()).map((b) => ({ b: b.textContent, r: b.getBoundingClientRect() })).filter(({ r }) => r.width < 24 || r.height < 24).map(({ b }) => b));
        assert.deepEqual(small, []);
      }, { viewport: { width, height: 4400 }, colorScheme });
    });
  }
}
