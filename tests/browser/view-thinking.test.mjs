// <nt-thinking>: the lanes, the batch and the begun answer, each shown number computed anew from runs of the test's own.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { heldOutProblem, heldOutProblems, readProblem, sum, sumIsHeldOut, SYLLABLES, wordIsHeldOut } from "../../www/views/thinking/problems.js";
import { overlap, verdict, wilson } from "../../www/views/thinking/statistics.js";
import { readLast, readLine } from "../../www/views/thinking/ways.js";
import { ROOT, fixture, screenshot, setUp, tasks, withPage } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";

/** @import { Page, BrowserContextOptions } from "playwright-core" */

const site = setUp((url) => {
  if (url.pathname !== "/thinking") return null;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>test</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Test</h1>${url.searchParams.get("body") ?? ""}</main>
    <script type="module" src="/blank.js"></script><script type="module" src="/define.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
});

const POCKET = '<nt-thinking autoload model="pocket"></nt-thinking>';

/** @param {string} body @param {(page: Page) => Promise<void>} act @param {BrowserContextOptions} [context] */
const onThinking = (body, act, context = {}) =>
  withPage(site.browser, `${site.origin}/thinking?body=${encodeURIComponent(body)}`, async (page) => {
    page.setDefaultTimeout(60_000);
    await act(page);
  }, { context: { viewport: { width: 1280, height: 2000 }, reducedMotion: "reduce", ...context } });

/** Waits until the lanes can be used. @param {Page} page */
const ready = (page) => page.locator('nt-thinking [data-do="play-both"]').first().waitFor();

/** @param {Page} page @param {string} name */
const press = async (page, name) => {
  await page.locator(`nt-thinking [data-do="${name}"]`).click();
  await drawn(page);
};

/** What the lanes show. @param {Page} page @param {number} [which] the element */
const lanes = (page, which = 0) => page.evaluate((n) => {
  const root = document.querySelectorAll("nt-thinking")[n]?.shadowRoot;
  return ["bare", "steps"].map((way) => {
    const lane = root?.querySelector(`.lane.${way}`);
    const text = (/** @type {string} */ selector) => {
      const node = lane?.querySelector(selector);
      return node instanceof HTMLElement && node.checkVisibility() ? node.innerText.replaceAll(/[\u2068\u2069]/g, "") : "";
    };
    const boxes = [...(lane?.querySelectorAll(".passes li") ?? [])];
    return {
      boxes: boxes.map((li) => li.querySelector("bdi")?.textContent ?? ""), count: text(".count"), read: text(".read"), result: text(".result"),
      answer: boxes.filter((li) => li.hasAttribute("data-answer")).map((li) => li.querySelector("bdi")?.textContent).join(""),
    };
  });
}, which);

/** Waits until both lanes are over. @param {Page} page @param {number} [which] */
const over = (page, which = 0) => page.waitForFunction((n) => {
  const root = document.querySelectorAll("nt-thinking")[n]?.shadowRoot;
  return [...(root?.querySelectorAll(".lane .result") ?? [])].every((node) => node instanceof HTMLElement && !node.hidden) && !/** @type {HTMLElement} */ (root?.querySelector(".duel > .outcome")).hidden;
}, which);

/** @typedef {{ pieces: string[], ids: number[], text: string, finish: string | null, prompt: number, passes: number, p: number[] }} Truth */

/**
 * Runs of the test's own, on an engine of its own, each token's probability from the raw logits.
 * @param {Page} page @param {(import("../../www/api/next-token.js").StartOptions & { prompt?: string })[]} all @param {{ model?: "pocket" | "smollm2", scores?: boolean }} [options]
 * @returns {Promise<Truth[]>}
 */
const truths = (page, all, { model = "pocket", scores = false } = {}) => page.evaluate(async ({ all, model, scores }) => {
  const engine = await nextToken.load({ model });
  const found = [];
  for (const options of all) {
    const run = await engine.start(options);
    await run.prefill();
    /** @type {Truth} */
    const truth = { pieces: [], ids: [], text: "", finish: null, prompt: run.state.promptLength, passes: 0, p: [] };
    while (run.finish === null) {
      const { choice } = await run.step();
      truth.pieces.push(choice.text);
      truth.ids.push(choice.id);
      if (!scores) continue;
      const { values } = await run.logits();
      const most = values.reduce((a, b) => Math.max(a, b));
      truth.p.push(Math.exp(/** @type {number} */ (values[choice.id]) - most) / values.reduce((a, b) => a + Math.exp(b - most), 0));
    }
    Object.assign(truth, { text: run.text, finish: run.finish, passes: run.state.passes });
    found.push(truth);
    run.free();
  }
  engine.free();
  return found;
}, { all, model, scores });

