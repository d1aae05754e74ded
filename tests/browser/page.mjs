/**
 * What the page's tests share: the real element driven as a person would, what it shows read from
 * the DOM, and the truth computed anew from the raw logits.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT, withPage } from "./harness.mjs";

/** @import { Page, Browser, BrowserContextOptions } from "playwright-core" */

/** Pages of the tests' own, with the element's attributes in the address: `/with?model=table`. */
export function pages(/** @type {URL} */ url) {
  if (url.pathname !== "/with") return null;
  const attributes = [...url.searchParams].map(([name, value]) => `${name}="${value.replaceAll('"', "&quot;")}"`).join(" ");
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Test</h1><next-token autoload ${attributes}></next-token></main>
    <script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}

/**
 * @param {Browser} browser
 * @param {string} url
 * @param {(page: Page) => Promise<void>} test
 * @param {{ context?: BrowserContextOptions, expected?: RegExp[], init?: string }} [options]
 */
export function onPage(browser, url, test, options = {}) {
  return withPage(browser, url, async (page) => {
    page.setDefaultTimeout(60_000);
    await page.waitForFunction(() => customElements.get("next-token") !== undefined);
    await test(page);
  }, { ...options, context: { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options.context } });
}

/** Waits until the element is in one of these states and has drawn it. @param {Page} page @param {...string} wanted */
export async function status(page, ...wanted) {
  await page.waitForFunction((list) => {
    const status = document.querySelector("next-token")?.status;
    return status !== undefined && list.includes(status);
  }, wanted);
  await drawn(page);
}

/** Two frames: all that has happened is on show. @param {Page} page */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));

/** Waits until no call runs. @param {Page} page */
export const settled = (page) => status(page, "ready", "paused", "done", "error", "idle");

/** A click on one of the buttons below the loop. @param {Page} page @param {"step" | "token" | "play" | "back" | "stop" | "reset"} name */
export async function press(page, name) {
  await page.locator(`[data-do="${name}"]`).click();
  await drawn(page);
  if (name !== "play") await settled(page);
}

/** A key, pressed where the focus is. @param {Page} page @param {string} key */
export async function key(page, key) {
  await page.keyboard.press(key);
  await drawn(page);
  await settled(page);
}

/** Writes a prompt and runs it with Enter. @param {Page} page @param {string} prompt */
export async function run(page, prompt) {
  await page.locator("nt-prompt textarea").fill(prompt);
  await page.locator("nt-prompt textarea").press("Enter");
  await drawn(page);
  await settled(page);
}

/** Types into a setting's field and leaves it. @param {Page} page @param {string} name @param {string} text */
export async function setting(page, name, text) {
  const field = page.locator(`[data-setting="${name}"]`);
  if (!(await field.isVisible())) await page.locator("nt-settings summary").click();
  await field.fill(text);
  await field.press("Enter");
  await drawn(page);
  await settled(page);
}

/** Writes the stop sequences as a person would. @param {Page} page @param {string} text */
export async function stops(page, text) {
  const field = page.locator("nt-settings textarea");
  if (!(await field.isVisible())) await page.locator("nt-settings summary").click();
  await field.fill(text);
  await field.blur();
  await drawn(page);
}

