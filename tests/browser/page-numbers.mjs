/**
 * The page's numbers against the truth: a distribution computed anew from the raw logits, times and
 * passes from the records.
 */
import assert from "node:assert/strict";
import { shown } from "./page.mjs";

/** @import { Page } from "playwright-core" */
/** @typedef {{ temperature: number, topK: number, topP: number, minP?: number, repetitionPenalty?: number }} Sampling */

/**
 * The distribution, computed anew from the engine's raw logits in float64: no code of the page or
 * of the engine takes part.
 * @param {Page} page
 * @param {Sampling} settings
 */
export async function truth(page, { temperature, topK, topP, minP = 0, repetitionPenalty = 1 }) {
  const { values, position, tokens } = await page.evaluate(async () => {
    const run = document.querySelector("next-token")?.run;
    if (!run) throw new Error("no run");
    const logits = await run.logits();
    return { values: Array.from(logits.values), position: logits.position, tokens: run.tokens };
  });
  const raw = softmax(values);
  // The penalty falls on the tokens that were in the sequence when these scores were made.
  const seen = new Set(tokens.slice(0, position));
  const scores = values.map((x, id) => (seen.has(id) ? (x > 0 ? x / repetitionPenalty : x * repetitionPenalty) : x));
  const order = scores.map((_, id) => id).sort((a, b) => /** @type {number} */ (scores[b]) - /** @type {number} */ (scores[a]) || a - b);
  let kept = order.length;
  const p = new Array(values.length).fill(0);
  if (temperature === 0) {
    kept = 1;
    p[/** @type {number} */ (order[0])] = 1;
  } else {
    const drawn = softmax(scores.map((x) => x / temperature));
    if (topK > 0) kept = Math.min(kept, topK);
    const within = order.slice(0, kept).reduce((sum, id) => sum + /** @type {number} */ (drawn[id]), 0);
    if (topP < 1) {
      let sum = 0;
      kept = order.slice(0, kept).findIndex((id) => (sum += /** @type {number} */ (drawn[id]) / within) >= topP) + 1;
    }
    if (minP > 0) kept = order.slice(0, kept).filter((id) => /** @type {number} */ (drawn[id]) >= minP * /** @type {number} */ (drawn[order[0] ?? -1])).length;
    const mass = order.slice(0, kept).reduce((sum, id) => sum + /** @type {number} */ (drawn[id]), 0);
    for (const id of order.slice(0, kept)) p[id] = /** @type {number} */ (drawn[id]) / mass;
  }
  return { values, raw, p, order, kept, position };
}