/** As the exam reads it, in the test's own words. @param {Truth} truth @param {string} right */
const isRight = ({ text, finish }, right) => finish === "eos" && text.split("Answer:").at(-1)?.trim().split("\n")[0] === right;

const glyphs = (/** @type {string} */ text) => text.replaceAll(" ", "·").replaceAll("\n", "⏎");

test("the problems are the small world’s, to the bit: same numbers, same words, same rule", async () => {
  const rust = await fixture("held-out-problems.json");
  for (const [kind, list] of /** @type {const} */ ([["sum", rust.sums], ["word", rust.words]])) {
    assert.ok(list.length >= 60);
    list.forEach((/** @type {object} */ problem, /** @type {number} */ index) => {
      const { bare, steps, answer, heldOut } = heldOutProblem(kind, index);
      assert.deepEqual({ bare, steps, answer }, problem, `${kind} ${index}`);
      assert.ok(heldOut);
    });
  }
  let [triples, ordered] = [0, 0];
  for (let a = 0; a < 100; a++) {
    for (let b = a; b < 100; b++) {
      for (let c = b; c < 100; c++) {
        if (!sumIsHeldOut([c, a, b])) continue;
        if (a >= 10) triples += 1;
        ordered += a === b && b === c ? 1 : a === b || b === c ? 3 : 6;
      }
    }
  }
  assert.deepEqual([triples, ordered], [rust.heldOutTriples, rust.heldOutOrdered]);
  for (const numbers of rust.some) assert.ok(sumIsHeldOut(numbers));
  // What training had is not held out.
  for (const prompt of rust.trained) assert.equal(sumIsHeldOut(prompt.match(/\d+/g).map(Number)), false, prompt);
  for (const prompt of rust.trainedWords) assert.equal(wordIsHeldOut(prompt.match(/Word: (\w+)/)[1]), false, prompt);
  const data = (await readFile(path.join(ROOT, "pocket/world/data/syllables.txt"), "utf8")).trimEnd().split("\n");
  assert.deepEqual([SYLLABLES.open.join(" "), SYLLABLES.last.join(" ")], data);
  assert.equal(new Set(heldOutProblems("word", 200).map(({ text }) => text)).size, 200);
});

test("Wilson’s interval, the sentence over two of them, and how an answer is read", () => {
  for (const [right, of] of /** @type {const} */ ([[26, 200], [7, 50], [50, 50], [0, 50], [1, 3]])) {
    const { share, low, high } = wilson(right, of);
    assert.equal(share, right / of);
    // The interval’s definition: at its ends the share lies 1.96 standard errors away.
    for (const end of [low, high]) if (end > 0 && end < 1) assert.ok(Math.abs((share - end) ** 2 - (1.959963984540054 ** 2 * end * (1 - end)) / of) < 1e-12);
    assert.ok(low >= 0 && low <= share && share <= high && high <= 1);
  }
  const card = wilson(26, 200);
  assert.deepEqual([card.low, card.high].map((x) => (100 * x).toFixed(1)), ["9.0", "18.4"], "as in pocket’s card");
  assert.match(verdict(wilson(20, 50), wilson(25, 50), { bare: 5, steps: 35 }), /overlap: by them alone, 50 problems don’t tell the two ways apart\.$/);
  assert.match(verdict(wilson(7, 50), wilson(50, 50), { bare: 5, steps: 35 }), /apart: the written steps make it right more often, with 7\.0 times as many tokens written\.$/);
  assert.match(verdict(wilson(50, 50), wilson(7, 50), { bare: 5, steps: 35 }), /wrong more often/);
  assert.equal(overlap(wilson(7, 50), wilson(50, 50)), false);
  assert.deepEqual([" 171", " 6 + 5 = 11\nAnswer: 172\nmore", "  ", " 12<|x|> 3"].map((text) => readLine(text)?.text ?? null), ["171", "172", null, "12"]);
  assert.deepEqual(["27 + 58 is 85, so 1,121.", "none"].map((text) => readLast(text, sum([1, 2, 3]))?.text ?? null), ["1121", null]);
  for (const typed of [["", "1", "2"], ["100", "1", "2"], ["1", "-2", "3"], ["1", "2", "3.5"], ["1", "2", "x"]]) assert.ok("refused" in readProblem("sum", typed), `${typed}`);
  const own = readProblem("sum", ["7", " 58", "36"]);
  assert.ok("value" in own && own.value.answer === "101");
});

