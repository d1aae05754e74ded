/**
 * Makes the pictures in the README: real runs, at the moments that they show.
 * `CHROME=/path/to/chromium node tests/browser/picture.mjs [name …]`, after `cargo xtask start` has built the site.
 */
import path from "node:path";
import { ROOT, launch, serve, withPage } from "./harness.mjs";
import { drawn, onPage, pages, press, status } from "./page.mjs";

/** @import { Page } from "playwright-core" */
/** @typedef {import("../../www/index.js").NextToken} Host */
/** @typedef {{ tag: string, attributes?: string, act: (page: Page) => Promise<void>, from?: string, to?: string, width?: number }} Scene `from`, `to`: what stands at the upper and the lower edge of the picture; the whole card without */

const host = (/** @type {Page} */ page) => page.locator("#view");

/** Waits for what the element's own buttons say, then lets it be drawn. @param {Page} page @param {(element: Host) => boolean} holds */
async function until(page, holds) {
  await page.waitForFunction(`(${holds})(document.getElementById("view"))`, null, { timeout: 120_000 });
  await drawn(page);
}

/** Works on the player, then waits until it rests. @param {Page} page @param {(element: Host) => Promise<unknown>} act */
async function drive(page, act) {
  await page.evaluate(`(${act})(document.getElementById("view"))`);
  await drawn(page);
}

/** @type {Record<string, Scene>} */
const SCENES = {
  tree: {
    tag: "nt-tree", attributes: 'prompt="Once upon a time"', from: ".view-head", to: "nt-tree-branches",
    async act(page) {
      await drive(page, async ({ player, engine }) => {
        const id = async (/** @type {string} */ text) => (await engine?.encode(text))?.[0]?.id ?? 0;
        const step = async (/** @type {number} */ n) => { for (let i = 0; i < n; i += 1) await player.token(); };
        const at = (/** @type {number} */ turn) => { player.visit(/** @type {never} */ (player.branches[0]), 6 + 5 * turn); };
        await player.start();
        await step(8);
        at(2);
        await player.force(await id(" were"));
        await step(4);
        at(5);
        await player.force(await id(" little"));
        await step(3);
        at(2);
      });
    },
  },
  distribution: {
    tag: "nt-distribution", attributes: 'prompt="Once upon a time" temperature="0.9" seed="4"', from: "nt-tokens", to: "nt-draws",
    async act(page) {
      await drive(page, async ({ player }) => {
        await player.start();
        for (let i = 0; i < 4; i += 1) await player.token();
      });
      await host(page).locator("nt-draws summary").click();
      await host(page).locator("nt-draws button").first().click();
      await page.waitForTimeout(300);
    },
  },
  "kv-cache": {
    tag: "nt-kv-cache", attributes: 'prompt="The rain fell and"', from: ".view-head", to: "nt-cache-bytes",
    async act(page) {
      await drive(page, async ({ player }) => {
        await player.start();
        for (let i = 0; i < 14; i += 1) await player.token();
        await player.stage();
      });
      await page.waitForTimeout(500);
    },
  },
  "without-a-cache": {
    tag: "nt-kv-cache", attributes: 'prompt="The rain fell and"', from: "nt-cache-compare", to: "nt-cache-compare",
    async act(page) {
      await host(page).locator("nt-cache-compare select").selectOption("200");
      await host(page).locator('[data-do="race"]').click();
      await host(page).getByText("times as long as with it").first().waitFor({ timeout: 120_000 });
      await drawn(page);
    },
  },
  stop: {
    tag: "nt-stop", from: ".view-head", to: "nt-stop-stream",
    async act(page) {
      await host(page).getByRole("button", { name: "the lesson’s stream" }).click();
      const step = host(page).locator('[data-do="step"]:not([aria-disabled])');
      while ((await step.count()) > 0) {
        await step.click();
        await page.waitForTimeout(150);
      }
    },
  },
  stream: {
    tag: "nt-stream", attributes: 'prompt="Once upon a time"', from: ".view-head", to: ".below",
    async act(page) {
      await host(page).locator("nt-prompt .primary").click();
      await until(page, ({ status }) => status === "done");
      await host(page).locator('[data-do="play"]').focus();
      for (let i = 0; i < 60; i += 1) await page.keyboard.press("ArrowRight");
    },
  },
  thinking: {
    tag: "nt-thinking", from: ".view-head", to: "nt-thinking-trials",
    async act(page) {
      await host(page).locator(".duel select").selectOption("full");
      await host(page).locator('[data-do="play-both"]').click();
      await page.waitForTimeout(2000);
      await host(page).locator('[data-do="trials"]').click();
      await host(page).getByText("50 of 50").first().waitFor({ timeout: 120_000 });
      await page.waitForTimeout(300);
    },
  },
  chat: {
    tag: "nt-chat", from: ".view-head", to: ".chat-sent",
    async act(page) {
      for (const text of ["What is the capital of France?", "What is 27 + 58 + 36? Think step by step.", "Name three fruits.", "Tell me a story."]) {
        const field = host(page).locator(".compose textarea");
        await field.fill(text);
        await field.press("Enter");
        await until(page, (element) => !(/** @type {{ conversation: { busy: boolean } }} */ (/** @type {unknown} */ (element)).conversation.busy));
      }
      await page.waitForTimeout(300);
    },
  },
  cost: {
    tag: "nt-cost", from: ".view-head", to: "nt-cost-answers",
    async act(page) {
      await host(page).locator('[data-do="count"]').click();
      await host(page).getByText("13 tokens, counted with").waitFor({ timeout: 60_000 });
    },
  },
};

