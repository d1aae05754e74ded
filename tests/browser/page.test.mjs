// The page's main job, on the real element with real keys and a real mouse: the loop, stage by
// stage, and every number on show against the raw logits.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { ROOT, fixture, screenshot, setUp } from "./harness.mjs";
import { drawn, key, onPage, pages, press, run, setting, settled, shown, status } from "./page.mjs";
import { checkCoin, checkMeters, checkNumbers } from "./page-numbers.mjs";

const site = setUp(pages);

const GREEDY = { temperature: 0, topK: 0, topP: 1 };

test("the lesson's table, by keyboard: seven stages, two tokens, end-of-text", async () => {
  await onPage(site.browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    assert.equal((await shown(page)).stage, "tokenize");
    assert.deepEqual((await shown(page)).chips.map((c) => c.label), ["The", "capital", "of", "France", "is"]);
    // Out of the field, so that the arrows are the element's.
    await page.locator('[data-do="step"]').focus();
    /** @type {(string | null)[]} */
    const stages = [];
    for (let i = 0; i < 16; i++) {
      await key(page, "ArrowRight");
      const view = await shown(page);
      stages.push(view.stage);
      if (view.stage === "distribution") await checkNumbers(page, GREEDY);
    }
    const turn = ["forward", "distribution", "sample", "stop", "append"];
    assert.deepEqual(stages, ["prefill", ...turn, ...turn, ...turn]);
    const view = await shown(page);
    assert.deepEqual(view.chips.filter((c) => c.generated).map((c) => c.label), ["Paris", "."]);
    assert.equal(`${view.text.prompt}${view.text.final}`, "The capital of France is Paris .");
    assert.match(view.finish ?? "", /eos.*end-of-text/);
    assert.match(view.log.at(-1) ?? "", /end-of-text/, "the finish reason is announced");
  });
});

test("SmolLM2, three whole tokens by key and mouse, greedy and sampled: every number is right", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    let view = await shown(page);
    assert.deepEqual(view.chips.map((c) => c.id), [504, 3575, 282, 4649, 314]);
    assert.deepEqual(view.chips.map((c) => c.label), ["The", "·capital", "·of", "·France", "·is"]);

    // First token: keys, stage by stage, greedy.
    await page.locator('[data-do="step"]').focus();
    await key(page, "ArrowRight");
    assert.equal((await shown(page)).stage, "prefill");
    await key(page, "ArrowRight");
    view = await shown(page);
    assert.match(view.sentence, /No new pass/, "the prefill's last row already holds the scores");
    assert.equal(view.meters["Token passes"]?.number, "5");
    await key(page, "ArrowRight");
    const first = await checkNumbers(page, GREEDY);
    assert.equal(first.real.order[0], 7042);
    // The still that stands in the page without JavaScript shows this very step.
    const still = (await readFile(path.join(ROOT, "www/index.html"), "utf8")).matchAll(/<tr><th scope="row">([^<]+)<\/th><td>([\d.]+)%<\/td><\/tr>/g);
    const rows = [...still].map(([, label, share]) => ({ label, share }));
    const { top10 } = (await fixture("smollm2-greedy.json")).cases[0];
    const reference = top10[0].slice(0, rows.length - 1).map((/** @type {[number, number]} */ [, p]) => p);
    assert.equal(rows.length, 4);
    for (const [i, p] of reference.entries()) assert.deepEqual(rows[i], { label: first.view.rows[i]?.label, share: (p * 100).toFixed(1) });
    const others = reference.reduce((/** @type {number} */ left, /** @type {number} */ p) => left - p, 1);
    assert.deepEqual(rows[3], { label: `${(first.real.values.length - 3).toLocaleString("en")} others`, share: (others * 100).toFixed(1) });
    await key(page, "ArrowRight");
    view = await shown(page);
    assert.match(view.coin.words, /No coin: greedy/);
    assert.equal(view.coin.visible, false);
    assert.equal(view.rows[0]?.chosen, true);
    await key(page, "ArrowRight");
    assert.equal((await shown(page)).stage, "stop");
    await key(page, "ArrowRight");
    view = await shown(page);
    assert.equal(view.stage, "append");
    assert.deepEqual(view.chips.at(-1), { label: "·Paris", id: 7042, generated: true, chosen: true, special: false });
    assert.equal(view.text.final, " Paris");
    assert.notEqual(view.meters["Time to first token"]?.number, "–");
    assert.equal(view.meters["Tokens a second"]?.number, "–", "one token has no rate");

    // Second token: the mouse, stage by stage, sampled; a knob is turned at the distribution.
    await press(page, "step");
    assert.equal((await shown(page)).meters["Token passes"]?.number, "6");
    await press(page, "step");
    await checkNumbers(page, GREEDY);
    await setting(page, "temperature", "0.8");
    await setting(page, "topP", "0.95");
    const second = { temperature: 0.8, topK: 0, topP: 0.95 };
    const numbers = await checkNumbers(page, second);
    assert.match(numbers.view.caption, /temperature 0\.8, top-p 0\.95/);
    await press(page, "step");
    const chosen = await checkCoin(page, numbers.real);
    await screenshot(page, "loop-sample-1280");
    await press(page, "step");
    await press(page, "step");
    view = await shown(page);
    assert.equal(view.chips.at(-1)?.id, chosen.id);

    // Third token: at once.
    await press(page, "token");
    view = await shown(page);
    assert.equal(view.stage, "append");
    assert.equal(view.chips.filter((c) => c.generated).length, 3);
    const third = await checkNumbers(page, second);
    await checkCoin(page, third.real);
    assert.equal(view.meters["Token passes"]?.number, "7", "5 of the prompt, then one for each token but the first");
    const bytes = await page.evaluate(() => (document.querySelector("next-token")?.run?.state.cached ?? 0) * (document.querySelector("next-token")?.engine?.info.kvBytesPerToken ?? 0));
    assert.equal(view.meters["KV cache"]?.number, `${Math.round(bytes / 1000)} kB`);

    await checkMeters(page);
  });
});

