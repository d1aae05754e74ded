// The conversation's look and reach: axe, reflow, targets, in both schemes and at four widths.
import assert from "node:assert/strict";
import { test } from "node:test";
import { screenshot, setUp } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";
import { chatPages, onChat, say } from "./view-chat.mjs";

const site = setUp(chatPages);

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1280, 768, 375, 320]) {
    test(`axe finds nothing and nothing overflows, ${colorScheme}, ${width}`, { timeout: 180_000 }, async () => {
      await onChat(site.browser, `${site.origin}/chat`, async (page) => {
        assert.deepEqual(await violations(page), [], "start");
        await screenshot(page, `chat-start-${colorScheme}-${width}`);
        for (const message of ["What is the capital of France?", "Name three fruits.", "Tell me a story.", "What is 27 + 58 + 36? Think step by step."]) await say(page, message);
        await page.locator('#one [data-turns="50"]').click();
        await page.locator("#one .ahead-result").waitFor();
        await page.locator("#one .spelled summary").click();
        await page.locator("#one nt-chat-formula summary").click();
        await page.getByRole("button", { name: "Edit message 1" }).click();
        await drawn(page);
        assert.deepEqual(await violations(page), [], "talking");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        await screenshot(page, `chat-long-${colorScheme}-${width}`);
      }, { viewport: { width, height: 1000 }, colorScheme });
    });
  }
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`the names in the strips can be read, cached or not, and strips stand out from the card, ${colorScheme}`, { timeout: 120_000 }, async () => {
    await onChat(site.browser, `${site.origin}/chat`, async (page) => {
      await page.locator("#one .system textarea").fill("You are a helpful assistant. ".repeat(2));
      await say(page, "Tell me a story. Tell me a story.");
      await say(page, "Tell me a story. Tell me a story.");
      await page.locator("#one [data-do=prefix-cache]").click();
      await say(page, "Tell me a story. Tell me a story.");
      const read = await page.evaluate(() => {
        const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        if (!context) throw new Error("no canvas");
        /** @param {string} colour */
        const luminance = (colour) => {
          context.clearRect(0, 0, 1, 1);
          context.fillStyle = colour;
          context.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
        };
        /** @param {string} a @param {string} b */
        const contrast = (a, b) => {
          const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
          return ((x ?? 0) + 0.05) / ((y ?? 0) + 0.05);
        };
        const root = document.getElementById("one")?.shadowRoot;
        const card = getComputedStyle(/** @type {Element} */ (root?.querySelector(".card"))).backgroundColor;
        return [...(root?.querySelectorAll(".stairs .seg") ?? [])].filter((seg) => seg.textContent !== "").map((seg) => {
          const { color, backgroundColor } = getComputedStyle(seg);
          return { who: seg.getAttribute("data-who"), cached: seg.hasAttribute("data-cached"), text: contrast(color, backgroundColor), ground: contrast(backgroundColor, card) };
        });
      });
      for (const who of ["system", "user", "assistant"]) for (const cached of [true, false]) assert.ok(read.some((seg) => seg.who === who && seg.cached === cached), `${who}, cached ${cached}`);
      for (const seg of read) {
        assert.ok(seg.text >= 4.5, JSON.stringify(seg));
        // Pale strips and the written end have an outline of their own.
        if (!seg.cached && seg.who !== "tip") assert.ok(seg.ground >= 3, JSON.stringify(seg));
      }
      await screenshot(page, `chat-cache-off-${colorScheme}`);
    }, { viewport: { width: 1280, height: 1000 }, colorScheme });
  });
}