test("lanes: every box is a token of the run, every count the counter’s, the truth is arithmetic", { timeout: 120_000 }, () =>
  onThinking(POCKET, async (page) => {
    await ready(page);
    const problem = heldOutProblem("sum", 0);
    const [bare, steps] = await truths(page, [{ prompt: problem.bare, maxTokens: 32 }, { prompt: problem.steps, maxTokens: 112 }], { scores: true });
    assert.ok(bare && steps);
    // Pass by pass: by mouse, by the arrow key, by the keyboard on the button.
    await press(page, "pass");
    await page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".lane.bare li").length === 1);
    await page.locator('nt-thinking [data-do="pass"]').focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".lane.bare li").length === 2);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".lane.steps li").length === 3);
    await drawn(page);
    const three = await lanes(page);
    assert.deepEqual(three.map(({ boxes }) => boxes), [bare, steps].map(({ pieces }) => pieces.slice(0, 3).map(glyphs)));
    assert.match(three[1]?.count ?? "", new RegExp(`3 tokens written: 1 from reading the prompt \\+ 2 decode passes\\. ${steps.prompt + 2} tokens computed`));
    assert.equal(three[0]?.result, "");
    assert.deepEqual(await violations(page), [], "mid-run");
    await press(page, "play-both");
    await over(page);
    const end = await lanes(page);
    [bare, steps].forEach((truth, i) => {
      const lane = /** @type {NonNullable<typeof end[0]>} */ (end[i]);
      assert.deepEqual(lane.boxes, truth.pieces.map(glyphs));
      assert.equal(truth.passes, truth.prompt + truth.pieces.length - 1, "the last token isn’t fed back");
      assert.match(lane.count, new RegExp(`^${truth.pieces.length} tokens written.*\\+ ${truth.pieces.length - 1} decode passes\\. ${truth.passes} tokens computed`));
      assert.match(lane.read, new RegExp(`^${truth.prompt} prompt tokens`));
      const answer = truth.text.split("Answer:").at(-1)?.trim();
      assert.equal(lane.answer, answer);
      assert.equal(lane.result, `${isRight(truth, String(86 + 65 + 21)) ? "✓ right" : "✗ wrong"} It answers “${answer}”. 86 + 65 + 21 = ${86 + 65 + 21}, by this page’s arithmetic.`);
    });
    assert.match(end[0]?.result ?? "", /wrong/);
    assert.match(end[1]?.result ?? "", /right/);
    // One Tab stop a lane; the arrows walk it, and each token’s numbers are the run’s.
    const stops = await page.evaluate(() => [...(document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".lane") ?? [])].map((lane) => [...lane.querySelectorAll("li")].filter((li) => li.tabIndex === 0).length));
    assert.deepEqual(stops, [1, 1]);
    await page.locator("nt-thinking .lane.steps li").first().focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    const detail = await page.locator("nt-thinking .lane.steps .detail").innerText();
    const p = Number(/model probability .*?\(([\d.e-]+)\)/.exec(detail)?.[1]);
    assert.ok(Math.abs(p - /** @type {number} */ (steps.p[5])) < 1e-6, `${detail}, ${steps.p[5]}`);
    assert.match(detail, new RegExp(`id ${steps.ids[5]}: token 6, from decode pass 5, .*\\(${steps.prompt + 5} computed by then`));
    assert.equal((await lanes(page))[1]?.boxes.length, steps.pieces.length, "the arrows in the list make no pass");
    assert.deepEqual(await violations(page), [], "end");
  }));

