// The calculator: exact money, counts by o200k_base that are counted again here, unknown prices, refusals.
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { COUNTED, COUNTER_BYTES, Estimate, cost, tokensOfWords } from "../../www/views/cost/estimate.js";
import { costOf, exact, less, ratio, readPrice, rounded, sum, times, words } from "../../www/views/cost/money.js";
import { PRESETS } from "../../www/views/cost/prices.js";
import { ROOT, screenshot, setUp, withPage } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";

/** @import { Page } from "playwright-core" */

const site = setUp((url) => {
  if (url.pathname !== "/cost") return null;
  const chat = url.searchParams.has("chat") ? '<nt-chat id="talk" model="pocket" autoload></nt-chat>' : "";
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/styles/page.css">
    <main><h1>Test</h1>${chat}<nt-cost ${chat ? 'for="talk"' : ""}></nt-cost></main><script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
});

/** @param {string} query @param {(page: Page) => Promise<void>} body @param {import("playwright-core").BrowserContextOptions} [context] @param {RegExp[]} [expected] */
const open = (query, body, context = {}, expected = []) => withPage(site.browser, `${site.origin}/cost${query}`, async (page) => {
  page.setDefaultTimeout(60_000);
  await page.locator("nt-cost [data-result=day]").waitFor();
  await drawn(page);
  await body(page);
}, { context: { viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce", ...context }, expected });

/** @param {Page} page @param {string} selector */
const text = async (page, selector) => (await page.locator(`nt-cost ${selector}`).innerText()).trim();
/** @param {Page} page @param {string} field @param {string} value */
async function type(page, field, value) {
  await page.locator(`nt-cost [data-field="${field}"]`).fill(value);
  await page.waitForTimeout(300);
  await drawn(page);
}
/** @param {string} typed */
function price(typed) {
  const read = readPrice(typed, "Input");
  if (!("value" in read) || !read.value) throw new Error(typed);
  return read.value;
}

test("money is exact: no binary fraction, nothing that isn't zero is written as zero", () => {
  assert.equal(exact(sum(price("0.1"), price("0.2"))), "$0.30");
  assert.equal(exact(costOf(price("2.50"), 13)), "$0.0000325");
  assert.equal(exact(sum(costOf(price("2.50"), 13), costOf(price("10.00"), 266))), "$0.0026925");
  assert.equal(rounded(times(sum(costOf(price("2.50"), 13), costOf(price("10"), 266)), 1000)), "$2.69");
  assert.equal(rounded(costOf(price("0.000001"), 1)), "$0.000000000001");
  assert.equal(rounded(price("0.004")), "$0.004");
  assert.equal(rounded(price("0.0099996")), "$0.01");
  assert.equal(rounded(price("2.695")), "$2.70");
  assert.equal(rounded(price("2.6949")), "$2.69");
  assert.equal(exact(times(price("1234567.5"), 1000)), "$1,234,567,500.00");
  assert.equal(exact(price("0")), "$0.00");
  assert.equal(exact(less(price("1"), price("2.5"))), "−$1.50");
  assert.equal(words(price("0.0026925")), "0.26925 US cents");
  assert.equal(words(price("2.69")), "2.69 US dollars");
  assert.equal(words(price("0.1")), "10 US cents");
  assert.equal(ratio(price("10.00"), price("2.5")), 4);
  assert.equal(ratio(price("10"), price("0")), null);
  for (let i = 1; i < 400; i++) {
    const tiny = costOf(price((i / 1000).toFixed(3)), i);
    for (const written of [rounded(tiny), exact(tiny)]) assert.match(written, /[1-9]/, `${i}: ${written}`);
  }
  for (const typed of ["abc", "-1", "1e3", "1,5", "NaN", "Infinity", ".", "1.2.3"]) assert.ok("refused" in readPrice(typed, "Input"), typed);
  assert.deepEqual(readPrice(" ", "Input"), { value: null });
  assert.deepEqual(readPrice("$2.50", "Input"), { value: { units: 250n, scale: 2 } });
});

test("tokens of words are floor(words × 1.33); an unknown price makes the result unknown, never 0", () => {
  for (const [given, tokens] of [[200, 266], [0, 0], [1, 1], [3, 3], [100, 133], [75, 99]]) assert.equal(tokensOfWords(given ?? 0), tokens);
  const prices = { input: price("2.50"), cached: null, output: price("10") };
  assert.equal(cost({ input: 10, cached: 5, output: 1 }, prices).total, null);
  assert.deepEqual(cost({ input: 10, cached: 5, output: 1 }, prices).missing, ["cached"]);
  // Nothing is charged by the price that isn't known.
  assert.equal(exact(cost({ input: 13, cached: 0, output: 266 }, prices).total ?? price("0")), "$0.0026925");
  const estimate = new Estimate();
  assert.equal(estimate.day, null);
  estimate.write("not counted");
  assert.equal(estimate.promptTokens, null);
  assert.equal(estimate.call, null);
});

test("the articles' example: 13 and 266 tokens, $0.0026925 a call, $2.69 for 1,000 a day", { timeout: 120_000 }, async () => {
  await open("", async (page) => {
    assert.match(await text(page, ".count-line"), /^13 tokens, counted with o200k_base beforehand/);
    assert.equal(await text(page, "[data-result=call]"), "$0.0026925");
    // The article prints $2.67, which is not what its own formula gives: (13 × 2.50 + 266 × 10) ÷ 1,000,000 × 1,000 = 2.6925.
    assert.equal(await text(page, "[data-result=day]"), "$2.69");
    assert.match(await text(page, ".totals"), /exactly \$2\.6925/);
    const rows = await page.locator("nt-cost-result tbody tr").evaluateAll((list) => list.map((tr) => [...tr.querySelectorAll("td")].map((td) => td.textContent)));
    assert.deepEqual(rows, [["13", "$2.50", "$0.0000325"], ["0", "unknown", "–"], ["266", "$10.00", "$0.00266"]]);
    assert.match(await text(page, "nt-cost-result .words"), /input 1\.2%, output 98\.8%/);
    const widths = await page.locator("nt-cost .share span").evaluateAll((list) => list.map((s) => s.getBoundingClientRect().width));
    const whole = widths.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs((widths[0] ?? 0) / whole - 0.0000325 / 0.0026925) < 0.002 && Math.abs((widths[2] ?? 0) / whole - 0.00266 / 0.0026925) < 0.002, String(widths));
    assert.match(await text(page, "nt-cost-result .verdict"), /One output token costs 4 times as much/);
  });
});

test("the counter is fetched when it is asked for, its size said before; it counts the articles' texts anew", { timeout: 120_000 }, async () => {
  await open("", async (page) => {
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    const bytes = (await stat(path.join(ROOT, "pkg/vendor/o200k.js"))).size;
    assert.ok(Math.abs(bytes / COUNTER_BYTES - 1) < 0.05, `the page says ${COUNTER_BYTES}, the file has ${bytes}`);
    await type(page, "prompt", "Unzählbare Wörter, 🙂 and <|endoftext|>");
    assert.match(await text(page, ".count-line"), /isn’t counted yet/);
    assert.equal(await text(page, "[data-result=call]"), "unknown");
    assert.ok(!asked.some((url) => url.includes("o200k")));
    const button = page.locator("nt-cost [data-do=count]");
    assert.match(await button.innerText(), /2\.0 MB/);
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator("nt-cost .count-line .hint", { hasText: "counted with o200k_base." }).waitFor();
    assert.ok(asked.some((url) => url.includes("/pkg/vendor/o200k.js")));
    const counts = await page.evaluate(async ([own, ...texts]) => {
      const { countO200k } = await import(/* @vite-ignore */ `${location.origin}/core/o200k.js`);
      return { own: await countO200k(own), texts: await Promise.all(texts.map((t) => countO200k(t))) };
    }, ["Unzählbare Wörter, 🙂 and <|endoftext|>", COUNTED.long.text, COUNTED.short.text, COUNTED.answer.text]);
    assert.deepEqual(counts.texts, [13, 6, 21]);
    assert.deepEqual([COUNTED.long, COUNTED.short, COUNTED.answer].map((c) => c.tokens), counts.texts);
    assert.match(await text(page, ".count-line"), new RegExp(`^${counts.own} tokens`));
    // From now on it counts as one writes.
    await type(page, "prompt", COUNTED.short.text + "?");
    const again = await page.evaluate(async (t) => (await import(/* @vite-ignore */ `${location.origin}/core/o200k.js`)).countO200k(t), COUNTED.short.text + "?");
    await page.locator("nt-cost .count-line .hint", { hasText: `${again} tokens` }).waitFor();
  });
});

test("a counter that can't be fetched: told in words, the rest works, and it can be tried again", { timeout: 120_000 }, async () => {
  await open("", async (page) => {
    await page.route("**/pkg/vendor/o200k.js", (route) => route.abort());
    await type(page, "prompt", "Something else");
    await page.locator("nt-cost [data-do=count]").click();
    await page.locator("nt-cost-form > .wide-field .error", { hasText: "couldn’t be loaded" }).waitFor();
    await type(page, "prompt", COUNTED.long.text);
    assert.equal(await text(page, "[data-result=call]"), "$0.0026925");
    assert.deepEqual(await violations(page), []);
    await page.unroute("**/pkg/vendor/o200k.js");
    await page.locator("nt-cost [data-do=count]").click();
    await page.locator("nt-cost .count-line .hint", { hasText: "13 tokens, counted with o200k_base." }).waitFor();
    assert.equal(await page.locator("nt-cost-form > .wide-field .error").textContent(), "");
  }, {}, [/ERR_FAILED/]);
});

test("refused values are worded at their field and the former value stays", { timeout: 120_000 }, async () => {
  await open("", async (page) => {
    for (const [field, bad, good] of [["answer", "abc", "100"], ["calls", "1.5", "2000"], ["price-input", "2,50", "3"], ["price-output", "free", "12"], ["cached", "-1", "3"]]) {
      const day = await text(page, "[data-result=day]");
      await type(page, field ?? "", bad ?? "");
      const input = page.locator(`nt-cost [data-field="${field}"]`);
      assert.equal(await input.getAttribute("aria-invalid"), "true", field);
      const error = await input.evaluate((node) => (/** @type {ShadowRoot} */ (node.getRootNode())).getElementById(node.getAttribute("aria-describedby") ?? "")?.textContent ?? "");
      assert.ok(error.includes(bad ?? "?") && /result still has/.test(error), `${field}: ${error}`);
      assert.equal(await text(page, "[data-result=day]"), day, `${field} keeps the result`);
      await type(page, field ?? "", good ?? "");
      assert.equal(await input.getAttribute("aria-invalid"), null, field);
      assert.notEqual(await text(page, "[data-result=day]"), day, `${field} changes the result`);
    }
    // 3 of 13 tokens are cached now, at a price nobody stated.
    assert.equal(await text(page, "[data-result=call]"), "unknown");
    assert.match(await text(page, ".totals"), /unknown: no price for cached input/);
    await type(page, "price-cached", "0.30");
    // (10 × 3 + 3 × 0.30 + 133 × 12) ÷ 1,000,000
    assert.equal(await text(page, "[data-result=call]"), "$0.0016269");
    assert.equal(await text(page, "[data-result=day]"), "$3.25");
    assert.equal(await page.locator("nt-cost [data-field=preset]").inputValue(), "own");
    await page.locator("nt-cost [data-field=preset]").selectOption("gpt-4o");
    await drawn(page);
    assert.equal(await page.locator("nt-cost [data-field=date]").inputValue(), PRESETS[0]?.date);
    await page.locator("nt-cost select[aria-label]").selectOption("tokens");
    await type(page, "cached", "0");
    // 13 × 2.50 + 100 × 10
    assert.equal(await text(page, "[data-result=call]"), "$0.0010325");
  });
});

test("shorter answers beat shorter prompts, in numbers", { timeout: 120_000 }, async () => {
  await open("", async (page) => {
    const rows = await page.locator("nt-cost-answers tbody tr").evaluateAll((list) => list.map((tr) => [...tr.querySelectorAll("td")].map((td) => td.textContent)));
    assert.deepEqual(rows, [["13", "266", "$0.0026925", "$2.69"], ["6", "266", "$0.002675", "$2.68"], ["13", "21", "$0.0002425", "$0.24"], ["6", "21", "$0.000225", "$0.23"]]);
    assert.equal(await text(page, "nt-cost-answers .verdict"), "The shorter prompt saves $0.0000175 a call, 0.6%. The shorter answer saves $0.00245 a call, 91.0%.");
    await page.locator("nt-cost [data-field=preset]").selectOption("own");
    await drawn(page);
    assert.match(await text(page, "nt-cost-answers .verdict"), /unknown: no price for input and output/);
    assert.equal(await text(page, "[data-result=day]"), "unknown");
    await screenshot(page, "cost-unknown");
  });
});

test("the conversation of nt-chat: this turn and all turns, cached input priced apart", { timeout: 120_000 }, async () => {
  await open("?chat", async (page) => {
    await page.waitForFunction(() => document.querySelector("nt-chat")?.status === "ready");
    for (const message of ["What is the capital of France?", "What is the capital of Spain?"]) {
      await page.locator("nt-chat .compose textarea").fill(message);
      await page.locator("nt-chat .compose textarea").press("Enter");
      await page.waitForFunction((m) => {
        const { conversation } = /** @type {{ conversation: import("../../www/views/chat/conversation.js").Conversation }} */ (/** @type {unknown} */ (document.querySelector("nt-chat")));
        return !conversation.busy && conversation.last?.user === m;
      }, message);
    }
    await type(page, "price-cached", "1.25");
    const turns = await page.evaluate(() => (/** @type {{ conversation: import("../../www/views/chat/conversation.js").Conversation }} */ (/** @type {unknown} */ (document.querySelector("nt-chat")))).conversation.turns.map(({ input, reused, output }) => ({ input, reused, output })));
    assert.ok((turns[1]?.reused ?? 0) > 0);
    const all = turns.reduce((a, b) => ({ input: a.input + b.input, reused: a.reused + b.reused, output: a.output + b.output }));
    const rows = await page.locator("nt-cost-chat tbody tr").evaluateAll((list) => list.map((tr) => [...tr.children].map((td) => td.textContent)));
    for (const [i, turn] of [turns[1], all].entries()) {
      if (!turn) throw new Error("no turn");
      const micro = (turn.input - turn.reused) * 250 + turn.reused * 125 + turn.output * 1000;
      assert.deepEqual(rows[i]?.slice(1), [String(turn.input), String(turn.reused), String(turn.output), exact({ units: BigInt(micro), scale: 8 })]);
    }
    assert.match(rows[0]?.[0] ?? "", /this one/);
    assert.match(rows[1]?.[0] ?? "", /All 2 turns/);
    await type(page, "price-cached", "");
    assert.match(await text(page, "nt-cost-chat tbody"), /unknown[\s\S]*unknown/);
    assert.match(await text(page, "nt-cost-chat"), /no price for cached input/);
    assert.deepEqual(await violations(page), []);
  });
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1280, 768, 375, 320]) {
    test(`axe finds nothing and nothing overflows, ${colorScheme}, ${width}`, { timeout: 120_000 }, async () => {
      await open("", async (page) => {
        assert.deepEqual(await violations(page), []);
        await type(page, "answer", "abc");
        await type(page, "price-input", "-");
        assert.deepEqual(await violations(page), [], "refused input");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await screenshot(page, `cost-refused-${colorScheme}-${width}`);
      }, { viewport: { width, height: 1000 }, colorScheme });
    });
  }
}