test("knobs move the bars without a pass, and the coin stays where it is", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2&seed=7&temperature=1`, async (page) => {
    await status(page, "ready");
    for (let i = 0; i < 5; i++) await press(page, "step");
    const one = await checkNumbers(page, { temperature: 1, topK: 0, topP: 1 });
    const coin = (await shown(page)).coin.at;
    const passes = one.view.meters["Token passes"]?.number;
    for (const temperature of [0.5, 2]) {
      await setting(page, "temperature", String(temperature));
      const now = await checkNumbers(page, { temperature, topK: 0, topP: 1 });
      assert.equal(now.view.meters["Token passes"]?.number, passes);
      assert.equal(now.view.coin.at, coin, "the same coin on another bar");
      assert.equal(now.view.rows[0]?.model.value, one.view.rows[0]?.model.value, "the model's probability doesn't move");
      assert.notEqual(now.view.rows[0]?.draw.value, one.view.rows[0]?.draw.value);
    }
    await setting(page, "topK", "3");
    await checkNumbers(page, { temperature: 2, topK: 3, topP: 1 });
    for (const settings of [{ temperature: 2, topK: 0, topP: 1, minP: 0.02, repetitionPenalty: 1 }, { temperature: 0.7, topK: 40, topP: 0.9, minP: 0.05, repetitionPenalty: 1.4 }, { temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1.4 }]) {
      for (const [name, value] of Object.entries(settings)) await setting(page, name, String(value));
      await checkNumbers(page, settings);
    }
    for (const [name, value] of Object.entries({ temperature: 2, topK: 3, minP: 0, repetitionPenalty: 1 })) await setting(page, name, String(value));
    await setting(page, "topP", "0.01");
    const narrow = await checkNumbers(page, { temperature: 2, topK: 3, topP: 0.01 });
    assert.equal(narrow.view.rows.filter((r) => r.kept).length, 1, "the first token that reaches p alone is enough");
    assert.equal(narrow.view.meters["Token passes"]?.number, passes);
  });
});

test("a coin of one's own decides, by the field and by the keys of the slider", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2&temperature=1`, async (page) => {
    await status(page, "ready");
    for (let i = 0; i < 4; i++) await press(page, "step");
    const { real } = await checkNumbers(page, { temperature: 1, topK: 0, topP: 1 });
    const target = ((real.p[real.order[0] ?? -1] ?? 0) + 1e-4).toFixed(6);
    await page.locator("nt-coin input[type=text]").fill(target);
    await page.locator("nt-coin button").click();
    await settled(page);
    const view = await shown(page);
    assert.equal(view.stage, "sample");
    assert.equal(view.rows[1]?.chosen, true, "just past the first interval lies the second");
    await page.locator("nt-coin input[type=range]").focus();
    await key(page, "Home");
    assert.equal((await shown(page)).coin.at, 0);
    assert.equal((await shown(page)).rows[0]?.chosen, true);
    for (const bad of ["1", "-0.1", "abc", ""]) {
      await page.locator("nt-coin input[type=text]").fill(bad);
      await page.locator("nt-coin button").click();
      await settled(page);
      assert.match((await shown(page)).errors.join(" "), /A coin is a number from 0 to just below 1/, `coin ${bad}`);
      assert.equal((await shown(page)).coin.at, 0, "the former coin stays");
    }
  });
});