test("lanes: pause keeps what is computed, an own problem is checked, held-out ones come in the same order", { timeout: 120_000 }, () =>
  onThinking(POCKET, async (page) => {
    await ready(page);
    const fields = page.locator("nt-thinking .numbers input");
    await page.locator("nt-thinking .duel select").selectOption("slow");
    await press(page, "play-both");
    await page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".lane.steps li").length === 2);
    await page.keyboard.press("Escape");
    await drawn(page);
    const paused = (await lanes(page))[1]?.boxes ?? [];
    await page.waitForTimeout(1200);
    assert.deepEqual((await lanes(page))[1]?.boxes, paused, "nothing moves after a pause");
    assert.equal(await page.locator('nt-thinking [data-do="play-both"]').innerText(), "Go on");
    await page.locator("nt-thinking .duel select").selectOption("full");
    await press(page, "play-both");
    await over(page);
    assert.deepEqual((await lanes(page))[1]?.boxes.slice(0, paused.length), paused);
    // Refused in words, tied to its field.
    await fields.nth(1).fill("5x");
    await press(page, "play-both");
    assert.match(await page.locator("nt-thinking .duel form .error").innerText(), /“5x” is no whole number/);
    assert.equal(await fields.nth(1).getAttribute("aria-invalid"), "true");
    assert.deepEqual(await violations(page), [], "refused");
    await screenshot(page, "thinking-refused");
    await fields.nth(1).fill("58");
    await fields.nth(0).fill("7");
    await fields.nth(2).fill("36");
    await fields.nth(2).press("Enter");
    await over(page);
    assert.match(await page.locator("nt-thinking .known").innerText(), /^Your own.*two-digit numbers only/);
    const own = await lanes(page);
    for (const lane of own) assert.match(lane.result, /7 \+ 58 \+ 36 = 101, by/);
    const truth = await truths(page, [{ prompt: sum([7, 58, 36]).bare, maxTokens: 32 }, { prompt: sum([7, 58, 36]).steps, maxTokens: 112 }]);
    assert.deepEqual(own.map(({ boxes }) => boxes), truth.map(({ pieces }) => pieces.map(glyphs)));
    for (const index of [1, 2]) {
      await press(page, "draw");
      assert.deepEqual(await fields.evaluateAll((all) => all.map((f) => Number(/** @type {HTMLInputElement} */ (f).value))), heldOutProblem("sum", index).numbers);
      assert.match(await page.locator("nt-thinking .known").innerText(), new RegExp(`^Held-out problem ${index + 1}\\. It was in no text`));
    }
    await page.getByLabel("Words backwards").check();
    await drawn(page);
    const word = heldOutProblem("word", 0);
    assert.equal(await page.getByLabel("Word", { exact: true }).inputValue(), word.text);
    await press(page, "play-both");
    await over(page);
    const [bare] = await truths(page, [{ prompt: word.bare, maxTokens: 32 }]);
    const lane = (await lanes(page))[0];
    assert.deepEqual(lane?.boxes, bare?.pieces.map(glyphs));
    assert.ok(bare && lane?.result.startsWith(isRight(bare, [...word.text].reverse().join("-")) ? "✓ right" : "✗ wrong"));
  }));

/** What the batch shows. @param {Page} page */
const batch = (page) => page.evaluate(() => {
  const root = document.querySelector("nt-thinking")?.shadowRoot;
  if (!root) throw new Error("no element");
  const figure = (/** @type {string} */ name) => {
    const cell = root.querySelector(`[data-figure="${name}"]`);
    return { text: cell?.textContent ?? "", title: cell instanceof HTMLElement ? cell.title : "" };
  };
  const ways = ["bare", "steps"].map((way) => Object.fromEntries(["right", "share", "interval", "written", "passes"].map((name) => [name, figure(`${way} ${name}`)])));
  const rows = [...root.querySelectorAll("tr[data-problem]")].map((tr) => ({
    problem: tr.getAttribute("data-problem") ?? "", hidden: tr instanceof HTMLElement && tr.hidden,
    cells: [...tr.querySelectorAll("td")].map((td) => ({ right: td.dataset.right === "true", said: td.querySelector("bdi")?.textContent ?? "", cost: td.querySelector("small")?.textContent ?? "" })),
  }));
  return {
    ways, rows, done: root.querySelector(".done")?.textContent ?? "", verdict: root.querySelector(".verdict")?.textContent ?? "",
    bar: /** @type {HTMLProgressElement} */ (root.querySelector(".trials progress")).value,
  };
});

