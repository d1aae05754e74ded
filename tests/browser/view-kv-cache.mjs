/**
 * What the tests of `<nt-kv-cache>` share: pages with the element, calls of the engine counted, what is on
 * show read from the DOM.
 */
import { tasks, withPage } from "./harness.mjs";

/** @import { Page, Browser, BrowserContextOptions } from "playwright-core" */
/** @typedef {import("../../www/views/index.js").NtKvCache} NtKvCache */

/** `/kv?one=model="pocket"&two=…`: an element for each parameter, with these attributes. @param {URL} url */
export function kvPages(url) {
  if (url.pathname !== "/kv") return null;
  const elements = [...url.searchParams].map(([name, attributes]) => `<nt-kv-cache id="${name}" autoload ${attributes}></nt-kv-cache>`).join("");
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Test</h1>${elements}</main>
    <script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}

/** Keeps every call of a worker in `globalThis.calls`. */
export const WATCH = `
globalThis.calls = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  globalThis.calls.push({ call: message?.call, args: message?.args });
  return post.call(this, message, ...rest);
};
`;

/**
 * @param {Browser} browser @param {string} url @param {(page: Page) => Promise<void>} test
 * @param {{ context?: BrowserContextOptions, expected?: RegExp[] }} [options]
 */
export function onKv(browser, url, test, options = {}) {
  return withPage(browser, url, async (page) => {
    page.setDefaultTimeout(60_000);
    await page.waitForFunction(() => customElements.get("nt-kv-cache") !== undefined);
    await page.waitForFunction(() => {
      const first = /** @type {NtKvCache | null} */ (document.querySelector("nt-kv-cache"));
      return first?.status === "ready" && first.shadowRoot?.querySelector("nt-cache-wall");
    });
    await test(page);
  }, { ...options, init: WATCH, context: { viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce", ...options.context } });
}

/** Waits until nothing runs and all that was read is drawn. @param {Page} page @param {string} [id] */
export async function still(page, id) {
  await page.waitForFunction((id) => {
    const element = /** @type {NtKvCache | null} */ (id ? document.getElementById(id) : document.querySelector("nt-kv-cache"));
    return element && ["ready", "paused", "done"].includes(element.status) && !element.player.busy;
  }, id ?? "");
  await page.waitForFunction((id) => {
    const root = (id ? document.getElementById(id) : document.querySelector("nt-kv-cache"))?.shadowRoot;
    return root && ![...root.querySelectorAll("nt-cache-wall, nt-cache-attention, nt-cache-vectors")].some((part) => part instanceof HTMLElement && /being read/i.test(part.innerText));
  }, id ?? "");
  for (let i = 0; i < 2; i++) await frames(page);
}

/** Two frames. @param {Page} page */
export const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));

/** Writes a prompt and starts. @param {Page} page @param {string} prompt */
export async function prompt(page, prompt) {
  await page.locator("nt-prompt textarea").fill(prompt);
  await page.locator("nt-prompt textarea").press("Enter");
  await still(page);
}

/** Presses a button of the transport so many times. @param {Page} page @param {"step" | "token" | "back"} name @param {number} [times] */
export async function press(page, name, times = 1) {
  for (let i = 0; i < times; i++) {
    await page.locator(`nt-controls [data-do="${name}"]`).click();
    await still(page);
  }
}

/** The text of a part. @param {Page} page @param {string} selector */
export const text = (page, selector) => page.locator(selector).first().innerText();

/** Opens a folded part and reads its table: texts, and the full numbers. @param {Page} page @param {string} selector a details element */
export async function tableOf(page, selector) {
  const details = page.locator(selector).first();
  if (!(await details.evaluate((d) => d instanceof HTMLDetailsElement && d.open))) await details.locator("summary").click();
  await frames(page);
  await frames(page);
  return details.locator("tbody tr").evaluateAll((rows) => rows.map((tr) => [...tr.children].map((cell) => ({ text: cell.textContent ?? "", value: Number(cell.getAttribute("title") ?? (cell.textContent ?? "").replaceAll(",", "")) }))));
}

/**
 * The longest task of the page's main thread while something happens, in ms of that thread's own computing time:
 * what a busy machine takes away from it doesn't count.
 * @param {Browser} browser @param {Page} page @param {() => Promise<void>} work
 */
export async function longestTask(browser, page, work) {
  const spent = await tasks(browser, page, work);
  if (spent.length < 100) throw new Error(`only ${spent.length} tasks were recorded`);
  return Math.max(...spent);
}

/** Runs the comparison of so many tokens, by keyboard. @param {Page} page @param {string} length */
export async function race(page, length) {
  await page.locator("nt-cache-compare select").selectOption(length);
  await page.locator('[data-do="race"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('[data-do="cancel-race"]').waitFor({ state: "visible" });
  await page.locator('[data-do="cancel-race"]').waitFor({ state: "hidden", timeout: 300_000 });
  await frames(page);
  await frames(page);
}
