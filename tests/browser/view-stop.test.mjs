// <nt-stop>: every text and number on show held against a run of the test's own, driven by mouse and by keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { probability } from "../../www/core/format.js";
import { fateOf, matched, tooSoon } from "../../www/views/stop/frames.js";
import { REASONS, why } from "../../www/views/stop/words.js";
import { screenshot, setUp, tasks, withPage } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";

/** @import { Page, BrowserContextOptions } from "playwright-core" */
/** @import { Host } from "../../www/elements/host.js" */
/** @import { RunState, Step } from "../../www/api/next-token.js" */

const html = (/** @type {string} */ body) => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>test</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Test</h1>${body}</main><script type="module" src="/define.js"></script></html>`,
});
const site = setUp((url) => {
  if (url.pathname === "/stop") return html(`<nt-stop autoload model="${url.searchParams.get("model") ?? "pocket"}"></nt-stop>`);
  if (url.pathname === "/two") return html("<nt-stop autoload></nt-stop><nt-stop autoload></nt-stop>");
  if (url.pathname === "/shared") return html('<nt-run id="run" autoload></nt-run><nt-stop for="run"></nt-stop>');
  return null;
});

/** Counts what is asked of workers. */
const INIT = `globalThis.asked = 0;
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...args) { globalThis.asked += 1; return send.apply(this, args); };`;

const asks = (/** @type {Page} */ page) => page.evaluate(() => Number(Reflect.get(globalThis, "asked")));

/** @param {string} where @param {(page: Page) => Promise<void>} body @param {BrowserContextOptions} [context] */
const onPage = (where, body, context = {}) =>
  withPage(site.browser, site.origin + where, async (page) => {
    page.setDefaultTimeout(60_000);
    await page.waitForFunction(() => {
      const hosts = /** @type {Host[]} */ ([...document.querySelectorAll("nt-stop, nt-run")].filter((e) => !e.hasAttribute("for")));
      return hosts.length > 0 && hosts.every((h) => h.status === "ready") && [...document.querySelectorAll("nt-stop")].every((e) => e.shadowRoot?.querySelector("nt-stop-lanes h3"));
    });
    await drawn(page);
    await body(page);
  }, { context: { viewport: { width: 1280, height: 1400 }, reducedMotion: "reduce", ...context }, init: INIT });

/** What is on show. @param {Page} page @param {number} [index] */
const view = (page, index = 0) =>
  page.evaluate((index) => {
    const root = document.querySelectorAll("nt-stop")[index]?.shadowRoot;
    if (!root) throw new Error("no view");
    const node = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
    const text = (/** @type {string} */ selector) => (node(selector)?.checkVisibility() ? node(selector)?.textContent ?? "" : "");
    const [eos, length, stop] = [...root.querySelectorAll(".way")].map((w) => ({ reached: w.querySelector(".reached")?.textContent ?? "", ended: w.hasAttribute("data-ended") }));
    return {
      came: text(".holding .came bdi"), note: text(".holding .in small"), held: text(".held"), gate: text(".holding .gate h3"), text: text(".holding .out .text"),
      naive: text(".lane.naive .text"), may: text(".may"), soon: text(".soon:not(.last)"), last: text(".soon.last"), naiveNote: text(".lane.naive .note"),
      slots: [...root.querySelectorAll(".sequence")].map((row) => ({ label: row.getAttribute("aria-label"), there: row.querySelectorAll("[data-there]").length, all: row.childElementCount })),
      dropped: text(".dropped"), struck: node(".dropped") ? getComputedStyle(/** @type {HTMLElement} */ (node(".dropped"))).textDecorationLine : "", tag: text(".tag"), why: text(".why"), passes: text(".passes"), continued: text(".continued"),
      tokens: [...root.querySelectorAll("ol.tokens li")].map((li) => ({ label: li.querySelector("bdi")?.textContent ?? "", fate: li.querySelector(".fate")?.textContent ?? "", now: li.querySelector("[aria-current]") !== null })),
      eos, length, stop, waits: text(".waits"), errors: [...root.querySelectorAll(".error")].map((e) => e.textContent ?? "").filter((t) => t !== ""), start: text("nt-stop-start .note"),
      log: [...root.querySelectorAll("[role=log] p")].map((p) => p.textContent ?? ""), overflow: root.querySelector(".card")?.scrollWidth ?? 0, width: root.querySelector(".card")?.clientWidth ?? 0,
    };
  }, index);

/** A click on a button, and all that follows from it. @param {Page} page @param {string} name @param {number} [times] */
async function press(page, name, times = 1) {
  for (let i = 0; i < times; i++) {
    await page.locator(`nt-stop [data-do="${name}"]`).first().click();
    await still(page);
  }
}
/** Nothing is being computed. @param {Page} page */
async function still(page) {
  await drawn(page);
  await page.waitForFunction(() => !document.querySelector("nt-stop")?.shadowRoot?.querySelector('[data-do="step"]')?.hasAttribute("aria-busy"));
  await drawn(page);
}
/** @param {Page} page @param {string} id */
const preset = async (page, id) => {
  await page.locator(`nt-stop [data-preset="${id}"]`).first().click();
  await drawn(page);
};

/** The same run, made by the test: its state after every token. @param {Page} page @param {object} options @param {string[]} [force] @returns {Promise<{ step: Step, state: RunState }[]>} */
const truth = (page, options, force = []) =>
  page.evaluate(async ({ options, force }) => {
    const engine = /** @type {Host} */ (document.querySelector("nt-stop")).engine;
    const run = await engine?.start(/** @type {never} */ (options));
    if (!engine || !run) throw new Error("no engine");
    await run.prefill();
    const states = [];
    for (const piece of force) states.push({ step: await run.force((await engine.encode(piece))[0]?.id ?? -1), state: run.state });
    while (run.finish === null) states.push({ step: await run.step(), state: run.state });
    run.free();
    return states;
  }, { options, force });

const glyphs = (/** @type {string} */ text) => text.replaceAll("\n", "⏎").replaceAll(" ", "·");
/** @param {Awaited<ReturnType<typeof view>>} shown @param {RunState} state @param {string[]} stops */
function sameTexts(shown, state, stops) {
  assert.equal(shown.text, state.text);
  assert.equal(shown.held, glyphs(state.held));
  assert.equal(shown.naive + shown.may, state.text + glyphs(state.naive.slice(state.text.length)));
  assert.deepEqual(shown.slots.map((s) => s.all), stops.map((s) => s.length));
  stops.forEach((stop, i) => {
    const there = shown.slots[i]?.there ?? -1;
    // As many as the held text ends with, and no more.
    for (let k = 1; k <= stop.length; k++) assert.equal(state.held.endsWith(stop.slice(0, k)) && k > there, false);
    assert.ok(state.held.endsWith(stop.slice(0, there)));
  });
}

test("reasons in words; what is matched, held and cut", () => {
  const choice = /** @type {import("../../www/api/next-token.js").Choice} */ ({ id: 1, text: "a", bytes: [97], special: false, rank: 0, p: 1, pRaw: 1, lo: null, hi: null, coin: null, method: "greedy" });
  const frame = (/** @type {string} */ text, /** @type {string} */ held, /** @type {string} */ naive, /** @type {import("../../www/views/stop/frames.js").Frame["finish"]} */ finish = null) =>
    ({ choice, stop: finish === "stop" ? { reason: /** @type {const} */ ("stop"), joins: true, sequence: "bc" } : null, joined: true, text, held, naive, pending: [], passes: 1, stops: ["bc", "bb"], finish });
  const frames = [frame("a", "b", "ab"), frame("ab", "b", "abb"), frame("ab", "", "abbc", "stop")];
  assert.deepEqual(["bc", "bb"].map((s) => matched(s, frames[1] ?? null)), [1, 1]);
  assert.deepEqual([matched("bc", frames[2] ?? null), matched("bc", null)], [2, 0]);
  assert.deepEqual(frames.map((_, i) => fateOf(frames, i, /** @type {typeof frames[0]} */ (frames[2]))), ["released", "cut", "cut"]);
  assert.deepEqual(fateOf(frames, 1, /** @type {typeof frames[0]} */ (frames[1])), "held");
  assert.equal(fateOf(frames, 0, /** @type {typeof frames[0]} */ (frames[0])), "partly held");
  assert.deepEqual(tooSoon(frames, 3), { shown: "b", last: "c" });
  assert.equal(tooSoon(frames, 2), null);
  const belt = { frames, cursor: 2, live: true, begun: true, prompt: [], stops: [], limit: 9, continued: 0, scripted: false, idle: true, go() {}, goOn() {} };
  for (const finish of /** @type {const} */ (["eos", "length", "stop", "context", "cancelled"])) {
    assert.match(why({ ...belt, finish }), /./, finish);
    assert.match(REASONS[finish].words, /./);
  }
  assert.match(why({ ...belt, finish: "context" }), /^The context is full: .* 2 tokens came\.$/);
  assert.equal(why({ ...belt, finish: null }), "");
});

test("the lesson’s stream: the 11th token ends it; the naive loop had shown ⏎User; without the stop the rest arrives", { timeout: 120_000 }, () =>
  onPage("/stop", async (page) => {
    const SCRIPT = ["Sure", "!", " Here", " is", " the", " answer", ":", " 42", "\n", "User", ":", " next", " question"];
    await preset(page, "script");
    assert.match((await view(page)).start, /^Scripted: these tokens are forced one after another, no model chose them/);
    const stop = "\nUser:";
    let text = "";
    for (const [i, token] of SCRIPT.slice(0, 10).entries()) {
      await press(page, "step");
      const shown = await view(page);
      text += token;
      const held = i === 8 ? "\n" : i === 9 ? "\nUser" : "";
      assert.equal(shown.came, glyphs(token));
      assert.match(shown.note, new RegExp(`^token ${i + 1}, id \\d+, scripted$`));
      assert.equal(shown.text, text.slice(0, text.length - held.length));
      assert.equal(shown.held, glyphs(held));
      assert.equal(shown.naive + shown.may, shown.text + glyphs(held));
      assert.equal(shown.gate, held ? "Gate: shut, may be a stop" : "Gate: open");
      assert.deepEqual(shown.slots.map((s) => [s.there, s.all]), [[held.length, stop.length]]);
      assert.deepEqual(shown.tokens.map((t) => t.fate), SCRIPT.slice(0, i + 1).map((_, k) => (k < 8 ? "released" : "held")));
      assert.equal(shown.tag, "");
    }
    assert.equal(page.workers().length, 2, "the script has an engine of its own, for as long as it is on show");
    await press(page, "step");
    const end = await view(page);
    assert.equal(end.text, "Sure! Here is the answer: 42");
    assert.deepEqual([end.held, end.gate, end.slots[0]?.there], ["", "Gate: complete", 6]);
    assert.deepEqual([end.dropped, end.struck], ["⏎User:", "line-through"]);
    assert.equal(end.tag, "finish reason: stop (stop sequence)");
    assert.match(end.why, /was complete when token 11 arrived\. Trimmed: .*⏎User:.*, 6 characters/);
    assert.deepEqual([end.naive, end.soon, end.last], [end.text, "⏎User", ":"]);
    assert.match(end.naiveNote, /^Shown in error \(boxed\): .*⏎User/);
    assert.equal(end.tokens.length, 11, "neither ` next` nor ` question` was produced");
    assert.deepEqual(end.tokens.slice(8).map((t) => t.fate), ["cut", "cut", "cut"]);
    assert.deepEqual([end.stop?.ended, end.length?.ended, end.eos?.ended], [true, false, false]);
    assert.equal(end.length?.reached, "11 of 60 tokens");
    assert.match(end.log.at(-1) ?? "", /^Finish reason: stop/);
    await screenshot(page, "nt-stop-lesson");

    await page.locator('nt-stop nt-stop-bar select').selectOption("10");
    await press(page, "without");
    await page.waitForFunction(() => document.querySelector("nt-stop")?.shadowRoot?.querySelector(".tag")?.textContent?.includes("eos"));
    await drawn(page);
    const rest = await view(page);
    assert.equal(rest.text, SCRIPT.join(""));
    assert.deepEqual(rest.tokens.map((t) => t.label), [...SCRIPT.map(glyphs), "<END>"]);
    assert.ok(rest.tokens.slice(0, 13).every((t) => t.fate === "released") && rest.tokens[13]?.fate === "joins nothing");
    assert.match(rest.start, /^Scripted/);
    await preset(page, "user");
    await page.waitForTimeout(50);
    assert.equal(page.workers().length, 1, "the script’s engine is given back");
  }));

test("\\nUser: by keyboard: each state is the engine’s; going back asks the worker for nothing", { timeout: 120_000 }, () =>
  onPage("/stop", async (page) => {
    const prompt = await page.locator("nt-stop textarea").first().inputValue();
    const real = await truth(page, { prompt, stop: "\nUser:", maxTokens: 60 });
    assert.equal(real.at(-1)?.state.finish, "stop", "pocket goes on with the user’s turn");
    await page.locator('nt-stop [data-do="step"]').focus();
    /** @type {Awaited<ReturnType<typeof view>>[]} */
    const seen = [];
    for (const [i, { step, state }] of real.entries()) {
      await page.keyboard.press(i % 2 === 0 ? "Space" : "ArrowRight");
      await still(page);
      const shown = await view(page);
      seen.push(shown);
      assert.equal(shown.came, glyphs(step.choice.text));
      assert.ok(shown.note.startsWith(`token ${i + 1}, id ${step.choice.id}, greedy, `), shown.note);
      assert.ok(shown.note.endsWith(`, ${probability(step.choice.pRaw ?? -1)} by the model`), `${shown.note} for ${step.choice.pRaw}`);
      if (state.finish === null) sameTexts(shown, state, ["\nUser:"]);
      assert.equal(shown.length?.reached, `${i + 1} of 60 tokens`);
    }
    const last = /** @type {NonNullable<typeof seen[0]>} */ (seen.at(-1));
    const final = /** @type {RunState} */ (real.at(-1)?.state);
    assert.equal(last.text, final.text);
    assert.equal(last.dropped, glyphs(final.naive.slice(final.text.length)));
    assert.equal(last.naive + last.soon + last.last, final.text + glyphs(final.naive.slice(final.text.length)));

    const asked = await asks(page);
    for (let i = seen.length - 2; i >= 0; i--) {
      await page.keyboard.press("ArrowLeft");
      await drawn(page);
      const { tokens, log, ...shown } = await view(page);
      const { tokens: then, log: _log, ...before } = /** @type {NonNullable<typeof seen[0]>} */ (seen[i]);
      assert.deepEqual(shown, before, `token ${i + 1}`);
      assert.deepEqual(tokens.slice(0, i + 1), then);
    }
    await page.keyboard.press("Home");
    await drawn(page);
    assert.equal((await view(page)).text, "");
    await page.keyboard.press("End");
    await drawn(page);
    assert.equal((await view(page)).tag, last.tag);
    // The list of tokens is one Tab stop; Enter goes to a moment.
    await page.locator("nt-stop ol.tokens button").last().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.deepEqual((await view(page)).tokens.map((t) => t.now), seen.map((_, i) => i === seen.length - 2));
    assert.equal(await asks(page), asked, "nothing was computed");
    assert.equal(await page.locator('nt-stop ol.tokens button[tabindex="0"]').count(), 1);
  }));

test("}, ### and the end-of-text token; tokens of one’s own are let out when the stop doesn’t come", { timeout: 120_000 }, () =>
  onPage("/stop", async (page) => {
    await page.locator('nt-stop nt-stop-bar select').selectOption("10");
    await preset(page, "brace");
    const prompt = await page.locator("nt-stop textarea").first().inputValue();
    const real = await truth(page, { prompt, stop: "}", maxTokens: 60 });
    await press(page, "play");
    await page.waitForFunction(() => document.querySelector("nt-stop")?.shadowRoot?.querySelector(".tag")?.checkVisibility());
    await drawn(page);
    let shown = await view(page);
    const end = /** @type {RunState} */ (real.at(-1)?.state);
    assert.deepEqual([shown.text, shown.dropped, end.finish], [end.text, "}", "stop"]);
    assert.deepEqual([shown.soon, shown.last], ["", "}"]);
    assert.match(shown.naiveNote, /nothing wrong by then/);
    assert.equal(shown.tokens.at(-1)?.fate, "partly cut", "the token holds a quote, too");

    await preset(page, "hashes");
    await press(page, "step");
    await press(page, "force", 2);
    shown = await view(page);
    assert.deepEqual([shown.held, shown.text, shown.slots[0]?.there], ["##", " Paris", 2]);
    assert.match(shown.note, /forced by you$/);
    await press(page, "step");
    const [, , , after] = await truth(page, { prompt: "The capital of France is", stop: "###", maxTokens: 40 }, [" Paris", "#", "#"]);
    shown = await view(page);
    assert.equal(shown.text, after?.state.text, "what was held is released");
    assert.ok(shown.text.startsWith(" Paris##"));
    assert.equal(shown.held, "");

    await press(page, "over");
    await press(page, "step");
    await press(page, "force", 3);
    shown = await view(page);
    assert.deepEqual([shown.text, shown.dropped, shown.soon, shown.last], [" Paris", "###", "##", "#"]);

    await preset(page, "eos");
    await press(page, "step", 3);
    shown = await view(page);
    assert.deepEqual([shown.text, shown.tag], [" Paris.", "finish reason: eos (end-of-text token)"]);
    assert.match(shown.why, /Token 3 is .*<\|endoftext\|>.* It joins nothing; the text has 2 tokens/);
    assert.deepEqual([shown.eos?.ended, shown.stop?.reached, shown.length?.reached], [true, "none in this run", "2 of 60 tokens"]);
  }));

test("cut off by max_tokens: Continue computes no prompt token again, counted", { timeout: 120_000 }, () =>
  onPage("/stop", async (page) => {
    await preset(page, "length");
    const real = await truth(page, { prompt: "Once upon a time", maxTokens: 32 });
    await press(page, "step", 12);
    let shown = await view(page);
    const [cut, end] = [real[11]?.state, real[31]?.state];
    assert.equal(shown.text, cut?.text);
    assert.equal(shown.tag, "finish reason: length (max_tokens reached)");
    assert.match(shown.why, /^Cut off by max_tokens: 12 tokens came, and none was the end-of-text token\./);
    assert.equal(shown.passes, `Counted: ${cut?.passes} token passes for ${cut?.promptLength} prompt tokens and 12 generated tokens.`);
    await page.locator("nt-stop .go-on input").fill("x");
    await press(page, "continue");
    assert.equal((await view(page)).errors.length, 1, "refused in words");
    await page.locator("nt-stop .go-on input").fill("20");
    await page.locator("nt-stop nt-stop-bar select").selectOption("10");
    await page.locator("nt-stop .go-on input").press("Enter");
    await page.waitForFunction(() => document.querySelector("nt-stop")?.shadowRoot?.querySelectorAll("ol.tokens li").length === 32);
    await still(page);
    shown = await view(page);
    assert.equal(shown.text, end?.text);
    assert.match(shown.continued, new RegExp(`Continued after token 12\\. Counted since then: ${(end?.passes ?? 0) - (cut?.passes ?? 0)} token passes for 20 tokens; of the ${cut?.promptLength} prompt tokens and the 12 before, nothing was computed again\\.`));
    assert.equal(shown.passes, `Counted: ${end?.passes} token passes for 4 prompt tokens and 32 generated tokens.`);
    assert.equal(shown.length?.reached, "32 of 32 tokens");
    await screenshot(page, "nt-stop-continued");
  }));

test("limits of one’s own, refusals in words, Stop and on again", { timeout: 120_000 }, () =>
  onPage("/stop", async (page) => {
    await preset(page, "length");
    const [limit, stop] = [page.locator('nt-stop [data-setting="maxTokens"]'), page.locator('nt-stop [data-setting="stop"]')];
    await limit.fill("0");
    await limit.press("Enter");
    await stop.fill("a\\q");
    await stop.blur();
    await drawn(page);
    let shown = await view(page);
    assert.equal(shown.errors.length, 2);
    assert.match(shown.errors[0] ?? "", /out of range.*It stays 12/);
    assert.match(shown.errors[1] ?? "", /no escape/);
    await limit.fill("40");
    await limit.press("Enter");
    await stop.fill(" called\n girl c");
    await stop.blur();
    await drawn(page);
    assert.deepEqual((await view(page)).errors, []);
    const real = await truth(page, { prompt: "Once upon a time", stop: [" called", " girl c"], maxTokens: 40 });
    for (const { state } of real) {
      await press(page, "step");
      shown = await view(page);
      if (state.finish === null) sameTexts(shown, state, [" called", " girl c"]);
    }
    assert.equal(shown.text, real.at(-1)?.state.text);
    assert.equal(shown.tokens.find((t) => t.label === "·girl")?.fate, "cut", "the earlier of two stop sequences cuts");
    await limit.fill("30");
    await limit.press("Enter");
    await drawn(page);
    assert.match((await view(page)).waits, /applies from the next run/);

    // Stop in the middle of playing, then go on; the text is that of a run without a stop.
    await preset(page, "length");
    await limit.fill("30");
    await limit.press("Enter");
    await page.locator("nt-stop nt-stop-bar select").selectOption("10");
    await press(page, "play");
    await page.waitForFunction(() => (document.querySelector("nt-stop")?.shadowRoot?.querySelectorAll("ol.tokens li").length ?? 0) > 2);
    await page.keyboard.press("Escape");
    await still(page);
    shown = await view(page);
    assert.equal(shown.tag, "finish reason: cancelled (stopped by you)");
    const whole = await truth(page, { prompt: "Once upon a time", maxTokens: 30 });
    assert.equal(shown.text, whole[shown.tokens.length - 1]?.state.text);
    await press(page, "step");
    shown = await view(page);
    assert.equal(shown.text, whole[shown.tokens.length - 1]?.state.text);
    assert.equal(shown.tag, "");
  }));

test("for: the shared run’s gate, on every branch and at every place; its limits are edited here", { timeout: 120_000 }, () =>
  onPage("/shared", async (page) => {
    const check = async () => {
      await drawn(page);
      const shown = await view(page);
      const snap = await page.evaluate(() => {
        const { player } = /** @type {Host} */ (document.querySelector("nt-run"));
        const { timeline } = player;
        return { ...timeline.snapshot, generated: timeline.generated, finish: player.finish, stops: player.started?.stop ?? [], state: player.run?.state.text };
      });
      assert.equal(shown.text, snap.text ?? "");
      if (snap.finish === "stop") assert.equal(shown.naive + shown.soon + shown.last, (snap.text ?? "") + glyphs((snap.naive ?? "").slice(snap.text?.length)));
      else assert.equal(shown.held, glyphs(snap.held ?? ""));
      assert.equal(shown.tokens.filter((t) => t.fate !== "").length, snap.generated);
      return shown;
    };
    const does = (/** @type {string} */ what) => page.evaluate(async (what) => {
      const { player } = /** @type {Host} */ (document.querySelector("nt-run"));
      if (what === "start") await player.start();
      else if (what === "token") await player.token();
      else if (what === "back") player.backToken();
      else if (what === "force") await player.force(player.timeline.turns[1]?.distribution?.candidates[1]?.id ?? -1);
      else if (what === "first") player.visit(/** @type {never} */ (player.branches[0]), player.branches[0]?.timeline.edge);
    }, what);
    await page.locator('nt-stop [data-setting="stop"]').fill(" girl called");
    await page.locator('nt-stop [data-setting="stop"]').blur();
    await page.locator('nt-stop [data-setting="maxTokens"]').fill("9");
    await page.locator('nt-stop [data-setting="maxTokens"]').press("Enter");
    assert.deepEqual(await page.evaluate(() => { const { stop, maxTokens } = /** @type {Host} */ (document.querySelector("nt-run")).player.settings; return { stop, maxTokens }; }), { stop: [" girl called"], maxTokens: 9 });
    await page.locator("nt-run nt-prompt textarea").fill("Once upon a time");
    await does("start");
    for (let i = 0; i < 7; i++) {
      await does("token");
      await check();
    }
    const end = await check();
    assert.equal(end.tag, "finish reason: stop (stop sequence)");
    assert.equal(end.dropped, "·girl·called");
    await does("back");
    assert.equal((await check()).held, "·girl");
    await page.locator("nt-stop ol.tokens button").nth(1).click();
    assert.equal(await page.evaluate(() => /** @type {Host} */ (document.querySelector("nt-run")).player.timeline.generated), 2);
    await check();
    await does("force");
    for (let i = 0; i < 7; i++) await does("token");
    const other = await check();
    await does("first");
    assert.equal((await check()).text, end.text);
    assert.notEqual(other.text, end.text);

    // Continue there: the player's own way on.
    await page.locator('nt-stop [data-setting="stop"]').fill("");
    await page.locator('nt-stop [data-setting="stop"]').blur();
    await drawn(page);
    assert.match((await view(page)).waits, /Press Start at the prompt/);
    await does("start");
    for (let i = 0; i < 9; i++) await does("token");
    assert.equal((await check()).tag, "finish reason: length (max_tokens reached)");
    await press(page, "continue");
    await does("token");
    const on = await check();
    assert.match(on.continued, /Continued after token 9\. Counted since then: 1 token pass for 1 token; .*nothing was computed again/);
  }));

test("axe finds nothing and nothing is cut: ready, midway, ended, refused, continued", { timeout: 240_000 }, async () => {
  for (const [width, colorScheme] of /** @type {const} */ ([[1280, "light"], [375, "dark"], [320, "light"]])) {
    await onPage("/stop", async (page) => {
      const check = async (/** @type {string} */ state) => {
        assert.deepEqual(await violations(page), [], `${state}, ${width}`);
        const { overflow, width: inner } = await view(page);
        assert.ok(overflow <= inner, `${state}: ${overflow} px in ${inner}`);
        await screenshot(page, `nt-stop-${state}-${width}-${colorScheme}`);
      };
      await check("ready");
      await press(page, "step", 3);
      await check("midway");
      await press(page, "step");
      await page.locator("nt-stop .end summary").click();
      await check("ended");
      await page.locator('nt-stop [data-setting="maxTokens"]').fill("abc");
      await page.locator('nt-stop [data-setting="maxTokens"]').press("Enter");
      await page.locator("nt-stop nt-stop-start textarea").fill("");
      await press(page, "over");
      await press(page, "step");
      assert.match((await view(page)).errors.join(" "), /The prompt is empty/);
      await check("refused");
      await preset(page, "hashes");
      await check("forcing");
      const small = await page.evaluate(() => [...(document.querySelector("nt-stop")?.shadowRoot?.querySelectorAll("nt-stop-start button, nt-stop-bar button, nt-stop-bar select, nt-stop-bar summary, ol.tokens button") ?? [])].map((b) => b.getBoundingClientRect()).filter((r) => r.width > 0 && (r.width < 24 || r.height < 24)).length);
      assert.equal(small, 0, "targets");
    }, { viewport: { width, height: 3200 }, colorScheme });
  }
});

test("two of them, one worker; one removed while it plays; the other and a new one go on", { timeout: 120_000 }, () =>
  onPage("/two", async (page) => {
    assert.equal(page.workers().length, 1);
    await page.evaluate(() => document.querySelectorAll("nt-stop").forEach((e) => /** @type {HTMLElement | null} */ (e.shadowRoot?.querySelector('[data-do="play"]'))?.click()));
    await page.waitForFunction(() => [...document.querySelectorAll("nt-stop")].every((e) => (e.shadowRoot?.querySelectorAll("ol.tokens li").length ?? 0) >= 1));
    await page.evaluate(() => {
      const [a] = document.querySelectorAll("nt-stop");
      a?.remove();
      Object.assign(globalThis, { removed: a });
    });
    await page.waitForFunction(() => document.querySelector("nt-stop")?.shadowRoot?.querySelector(".tag")?.checkVisibility());
    const real = await truth(page, { prompt: await page.locator("nt-stop textarea").first().inputValue(), stop: "\nUser:", maxTokens: 60 });
    assert.equal((await view(page)).text, real.at(-1)?.state.text);
    await page.evaluate(() => document.querySelector("main")?.append(/** @type {{ removed: Node }} */ (/** @type {unknown} */ (globalThis)).removed));
    await page.waitForFunction(() => [...document.querySelectorAll("nt-stop")].every((e) => /** @type {Host} */ (e).status === "ready"));
    await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelectorAll("nt-stop")[1]?.shadowRoot?.querySelector('[data-do="step"]'))?.click());
    await page.waitForFunction(() => document.querySelectorAll("nt-stop")[1]?.shadowRoot?.querySelectorAll("ol.tokens li").length === 1);
    await drawn(page);
    assert.equal((await view(page, 1)).text, real[0]?.state.text);
    assert.equal(page.workers().length, 1);
  }));

test("the table: its own presets; another model in its place, and on", { timeout: 120_000 }, () =>
  onPage("/stop?model=table", async (page) => {
    const ids = () => page.evaluate(() => [...(document.querySelector("nt-stop")?.shadowRoot?.querySelectorAll("[data-preset]") ?? [])].map((b) => b.getAttribute("data-preset")));
    assert.deepEqual(await ids(), ["eos", "dot", "script"]);
    await press(page, "step", 3);
    let shown = await view(page);
    assert.equal(shown.text, " Paris .");
    assert.deepEqual([shown.tag, shown.came], ["finish reason: eos (end-of-text token)", "<END>"]);
    await preset(page, "dot");
    await press(page, "step", 2);
    shown = await view(page);
    assert.deepEqual([shown.text, shown.dropped], [" Paris ", "."]);
    await page.evaluate(() => /** @type {Host} */ (document.querySelector("nt-stop")).setAttribute("model", "pocket"));
    await page.waitForFunction(() => /** @type {Host | null} */ (document.querySelector("nt-stop"))?.engine?.info.architecture === "llama");
    await drawn(page);
    assert.deepEqual(await ids(), ["user", "brace", "hashes", "length", "eos", "script"]);
    await press(page, "step", 4);
    assert.equal((await view(page)).tag, "finish reason: stop (stop sequence)");
    // The page around it may set the prompt.
    await page.evaluate(() => Object.assign(/** @type {Host} */ (document.querySelector("nt-stop")), { prompt: "The capital of Italy is" }));
    await drawn(page);
    assert.match((await view(page)).waits, /Press Start over/);
    await press(page, "over");
    await press(page, "step");
    assert.equal((await view(page)).text, " Rome");
  }));

test("no task over 50 ms while a run is followed at full speed", { timeout: 120_000 }, () =>
  onPage("/shared", async (page) => {
    const spent = await tasks(site.browser, page, () => page.evaluate(async () => {
      const { player } = /** @type {Host} */ (document.querySelector("nt-run"));
      player.prompt = "Once upon a time";
      await player.set({ maxTokens: 200, stop: ["\nUser:"], temperature: 0.7, seed: 1 });
      player.speed = "full";
      await player.play();
    }));
    assert.ok(spent.length > 50 && Math.max(...spent) <= 50, `${Math.max(...spent)} ms of ${spent.length} tasks`);
    const shown = await view(page);
    assert.equal(shown.text, await page.evaluate(() => /** @type {Host} */ (document.querySelector("nt-run")).run?.text));
  }));