const finished = (/** @type {Page} */ page, /** @type {number} */ n) => page.waitForFunction((n) => {
  const root = document.querySelector("nt-thinking")?.shadowRoot;
  return root?.querySelector(".done")?.textContent === `${n} of ${n}` && root.querySelector('[data-do="cancel-trials"]')?.getAttribute("aria-disabled") === "true";
}, n);

test("50 problems both ways: cancel at once, go on, and every figure from runs of the test’s own", { timeout: 300_000 }, () =>
  onThinking(POCKET, async (page) => {
    await ready(page);
    await press(page, "trials");
    await page.waitForFunction(() => document.querySelectorAll("nt-thinking")[0]?.shadowRoot?.querySelectorAll("tr[data-problem]").length === 3);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector("nt-thinking")?.shadowRoot?.querySelector('[data-do="cancel-trials"]')).click());
    await drawn(page);
    const cut = await batch(page);
    assert.match(cut.done, /^\d+ of 50, cancelled$/);
    assert.ok(cut.rows.length >= 3 && cut.rows.length < 50);
    await page.waitForTimeout(400);
    assert.equal((await batch(page)).rows.length, cut.rows.length, "nothing comes after a cancel");
    assert.match(cut.verdict, new RegExp(`^So far, ${cut.rows.length} problems\\.`));
    assert.deepEqual(await violations(page), [], "cancelled");
    await press(page, "trials");
    await finished(page, 50);
    await drawn(page);
    const shown = await batch(page);

    const problems = heldOutProblems("sum", 50);
    const all = await truths(page, problems.flatMap(({ bare, steps }) => [{ prompt: bare, maxTokens: 32 }, { prompt: steps, maxTokens: 112 }]));
    const ways = [0, 1].map((way) => all.filter((_, i) => i % 2 === way));
    const answers = problems.map(({ text }) => String(text.split(" + ").reduce((a, b) => a + Number(b), 0)));
    const right = ways.map((way) => way.filter((truth, i) => isRight(truth, /** @type {string} */ (answers[i]))).length);
    ways.forEach((way, i) => {
      const { low, high } = wilson(/** @type {number} */ (right[i]), 50);
      const figures = shown.ways[i];
      assert.equal(figures?.right?.text, `${right[i]} of 50`);
      assert.equal(figures?.share?.title, String(/** @type {number} */ (right[i]) / 50));
      assert.equal(figures?.interval?.title, `${low} to ${high}`);
      for (const [name, value] of /** @type {const} */ ([["written", (/** @type {Truth} */ t) => t.pieces.length], ["passes", (/** @type {Truth} */ t) => t.passes]])) {
        const mean = way.reduce((sum, truth) => sum + value(truth), 0) / 50;
        assert.ok(Math.abs(Number(figures?.[name]?.title) - mean) < 1e-9, `${name}: ${figures?.[name]?.title}, ${mean}`);
        assert.equal(figures?.[name]?.text, mean.toFixed(1));
      }
    });
    const [bare, steps] = right.map((n) => wilson(n, 50));
    assert.ok(bare && steps && steps.low > bare.high, "written steps are worth a lot here");
    assert.match(shown.verdict, new RegExp(`^Right at once: ${right[0]} of 50 .*In steps: ${right[1]} of 50 .*intervals are apart: the written steps make it right more often`));
    assert.equal(shown.rows.length, 50);
    for (const { problem, cells } of shown.rows) {
      const i = problems.findIndex(({ text }) => text === problem);
      assert.ok(i >= 0, problem);
      cells.forEach((cell, way) => {
        const truth = /** @type {Truth} */ (ways[way]?.[i]);
        assert.deepEqual(cell, { right: isRight(truth, /** @type {string} */ (answers[i])), said: truth.text.split("Answer:").at(-1)?.trim(), cost: `${truth.pieces.length} written, ${truth.passes} computed` });
      });
    }
    const wrong = shown.rows.map(({ cells }) => cells.filter((cell) => !cell.right).length);
    assert.deepEqual(wrong, [...wrong].sort((a, b) => b - a), "failures first");

    // The table: one Tab stop, filters, and a problem opened in the lanes.
    await page.locator("nt-thinking .results > details > summary").click();
    await page.getByLabel("show", { exact: true }).selectOption("steps");
    assert.equal((await batch(page)).rows.filter(({ hidden }) => !hidden).length, 50 - /** @type {number} */ (right[1]));
    await page.getByLabel("show", { exact: true }).selectOption("bare");
    assert.equal((await batch(page)).rows.filter(({ hidden }) => !hidden).length, 50 - /** @type {number} */ (right[0]));
    assert.equal(await page.locator('nt-thinking button.open[tabindex="0"]:visible').count(), 1);
    await page.locator('nt-thinking button.open[tabindex="0"]:visible').focus();
    await page.keyboard.press("ArrowDown");
    const opened = await page.evaluate(() => document.querySelector("nt-thinking")?.shadowRoot?.activeElement?.textContent ?? "");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal((await page.locator("nt-thinking .numbers input").evaluateAll((f) => f.map((x) => /** @type {HTMLInputElement} */ (x).value))).join(" + "), opened);
    // The plot is drawn from the same figures.
    await page.locator("nt-thinking .plot summary").click();
    await drawn(page);
    const table = await page.locator("nt-thinking .plot table").innerText();
    assert.match(table, new RegExp(`${right[0]} of 50[\\s\\S]*${right[1]} of 50`));
    assert.deepEqual(await violations(page), [], "done");
    await page.locator('nt-thinking [data-do="trials"]').click();
    await finished(page, 100);
    assert.equal((await batch(page)).rows.length, 100);
  }));

