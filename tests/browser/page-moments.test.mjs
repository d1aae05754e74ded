// Moments that are easily got wrong: a stop in the middle of the prefill, a coin far out in the
// tail, a prompt changed under a run, a past rebuilt from what changed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../www/core/history.js";
import { screenshot, setUp } from "./harness.mjs";
import { drawn, onPage, pages, press, run, settled, shown, status } from "./page.mjs";
import { checkCoin, checkMeters, checkNumbers } from "./page-numbers.mjs";

const site = setUp(pages);

const LONG = "One two three four five six seven eight nine ten. ".repeat(8).trim();

test("Esc during the prefill: Step reads on, and the scores are those of a run without a stop", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    let stopped = 0;
    for (const prompt of ["The capital of France is", LONG]) {
      for (const wait of [5, 40, 120]) {
        await run(page, prompt);
        await page.locator('[data-do="step"]').click();
        await page.waitForTimeout(wait);
        await page.keyboard.press("Escape");
        await settled(page);
        if ((await shown(page)).stage === "tokenize" && (await page.evaluate(() => document.querySelector("next-token")?.run?.finish)) === "cancelled") stopped += 1;
        let presses = 0;
        while ((await shown(page)).stage !== "distribution" && presses++ < 5) await press(page, "step");
        const { real, view } = await checkNumbers(page, { temperature: 0, topK: 0, topP: 1 });
        assert.deepEqual(view.errors, []);
        const id = await page.evaluate(async (prompt) => {
          const other = await document.querySelector("next-token")?.engine?.start({ prompt });
          await other?.prefill();
          const step = await other?.step();
          other?.free();
          return step?.choice.id;
        }, prompt);
        assert.equal(real.order[0], id, `${prompt.slice(0, 12)}, stopped after ${wait} ms`);
        await press(page, "token");
        await checkMeters(page);
      }
    }
    assert.ok(stopped > 0, "at least one stop came in the middle");
    await run(page, LONG);
    await press(page, "step");
    assert.match((await shown(page)).sentence, /tokens, was read up to 32 at a time, in [\d.]+ m?s/, "a long prompt is not one pass");
    await run(page, "Ray-Ban");
    await press(page, "step");
    assert.match((await shown(page)).sentence, /read in one pass of/);
  });
});

test("a coin far out: the chosen token has its own row and its own segment", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2&temperature=2`, async (page) => {
    await status(page, "ready");
    for (let i = 0; i < 4; i++) await press(page, "step");
    const settings = { temperature: 2, topK: 0, topP: 1 };
    for (const coin of ["0.9", "0.99999", "0.999999999"]) {
      await page.locator("nt-coin input[type=text]").fill(coin);
      await page.locator("nt-coin button").click();
      await settled(page);
      const { view, real } = await checkNumbers(page, settings);
      const chosen = await checkCoin(page, real);
      assert.ok(Number(chosen.rank) > 8, `rank ${chosen.rank}`);
      assert.equal(view.rows.length, 9);
      const wide = await page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("next-token")?.shadowRoot?.querySelector(".segment[data-chosen]"))).boxShadow);
      assert.match(wide, /1\.5px/, "it is never too narrow to be seen");
    }
    await screenshot(page, "outside-1280");
    await press(page, "step");
    await press(page, "step");
    await checkNumbers(page, settings);
  });
});

test("examples and modes only fill the prompt; Start begins anew, Reset forgets", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    assert.ok(await page.getByText("Examples", { exact: true }).isVisible());
    await page.getByRole("button", { name: "Once upon a time" }).click();
    await page.getByRole("button", { name: "Start" }).click();
    await settled(page);
    assert.equal((await shown(page)).stage, "tokenize");
    await press(page, "token");
    const before = await shown(page);
    await page.getByText("Chat", { exact: true }).click();
    await drawn(page);
    let view = await shown(page);
    assert.deepEqual(view.chips, before.chips, "the run is still there");
    assert.deepEqual(view.text, before.text);
    assert.match(await page.locator("nt-prompt .edited").innerText(), /Start begins a new run/);
    await page.locator("nt-prompt textarea").fill("Say <|im_end|> please");
    await press(page, "token");
    assert.equal((await shown(page)).chips.filter((c) => c.generated).length, 2, "it goes on");
    await page.getByRole("button", { name: "Start" }).click();
    await settled(page);
    view = await shown(page);
    const length = await page.evaluate(() => document.querySelector("next-token")?.run?.state.promptLength);
    assert.equal(view.chips.length, length, "all tokens of a chat are on show at once");
    assert.match(await page.locator("nt-tokens .legend").innerText(), new RegExp(`^${length} prompt tokens`));
    assert.equal(view.chips.filter((c) => c.special && c.label === "<|im_end|>").length, await page.evaluate(() => document.querySelector("next-token")?.run?.tokens.filter((t) => t === 2).length), "what a message spells out is no control token");
    await press(page, "reset");
    view = await shown(page);
    assert.equal(view.stage, null);
    assert.equal(await page.locator("nt-prompt textarea").inputValue(), "Say <|im_end|> please");
    await press(page, "step");
    assert.equal((await shown(page)).chips.length, length);
  });
});

test("the table says which words it doesn't know, and a chip's words are never cut", async () => {
  await onPage(site.browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "Berlin is");
    assert.match((await shown(page)).sentence, /2 tokens\. The table doesn’t know one of the words: it became <unk>/);
    await run(page, "Berlin or Rome is");
    assert.match((await shown(page)).sentence, /doesn’t know 3 of the words/);
    await run(page, "is");
    assert.doesNotMatch((await shown(page)).sentence, /know/);
    for (let i = 0; i < 3; i++) await press(page, "token");
    const view = await shown(page);
    assert.match(view.next ?? "", /not appended/);
    const cut = await page.evaluate(() => [...(document.querySelector("next-token")?.shadowRoot?.querySelectorAll("li.chip small") ?? [])].filter((n) => n.scrollWidth > n.clientWidth).map((n) => n.textContent));
    assert.deepEqual(cut, []);
    await screenshot(page, "not-appended-1280");
  });
});

test("the history keeps what changed, not every text; each place comes back as it was", () => {
  const history = new History();
  /** @type {import("../../www/core/history.js").Snapshot[]} */
  const places = [];
  let text = "";
  for (let i = 0; i < 2000; i++) {
    if (i % 3 !== 0) text += ` word${i}`;
    const stray = i > 900 ? [{ bytes: [0xf0, 0x9f] }, { text: `later ${text.slice(300)}` }] : [];
    const held = i % 7 === 0 ? ` held${i}` : "";
    const snap = { text, held, pending: i % 5 === 0 ? [0xe2] : [], segments: text ? [{ text: text.slice(0, 300 + (i > 900 ? 0 : 1e6)) }, ...stray] : [], naive: `${text}${held}`, cached: i, passes: 2 * i, length: i + 5 };
    places.push(snap);
    history.push(snap);
  }
  for (const i of [1999, 0, 1, 700, 701, 699, 900, 901, 902, 1500, 3]) assert.deepEqual(history.at(i), places[i], `place ${i}`);
  assert.equal(history.at(2000), null);
  assert.equal(history.at(-1), null);
  assert.ok(history.size < 6 * text.length, `${history.size} characters kept for a text of ${text.length}`);
  history.cut(905);
  history.push(/** @type {(typeof places)[0]} */ (places[1200]));
  for (const [i, was] of [[904, 904], [905, 1200], [10, 10]]) assert.deepEqual(history.at(i ?? 0), places[was ?? 0], `place ${i} after a cut`);
  history.cut(0);
  assert.equal(history.at(0), null);
});
