/**
 * Makes the picture in the README: SmolLM2 in the middle of its third token.
 * `CHROME=/path/to/chromium node tests/browser/picture.mjs`, after `cargo xtask start` has built the site.
 */
import path from "node:path";
import { ROOT, launch, serve } from "./harness.mjs";
import { drawn, onPage, pages, press, status } from "./page.mjs";

const server = await serve(pages);
const browser = await launch();
const address = `${server.origin}/with?model=smollm2&temperature=0.8&top-p=0.95&seed=7&prompt=The+capital+of+France+is`;
try {
  await onPage(browser, address, async (page) => {
    await status(page, "ready");
    await press(page, "token");
    await press(page, "token");
    for (let stage = 0; stage < 3; stage += 1) await press(page, "step");
    await page.mouse.move(0, 0);
    await drawn(page);
    const card = page.locator("next-token");
    await card.screenshot({ path: path.join(ROOT, "docs/loop.png") });
  }, { context: { viewport: { width: 1168, height: 1400 } } });
} finally {
  await browser.close();
  await server.close();
}