/** @param {number[]} values */
export function softmax(values) {
  const top = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = values.map((x) => Math.exp(x - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

/** What a screen shows of a probability must be what it stands for. @param {string} text @param {number} p */
function reads(text, p) {
  if (text === "0%") return p === 0;
  if (text === "100%") return p === 1;
  if (text.startsWith("<")) return p > 0 && p < 1e-5;
  if (text.startsWith(">")) return p >= 0.9995 && p < 1;
  const step = 10 ** -(text.replace("%", "").split(".")[1]?.length ?? 0) / 100;
  return Math.abs(Number.parseFloat(text) / 100 - p) <= step * 0.5001;
}

/**
 * Every number of the table and of the cumulative bar, against the logits.
 * @param {Page} page
 * @param {Sampling} settings
 */
export async function checkNumbers(page, settings) {
  const view = await shown(page);
  const real = await truth(page, settings);
  assert.ok(view.table, "the table is on show");
  assert.ok(view.rows.length >= 5, `${view.rows.length} rows`);
  let rawSum = 0;
  let drawSum = 0;
  let lo = 0;
  for (const [i, row] of view.rows.entries()) {
    // A chosen token that isn't among the first ones has a row of its own behind them.
    const outside = row.chosen && Number(row.rank) > i + 1 && i === view.rows.length - 1;
    const at = outside ? Number(row.rank) - 1 : i;
    const id = real.order[at] ?? -1;
    const where = `row ${i + 1} (${row.label})`;
    assert.equal(row.id, id, `${where}: id`);
    assert.equal(row.rank, String(at + 1), `${where}: rank`);
    const logit = real.values[id] ?? NaN;
    if (outside) assert.equal(row.logit.text, "–", `${where}: its logit is in no record`);
    else assert.equal(row.logit.value, logit, `${where}: logit`);
    const read = Number(row.logit.text.replace("−", "-").replace("∞", "Infinity").replaceAll(",", ""));
    assert.ok(outside || read === logit || Math.abs(read - logit) <= 0.00501, `${where}: logit reads ${row.logit.text}`);
    assert.ok(Math.abs(row.model.value - (real.raw[id] ?? NaN)) < 1e-6, `${where}: model probability ${row.model.value}, not ${real.raw[id]}`);
    assert.ok(Math.abs(row.draw.value - (real.p[id] ?? NaN)) < 1e-6, `${where}: drawn with ${row.draw.value}, not ${real.p[id]}`);
    assert.ok(reads(row.model.text, row.model.value), `${where}: ${row.model.value} reads ${row.model.text}`);
    assert.ok(reads(row.draw.text, row.draw.value), `${where}: ${row.draw.value} reads ${row.draw.text}`);
    assert.equal(row.kept, at < real.kept, `${where}: kept`);
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
  let segment = 0;
  for (const row of view.rows.filter((r) => r.draw.value > 0)) {
    const before = real.order.slice(0, Number(row.rank) - 1).reduce((sum, id) => sum + (real.p[id] ?? 0), 0);
    // In front of a chosen token that isn't among the first ones lie others.
    if (before - lo > 1e-6) lo = before;
    while (view.coin.segments[segment]?.label === "rest") segment += 1;
    const drawn = view.coin.segments[segment++];
    assert.equal(drawn?.p, row.draw.value, `segment of ${row.label}`);
    assert.equal(drawn?.chosen, row.chosen, `segment of ${row.label}: chosen`);
    assert.ok(drawn && Math.abs(drawn.from - lo) < 0.004, `${row.label} begins at ${drawn?.from}, not at ${lo}`);
    lo += row.draw.value;
    assert.ok(Math.abs(drawn.to - lo) < 0.004, `${row.label} ends at ${drawn.to}, not at ${lo}`);
  }
  assert.ok(view.coin.segments.every((s) => s.label !== "rest" || !s.chosen), "the others are never marked as chosen");
  assert.ok(!view.rest?.chosen, "nor in the table");
  assert.ok(Math.abs((view.coin.segments.at(-1)?.to ?? 0) - 1) < 0.004, "the bar is full");
  return { view, real };
}

/** The chosen row's interval and the coin, against the record and the truth. @param {Page} page @param {Awaited<ReturnType<typeof truth>>} real */
export async function checkCoin(page, real) {
  const view = await shown(page);
  const chosen = view.rows.find((r) => r.chosen);
  assert.ok(chosen, "the chosen row is marked");
  const before = real.order.slice(0, Number(chosen.rank) - 1).reduce((sum, id) => sum + (real.p[id] ?? 0), 0);
  assert.ok(view.coin.visible, "the coin can be seen");
  assert.ok(before - 1e-6 <= view.coin.at && view.coin.at < before + chosen.draw.value + 1e-6, `coin ${view.coin.at} in [${before}, ${before + chosen.draw.value})`);
  assert.deepEqual(view.coin.segments.filter((s) => s.chosen).map((s) => s.label), [chosen.label], "its segment is marked, and no other");
  // The words tell the ends of the interval apart, and the coin lies between them as they are written.
  const [, coin, from, to] = view.coin.words.match(/Coin ([\d.<>]+) lies from ([\d.<>]+) to ([\d.<>]+):/)?.map((x) => Number(x.replace(/[<>]/, ""))) ?? [];
  assert.ok(from !== undefined && coin !== undefined && to !== undefined && from <= coin && coin < to, view.coin.words);
  return chosen;
}

/**
 * All meters, from the records of the steps that are whole at the stage on show.
 * @param {Page} page
 */
export async function checkMeters(page) {
  const view = await shown(page);
  const records = await page.evaluate(() => {
    const timeline = document.querySelector("next-token")?.player.timeline;
    const steps = document.querySelector("next-token")?.steps ?? [];
    return { prefill: timeline?.prefill?.ms ?? null, steps: steps.slice(0, timeline?.generated).map((s) => ({ ms: s.ms, passes: s.logits?.passes ?? 0 })) };
  });
  const number = (/** @type {string} */ name) => Number.parseFloat((view.meters[name]?.number ?? "").replaceAll(",", ""));
  const [head, ...later] = records.steps;
  const first = view.meters["Time to first token"]?.number ?? "";
  if (!head || records.prefill === null) assert.equal(first, "–");
  else {
    const ms = first.endsWith("ms") ? Number.parseFloat(first) : Number.parseFloat(first) * 1000;
    const wanted = records.prefill + head.ms;
    assert.ok(first.startsWith("<") ? wanted < 0.1 : Math.abs(ms - wanted) <= Math.max(0.051, wanted * 0.06), `time to first token ${first}, ${wanted} ms by the records`);
  }
  let ms = 0;
  let tokens = 0;
  for (const step of later) {
    if (step.passes === 0) continue;
    ms += step.ms;
    tokens += 1;
  }
  if (ms === 0) assert.equal(view.meters["Tokens a second"]?.number, "–");
  else {
    const rate = (tokens * 1000) / ms;
    assert.ok(Math.abs(number("Tokens a second") - rate) <= Math.max(0.051, rate * 0.05), `${number("Tokens a second")} tokens a second, ${rate} by the records`);
    assert.match(view.meters["Tokens a second"]?.note ?? "", new RegExp(`of ${tokens} token`));
  }
  return view;
}