test("back and forward go through the history; nothing is computed, everything looks as it did", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2&seed=3&temperature=0.9`, async (page) => {
    await status(page, "ready");
    /** @type {Awaited<ReturnType<typeof shown>>[]} */
    const seen = [];
    for (let i = 0; i < 14; i++) {
      await press(page, "step");
      seen.push(await checkMeters(page));
    }
    const passes = await page.evaluate(() => document.querySelector("next-token")?.run?.state.passes);
    /** @param {Awaited<ReturnType<typeof shown>>} v */
    const picture = ({ stage, sentence, chips, rows, coin: { own: _, ...coin }, text, meters }) => ({ stage, sentence, chips, rows, coin, text, meters });
    await page.locator('[data-do="back"]').focus();
    for (let i = 12; i >= 0; i--) {
      await key(page, "ArrowLeft");
      assert.deepEqual(picture(await shown(page)), picture(/** @type {(typeof seen)[0]} */ (seen[i])), `place ${i}`);
    }
    await key(page, "End");
    assert.deepEqual(picture(await shown(page)), picture(/** @type {(typeof seen)[0]} */ (seen[13])));
    await key(page, "Home");
    assert.equal((await shown(page)).stage, "tokenize");
    await key(page, "Shift+ArrowRight");
    assert.deepEqual(picture(await shown(page)), picture(/** @type {(typeof seen)[0]} */ (seen[6])), "the first whole token");
    await key(page, "Shift+ArrowRight");
    await key(page, "Shift+ArrowLeft");
    assert.equal((await shown(page)).chips.filter((c) => c.generated).length, 1);
    assert.equal(await page.evaluate(() => document.querySelector("next-token")?.run?.state.passes), passes);
  });
});

test("a row taken by key or mouse makes a branch, from the present or from the past", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    for (let i = 0; i < 4; i++) await press(page, "step");
    const other = (await shown(page)).rows[2];
    const takes = page.locator("nt-candidates button.take");
    await takes.first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await key(page, "Enter");
    let view = await shown(page);
    assert.equal(view.chips.at(-1)?.id, other?.id);
    assert.match(view.rows[2]?.state ?? "", /forced/);
    await press(page, "token");
    await press(page, "token");
    assert.equal((await shown(page)).chips.filter((c) => c.generated).length, 3);
    // Back to the first step: another row, by mouse.
    for (let i = 0; i < 10; i++) await press(page, "back");
    assert.equal((await shown(page)).chips.filter((c) => c.generated).length, 1);
    const past = (await shown(page)).rows[1];
    assert.match(await page.locator("nt-candidates .looking").innerText(), /Another row makes a branch here/);
    await page.locator("nt-candidates tbody tr").nth(1).locator("td.model").click();
    await drawn(page);
    await status(page, "paused");
    view = await shown(page);
    assert.deepEqual(view.chips.filter((c) => c.generated).map((c) => c.id), [past?.id]);
    assert.deepEqual(await page.evaluate(() => document.querySelector("next-token")?.run?.tokens), [504, 3575, 282, 4649, 314, past?.id]);
    assert.equal(await page.evaluate(() => document.querySelector("next-token")?.player.branches.length), 2, "what came later stays, on its own branch");
    await checkMeters(page);
    await press(page, "token");
    await checkNumbers(page, GREEDY);
    await press(page, "token");
    await checkMeters(page);
    // Another one in place of the newest: its scores are there already, and the rate doesn't count it.
    await page.locator("nt-candidates tbody tr").nth(2).click();
    await drawn(page);
    await status(page, "paused");
    const passes = await page.evaluate(() => document.querySelector("next-token")?.steps.map((s) => s.logits?.passes));
    assert.equal(passes?.length, 3);
    assert.equal(passes?.at(-1), 0);
    await checkMeters(page);
    await press(page, "token");
    await checkMeters(page);
  });
});
