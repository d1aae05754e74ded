// A conversation with the model: every number on show against runs of the test's own, ids and the tokenizer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inputOf, totalComputed, totalInput, totalOutput } from "../../www/views/chat/formula.js";
import { cutAt, meansOf, namesOf, stretches } from "../../www/views/chat/stack.js";
import { setUp, tasks } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";
import { anew, cells, chatPages, common, onChat, rests, say, strips, turns } from "./view-chat.mjs";

/** @import { Chat } from "./view-chat.mjs" */

const site = setUp(chatPages);
const MESSAGES = ["What is the capital of France?", "What is the capital of Spain?", "Tell me a story."];

test("the formula: system 10, user 5, answer 7, three turns (no template tokens)", () => {
  const sizes = { S: 10, U: 5, A: 7 };
  assert.deepEqual([1, 2, 3].map((k) => inputOf(k, sizes)), [15, 27, 39]);
  assert.equal(totalInput(3, sizes), 81);
  assert.equal(totalInput(3, sizes), 3 * 10 + 3 * 5 + ((5 + 7) * 3 * 2) / 2);
  assert.equal(totalOutput(3, 7), 21);
  assert.equal(totalComputed(3, sizes), 39);
  for (let n = 1; n < 60; n++) {
    let sent = 0;
    for (let k = 1; k <= n; k++) sent += inputOf(k, sizes);
    assert.equal(totalInput(n, sizes), sent);
    // With a prefix cache each token sent is computed once: as many as the longest input has.
    assert.equal(totalComputed(n, sizes), inputOf(n, sizes));
  }
});

test("stretches add up to the input, whatever the template puts around", () => {
  const messages = /** @type {import("../../www/api/next-token.js").Message[]} */ ([{ role: "system", content: "s" }, { role: "user", content: "u" }, { role: "assistant", content: "a" }, { role: "user", content: "v" }]);
  assert.deepEqual(namesOf(messages), ["S", "U1", "A1", "U2"]);
  const parts = [{ message: null, from: 0, to: 2 }, { message: 0, from: 2, to: 5 }, { message: null, from: 5, to: 6 }, { message: 1, from: 6, to: 10 }, { message: null, from: 10, to: 11 }, { message: 2, from: 11, to: 18 }, { message: null, from: 18, to: 18 }, { message: 3, from: 18, to: 20 }, { message: null, from: 20, to: 23 }];
  const list = stretches({ parts, pieces: { length: 23 } }, messages);
  assert.equal(list.reduce((n, s) => n + s.to - s.from, 0), 23);
  const sizes = meansOf({ parts }, messages);
  assert.deepEqual(sizes, { S: 6, U: (5 + 5) / 2, A: 7 });
  assert.equal(inputOf(2, sizes ?? { S: 0, U: 0, A: 0 }), 23);
  const cut = cutAt(list, 8);
  assert.equal(cut.filter((s) => s.cached).reduce((n, s) => n + s.to - s.from, 0), 8);
  assert.equal(cut.reduce((n, s) => n + s.to - s.from, 0), 23);
  assert.equal(meansOf({ parts: null }, messages), null);
});

