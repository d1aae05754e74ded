// Accessible in every state: axe, contrast, reflow, targets, keyboard order, words for what is drawn.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COLOURS } from "../../www/styles/theme.js";
import { launch, screenshot, serve } from "./harness.mjs";
import { drawn, onPage, pages, press, run, setting, shown, status, violations } from "./page.mjs";

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
/** While set, the model's download waits. @type {Promise<void> | null} */
let hold = null;
before(async () => {
  site = await serve(async (url) => {
    if (hold && url.pathname.startsWith("/models/")) await hold;
    return pages(url);
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1280, 768, 375]) {
    // Tall enough that the bar of buttons covers nothing.
    const context = { viewport: { width, height: 2600 }, colorScheme };
    const name = `${colorScheme}-${width}`;

    test(`axe finds nothing, ${name}: ready, mid-run, looking back, refused input, end`, async () => {
      await onPage(browser, `${site.origin}/with?model=table&temperature=1&seed=4`, async (page) => {
        await status(page, "ready");
        assert.deepEqual(await violations(page), [], "ready");
        await screenshot(page, `ready-${name}`);
        await run(page, "The capital of France is");
        for (let i = 0; i < 4; i++) await press(page, "step");
        assert.deepEqual(await violations(page), [], "mid-run");
        await screenshot(page, `sample-${name}`);
        await press(page, "back");
        await setting(page, "temperature", "abc");
        await setting(page, "maxTokens", "3");
        assert.deepEqual(await violations(page), [], "looking back, refused input");
        await page.getByRole("button", { name: "Change model" }).click();
        await page.locator("nt-model select").first().selectOption("file");
        await drawn(page);
        assert.deepEqual(await violations(page), [], "choosing a model");
        await page.getByRole("button", { name: "Close" }).click();
        for (let i = 0; i < 40 && (await page.evaluate(() => document.querySelector("next-token")?.run?.finish === null)); i++) await press(page, "token");
        assert.deepEqual(await violations(page), [], "end");
        await screenshot(page, `end-${name}`);
      }, { context });
    });

    test(`axe finds nothing, ${name}: loading and error`, async () => {
      /** @type {() => void} */
      let go = () => {};
      hold = new Promise((resolve) => (go = resolve));
      try {
        await onPage(browser, `${site.origin}/with?model=smollm2&load=${name}`, async (page) => {
          await status(page, "loading");
          assert.ok(await page.locator("nt-loading progress").isVisible());
          assert.match(await page.locator("nt-loading .what").innerText(), /98 MB.*Apache-2\.0/s);
          assert.deepEqual(await violations(page), [], "loading");
          await screenshot(page, `loading-${name}`);
          await page.getByRole("button", { name: "Cancel" }).click();
          await status(page, "idle");
          assert.deepEqual(await violations(page), [], "idle");
          await page.getByRole("button", { name: "Change model" }).click();
          await page.locator("nt-model select").first().selectOption("file");
          await page.locator("nt-model input[type=file]").setInputFiles({ name: "a.gguf", mimeType: "text/plain", buffer: Buffer.from("plain text, no model") });
          await page.locator("nt-model .panel .error:not(:empty)").waitFor();
          assert.deepEqual(await violations(page), [], "refused file");
          await screenshot(page, `refused-${name}`);
          await page.locator("nt-model input[type=file]").setInputFiles({ name: "a.gguf", mimeType: "text/plain", buffer: Buffer.from("GGUF, but no model") });
          await page.locator("nt-model .what", { hasText: "a.gguf" }).waitFor();
          await page.locator("nt-model button[type=submit]").click();
          await status(page, "error");
          assert.deepEqual(await violations(page), [], "error");
          await screenshot(page, `error-${name}`);
        }, { context });
      } finally {
        go();
        hold = null;
      }
    });
  }
}

/** @param {string} hex */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

test("the theme's colours: text at 4.5:1, bars, borders of controls and focus at 3:1, in both schemes", () => {
  /** @param {string} name @param {number} scheme */
  const colour = (name, scheme) => {
    const pair = COLOURS[name];
    if (!pair) throw new Error(`no colour ${name}`);
    return /** @type {string} */ (pair[scheme]);
  };
  for (const scheme of [0, 1]) {
    const against = ["card", "paper"];
    for (const ground of against) {
      for (const text of ["ink", "soft", "accent", "error"]) assert.ok(contrast(colour(text, scheme), colour(ground, scheme)) >= 4.5, `${text} on ${ground}, scheme ${scheme}: ${contrast(colour(text, scheme), colour(ground, scheme))}`);
      for (const shape of ["edge", "model", "kept", "cut", "accent", "focus"]) assert.ok(contrast(colour(shape, scheme), colour(ground, scheme)) >= 3, `${shape} on ${ground}, scheme ${scheme}: ${contrast(colour(shape, scheme), colour(ground, scheme))}`);
    }
    assert.ok(contrast(colour("accent", scheme), colour("accent-soft", scheme)) >= 4.5, `chosen chip, scheme ${scheme}`);
    assert.ok(contrast(colour("card", scheme), colour("kept", scheme)) >= 4.5, `label of a segment, scheme ${scheme}`);
    assert.ok(contrast(colour("card", scheme), colour("accent", scheme)) >= 4.5, `label of the chosen segment, scheme ${scheme}`);
  }
});

test("usable at 320 px: nothing sticks out, no label is cut, every target is at least 24 px", async () => {
  await onPage(browser, `${site.origin}/with?model=table&temperature=1`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    for (let i = 0; i < 4; i++) await press(page, "step");
    await page.locator("nt-settings summary").click();
    await drawn(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, "no sideways scrolling");
    const found = await page.evaluate(() => {
      const root = document.querySelector("next-token")?.shadowRoot;
      /** @type {string[]} */
      const problems = [];
      for (const node of root?.querySelectorAll("button, label, h2, summary, dt, dd, .name, thead th, td.bar, .state") ?? []) {
        if (!(node instanceof HTMLElement) || !node.checkVisibility() || node.closest(".sr, .examples")) continue;
        if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline" && node.clientWidth > 1 && !node.classList.contains("take")) problems.push(`${node.localName}.${node.className} “${node.textContent?.slice(0, 30)}” is cut: ${node.scrollWidth} in ${node.clientWidth}`);
      }
      for (const node of root?.querySelectorAll("button, select, input, summary, textarea") ?? []) {
        if (!(node instanceof HTMLElement) || !node.checkVisibility()) continue;
        const box = node.getBoundingClientRect();
        if (box.height < 23.9 || box.width < 23.9) problems.push(`${node.localName} “${node.textContent?.slice(0, 30)}” is ${box.width} by ${box.height}`);
      }
      return problems;
    });
    assert.deepEqual(found, []);
  }, { context: { viewport: { width: 320, height: 800 } } });
});

