// The page's main job, on the real element with real keys and a real mouse: the loop, stage by
// stage, and every number on show against the raw logits.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, screenshot, serve } from "./harness.mjs";
import { drawn, key, onPage, pages, press, reads, run, setting, settled, shown, status, truth } from "./page.mjs";

/** @import { Page } from "playwright-core" */

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
before(async () => {
  site = await serve(pages);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

const GREEDY = { temperature: 0, topK: 0, topP: 1 };

/**
 * Every number of the table and of the cumulative bar, against the logits.
 * @param {Page} page
 * @param {{ temperature: number, topK: number, topP: number }} settings
 */
async function checkNumbers(page, settings) {
  const view = await shown(page);
  const real = await truth(page, settings);
  assert.ok(view.table, "the table is on show");
  assert.ok(view.rows.length >= 5, `${view.rows.length} rows`);
  let rawSum = 0;
  let drawSum = 0;
  let lo = 0;
  for (const [i, row] of view.rows.entries()) {
    const id = real.order[i] ?? -1;
    const where = `row ${i + 1} (${row.label})`;
    assert.equal(row.id, id, `${where}: id`);
    assert.equal(row.rank, String(i + 1), `${where}: rank`);
    const logit = real.values[id] ?? NaN;
    assert.equal(row.logit.value, logit, `${where}: logit`);
    const read = Number(row.logit.text.replace("−", "-").replace("∞", "Infinity").replaceAll(",", ""));
    assert.ok(read === logit || Math.abs(read - logit) <= 0.00501, `${where}: logit reads ${row.logit.text}`);
    assert.ok(Math.abs(row.model.value - (real.raw[id] ?? NaN)) < 1e-6, `${where}: model probability ${row.model.value}, not ${real.raw[id]}`);
    assert.ok(Math.abs(row.draw.value - (real.p[id] ?? NaN)) < 1e-6, `${where}: drawn with ${row.draw.value}, not ${real.p[id]}`);
    assert.ok(reads(row.model.text, row.model.value), `${where}: ${row.model.value} reads ${row.model.text}`);
    assert.ok(reads(row.draw.text, row.draw.value), `${where}: ${row.draw.value} reads ${row.draw.text}`);
    assert.equal(row.kept, i < real.kept, `${where}: kept`);
    if (!row.kept) assert.equal(row.draw.value, 0, `${where}: what is cut is drawn with 0`);
    if (!row.chosen) assert.match(row.state, row.kept ? /^kept/ : /^cut/, `${where}: says so in words`);
    rawSum += row.model.value;
    drawSum += row.draw.value;
  }
  // Bars are as long as their numbers say: all on one scale from 0 to 1.
  const longest = view.rows[0];
  assert.ok(longest && longest.model.bar > 10, "the longest bar can be seen");
  for (const row of view.rows) {
    for (const cell of [row.model, row.draw]) {
      const expected = (cell.value / longest.model.value) * longest.model.bar;
      assert.ok(Math.abs(cell.bar - Math.max(cell.value > 0 ? 2 : 0, expected)) < 1.5, `${row.label}: bar of ${cell.bar} px for ${cell.value}`);
    }
  }
  if (view.rest) {
    assert.match(view.rest.label, new RegExp(`^${(real.values.length - view.rows.length).toLocaleString("en")} other`));
    rawSum += view.rest.model.value;
    drawSum += view.rest.draw.value;
  }
  assert.ok(Math.abs(rawSum - 1) < 1e-5, `model probabilities add up to ${rawSum}`);
  assert.ok(Math.abs(drawSum - 1) < 1e-5, `drawn probabilities add up to ${drawSum}`);
  assert.ok(view.caption.includes(`${real.kept.toLocaleString("en")} of ${real.values.length.toLocaleString("en")} kept`), view.caption);
  // The cumulative bar: the kept candidates in the same order, and the rest.
  const segments = view.rows.filter((r) => r.draw.value > 0);
  for (const [i, row] of segments.entries()) {
    const segment = view.coin.segments[i];
    assert.equal(segment?.p, row.draw.value, `segment ${i + 1}`);
    assert.ok(segment && Math.abs(segment.from - lo) < 0.004, `segment ${i + 1} begins at ${segment?.from}, not at ${lo}`);
    lo += row.draw.value;
    assert.ok(Math.abs(segment.to - lo) < 0.004, `segment ${i + 1} ends at ${segment.to}, not at ${lo}`);
  }
  assert.ok(Math.abs((view.coin.segments.at(-1)?.to ?? 0) - 1) < 0.004, "the bar is full");
  return { view, real };
}

/** The chosen row's interval and the coin, against the record and the truth. @param {Page} page @param {Awaited<ReturnType<typeof truth>>} real */
async function checkCoin(page, real) {
  const view = await shown(page);
  const chosen = view.rows.find((r) => r.chosen);
  assert.ok(chosen, "the chosen row is marked");
  const before = real.order.slice(0, Number(chosen.rank) - 1).reduce((sum, id) => sum + (real.p[id] ?? 0), 0);
  assert.ok(view.coin.visible, "the coin can be seen");
  assert.ok(before - 1e-6 <= view.coin.at && view.coin.at < before + chosen.draw.value + 1e-6, `coin ${view.coin.at} in [${before}, ${before + chosen.draw.value})`);
  assert.equal(view.coin.segments.findIndex((s) => s.chosen), Number(chosen.rank) - 1, "its segment is marked");
  return chosen;
}

test("the lesson's table, by keyboard: seven stages, two tokens, end-of-text", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
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
  await onPage(browser, `${site.origin}/`, async (page) => {
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

    // Time to first token and rate come from the records.
    const timing = await page.evaluate(() => document.querySelector("next-token")?.steps.map((s) => s.ms) ?? []);
    const rate = ((timing.length - 1) * 1000) / timing.slice(1).reduce((a, b) => a + b, 0);
    const read = Number(view.meters["Tokens a second"]?.number.replaceAll(",", ""));
    assert.ok(Math.abs(read - rate) <= Math.max(0.5, rate * 0.05), `${read} on show, ${rate} by the records`);
  });
});

test("knobs move the bars without a pass, and the coin stays where it is", async () => {
  await onPage(browser, `${site.origin}/with?model=smollm2&seed=7&temperature=1`, async (page) => {
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
    await setting(page, "topP", "0.01");
    const narrow = await checkNumbers(page, { temperature: 2, topK: 3, topP: 0.01 });
    assert.equal(narrow.view.rows.filter((r) => r.kept).length, 1, "the first token that reaches p alone is enough");
    assert.equal(narrow.view.meters["Token passes"]?.number, passes);
  });
});

test("a coin of one's own decides, by the field and by the keys of the slider", async () => {
  await onPage(browser, `${site.origin}/with?model=smollm2&temperature=1`, async (page) => {
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
  await onPage(browser, `${site.origin}/with?model=smollm2&seed=3&temperature=0.9`, async (page) => {
    await status(page, "ready");
    /** @type {Awaited<ReturnType<typeof shown>>[]} */
    const seen = [];
    for (let i = 0; i < 14; i++) {
      await press(page, "step");
      seen.push(await shown(page));
    }
    const passes = await page.evaluate(() => document.querySelector("next-token")?.run?.state.passes);
    /** @param {Awaited<ReturnType<typeof shown>>} v */
    const picture = ({ stage, sentence, chips, rows, coin: { own: _, ...coin }, text, meters }) => ({ stage, sentence, chips, rows, coin, text, passes: meters["Token passes"] });
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
  await onPage(browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    for (let i = 0; i < 4; i++) await press(page, "step");
    const other = (await shown(page)).rows[2];
    const takes = page.locator("nt-distribution button.take");
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
    await page.locator("nt-distribution tbody tr").nth(1).click();
    await drawn(page);
    await status(page, "paused");
    view = await shown(page);
    assert.deepEqual(view.chips.filter((c) => c.generated).map((c) => c.id), [past?.id]);
    assert.deepEqual(await page.evaluate(() => document.querySelector("next-token")?.run?.tokens), [504, 3575, 282, 4649, 314, past?.id]);
    await press(page, "token");
    await checkNumbers(page, GREEDY);
  });
});