test("three turns by keyboard: tokens, cached tokens, strips and table from the engine's own counts", { timeout: 180_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    for (const message of MESSAGES) await say(page, message);
    const list = await turns(page);
    assert.deepEqual(list.map((t) => t.user), MESSAGES);
    /** @type {number[]} */
    let before = [];
    for (const turn of list) {
      const fresh = await anew(page, turn.messages, 64);
      assert.deepEqual(turn.ids, fresh.prompt, "what is shown as sent is what a run reads");
      assert.equal(turn.input, fresh.prompt.length);
      assert.equal(fresh.passes, turn.input, "from nothing all of it is computed");
      assert.equal(turn.answer, fresh.text, "the cache changes nothing in the answer");
      assert.equal(turn.output, fresh.tokens.length - turn.input);
      assert.equal(turn.finish, fresh.finish);
      assert.equal(turn.reused, common(before, turn.ids));
      assert.equal(turn.computed, turn.input - turn.reused);
      before = fresh.tokens;
    }
    assert.ok((list[2]?.reused ?? 0) > (list[1]?.reused ?? 0) && (list[1]?.reused ?? 0) > 0);
    let [input, cached, output] = [0, 0, 0];
    assert.deepEqual(await cells(page), list.map((t) => [t.input, t.reused, t.computed, t.output, (input += t.input), (cached += t.reused), (output += t.output)]));
    // The strips are drawn to one scale; pale is what was cached.
    const drawnStrips = await strips(page);
    const widest = Math.max(...list.map((t) => t.input + t.output));
    const whole = Math.max(...drawnStrips.map((s) => s.segs.reduce((n, seg) => n + seg.width, 0)));
    for (const [i, strip] of drawnStrips.entries()) {
      const turn = list[i];
      if (!turn) throw new Error("no turn");
      const width = (/** @type {(seg: { who: string | null, cached: boolean }) => boolean} */ of) => (strip.segs.filter(of).reduce((n, seg) => n + seg.width, 0) / whole) * widest;
      assert.ok(Math.abs(width((seg) => seg.who !== "tip") - turn.input) < 0.6, `turn ${i + 1}`);
      assert.ok(Math.abs(width((seg) => seg.cached) - turn.reused) < 0.6);
      assert.ok(Math.abs(width((seg) => seg.who === "tip") - turn.output) < 0.6);
      assert.equal(strip.numbers, `${turn.input} in · ${turn.output} out`);
      assert.ok(strip.words.includes(`${turn.input} tokens sent, ${turn.reused} of them cached, ${turn.computed} computed; ${turn.output} written`), strip.words);
    }
    // The stack of one turn in words: keys walk the strips.
    await page.locator("#one .stairs li").last().focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    const detail = await page.locator("#one nt-chat-stack .detail").innerText();
    const first = list[0];
    const rendered = await page.evaluate((messages) => (/** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")))).engine.render(messages), first?.messages ?? []);
    const of = (/** @type {number | null} */ message) => (rendered.parts ?? []).filter((p) => p.message === message).reduce((n, p) => n + p.to - p.from, 0);
    assert.ok(detail.endsWith(`Sent: system message ${of(0)}, earlier turns 0, new message ${of(1)}, template ${of(null)}.`), detail);
    await page.locator("#one .spelled summary").click();
    await page.locator("#one .spelled .tk").first().waitFor();
    assert.equal(await page.locator("#one .spelled .tk").count(), first?.input);
  });
});

test("dots and formula: means with template tokens, said beside what was measured", { timeout: 180_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await say(page, MESSAGES[0] ?? "");
    assert.match(await page.locator("#one nt-chat-growth .words").innerText(), /needs a second turn/);
    for (const message of MESSAGES.slice(1)) await say(page, message);
    const list = await turns(page);
    const last = list.at(-1);
    const rendered = await page.evaluate((messages) => (/** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")))).engine.render(messages), last?.messages ?? []);
    const means = meansOf(rendered, last?.messages ?? []);
    if (!means) throw new Error("no parts");
    assert.ok(Math.abs(inputOf(3, means) - (last?.input ?? 0)) < 1e-9, "the means add up to the last input");
    const one = (/** @type {number} */ x) => (Number.isInteger(x) ? String(x) : x.toFixed(1));
    const words = await page.locator("#one nt-chat-growth .words").innerText();
    const sent = list.reduce((n, t) => n + t.input, 0);
    const computed = list.reduce((n, t) => n + t.computed, 0);
    for (const part of [`S ${one(means.S)}, U ${one(means.U)} and A ${one(means.A)}`, "template tokens included", `3 turns send ${one(totalInput(3, means))} tokens; measured: ${sent}`, `has ${one(totalComputed(3, means))} computed; measured: ${computed}`]) assert.ok(words.includes(part), `${part} in: ${words}`);
    // The plots' own tables have the same numbers.
    await page.locator("#one nt-chat-growth .plot summary").first().click();
    await drawn(page);
    const text = (await page.locator("#one nt-chat-growth .plot table").first().innerText()).replaceAll(",", "");
    for (const turn of list) assert.ok(text.includes(String(turn.input)) && text.includes(String(turn.computed)), text);
  });
});