test("a begun answer: both first distributions are softmax of run.logits(), and JSON.parse decides", { timeout: 120_000 }, () =>
  onThinking(POCKET, async (page) => {
    await ready(page);
    const wait = () => page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".json:not([hidden])").length === 2);
    for (const question of ["What is the capital of France?", "How many legs does a crow have?"]) {
      await page.getByLabel("Question").fill(question);
      await page.getByLabel("Question").press("Enter");
      await wait();
      await drawn(page);
      const truth = await page.evaluate(async (content) => {
        const engine = await nextToken.load();
        const [{ pieces }, [brace]] = [await engine.render([{ role: "user", content }]), await engine.encode("{", { special: false })];
        const found = [];
        for (const begun of [false, true]) {
          const run = await engine.start({ prompt: [...pieces, ...(begun && brace ? [brace] : [])].map(({ id }) => id), maxTokens: 64 });
          await run.prefill();
          const { values } = await run.logits();
          const most = values.reduce((a, b) => Math.max(a, b));
          const all = values.reduce((a, b) => a + Math.exp(b - most), 0);
          const p = Array.from(values, (x) => Math.exp(x - most) / all);
          const order = p.map((_, id) => id).sort((a, b) => /** @type {number} */ (p[b]) - /** @type {number} */ (p[a]) || a - b).slice(0, 6);
          while (run.finish === null) await run.step();
          const text = (begun ? "{" : "") + run.text;
          let json = "";
          try {
            json = `an object with ${Object.keys(JSON.parse(text)).map((key) => `“${key}”`).join(", ")}`;
          } catch (error) {
            json = error instanceof Error ? error.message : "";
          }
          found.push({ order, top: order.map((id) => p[id]), rest: 1 - order.reduce((sum, id) => sum + /** @type {number} */ (p[id]), 0), others: values.length - 6, brace: p[brace?.id ?? -1], text, json, passes: run.state.passes, prompt: run.state.promptLength });
        }
        engine.free();
        return found;
      }, question);
      const shown = await page.evaluate(() => [...(document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".beginning") ?? [])].map((column) => ({
        rows: [...column.querySelectorAll("tbody tr")].map((tr) => ({ p: Number(/** @type {HTMLElement} */ (tr.querySelector("td.bar")).title), bar: Number.parseFloat(/** @type {HTMLElement} */ (tr.querySelector("td.bar")).style.getPropertyValue("--p")), title: tr.querySelector("th")?.title ?? "", token: tr.querySelector("th")?.textContent ?? "" })),
        text: column.querySelector(".wrote")?.textContent ?? "", json: column.querySelector(".json")?.textContent?.replaceAll(/[\u2068\u2069]/g, "") ?? "", cost: column.querySelector(".json + .notes")?.textContent ?? "",
        brace: column.querySelector(".notes")?.getAttribute("title") ?? "", caption: column.querySelector("caption")?.textContent ?? "",
      })));
      assert.equal(shown.length, 2);
      shown.forEach((column, i) => {
        const t = /** @type {NonNullable<typeof truth[0]>} */ (truth[i]);
        t.top.forEach((p, k) => assert.ok(Math.abs(/** @type {number} */ (column.rows[k]?.p) - /** @type {number} */ (p)) < 1e-6, `${question} ${i} ${k}`));
        assert.deepEqual(column.rows.slice(0, 6).map(({ title }) => Number(/id (\d+)$/.exec(title)?.[1])), t.order);
        for (const row of column.rows) assert.equal(row.bar, row.p);
        assert.ok(Math.abs(/** @type {number} */ (column.rows[6]?.p) - t.rest) < 1e-6);
        assert.equal(column.rows[6]?.token, `${t.others.toLocaleString("en")} others`);
        assert.ok(Math.abs(column.rows.reduce((sum, { p }) => sum + p, 0) - 1) < 1e-6, "the whole vocabulary");
        assert.equal(column.text, t.text);
        assert.ok(column.json.endsWith(`JSON.parse: ${t.json}`), `${column.json} / ${t.json}`);
        assert.match(column.cost, new RegExp(`, ${t.passes} computed\\.$`));
        assert.match(column.caption, new RegExp(`${t.prompt} prompt tokens`));
      });
      assert.ok(Math.abs(Number(shown[0]?.brace.split(": ")[1]) - /** @type {number} */ (truth[0]?.brace)) < 1e-6, shown[0]?.brace);
      assert.match(shown[1]?.json ?? "", /^✓/);
      if (question.includes("France")) assert.match(shown[0]?.json ?? "", /^✗/);
    }
    assert.deepEqual(await violations(page), []);
  }));

