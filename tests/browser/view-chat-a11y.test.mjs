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