test("the formula panel has the example, and takes other numbers", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await page.locator("#one nt-chat-formula summary").click();
    const read = () => page.locator("#one nt-chat-formula tr").evaluateAll((rows) => rows.slice(1).map((r) => [...r.children].map((c) => c.textContent)));
    assert.deepEqual(await read(), [["1", "15", "7"], ["2", "27", "7"], ["3", "39", "7"], ["All 3", "81", "21"]]);
    assert.match(await page.locator("#one nt-chat-formula .words").innerText(), /39 input tokens would be computed in place of 81/);
    const n = page.locator('#one [data-field="n"]');
    await n.fill("0");
    assert.match(await page.locator("#one nt-chat-formula .error:not(:empty)").innerText(), /out of range.*still has 3/);
    await n.fill("100");
    const rows = await read();
    assert.deepEqual(rows.at(-1), ["All 100", totalInput(100, { S: 10, U: 5, A: 7 }).toLocaleString("en"), "700"]);
    assert.match(await page.locator("#one nt-chat-formula .words").innerText(), /Turns 12 to 99 are not listed/);
  });
});

test("prefix cache off: nothing is reused, everything computed; on again: from the last run", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await say(page, MESSAGES[0] ?? "");
    await page.locator("#one [data-do=prefix-cache]").press("Space");
    await say(page, MESSAGES[1] ?? "");
    await page.locator("#one [data-do=prefix-cache]").click();
    await say(page, "Name three fruits.");
    const list = await turns(page);
    assert.deepEqual([list[1]?.reused, list[1]?.computed], [0, list[1]?.input]);
    assert.ok((list[2]?.reused ?? 0) >= (list[1]?.input ?? 0));
    assert.match((await strips(page))[1]?.words ?? "", /all \d+ computed \(prefix cache off\)/);
    // Another system message: nothing but the template's first tokens fits any more.
    await page.locator("#one .system textarea").fill("You are a pirate.");
    assert.match(await page.locator("#one .system .hint").innerText(), /the next turn sends this one/);
    await say(page, "What is the capital of Italy?");
    const after = (await turns(page)).at(-1);
    const former = await anew(page, list[2]?.messages ?? [], 64);
    assert.equal(after?.reused, common(former.tokens, after?.ids ?? []));
    assert.ok((after?.reused ?? 99) < 10);
    assert.equal(after?.messages[0]?.content, "You are a pirate.");
  });
});