test("beside another element’s run: that run is left alone, one worker for all, and a new run there ends nothing here", { timeout: 120_000 }, () =>
  onThinking('<nt-run id="run" model="pocket" autoload prompt="The capital of France is"></nt-run><nt-thinking for="run"></nt-thinking><nt-thinking for="run"></nt-thinking>', async (page) => {
    await ready(page);
    const state = () => page.evaluate(() => {
      const run = document.querySelector("nt-run")?.player.run;
      return run ? { tokens: run.tokens, passes: run.state.passes, stage: run.state.stage } : null;
    });
    await page.evaluate(async () => {
      const player = document.querySelector("nt-run")?.player;
      await player?.start();
      await player?.token();
    });
    const before = await state();
    assert.ok(before);
    await page.locator('nt-thinking [data-do="trials"]').first().click();
    await page.locator('nt-thinking [data-do="play-both"]').nth(1).click();
    await over(page, 1);
    const focus = page.locator("nt-thinking").nth(1).locator(".lane.bare li").first();
    await focus.focus();
    for (const key of ["ArrowRight", "ArrowLeft", "Home", "End", "Shift+ArrowRight"]) await page.keyboard.press(key);
    assert.deepEqual(await state(), before, "the other run didn’t move");
    await page.evaluate(() => document.querySelector("nt-run")?.player.start());
    await finished(page, 50);
    assert.equal((await lanes(page, 0))[0]?.boxes.length, 0, "each element has lanes of its own");
    assert.ok((await lanes(page, 1))[0]?.boxes.length);
    assert.equal(page.workers().length, 1);
  }));

test("removed while it runs, or another model: no error, nothing left, and it works again", { timeout: 120_000 }, () =>
  onThinking(`${POCKET}${POCKET}`, async (page) => {
    await ready(page);
    await page.locator('nt-thinking [data-do="trials"]').nth(1).click();
    await page.locator('nt-thinking [data-do="play-both"]').nth(1).click();
    await page.locator('nt-thinking [data-do="ask"]').nth(1).click();
    await page.evaluate(() => document.querySelectorAll("nt-thinking")[1]?.remove());
    await press(page, "trials");
    await page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelector("tr[data-problem]"));
    await page.evaluate(() => document.querySelector("nt-thinking")?.setAttribute("model", "table"));
    await page.locator("nt-thinking .cannot:visible", { hasText: "table can’t do this" }).waitFor();
    assert.equal(await page.locator('nt-thinking [data-do="play-both"]').isVisible(), false);
    assert.deepEqual(await violations(page), [], "table");
    await screenshot(page, "thinking-table");
    await page.evaluate(() => document.querySelector("nt-thinking")?.setAttribute("model", "pocket"));
    await ready(page);
    assert.match((await batch(page)).done, /^0 of 50/, "results of the former model don’t stand any more");
    await press(page, "play-both");
    await over(page);
    assert.match((await lanes(page))[1]?.result ?? "", /^✓ right/);
  }));