test("lists are one Tab stop each; bytes and ids are there on focus as on hover", async () => {
  await onPage(browser, `${site.origin}/with?model=table&temperature=1`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    for (let i = 0; i < 3; i++) await press(page, "step");
    const stopsIn = (/** @type {string} */ selector) => page.evaluate((s) => [...(document.querySelector("next-token")?.shadowRoot?.querySelectorAll(s) ?? [])].filter((n) => n instanceof HTMLElement && n.tabIndex === 0).length, selector);
    assert.equal(await stopsIn("nt-tokens li"), 1);
    assert.equal(await stopsIn("button.take"), 1);
    const detail = page.locator("nt-tokens .detail");
    await page.locator("nt-tokens li").nth(1).hover();
    const hovered = await detail.innerText();
    assert.match(hovered, /capital.*id \d+.*7 bytes ⟨63 61 70 69 74 61 6C⟩/);
    await page.locator("nt-tokens li").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.mouse.move(0, 0);
    assert.equal(await detail.innerText(), hovered);
    await page.keyboard.press("End");
    assert.match(await detail.innerText(), /^is/);
    assert.equal(await stopsIn("nt-tokens li"), 1, "still one Tab stop");
    assert.equal((await shown(page)).stage, "distribution", "the list's arrows did not step");
  });
});

test("each step is announced: number, token, probability and rank, runner-up, how many were kept", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    await press(page, "token");
    assert.equal((await shown(page)).log.at(-1), "Step 1: Paris, greedy, 92.0% by the model, rank 1. Runner-up: located, 5.0%. 1 token kept.");
    const live = await page.evaluate(() => [...(document.querySelector("next-token")?.shadowRoot?.querySelectorAll("[aria-live], [role=log], [role=status], [role=alert]") ?? [])].map((n) => n.closest("nt-text, nt-tokens, nt-candidates") !== null).includes(true));
    assert.equal(live, false, "nothing that changes per token is a live region");
  });
});

test("without motion nothing moves; with it, moves are short", async () => {
  for (const reducedMotion of /** @type {const} */ (["reduce", "no-preference"])) {
    await onPage(browser, `${site.origin}/with?model=table&temperature=1`, async (page) => {
      await status(page, "ready");
      await run(page, "The capital of France is");
      for (let i = 0; i < 4; i++) await press(page, "step");
      const times = await page.evaluate(() => {
        const root = document.querySelector("next-token")?.shadowRoot;
        return [...(root?.querySelectorAll("*") ?? [])].flatMap((n) => [getComputedStyle(n), getComputedStyle(n, "::before")]).flatMap((s) => [...s.transitionDuration.split(","), ...s.animationDuration.split(",")]).map((t) => Number.parseFloat(t) * (t.includes("ms") ? 1 : 1000)).filter((t) => t > 0);
      });
      if (reducedMotion === "reduce") assert.deepEqual(times, []);
      else {
        assert.ok(times.length > 0);
        assert.ok(times.every((t) => t >= 160 && t <= 240), `${[...new Set(times)]}`);
      }
    }, { context: { reducedMotion } });
  }
});

test("forced colours: bars keep their borders, what is chosen keeps its mark", async () => {
  await onPage(browser, `${site.origin}/with?model=table&temperature=1`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    for (let i = 0; i < 4; i++) await press(page, "step");
    const border = await page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("next-token")?.shadowRoot?.querySelector("td.bar")), "::before").borderTopWidth);
    assert.equal(border, "1px");
    assert.deepEqual(await violations(page), []);
  }, { context: { forcedColors: "active", viewport: { width: 1280, height: 2000 } } });
});

test("importing the modules outside a browser registers nothing and doesn't throw", async () => {
  const exports = await import("../../www/index.js");
  assert.ok(exports.NextToken);
  await import("../../www/define.js");
});