test("an edit loses what follows it in the cache, by exact count; Undo brings all back", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    for (const message of MESSAGES) await say(page, message);
    const before = await turns(page);
    const cached = await page.evaluate(() => (/** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")))).conversation.run?.state.cached ?? 0);
    await page.getByRole("button", { name: "Edit message 2" }).click();
    const field = page.locator("#one .edit:not([hidden]) textarea");
    assert.equal(await field.inputValue(), MESSAGES[1]);
    await field.fill("What is the capital of Italy?");
    await page.getByRole("button", { name: "Ask again from here" }).click();
    await page.waitForFunction(() => (/** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")))).conversation.turns.length === 2);
    await rests(page);
    const after = await turns(page);
    const kept = common((await anew(page, before[2]?.messages ?? [], 64)).tokens, after[1]?.ids ?? []);
    assert.equal(after[1]?.reused, kept);
    assert.ok(kept < (before[1]?.input ?? 0), "less than before fits");
    assert.equal(await page.locator("#one .lost:not([hidden])").innerText(), `Edited: the cache held ${cached} tokens, only the first ${kept} still fit. ${cached - kept} tokens of it are lost.`);
    assert.equal(after[1]?.answer, (await anew(page, after[1]?.messages ?? [], 64)).text);
    await page.locator("#one [data-do=undo]").click();
    await drawn(page);
    assert.deepEqual(await turns(page), before);
    assert.equal(await page.locator("#one [data-do=undo]").isVisible(), false);
    await say(page, "Name three fruits.");
    const last = (await turns(page)).at(-1);
    assert.equal(last?.reused, cached, "the run of before the edit is there again");
    // A new conversation can be undone as well.
    await page.locator("#one [data-do=new]").click();
    assert.equal((await turns(page)).length, 0);
    await page.locator("#one [data-do=undo]").click();
    assert.equal((await turns(page)).length, 4);
    assert.deepEqual(await violations(page), []);
  });
});

test("Stop keeps what was written; Stop, then Send works; Continue goes on where max tokens cut", { timeout: 180_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?max-tokens=8`, async (page) => {
    await say(page, "Tell me a story.");
    const cut = (await turns(page))[0];
    assert.deepEqual([cut?.finish, cut?.output], ["length", 8]);
    assert.match(await page.locator("#one .end").innerText(), /Cut after 8 tokens: max tokens is reached/);
    await page.locator("#one [data-do=continue]").click();
    await rests(page);
    const longer = (await turns(page))[0];
    const whole = await anew(page, cut?.messages ?? [], 16);
    assert.deepEqual([longer?.output, longer?.answer, longer?.reused, longer?.input], [16, whole.text, cut?.reused, cut?.input]);
    // Longer answers now, and Stop in the middle of one.
    await page.locator("#one nt-chat-settings summary").click();
    const max = page.locator('#one [data-setting="maxTokens"]');
    await max.fill("none");
    await max.press("Enter");
    assert.match(await page.locator("#one nt-chat-settings .error:not(:empty)").innerText(), /not a finite number.*It stays 8/);
    await max.fill("200");
    await max.press("Enter");
    await page.locator("#one .compose textarea").fill("Tell me a story.");
    await page.evaluate(() => {
      const { conversation } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      const stop = () => {
        if (conversation.turns.length !== 2 || conversation.last?.output !== 5) return;
        conversation.removeEventListener("change", stop);
        document.getElementById("one")?.shadowRoot?.querySelector("[data-do=stop]")?.dispatchEvent(new MouseEvent("click"));
      };
      conversation.addEventListener("change", stop);
    });
    await page.locator("#one [data-do=send]").click();
    await rests(page);
    const stopped = (await turns(page))[1];
    assert.equal(stopped?.finish, "cancelled");
    assert.ok((stopped?.output ?? 0) >= 5 && (stopped?.output ?? 0) < 30, String(stopped?.output));
    assert.equal(await page.locator("#one .turn").nth(1).locator(".reply").innerText(), stopped?.answer.trimEnd());
    assert.match(await page.locator("#one .end").last().innerText(), /Stopped by you after \d+ tokens?; what was written stays/);
    assert.ok(await page.locator("#one [data-do=continue]").isVisible());
    await say(page, "What is the capital of France?");
    const sent = (await turns(page))[2];
    assert.equal(sent?.messages.at(-2)?.content, stopped?.answer, "what was written is part of the conversation");
    assert.equal(sent?.answer, (await anew(page, sent?.messages ?? [], 200)).text);
    assert.equal(sent?.finish, "eos");
  });
});

test("Stop, then Continue: the same answer as without a stop, and nothing is computed twice", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?max-tokens=40`, async (page) => {
    await page.evaluate(() => {
      const { conversation } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      let done = false;
      conversation.addEventListener("change", () => {
        if (done || (conversation.last?.output ?? 0) < 3) return;
        done = true;
        conversation.stop();
      });
    });
    await page.locator("#one .compose textarea").fill("Tell me a story.");
    await page.locator("#one .compose textarea").press("Enter");
    await rests(page);
    assert.equal((await turns(page))[0]?.finish, "cancelled");
    await page.locator("#one [data-do=continue]").press("Enter");
    await rests(page);
    const turn = (await turns(page))[0];
    const whole = await anew(page, turn?.messages ?? [], 40);
    assert.deepEqual([turn?.answer, turn?.output, turn?.finish], [whole.text, whole.tokens.length - whole.prompt.length, whole.finish]);
    const passes = await page.evaluate(() => (/** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")))).conversation.run?.state.passes ?? 0);
    assert.ok(passes <= whole.tokens.length, `${passes} passes for ${whole.tokens.length} tokens`);
  });
});

test("a message that doesn't fit: both numbers, nothing sent, nothing cut, and the page goes on", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await say(page, MESSAGES[0] ?? "");
    const long = "Tell me a story. ".repeat(150);
    await say(page, long);
    const tokens = await page.evaluate(async (text) => {
      const { conversation, engine } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      return (await engine.render(conversation.messages(text))).pieces.length;
    }, long);
    assert.ok(tokens > 512);
    const error = page.locator("#one .compose .error");
    assert.match(await error.innerText(), new RegExp(`would send ${tokens.toLocaleString("en")} tokens; the context holds 512.*nothing was cut`, "i"));
    assert.equal(await page.locator("#one .compose textarea").inputValue(), long, "the message is still there");
    assert.equal((await turns(page)).length, 1);
    assert.deepEqual(await violations(page), []);
    await say(page, "");
    assert.match(await error.innerText(), /The message is empty/);
    await say(page, MESSAGES[1] ?? "");
    assert.equal((await turns(page)).length, 2);
    assert.equal(await error.innerText(), "");
    // An answer that fills the context ends with both numbers.
    await page.locator("#one nt-chat-settings summary").click();
    await page.locator('#one [data-setting="maxTokens"]').fill("600");
    await page.locator('#one [data-setting="maxTokens"]').press("Enter");
    await say(page, "Tell me a story. ".repeat(85));
    const last = (await turns(page)).at(-1);
    if (last?.finish === "context") assert.match(await page.locator("#one .end").last().innerText(), new RegExp(`context is full, ${last.input} sent and ${last.output} written of 512`));
  });
});

test("fast-forward: every turn counted by the tokenizer, the overflow named, the document compared", { timeout: 240_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    for (const message of MESSAGES.slice(0, 2)) await say(page, message);
    await page.locator('#one [data-turns="50"]').press("Enter");
    await page.locator("#one .ahead-result").waitFor();
    await drawn(page);
    const truth = await page.evaluate(async () => {
      const { conversation, engine } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      const [system] = conversation.messages("");
      if (!system) throw new Error("no system message");
      const messages = [system];
      /** @type {number[]} */
      let before = [];
      const rows = [];
      for (let k = 0; k < 50; k++) {
        const turn = conversation.turns[k % 2];
        if (!turn) throw new Error("no turn");
        messages.push({ role: "user", content: turn.user });
        const ids = (await engine.render(messages)).pieces.map((p) => p.id);
        let same = 0;
        while (same < before.length && before[same] === ids[same]) same += 1;
        rows.push({ input: ids.length, computed: ids.length - same });
        before = ids;
        messages.push({ role: "assistant", content: turn.answer });
      }
      const text = messages.map((m) => m.content).join("\n\n");
      return { rows, document: (await engine.encode(text, { special: false })).length };
    });
    let [total, computed] = [0, 0];
    const expected = truth.rows.map((row) => [row.input, row.computed, (total += row.input), (computed += row.computed)]);
    await page.locator("#one .ahead-result > details > summary").click();
    const shown = await page.locator("#one nt-chat-ahead .tall tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((td) => Number((td.textContent ?? "").replaceAll(",", "")))));
    assert.deepEqual(shown.map((row) => row.slice(0, 4)), expected);
    assert.equal(shown.at(-1)?.[4], truth.document);
    const en = (/** @type {number} */ n) => n.toLocaleString("en");
    const words = await page.locator("#one .ahead-result").innerText();
    assert.ok(words.includes(`50 turns send ${en(total)} input tokens. With a cache of what was sent before, ${en(computed)} of them would be computed.`), words);
    assert.ok(words.includes(`One long document of the same content: ${en(truth.document)} tokens, sent once. The conversation sends ${Math.round(total / truth.document)} times as many in 50 turns.`), words);
    const over = truth.rows.findIndex((row) => row.input >= 512);
    assert.ok(words.includes(`its context is 512 tokens, and turn ${over + 1} would send ${truth.rows[over]?.input}.`), words);
    assert.match(await page.locator("#one nt-chat-ahead").innerText(), /counted, not generated/i);
    assert.equal(await page.locator("#one .triangle svg path").count(), 2);
    // Each strip of the triangle ends where its turn's input ends.
    const ends = await page.locator("#one .triangle .fresh").evaluate((path) => [...(path.getAttribute("d") ?? "").matchAll(/M(\d+) \d+H(\d+)/g)].map((m) => [Number(m[1]), Number(m[2])]));
    assert.deepEqual(ends, truth.rows.map((row) => [row.input - row.computed, row.input]));
    assert.deepEqual(await violations(page), []);
    // With a prefix cache, the total is the last input: each token once.
    assert.equal(computed, truth.rows.at(-1)?.input);
    await page.locator('#one [data-turns="100"]').click();
    await page.locator("#one [data-do=cancel-ahead]").click();
    await drawn(page);
    assert.match(await page.locator("#one nt-chat-ahead > [role=status]").innerText(), /Cancelled after \d+ turns?/);
    await page.locator('#one [data-turns="10"]').click();
    await page.locator("#one .ahead-result").waitFor();
    await page.waitForFunction(() => document.getElementById("one")?.shadowRoot?.querySelectorAll("nt-chat-ahead .tall tbody tr").length === 10);
    // A new turn makes it another conversation.
    await say(page, "Name three fruits.");
    assert.equal(await page.locator("#one .ahead-result").isVisible(), false);
  });
});

