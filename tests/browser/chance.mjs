/**
 * What the tests of branches and draws share: pages with one view, a distribution and coins computed
 * anew, no code of the page or of the engine taking part.
 */
import { softmax } from "./page-numbers.mjs";
import { onPage } from "./page.mjs";

/** @import { Page, Browser, BrowserContextOptions } from "playwright-core" */
/** @typedef {{ temperature: number, topK?: number, topP?: number, minP?: number }} Sampling */

/** `/view?tag=nt-tree&model=table`: one element and its attributes; `html` for several. @param {URL} url */
export function views(url) {
  if (url.pathname !== "/view") return null;
  const { tag, html, ...attributes } = Object.fromEntries(url.searchParams);
  const quoted = Object.entries(attributes).map(([name, value]) => `${name}="${value.replaceAll('"', "&quot;")}"`).join(" ");
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Test</h1>${html ?? `<${tag} id="view" autoload ${quoted}></${tag}>`}</main>
    <script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}

/** @typedef {import("../../www/elements/host.js").Host} Host */

/**
 * A page with one view that has its model.
 * @param {{ origin: string, browser: Browser }} site @param {Record<string, string>} attributes
 * @param {(page: Page) => Promise<void>} test @param {BrowserContextOptions} [context]
 */
export function onView(site, attributes, test, context) {
  return onPage(site.browser, `${site.origin}/view?${new URLSearchParams(attributes)}`, async (page) => {
    await ready(page);
    await test(page);
  }, { context });
}

/** @param {Page} page @param {string} [id] */
export const ready = (page, id = "view") => page.waitForFunction((id) => /** @type {Host | null} */ (document.getElementById(id))?.player.status === "ready", id);

/** Two frames after nothing runs any more. @param {Page} page @param {string} [id] */
export async function rest(page, id = "view") {
  await page.waitForFunction((id) => !/** @type {Host} */ (document.getElementById(id)).player.busy, id);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));
}

/** Computes so many tokens, as the button would. @param {Page} page @param {number} n */
export async function tokens(page, n) {
  await page.evaluate(async (n) => {
    const { player } = /** @type {Host} */ (document.getElementById("view"));
    for (let i = 0; i < n; i++) await player.token();
  }, n);
  await rest(page);
}

/** What the branches are, from their records. @param {Page} page */
export const branches = (page) => page.evaluate(() => {
  const { player } = /** @type {Host} */ (document.getElementById("view"));
  return player.branches.map((b) => ({ id: b.id, ids: b.run.tokens.slice(b.run.state.promptLength), text: b.run.text, passes: b.run.state.passes, here: b === player.branch, finish: b.run.finish, cursor: b.timeline.cursor }));
});

/** The distribution at a position, from the raw scores in float64. @param {Page} page @param {number} position @param {Sampling} [settings] */
export async function truthAt(page, position, { temperature, topK = 0, topP = 1, minP = 0 } = { temperature: 1 }) {
  const values = await page.evaluate(async (position) => Array.from((await /** @type {Host} */ (document.getElementById("view")).player.run?.logits({ position }))?.values ?? []), position);
  const raw = softmax(values);
  const order = values.map((_, id) => id).sort((a, b) => num(values[b]) - num(values[a]) || a - b);
  const p = new Array(values.length).fill(0);
  if (temperature === 0) {
    p[num(order[0])] = 1;
    return { values, raw, order, p };
  }
  const drawn = softmax(values.map((x) => x / temperature));
  let kept = topK > 0 ? Math.min(topK, order.length) : order.length;
  if (topP < 1) {
    const within = order.slice(0, kept).reduce((sum, id) => sum + num(drawn[id]), 0);
    let sum = 0;
    kept = order.slice(0, kept).findIndex((id) => (sum += num(drawn[id]) / within) >= topP) + 1;
  }
  if (minP > 0) kept = order.slice(0, kept).filter((id) => num(drawn[id]) >= minP * num(drawn[num(order[0])])).length;
  const mass = order.slice(0, kept).reduce((sum, id) => sum + num(drawn[id]), 0);
  for (const id of order.slice(0, kept)) p[id] = num(drawn[id]) / mass;
  return { values, raw, order, p };
}

/** @param {number | undefined} x */
export const num = (x) => x ?? NaN;

/** The coin that a seed gives for a token: SplitMix64 on the mixed seed. @param {number} seed @param {number} index */
export function coinOf(seed, index) {
  const all = (1n << 64n) - 1n;
  const mix = (/** @type {bigint} */ z) => {
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & all;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & all;
    return z ^ (z >> 31n);
  };
  const gamma = 0x9e3779b97f4a7c15n;
  const state = (mix((BigInt(seed) + gamma) & all) + BigInt(index + 1) * gamma) & all;
  return Number(mix(state) >> 11n) / 2 ** 53;
}

/** Where coins land, token by token. @param {{ order: number[], p: number[] }} truth @param {number[]} coins @returns {Map<number, number>} */
export function landings({ order, p }, coins) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const coin of coins) {
    let sum = 0;
    const id = order.find((id) => (sum += num(p[id])) > coin) ?? num(order[0]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** What is said of a probability must be what it stands for. @param {string} text @param {number} p */
export function reads(text, p) {
  if (text === "0%") return p === 0;
  if (text === "100%") return p === 1;
  if (text.startsWith("<")) return p > 0 && p < 1e-5;
  if (text.startsWith(">")) return p >= 0.9995 && p < 1;
  const power = text.match(/^([\d.]+) × 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/);
  if (power) {
    const exponent = Number([...(power[2] ?? "")].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(d)).join(""));
    return Math.abs(Number(power[1]) - p * 10 ** exponent) <= 0.0501;
  }
  const step = 10 ** -(text.replace("%", "").split(".")[1]?.length ?? 0) / 100;
  return Math.abs(Number.parseFloat(text) / 100 - p) <= step * 0.5001;
}
