/** What the tests of `<nt-chat>` share: the element on a page, driven as a person would, and what it shows. */
import { withPage } from "./harness.mjs";
import { drawn } from "./page.mjs";

/** @import { Page, Browser, BrowserContextOptions } from "playwright-core" */
/** @import { Conversation } from "../../www/views/chat/conversation.js" */
/** @typedef {{ conversation: Conversation, engine: import("../../www/api/next-token.js").Engine }} Chat */

/** `/chat?model=pocket`: one element; `two`: a second one; `for`: one that shares the engine of an nt-run. */
export function chatPages(/** @type {URL} */ url) {
  if (url.pathname !== "/chat") return null;
  const { searchParams: q } = url;
  const model = q.get("model") ?? "pocket";
  const own = `<nt-chat id="one" model="${model}" autoload max-tokens="${q.get("max-tokens") ?? "64"}"></nt-chat>`;
  const chat = q.has("for") ? `<nt-run id="run" model="${model}" autoload></nt-run><nt-chat id="one" for="run"></nt-chat>` : own;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/styles/page.css">
    <main><h1>Test</h1>${chat}${q.has("two") ? `<nt-chat id="two" model="${model}" autoload></nt-chat>` : ""}</main><script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}

/** @param {Browser} browser @param {string} url @param {(page: Page) => Promise<void>} body @param {BrowserContextOptions} [context] */
export const onChat = (browser, url, body, context = {}) => withPage(browser, url, async (page) => {
  page.setDefaultTimeout(60_000);
  await page.waitForFunction(() => {
    const chat = /** @type {Chat | null} */ (/** @type {unknown} */ (document.querySelector("nt-chat")));
    return Boolean(chat?.conversation && chat.engine);
  });
  await page.locator("#one nt-chat-talk, #one nt-chat-gate").first().waitFor({ state: "attached" });
  await drawn(page);
  await body(page);
}, { context: { viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce", ...context } });

/** Waits until the conversation rests. @param {Page} page @param {string} [id] */
export async function rests(page, id = "one") {
  await page.waitForFunction((id) => !(/** @type {Chat} */ (/** @type {unknown} */ (document.getElementById(id)))).conversation.busy, id);
  await drawn(page);
}

/** Writes a message and presses Enter. @param {Page} page @param {string} text @param {string} [id] */
export async function say(page, text, id = "one") {
  const field = page.locator(`#${id} .compose textarea`);
  await field.fill(text);
  await field.press("Enter");
  await rests(page, id);
}

/** The turns as the conversation has them. @param {Page} page @param {string} [id] */
export const turns = (page, id = "one") => page.evaluate((id) => {
  const { conversation } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById(id)));
  return conversation.turns.map(({ user, answer, messages, pieces, input, reused, computed, output, finish, edited }) => ({ user, answer, messages, ids: pieces.map((p) => p.id), input, reused, computed, output, finish, edited }));
}, id);

/** The table's cells as numbers. @param {Page} page */
export const cells = (page) => page.locator("#one nt-chat-table tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((td) => Number((td.textContent ?? "").replaceAll(",", "")))));

/** The strips as they are drawn: each stretch's kind, width in pixels, and whether it is pale. @param {Page} page */
export const strips = (page) => page.locator("#one .stairs li").evaluateAll((rows) => rows.map((row) => ({
  words: row.querySelector(".sr")?.textContent ?? "",
  numbers: row.querySelector(".numbers")?.textContent ?? "",
  segs: [...row.querySelectorAll(".seg")].filter((seg) => seg instanceof HTMLElement && !seg.hidden).map((seg) => ({ who: seg.getAttribute("data-who"), width: seg.getBoundingClientRect().width, cached: seg.hasAttribute("data-cached") })),
})));

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function common(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1;
  return n;
}

/** A conversation's turn, computed anew on a run from nothing. @param {Page} page @param {import("../../www/api/next-token.js").Message[]} messages @param {number} maxTokens */
export const anew = (page, messages, maxTokens) => page.evaluate(async ({ messages, maxTokens }) => {
  const { engine } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
  const run = await engine.start({ messages, maxTokens });
  const prefill = await run.prefill();
  while (run.finish === null) await run.step();
  const all = { prompt: prefill.pieces.map((p) => p.id), passes: prefill.passes, tokens: run.tokens, text: run.text, finish: run.finish };
  run.free();
  return all;
}, { messages, maxTokens });