test("no task takes 50 ms of the main thread while it writes and while it counts 100 turns", { timeout: 240_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await say(page, "Tell me a story.");
    const slow = async (/** @type {() => Promise<unknown>} */ work) => (await tasks(site.browser, page, work)).filter((ms) => ms > 50);
    assert.deepEqual(await slow(() => say(page, "Tell me a story.")), [], "while writing");
    assert.deepEqual(await slow(async () => {
      await page.locator('#one [data-turns="100"]').click();
      await page.waitForFunction(() => document.getElementById("one")?.shadowRoot?.querySelectorAll("nt-chat-ahead .tall tbody tr").length === 100);
      await drawn(page);
    }), [], "while counting");
    const sum = await slow(() => page.evaluate(() => {
      let x = 0;
      for (let i = 0; i < 4e8; i++) x += i % 7;
      return x;
    }));
    assert.equal(sum.length, 1, "a slow task would have been seen");
  });
});

test("what is heard: whole sentences, not tokens; the visible text is no live region", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await say(page, "Tell me a story.");
    await page.waitForTimeout(300);
    const { answer } = (await turns(page))[0] ?? { answer: "" };
    const heard = await page.locator('#one [role=log][aria-label="What the model answers"] p').allInnerTexts();
    assert.ok(heard.length >= 2 && heard.length < 8, heard.join(" | "));
    assert.match(heard.at(-1) ?? "", /^Ended by itself after \d+ tokens/);
    assert.equal(heard.slice(0, -1).join(" "), answer);
    for (const sentence of heard.slice(0, -2)) assert.match(sentence, /[.!?]$/);
    assert.equal(await page.locator("#one .turns").evaluate((list) => list.closest("[aria-live], [role=log]") !== null), false);
  });
});