/** What is on show. @param {Page} page */
export function shown(page) {
  return page.evaluate(() => {
    const root = document.querySelector("next-token")?.shadowRoot;
    if (!root) throw new Error("no element");
    /** @param {string} selector @param {ParentNode} [within] */
    const text = (selector, within = root) => within.querySelector(selector)?.textContent?.trim() ?? "";
    /** @param {Element | null} node */
    const visible = (node) => node instanceof HTMLElement && node.checkVisibility();
    /** @param {Element} tr */
    const row = (tr) => {
      /** @param {string} name */
      const cell = (name) => {
        const td = tr.querySelector(`td.${name}`);
        if (!(td instanceof HTMLElement)) throw new Error(`no cell ${name}`);
        const bar = getComputedStyle(td, "::before");
        return { text: td.textContent ?? "", value: Number(td.title), bar: bar.display === "none" ? 0 : Number.parseFloat(bar.width) };
      };
      const token = tr.querySelector("th");
      return {
        rank: text("td.rank", tr), label: token?.dataset.label ?? token?.textContent ?? "", id: Number(token?.dataset.id ?? -1),
        logit: cell("logit"), model: cell("model"), draw: cell("draw"), state: text("td.state > span", tr) || text("td.state", tr),
        kept: tr.getAttribute("data-kept") === "true", chosen: tr.hasAttribute("data-chosen"),
      };
    };
    const table = root.querySelector("nt-candidates table");
    const rows = visible(table) ? [...root.querySelectorAll("nt-candidates tbody tr")] : [];
    const bar = root.querySelector(".cumulative")?.getBoundingClientRect() ?? new DOMRect();
    const thrown = visible(root.querySelector(".cumulative"));
    return {
      stage: root.querySelector("nt-stages [aria-current]")?.getAttribute("data-stage") ?? null,
      sentence: text("nt-stages .sentence"),
      chips: [...root.querySelectorAll("nt-tokens li.chip:not(.next)")].map((li) => ({
        label: text("bdi", li), id: Number(text("small", li)), generated: li.classList.contains("generated"), chosen: li.hasAttribute("data-chosen"), special: li.classList.contains("special"),
      })),
      next: visible(root.querySelector("nt-tokens li.next")) ? text("nt-tokens li.next") : null,
      table: visible(table),
      caption: text("nt-candidates caption"),
      rows: rows.filter((tr) => !tr.classList.contains("rest")).map(row),
      rest: rows.filter((tr) => tr.classList.contains("rest") && visible(tr)).map(row)[0] ?? null,
      coin: {
        visible: visible(root.querySelector(".coin")),
        at: !thrown || !visible(root.querySelector(".coin")) ? NaN : Number(/** @type {HTMLElement | null} */ (root.querySelector(".coin"))?.style.getPropertyValue("--at") ?? NaN),
        words: thrown ? text("nt-coin .words") : "",
        segments: (thrown ? [...root.querySelectorAll(".segment")] : []).map((s) => ({ label: s.textContent ?? "", p: Number(/** @type {HTMLElement} */ (s).style.getPropertyValue("--p")), from: (s.getBoundingClientRect().left - bar.left) / bar.width, to: (s.getBoundingClientRect().right - bar.left) / bar.width, chosen: s.hasAttribute("data-chosen") })),
        own: visible(root.querySelector("nt-coin .own")),
      },
      text: { prompt: text(".answer .prompt"), final: root.querySelector(".answer .final")?.textContent ?? "", held: root.querySelector(".answer .held")?.textContent ?? "", pending: text(".answer .pending"), notes: text("nt-text .notes"), naive: visible(root.querySelector("nt-text .naive")) ? text("nt-text .naive") : null },
      finish: visible(root.querySelector("nt-text .finish")) ? text("nt-text .finish") : null,
      meters: Object.fromEntries([...root.querySelectorAll(".meters > div")].map((div) => [text("dt", div), { number: text("b", div), note: text("span", div) }])),
      errors: [...root.querySelectorAll(".error")].map((e) => e.textContent ?? "").filter((t) => t !== ""),
      log: [...root.querySelectorAll("[role=log] p")].map((p) => p.textContent ?? ""),
    };
  });
}

const axeSource = await readFile(path.join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");

/** What axe finds, one line each. @param {Page} page @returns {Promise<string[]>} */
export async function violations(page) {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const axe = /** @type {{ axe: { run(node: Document, options: object): Promise<{ violations: { id: string, nodes: { target: unknown[], failureSummary: string }[] }[] }> } }} */ (/** @type {unknown} */ (globalThis)).axe;
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const result = await axe.run(document, { runOnly: tags });
    return result.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary}`));
  });
}
