// Faults that other products were reported for: the text that is shown, where it ends, and what is
// counted. On the real model, whose greedy text is known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture, setUp, withPage } from "./harness.mjs";
import { watch } from "./measure.mjs";

const site = setUp();

const FRANCE = "The capital of France is";
const ONCE = "Once upon a time";
const SUM = "User: What is 2+2?\nAssistant: 4\nUser: What is 3+5?\nAssistant:";
const QUESTION = [{ role: /** @type {const} */ ("user"), content: "What is the capital of France?" }];

test("text, stops and counts, on SmolLM2", { timeout: 600_000 }, async (t) => {
  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    await page.evaluate(async () => {
      globalThis.engine = await nextToken.load({ model: "smollm2", backend: "cpu" });
    });
    /**
     * @param {import("../../www/api/next-token.js").StartOptions} options
     * @param {{ forced?: number[], onlyForced?: boolean }} [rest]
     */
    const run = (options, rest = {}) => page.evaluate(watch, { options, ...rest });
    /** Nothing that was shown is taken back, and streaming shows what the end shows. @param {Awaited<ReturnType<typeof run>>} seen */
    const checkStream = (seen) => {
      for (const [index, { text }] of seen.steps.entries()) {
        assert.ok(seen.text.startsWith(text), `step ${index} shows ${JSON.stringify(text)}`);
        assert.equal(seen.steps.slice(0, index + 1).map(({ added }) => added).join(""), text);
      }
      assert.equal(seen.steps.at(-1)?.text, seen.text);
    };

    await t.test("the pieces of a stop sequence are held, not shown", async () => {
      const seen = await run({ prompt: ONCE, stop: " Nova Haven was" });
      checkStream(seen);
      assert.deepEqual([seen.text, seen.finish, seen.generated.length], [", the city of", "stop", 7]);
      assert.deepEqual(seen.generated.slice(4), [23324, 27108, 436]);
      assert.deepEqual(seen.steps.slice(4).map(({ held }) => held), [" Nova", " Nova Haven", ""]);
      assert.equal(seen.steps.at(-1)?.stop?.sequence, " Nova Haven was");
    });

    await t.test("a stop sequence over two and three tokens is the same streamed and whole", async () => {
      const seen = await run({ prompt: SUM, stop: "\nUser:" });
      checkStream(seen);
      assert.deepEqual([seen.text, seen.finish], [" 8", "stop"]);
      assert.deepEqual(seen.generated, [216, 40, 198, 11126, 42]);
    });

    await t.test("a stop sequence over two tokens, and one within a token, end the run at once", async () => {
      const over = await run({ prompt: "def fibonacci(n):", stop: "== 0" });
      assert.deepEqual([over.text, over.generated.length, over.finish], ["\n    if n ", 6, "stop"]);
      const within = await run({ prompt: "def fibonacci(n):", stop: "return" });
      assert.deepEqual([within.text, within.generated.length, within.finish], ["\n    if n == 0:\n        ", 9, "stop"]);
      checkStream(over);
      checkStream(within);
    });

    await t.test("a stop sequence at the end of a word, with no space before it", async () => {
      const seen = await run({ prompt: ONCE, stop: "opolis" });
      checkStream(seen);
      assert.deepEqual([seen.text, seen.generated.length, seen.finish], [", the city of Nova Haven was a thriving metr", 10, "stop"]);
    });

    await t.test("an end marker spelled out in letters is a stop sequence like any other", async () => {
      const seen = await run({ prompt: FRANCE, stop: "<|im_end|>" }, { forced: [7042, 44, 108, 306, 79, 486, 108, 46] });
      checkStream(seen);
      assert.deepEqual([seen.text, seen.finish, seen.generated.length], [" Paris", "stop", 8]);
      assert.equal(seen.steps.at(-1)?.naive, " Paris<|im_end|>");
    });

    await t.test("an empty stop sequence is refused in words, a list without it works", async () => {
      const refused = await page.evaluate(async (prompt) => {
        const lists = [[""], ["", "Nova"]];
        return Promise.all(lists.map((stop) => attempt(engine.start({ prompt, stop }).then(() => null))));
      }, ONCE);
      for (const { code, message } of refused) {
        assert.equal(code, "bad-config");
        assert.match(String(message), /stop.*empty/i);
      }
      const seen = await run({ prompt: ONCE, stop: ["zebra", "Nova"], maxTokens: 16 });
      assert.deepEqual([seen.text, seen.generated.length, seen.finish], [", the city of ", 5, "stop"]);
    });

    await t.test("a character made of several tokens appears when it is whole", async () => {
      const seen = await run({ prompt: "🙂🙂", maxTokens: 3 });
      assert.deepEqual(seen.steps.map(({ id }) => id), [10813, 238, 129]);
      assert.deepEqual(seen.steps.map(({ pending }) => pending), [[0xf0, 0x9f], [0xf0, 0x9f, 0x94], []]);
      assert.deepEqual(seen.steps.map(({ text }) => text), ["", "", "🔴"]);
      const cut = await run({ prompt: "🙂🙂", maxTokens: 2 });
      assert.deepEqual([cut.text, cut.finish, cut.steps.at(-1)?.pending], ["", "length", [0xf0, 0x9f, 0x94]]);
      assert.ok(!JSON.stringify(cut.steps.map(({ segments, text, held, naive }) => [segments, text, held, naive])).includes("\ufffd"));
    });

    await t.test("letters torn between tokens come out whole", async () => {
      const seen = await run({ prompt: "Здравствуйте", maxTokens: 16 });
      checkStream(seen);
      assert.equal(seen.text, ", это может быть вы");
      for (const { text } of seen.steps) assert.ok(!text.includes("\ufffd"), text);
    });

    await t.test("half a character, then a token with a space: the byte stays, and stands for itself", async () => {
      const seen = await run({ prompt: ONCE }, { forced: [173, 253], onlyForced: true });
      assert.deepEqual(seen.steps[0].pending, [0xe2]);
      assert.deepEqual([seen.steps[1].pending, seen.steps[1].segments], [[], [{ bytes: [0xe2] }, { text: " a" }]]);
    });

    await t.test("all ids of all reference texts through one stream, as one whole text", async () => {
      const { cases } = /** @type {{ cases: { text: string, ids: number[] }[] }} */ (await fixture("smollm2-tokenizer.json"));
      const ids = cases.flatMap((one) => one.ids);
      // Control tokens add no text. The two that end a run join nothing; it goes on behind them.
      const expected = cases.map(({ text }) => text.replace(/<\|(im_start|im_end|endoftext)\|>/g, "")).join("");
      const seen = await page.evaluate(async ({ prompt, ids }) => {
        const stream = await engine.start({ prompt, maxTokens: 2000 });
        await stream.prefill();
        let joined = "";
        for (const id of ids) {
          joined += (await stream.force(id)).appended?.text ?? "";
          if (stream.finish === "eos") await stream.rewind(stream.tokens.length);
        }
        return { joined, text: stream.text, pending: stream.state.pending, finish: stream.finish };
      }, { prompt: ONCE, ids });
      assert.deepEqual(seen, { joined: expected, text: expected, pending: [], finish: null });
    });

    await t.test("every token is shown at its own step", async () => {
      const seen = await run({ prompt: "Ray-Ban", maxTokens: 16 });
      checkStream(seen);
      assert.deepEqual(seen.steps.slice(0, 4).map(({ text }) => text), ["ana", "ana-", "ana-C", "ana-Coc"]);
      assert.ok(seen.steps.every(({ added }) => added !== ""));
      assert.equal(seen.text, "ana-Coconut-Coconut-Coconut-Coc");
    });

    await t.test("a limit of 1 gives one token, a limit of 5 gives five, and the limit is the cause", async () => {
      const [one, five, sixteen] = [
        await run({ prompt: FRANCE, maxTokens: 1 }), await run({ prompt: FRANCE, maxTokens: 5 }), await run({ prompt: ONCE, maxTokens: 16 }),
      ];
      assert.deepEqual([one.text, one.generated, one.finish], [" Paris", [7042], "length"]);
      assert.deepEqual([five.generated, five.finish], [[7042, 30, 198, 198, 504], "length"]);
      assert.deepEqual([sixteen.generated.length, sixteen.finish], [16, "length"]);
      // The token chosen from the prompt's own scores is the first one shown.
      assert.deepEqual([five.steps[0].id, five.steps[0].added, five.steps[0].text], [7042, " Paris", " Paris"]);
    });

    await t.test("an answer ends by itself, by the id that the model file names", async () => {
      const seen = await run({ messages: QUESTION, maxTokens: 64 });
      assert.deepEqual([seen.text, seen.generated.length, seen.finish], ["The capital of France is Paris.", 7, "eos"]);
      assert.equal(seen.steps.at(-1)?.id, 2);
      assert.deepEqual(seen.steps.at(-1)?.stop, { reason: "eos", joins: false, sequence: null });

      const ended = await run({ messages: QUESTION }, { forced: [504, 3575, 2] });
      assert.deepEqual([ended.text, ended.finish, ended.generated], ["The capital", "eos", [504, 3575]]);
      const goesOn = await run({ messages: QUESTION, maxTokens: 5 }, { forced: [504, 3575, 1] });
      assert.equal(goesOn.finish, "length");
      for (const { text, naive } of [...ended.steps, ...goesOn.steps]) assert.doesNotMatch(text + naive, /<\||im_start|im_end/);
    });

    await t.test("a cycle of tokens ends at the limit, and cancel works all the while", async () => {
      const seen = await run({ prompt: "Ray-Ban", maxTokens: 200 });
      assert.deepEqual([seen.generated.length, seen.finish], [200, "length"]);
      const cycle = [29, 51, 406, 14823];
      assert.deepEqual(seen.generated.slice(1, 197), Array.from({ length: 196 }, (_, index) => cycle[index % 4]));
      const cancelled = await page.evaluate(async () => {
        const cycling = await engine.start({ prompt: "Ray-Ban", maxTokens: 200 });
        let steps = 0;
        for await (const _ of cycling) {
          steps += 1;
          if (steps === 30) await cycling.cancel();
        }
        return { steps, finish: cycling.finish };
      });
      assert.deepEqual(cancelled, { steps: 30, finish: "cancelled" });
    });

    await t.test("a rendered conversation has each marker once, as one id", async () => {
      const { cases } = /** @type {{ cases: { prompt: string, ids: number[] }[] }} */ (await fixture("smollm2-greedy.json"));
      const chat = cases.find(({ prompt }) => prompt.includes("capital of France?"));
      assert.ok(chat);
      const seen = await page.evaluate(async ({ messages, rendered }) => {
        const started = await engine.start({ messages });
        const asText = await engine.start({ prompt: rendered });
        return { chat: started.tokens, text: asText.tokens, encoded: (await engine.encode(rendered)).map(({ id }) => id) };
      }, { messages: QUESTION, rendered: chat.prompt });
      for (const ids of [seen.chat, seen.text, seen.encoded]) {
        assert.deepEqual(ids, chat.ids);
        assert.deepEqual([1, 2].map((id) => ids.filter((other) => other === id).length), [3, 2]);
        assert.ok(ids.every((id, index) => id !== 1 || ids[index + 1] !== 1), "a start marker twice in a row");
        assert.ok(!ids.join().includes("44,108,306,79,3738,108,46"), "a marker in pieces");
      }
      const raw = await run({ prompt: FRANCE, maxTokens: 1 });
      assert.deepEqual(raw.prompt, [504, 3575, 282, 4649, 314]);
    });
  });
});