test("models without a template, and templates that can't be taken apart, are told in words", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?model=table`, async (page) => {
    assert.match(await page.locator("#one nt-chat-gate").innerText(), /has no chat template/);
    assert.equal(await page.locator("#one nt-chat-talk").isVisible(), false);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Change model" }).click();
    await page.locator("#one nt-model select").first().selectOption("pocket");
    await page.locator("#one nt-model button[type=submit]").click();
    await page.locator("#one .compose textarea").waitFor();
    await say(page, MESSAGES[0] ?? "");
    assert.equal((await turns(page))[0]?.finish, "eos");
  });
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    await page.evaluate(() => {
      const { engine } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      const { render } = engine;
      engine.render = async (messages) => ({ ...(await render.call(engine, messages)), parts: null });
    });
    for (const message of MESSAGES.slice(0, 2)) await say(page, message);
    assert.match(await page.locator("#one nt-chat-stack").innerText(), /can’t be taken apart/);
    assert.match(await page.locator("#one nt-chat-growth").innerText(), /no formula/);
    const [, second] = await turns(page);
    assert.equal((await strips(page))[1]?.segs.filter((s) => s.who === "all").length, 2, "one piece, cut where the cache ends");
    assert.equal(second?.computed, (second?.input ?? 0) - (second?.reused ?? 0));
  });
});

test("two conversations share one worker and don't disturb one another; removal while it writes leaves no error", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?two`, async (page) => {
    await page.locator("#two .compose textarea").waitFor();
    await page.locator("#one .compose textarea").fill("Tell me a story.");
    await page.locator("#two .compose textarea").fill("What is the capital of Spain?");
    await page.locator("#one .compose textarea").press("Enter");
    await page.locator("#two .compose textarea").press("Enter");
    await rests(page, "one");
    await rests(page, "two");
    assert.equal(page.workers().length, 1);
    const [one, two] = [await turns(page, "one"), await turns(page, "two")];
    assert.equal(one[0]?.answer, (await anew(page, one[0]?.messages ?? [], 64)).text);
    assert.equal(two[0]?.answer, (await anew(page, two[0]?.messages ?? [], 64)).text);
    await page.locator("#two .compose textarea").fill("Tell me a story.");
    await page.locator("#two .compose textarea").press("Enter");
    await page.evaluate(() => document.getElementById("two")?.remove());
    await page.waitForTimeout(300);
    await say(page, "Name three fruits.");
    assert.equal((await turns(page)).length, 2);
    assert.equal(page.workers().length, 1);
  });
});

