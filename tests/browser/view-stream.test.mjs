// <nt-stream>: what is replayed is what was measured, on one clock; each number recomputed from the run's records.
import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, rate } from "../../www/core/format.js";
import { arrived, formula, paced, sentence } from "../../www/views/stream/recording.js";
import { screenshot, setUp, tasks, withPage } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";

/** @import { Page, BrowserContextOptions } from "playwright-core" */
/** @import { Host } from "../../www/elements/host.js" */

const html = (/** @type {string} */ body) => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>test</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Test</h1>${body}</main><script type="module" src="/define.js"></script></html>`,
});
const site = setUp((url) => {
  if (url.pathname === "/stream") return html(`<nt-stream autoload model="${url.searchParams.get("model") ?? "pocket"}"></nt-stream>`);
  if (url.pathname === "/two") return html("<nt-stream autoload></nt-stream><nt-stream autoload></nt-stream>");
  if (url.pathname === "/shared") return html('<nt-run id="run" autoload></nt-run><nt-stream for="run"></nt-stream>');
  return null;
});

/** @param {string} where @param {(page: Page) => Promise<void>} body @param {BrowserContextOptions} [context] */
const onPage = (where, body, context = {}) =>
  withPage(site.browser, site.origin + where, async (page) => {
    page.setDefaultTimeout(60_000);
    await page.waitForFunction(() => {
      const hosts = /** @type {Host[]} */ ([...document.querySelectorAll("nt-stream, nt-run")].filter((e) => !e.hasAttribute("for")));
      return hosts.length > 0 && hosts.every((h) => h.status === "ready") && [...document.querySelectorAll("nt-stream")].every((e) => e.shadowRoot?.querySelector("nt-stream-panes"));
    });
    await drawn(page);
    await body(page);
  }, { context: { viewport: { width: 1280, height: 1600 }, reducedMotion: "no-preference", ...context } });

/** What is on show. @param {Page} page */
const view = (page) =>
  page.evaluate(() => {
    const root = document.querySelector("nt-stream")?.shadowRoot;
    if (!root) throw new Error("no view");
    const node = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
    const text = (/** @type {string} */ selector) => (node(selector)?.checkVisibility() ? node(selector)?.textContent ?? "" : "");
    const line = node(".timeline");
    return {
      words: text(".measuring"), stream: text(".streaming .text"), block: text(".blocking .text"), streamState: text(".streaming .reached"), blockState: text(".blocking .reached"),
      clock: text(".clock"), motion: text(".motion"), play: text('[data-do="play"]'), panes: node("nt-stream-panes")?.checkVisibility() ?? false,
      at: Number(line?.style.getPropertyValue("--at")), newest: Number(line?.style.getPropertyValue("--newest")), bracket: text(".bracket"), to: Number(node(".bracket")?.style.getPropertyValue("--to")), end: text(".timeline .last"),
      ticks: [...(root.querySelector("svg.there path")?.getAttribute("d") ?? "").matchAll(/M([\d.]+) /g)].map((m) => Number(m[1])),
      numbers: [...root.querySelectorAll(".numbers b")].map((b) => ({ text: b.textContent ?? "", title: b.getAttribute("title") ?? "" })),
      rows: [...root.querySelectorAll("nt-stream-numbers tbody tr")].map((tr) => [...tr.children].map((cell) => ({ text: cell.textContent ?? "", title: cell.getAttribute("title") ?? "" }))),
      note: text("nt-stream-numbers > .note"), example: text(".example-words"), slider: node('.time input[type="range"]')?.getAttribute("aria-valuetext") ?? "",
      live: root.querySelectorAll("nt-stream-panes [aria-live=polite], nt-stream-panes [aria-live=assertive], nt-stream-panes [role=log], nt-stream-panes [role=status]").length,
      log: [...root.querySelectorAll("[role=log] p")].map((p) => p.textContent ?? ""), overflow: root.querySelector(".card")?.scrollWidth ?? 0, width: root.querySelector(".card")?.clientWidth ?? 0,
    };
  });

/** The run's own records. @param {Page} page @param {string} [tag] */
const measured = (page, tag = "nt-stream") =>
  page.evaluate((tag) => {
    const { player } = /** @type {Host} */ (document.querySelector(tag));
    const { timeline, run } = player;
    const turns = timeline.turns.slice(0, timeline.generated);
    return { prefill: timeline.prefill?.ms ?? NaN, steps: turns.map(({ step }) => ({ ms: step?.ms ?? NaN, passes: step?.logits?.passes ?? 0, text: step?.appended?.text ?? "", joined: step?.appended !== null })), text: run?.text ?? "" };
  }, tag);

/** Start, as a reader does, to the end of the run. @param {Page} page */
async function start(page) {
  await page.locator("nt-stream nt-prompt .primary").click();
  await page.waitForFunction(() => /** @type {Host | null} */ (document.querySelector("nt-stream"))?.status === "done");
  await drawn(page);
}

/** The times recomputed from the records. @param {Awaited<ReturnType<typeof measured>>} real */
function times(real) {
  let at = real.prefill;
  const arrivals = real.steps.map(({ ms }) => (at += ms));
  const later = real.steps.slice(1).filter(({ passes }) => passes > 0);
  const perSecond = (later.length * 1000) / later.reduce((sum, { ms }) => sum + ms, 0);
  return { arrivals, first: arrivals[0] ?? NaN, total: at, rate: perSecond, early: 32_000 / later.slice(0, 32).reduce((sum, { ms }) => sum + ms, 0) };
}

test("times under another pace, places on the clock, ends of sentences", () => {
  const recording = { arrivals: [10, 12, 20], lengths: [1, 2, 3], text: "abc", tokens: 3, ended: 0, rate: 200, over: 2, early: 200, earlyOver: 2, found: 0 };
  assert.deepEqual(paced(recording, { first: null, rate: null }), [10, 12, 20]);
  assert.deepEqual(paced(recording, { first: 500, rate: null }), [500, 502, 510]);
  assert.deepEqual(paced(recording, { first: null, rate: 50 }), [10, 30, 50]);
  assert.deepEqual([0, 9.9, 10, 19, 20, 99].map((time) => arrived([10, 12, 20], time)), [0, 0, 1, 2, 3, 3]);
  assert.equal(formula(10, 500, 50), 10_010);
  assert.equal(sentence("One. Two! Thr", 13), "One. Two!".length);
  assert.equal(sentence("One. Two", 3), 0);
});

test("every number is the records’; the formula beside the measurement; 3.3 to 10 seconds", { timeout: 120_000 }, () =>
  onPage("/stream", async (page) => {
    assert.match((await view(page)).words, /^Start runs the model to the end and measures it/);
    assert.equal((await view(page)).panes, false);
    await start(page);
    const real = await measured(page);
    const { first, total, arrivals, ...t } = times(real);
    const n = real.steps.length;
    assert.ok(n > 40 && real.steps.at(-1)?.joined === false, "a story that ends by itself");
    const shown = await view(page);
    assert.deepEqual(shown.numbers.map(({ text }) => text), [duration(first), `${rate(t.rate)} tokens/s`, duration(total)]);
    assert.deepEqual([0, 2].map((i) => Number.parseFloat(shown.numbers[i]?.title ?? "")), [first, total]);
    assert.ok(Math.abs(Number.parseFloat(shown.numbers[1]?.title ?? "") / t.rate - 1) < 1e-9);
    const [own, whole, early] = shown.rows;
    assert.equal(own?.[1]?.text, duration(total));
    const check = (/** @type {typeof own} */ row, /** @type {number} */ perSecond) => {
      const expected = first + (n * 1000) / perSecond;
      assert.equal(row?.[1]?.text, duration(expected), row?.[0]?.text);
      assert.ok(Math.abs(Number.parseFloat(row?.[2]?.title ?? "") - (expected - total)) < 1e-6, `${row?.[2]?.title} for ${expected - total}`);
      assert.match(row?.[0]?.text ?? "", /^formula/);
    };
    check(whole, t.rate);
    check(early, t.early);
    assert.ok(shown.note.includes(duration(1000 / t.rate)), "the first token counts twice: one token’s time");
    assert.ok(Math.abs(formula(first, n, t.rate) - total - 1000 / t.rate) < 1e-6, "and that is all of the difference");
    assert.match(shown.example, /^Formula: 500 tokens at 50 to 150 tokens a second take 3\.3 to 10 seconds after the first token; at 100, 5 seconds\.$/);
    assert.deepEqual([shown.bracket, shown.end], [`TTFT ${duration(first)}`, duration(total)]);
    assert.ok(Math.abs(shown.to - first / total) < 1e-9);
    assert.equal(shown.ticks.length, n);
    shown.ticks.forEach((x, i) => assert.ok(Math.abs(x - (1000 * (arrivals[i] ?? 0)) / total) < 0.01));
    // Nothing plays unasked.
    assert.deepEqual([shown.stream, shown.block, shown.play, shown.at], ["", "", "Play", 0]);
    assert.equal(shown.live, 0, "no pane speaks at every token");
  }));

test("token by token with the keys, dragged, restarted: each moment has the text that was released by then", { timeout: 120_000 }, () =>
  onPage("/stream", async (page) => {
    await start(page);
    const real = await measured(page);
    const { arrivals, total, first } = times(real);
    await page.locator('nt-stream [data-do="play"]').focus();
    let text = "";
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("ArrowRight");
      await drawn(page);
      text += real.steps[i]?.text ?? "";
      const shown = await view(page);
      assert.deepEqual([shown.stream, shown.block], [text, ""]);
      assert.equal(shown.streamState, `first token after ${duration(first)}; ${i + 1} of ${real.steps.length} tokens`);
      assert.equal(shown.blockState, `${i + 1} of ${real.steps.length} tokens made, none shown`);
      assert.ok(Math.abs(shown.at - (arrivals[i] ?? 0) / total) < 1e-4);
      assert.ok(Math.abs(shown.newest - shown.at) < 1e-4);
    }
    await page.keyboard.press("ArrowLeft");
    await drawn(page);
    assert.equal((await view(page)).stream, real.steps.slice(0, 11).map((s) => s.text).join(""));
    await page.keyboard.press("End");
    await drawn(page);
    const end = await view(page);
    assert.deepEqual([end.stream, end.block, end.blockState], [real.text, real.text, `everything after ${duration(total)}`]);
    await page.keyboard.press("Home");
    await drawn(page);
    assert.deepEqual([(await view(page)).stream, (await view(page)).streamState], ["", "nothing to read yet"]);
    // The slider: by its own keys, and by mouse.
    const slider = page.locator('nt-stream .time input[type="range"]');
    await slider.focus();
    await page.keyboard.press("PageUp");
    await drawn(page);
    const there = (await view(page)).at * total;
    assert.equal((await view(page)).stream, real.steps.filter((_, i) => (arrivals[i] ?? 0) <= there).map((s) => s.text).join(""));
    const box = await slider.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await drawn(page);
    const half = await view(page);
    assert.ok(Math.abs(half.at - 0.5) < 0.02);
    assert.match(half.slider, /of .*, \d+ of \d+ tokens/);
    await page.locator('nt-stream [data-do="again"]').click();
    await drawn(page);
    assert.equal((await view(page)).at, 0);
  }));

test("the replay keeps to the clock: slow motion, pause, another rate; both panes end together", { timeout: 120_000 }, () =>
  onPage("/stream", async (page) => {
    await start(page);
    const { total, first } = times(await measured(page));
    const selects = page.locator("nt-stream nt-stream-pace select");
    const plays = () =>
      page.evaluate(async () => {
        const root = document.querySelector("nt-stream")?.shadowRoot;
        const button = /** @type {HTMLElement | null} */ (root?.querySelector('[data-do="play"]'));
        const text = (/** @type {string} */ s) => root?.querySelector(s)?.textContent ?? "";
        const begun = performance.now();
        button?.click();
        /** @type {{ now: number, at: number, stream: number, block: number }[]} */
        const seen = [];
        for (;;) {
          await new Promise((done) => requestAnimationFrame(done));
          const at = Number(/** @type {HTMLElement | null} */ (root?.querySelector(".timeline"))?.style.getPropertyValue("--at"));
          seen.push({ now: performance.now() - begun, at, stream: text(".streaming .text").length, block: text(".blocking .text").length });
          if (at >= 1 || performance.now() - begun > 30_000) return seen;
        }
      });
    const slower = Math.max(1, Math.ceil(1200 / total));
    const choice = [1, 2, 5, 10, 30, 100].find((s) => s >= slower) ?? 100;
    await selects.last().selectOption(String(choice));
    await drawn(page);
    assert.equal((await view(page)).motion, choice === 1 ? "in real time" : `slow motion: 1 s on this clock takes ${choice} seconds`);
    const seen = await plays();
    // The clock keeps up with real time, however many frames there were: it is behind by a frame, not by a share.
    const behind = seen.slice(Math.floor(seen.length / 2), -1).map(({ now, at }) => Math.abs(at * total * choice - now) / now).sort((a, b) => a - b);
    assert.ok((behind[Math.floor(behind.length / 2)] ?? 1) < 0.1, `behind by ${behind.map((share) => share.toFixed(3)).join(" ")}`);
    assert.ok(seen.some(({ stream, block }) => stream > 0 && block === 0), "one pane reads while the other waits");
    assert.equal(seen.at(-1)?.stream, seen.at(-1)?.block, "both end at once");
    assert.ok((seen.at(-1)?.now ?? 0) >= total * choice - 1);
    await drawn(page);
    assert.match((await view(page)).log.at(-1) ?? "", new RegExp(`first token after ${duration(first).replace(".", "\\.")}, the blocking pane everything after`));

    // Pause holds the clock.
    await page.locator('nt-stream [data-do="play"]').focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.waitForTimeout(300);
    await page.keyboard.press("Space");
    await drawn(page);
    const held = (await view(page)).at;
    await page.waitForTimeout(300);
    assert.equal((await view(page)).at, held);
    assert.ok(held > 0 && held < 1);

    // As another model would be: a set rate, a set TTFT, in real time again by itself.
    await selects.last().selectOption("");
    const slider = page.locator("nt-stream nt-stream-pace input[type=range]");
    await slider.focus();
    await page.keyboard.press("End");
    await selects.first().selectOption("1000");
    await drawn(page);
    const shown = await view(page);
    const n = shown.ticks.length;
    assert.equal(shown.motion, "in real time");
    const set = 1000 + ((n - 1) * 1000) / 150;
    assert.deepEqual([shown.bracket, shown.end], ["TTFT 1.00 s", duration(set)]);
    assert.deepEqual(shown.rows.at(-2)?.map((c) => c.text), ["replayed as set", duration(set), "–"]);
    assert.equal(shown.rows.at(-1)?.[1]?.text, duration(1000 + (n * 1000) / 150));
    assert.match(shown.example, /at 150, 3\.3 seconds\.$/);
    assert.equal(shown.numbers[0]?.text, duration(first), "what was measured stays what it was");
    await page.locator("nt-stream nt-stream-pace input[type=radio]").first().check();
    await selects.first().selectOption("");
    await drawn(page);
    assert.equal((await view(page)).end, duration(total));
  }));

test("reduced motion: it plays, and the text comes by the sentence", { timeout: 120_000 }, () =>
  onPage("/stream", async (page) => {
    await start(page);
    const real = await measured(page);
    const texts = await page.evaluate(async () => {
      const root = document.querySelector("nt-stream")?.shadowRoot;
      /** @type {HTMLElement | null | undefined} */ (root?.querySelector('[data-do="play"]'))?.click();
      const seen = new Set();
      for (let i = 0; i < 200; i++) {
        await new Promise((done) => requestAnimationFrame(done));
        seen.add(root?.querySelector(".streaming .text")?.textContent ?? "");
      }
      return [...seen];
    });
    assert.ok(texts.length > 1, "something came");
    for (const text of texts) assert.ok(text === "" || text === real.text || /[.!?]$/.test(text), text);
  }, { reducedMotion: "reduce" }));

test("for: the shared run’s steps up to the cursor; the table has no time to replay until a rate is set", { timeout: 120_000 }, async () => {
  await onPage("/shared", async (page) => {
    await page.evaluate(async () => {
      const { player } = /** @type {Host} */ (document.querySelector("nt-run"));
      player.prompt = "Once upon a time";
      await player.set({ maxTokens: 20 });
      await player.start();
      for (let i = 0; i < 10; i++) await player.token();
    });
    await drawn(page);
    let [shown, real] = [await view(page), await measured(page, "nt-run")];
    assert.equal(shown.words, "The run has not ended: what can be replayed is its first 10 tokens.");
    assert.deepEqual([shown.stream, shown.block, shown.ticks.length], [real.text, real.text, 10]);
    assert.equal(shown.end, duration(times(real).total));
    await page.evaluate(() => /** @type {Host} */ (document.querySelector("nt-run")).player.backToken());
    await drawn(page);
    [shown, real] = [await view(page), await measured(page, "nt-run")];
    assert.deepEqual([shown.ticks.length, shown.end], [9, duration(times(real).total)]);
    assert.match(shown.words, /^Replayed up to token 9 of 10/);
    // Its keys move the replay, not the run.
    await page.locator('nt-stream [data-do="play"]').focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await drawn(page);
    assert.equal((await view(page)).stream, real.steps[0]?.text);
    assert.equal(await page.evaluate(() => /** @type {Host} */ (document.querySelector("nt-run")).player.timeline.generated), 9);
  });
  await onPage("/stream?model=table", async (page) => {
    await start(page);
    await page.locator("nt-stream nt-stream-pace input[type=radio]").last().check();
    await drawn(page);
    const shown = await view(page);
    assert.equal(shown.ticks.length, 3);
    assert.equal(shown.motion, "in real time");
    await page.locator('nt-stream [data-do="play"]').click();
    await page.waitForFunction(() => document.querySelector("nt-stream")?.shadowRoot?.querySelector(".blocking .text")?.textContent === " Paris .");
    await page.evaluate(() => /** @type {Host} */ (document.querySelector("nt-stream")).setAttribute("model", "pocket"));
    await page.waitForFunction(() => /** @type {Host | null} */ (document.querySelector("nt-stream"))?.engine?.info.architecture === "llama");
    await drawn(page);
    assert.equal((await view(page)).panes, false);
    await start(page);
    assert.ok((await view(page)).ticks.length > 1);
  });
});

test("Stop while it writes keeps what came; Start again; two on a page; one removed while it plays", { timeout: 120_000 }, async () => {
  await onPage("/stream", async (page) => {
    await page.locator("nt-stream nt-prompt textarea").fill("The rain fell and");
    await page.locator("nt-stream nt-prompt .primary").click();
    await page.waitForFunction(() => (/** @type {Host | null} */ (document.querySelector("nt-stream"))?.steps.length ?? 0) > 5);
    await page.locator('nt-stream [data-do="stop"]').click({ force: true });
    await page.waitForFunction(() => /** @type {Host | null} */ (document.querySelector("nt-stream"))?.status === "done");
    await drawn(page);
    const [shown, real] = [await view(page), await measured(page)];
    assert.equal(shown.ticks.length, real.steps.length);
    if ((await page.evaluate(() => /** @type {Host | null} */ (document.querySelector("nt-stream"))?.run?.finish)) === "cancelled") assert.match(shown.words, /^Stopped by you after/);
    await page.locator("nt-stream nt-prompt textarea").fill("The capital of France is");
    await start(page);
    await page.keyboard.press("Tab");
    await page.locator('nt-stream [data-do="play"]').focus();
    await page.keyboard.press("End");
    await drawn(page);
    assert.equal((await view(page)).block, " Paris.");
  });
  await onPage("/two", async (page) => {
    await page.evaluate(() => document.querySelectorAll("nt-stream").forEach((e) => /** @type {HTMLElement | null} */ (e.shadowRoot?.querySelector("nt-prompt .primary"))?.click()));
    await page.waitForFunction(() => [...document.querySelectorAll("nt-stream")].every((e) => /** @type {Host} */ (e).status === "done"));
    await drawn(page);
    assert.equal(page.workers().length, 1);
    await page.evaluate(() => document.querySelectorAll("nt-stream").forEach((e) => /** @type {HTMLElement | null} */ (e.shadowRoot?.querySelector('[data-do="play"]'))?.click()));
    await page.waitForTimeout(200);
    await page.evaluate(() => document.querySelectorAll("nt-stream")[1]?.remove());
    const spent = await tasks(site.browser, page, () => page.waitForTimeout(600));
    assert.ok(Math.max(...spent) <= 50, `a task of ${Math.max(...spent)} ms during the replay`);
    assert.ok((await view(page)).at > 0);
  });
});

test("no task over 50 ms while the run is written", { timeout: 120_000 }, () =>
  onPage("/stream", async (page) => {
    await start(page);
    const spent = await tasks(site.browser, page, () => page.evaluate(async () => {
      const element = /** @type {Host} */ (document.querySelector("nt-stream"));
      /** @type {HTMLElement | null | undefined} */ (element.shadowRoot?.querySelector("nt-prompt .primary"))?.click();
      await new Promise((done) => element.addEventListener("nt-done", done, { once: true }));
    }));
    assert.ok(spent.length > 50 && Math.max(...spent) <= 50, `${Math.max(...spent)} ms of ${spent.length} tasks`);
  }));

test("axe finds nothing and nothing is cut: ready, measured, midway, at the end, at a set rate", { timeout: 240_000 }, async () => {
  for (const [width, colorScheme] of /** @type {const} */ ([[1280, "light"], [375, "dark"], [320, "light"]])) {
    await onPage("/stream", async (page) => {
      const check = async (/** @type {string} */ state) => {
        assert.deepEqual(await violations(page), [], `${state}, ${width}`);
        const { overflow, width: inner } = await view(page);
        assert.ok(overflow <= inner, `${state}: ${overflow} px in ${inner}`);
        await screenshot(page, `nt-stream-${state}-${width}-${colorScheme}`);
      };
      await check("ready");
      await start(page);
      await check("measured");
      await page.locator('nt-stream [data-do="play"]').focus();
      for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowRight");
      await drawn(page);
      await check("midway");
      await page.keyboard.press("End");
      await drawn(page);
      await check("end");
      await page.locator("nt-stream nt-stream-pace input[type=radio]").last().check();
      await page.locator("nt-stream .settings summary").first().click();
      await drawn(page);
      await check("set");
    }, { viewport: { width, height: 3200 }, colorScheme });
  }
});