const server = await serve((url) => {
  const scene = url.pathname === "/scene" ? SCENES[url.searchParams.get("name") ?? ""] : undefined;
  if (!scene) return pages(url);
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>picture</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/styles/page.css">
    <main><${scene.tag} id="view" autoload ${scene.attributes ?? ""}></${scene.tag}></main><script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
});
const browser = await launch();
const wanted = process.argv.slice(2);
const chosen = (/** @type {string} */ name) => wanted.length === 0 || wanted.includes(name);
try {
  if (chosen("loop")) await loop();
  for (const [name, scene] of Object.entries(SCENES)) if (chosen(name)) await picture(name, scene);
} finally {
  await browser.close();
  await server.close();
}

/** SmolLM2 in the middle of its third token. */
async function loop() {
  const address = `${server.origin}/with?model=smollm2&temperature=0.8&top-p=0.95&seed=7&prompt=The+capital+of+France+is`;
  await onPage(browser, address, async (page) => {
    await status(page, "ready");
    await press(page, "token");
    await press(page, "token");
    for (let stage = 0; stage < 3; stage += 1) await press(page, "step");
    await page.mouse.move(0, 0);
    await drawn(page);
    await page.locator("next-token").screenshot({ path: path.join(ROOT, "docs/loop.png") });
  }, { context: { viewport: { width: 1168, height: 1400 } } });
}

/** @param {string} name @param {Scene} scene */
async function picture(name, { tag, act, from, to, width = 1000 }) {
  await withPage(browser, `${server.origin}/scene?name=${name}`, async (page) => {
    page.setDefaultTimeout(60_000);
    if (tag !== "nt-cost") await until(page, ({ status }) => status === "ready");
    await page.waitForTimeout(500);
    await act(page);
    await page.mouse.move(0, 0);
    await drawn(page);
    const box = await host(page).boundingBox();
    const [top, bottom] = [from && (await host(page).locator(from).first().boundingBox()), to && (await host(page).locator(to).first().boundingBox())];
    if (!box) throw new Error(`${name} isn't there`);
    const y = top ? top.y : box.y;
    const end = bottom ? bottom.y + bottom.height : box.y + box.height;
    await page.screenshot({ path: path.join(ROOT, `docs/${name}.png`), fullPage: true, clip: { x: box.x, y, width: box.width, height: end - y } });
  }, { context: { viewport: { width, height: 2400 }, reducedMotion: "reduce" } });
}