test("with for: the engine of another element, runs of its own", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?for`, async (page) => {
    await say(page, MESSAGES[0] ?? "");
    const before = await turns(page);
    // The other run begins and is forgotten: the conversation stays.
    await page.locator("#run nt-prompt textarea").press("Enter");
    await page.waitForFunction(() => Boolean((/** @type {{ run?: unknown } | null} */ (/** @type {unknown} */ (document.getElementById("run"))))?.run));
    await say(page, MESSAGES[1] ?? "");
    const after = await turns(page);
    assert.deepEqual(after[0], before[0]);
    assert.ok((after[1]?.reused ?? 0) >= (before[0]?.input ?? 0));
    assert.equal(page.workers().length, 1);
    assert.equal(await page.locator("#one nt-model").count(), 0);
  });
});

test("keys of the loop do nothing here; Escape stops", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?max-tokens=300`, async (page) => {
    await say(page, MESSAGES[0] ?? "");
    await page.locator("#one .stairs li").first().focus();
    for (const key of ["ArrowRight", "Space", "Shift+ArrowRight"]) await page.keyboard.press(key);
    await page.waitForTimeout(150);
    assert.equal(await page.evaluate(() => (/** @type {{ run: unknown }} */ (/** @type {unknown} */ (document.getElementById("one")))).run), null);
    await page.evaluate(() => {
      const { conversation } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      conversation.addEventListener("change", () => conversation.turns.length === 2 && conversation.last?.output === 4 && document.getElementById("one")?.shadowRoot?.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true })));
    });
    await say(page, "Tell me a story.");
    assert.equal((await turns(page))[1]?.finish, "cancelled");
  });
});

test("another model in mid-answer: no error, no stale numbers, and both work", { timeout: 120_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat?max-tokens=300`, async (page) => {
    await page.locator("#one .compose textarea").fill("Tell me a story.");
    await page.locator("#one .compose textarea").press("Enter");
    await page.evaluate(() => document.getElementById("one")?.setAttribute("model", "table"));
    await page.locator("#one nt-chat-gate").waitFor();
    assert.equal((await turns(page)).length, 0);
    await page.evaluate(() => document.getElementById("one")?.setAttribute("model", "pocket"));
    await page.locator("#one .compose textarea").waitFor();
    await say(page, MESSAGES[0] ?? "");
    assert.equal((await turns(page))[0]?.reused, 0);
    assert.equal(await page.locator("#one .compose .error").innerText(), "");
  });
});

test("runs are given back: memory is flat over edits and new conversations", { timeout: 180_000 }, async () => {
  await onChat(site.browser, `${site.origin}/chat`, async (page) => {
    /** @param {number} times */
    const talk = (times) => page.evaluate(async (times) => {
      const { conversation, engine } = /** @type {Chat} */ (/** @type {unknown} */ (document.getElementById("one")));
      for (let i = 0; i < times; i++) {
        await conversation.send("Tell me a story.");
        await conversation.send("Name three fruits.");
        await conversation.edit(0, "What is the capital of France?");
        await conversation.edit(0, "What is the capital of Spain?");
        conversation.undo();
        await conversation.send("Name three fruits.");
        conversation.clear();
      }
      return engine.memory();
    }, times);
    const before = await talk(4);
    assert.equal(await talk(12), before);
  });
});