test("no task over 50 ms while the batch runs and the lanes write", { timeout: 120_000 }, () =>
  onThinking(POCKET, async (page) => {
    await ready(page);
    const spent = await tasks(site.browser, page, async () => {
      await press(page, "trials");
      await press(page, "play-both");
      await over(page);
      await finished(page, 50);
    });
    assert.ok(spent.length > 50 && Math.max(...spent) <= 50, `${Math.max(...spent)} ms of ${spent.length} tasks`);
  }));

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1280, 768, 375, 320]) {
    test(`axe finds nothing and nothing is cut: ${colorScheme}, ${width} px`, { timeout: 120_000 }, () =>
      onThinking(POCKET, async (page) => {
        await ready(page);
        assert.deepEqual(await violations(page), [], "ready");
        await page.locator("nt-thinking .duel select").selectOption("full");
        await press(page, "play-both");
        await over(page);
        await press(page, "trials");
        await finished(page, 50);
        await press(page, "ask");
        await page.waitForFunction(() => document.querySelector("nt-thinking")?.shadowRoot?.querySelectorAll(".json:not([hidden])").length === 2);
        await page.locator("nt-thinking .results > details > summary").click();
        await drawn(page);
        assert.deepEqual(await violations(page), [], "all of it");
        await screenshot(page, `thinking-${colorScheme}-${width}`);
        const found = await page.evaluate(() => {
          const root = document.querySelector("nt-thinking")?.shadowRoot;
          /** @type {string[]} */
          const problems = [];
          const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
          if (wide > 0) problems.push(`the page scrolls sideways by ${wide}`);
          const cut = ".thinking button, .thinking label, .thinking h2, .thinking h3, .thinking summary, .passes li, .figures td, .problems td, .problems th, .first td, .count, .read, .json";
          for (const node of root?.querySelectorAll(cut) ?? []) {
            if (!(node instanceof HTMLElement) || !node.checkVisibility()) continue;
            if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline") problems.push(`${node.localName}.${node.className} “${node.textContent?.slice(0, 30)}” is cut: ${node.scrollWidth} in ${node.clientWidth}`);
          }
          for (const node of root?.querySelectorAll(".thinking :is(button, select, input, summary)") ?? []) {
            if (!(node instanceof HTMLElement) || !node.checkVisibility()) continue;
            const box = node.getBoundingClientRect();
            if (box.height < 23.9 || box.width < 23.9) problems.push(`${node.localName} “${node.textContent?.slice(0, 30)}” is ${box.width} by ${box.height}`);
          }
          return problems;
        });
        assert.deepEqual(found, []);
      }, { viewport: { width, height: 2600 }, colorScheme }));
  }
}

test("SmolLM2 is asked in its chat template, and measured all the same", { timeout: 300_000 }, () =>
  onThinking('<nt-thinking autoload model="smollm2"></nt-thinking>', async (page) => {
    await page.locator('nt-thinking [data-do="play-both"]').waitFor({ timeout: 120_000 });
    assert.match(await page.locator("nt-thinking .duel > .notes").innerText(), /wasn’t trained on these forms.*may be bad/);
    await press(page, "play-both");
    await page.waitForFunction(() => !(/** @type {HTMLElement} */ (document.querySelector("nt-thinking")?.shadowRoot?.querySelector(".duel > .outcome")).hidden), null, { timeout: 200_000 });
    const shown = await lanes(page);
    const { text, answer } = heldOutProblem("sum", 0);
    const [bare] = await truths(page, [{ messages: [{ role: "user", content: `What is ${text}? Answer at once with only the number.` }], maxTokens: 32 }], { model: "smollm2" });
    assert.ok(bare);
    assert.deepEqual(shown[0]?.boxes, bare.pieces.map(glyphs));
    const right = bare.finish === "eos" && bare.text.match(/\d+/g)?.at(-1) === answer;
    assert.ok(shown[0]?.result.startsWith(right ? "✓ right" : "✗ wrong"), shown[0]?.result);
    await screenshot(page, "thinking-smollm2");
  }));
