// The pocket model in two engines: this one and llama.cpp (by way of wllama), in the same browser, on
// the same file. The same greedy ids on every prompt, so what the card shows is the file's, not ours.
//
// llama.cpp rounds activations to 8 bits where weights are quantised (its cache is kept in float32 here):
// where two tokens are nearly equally probable it may take the other one. A difference is reported with
// both engines' probabilities.
// POCKET names another file to compare.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { ROOT, setUp, withPage } from "./harness.mjs";

const TOKENS = 40;
/** Tokens shown of both engines where they differ. */
const SHOWN = 3;

const turn = (/** @type {string} */ question) => `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;
const PROMPTS = [
  "The capital of France is",
  "The capital of Japan is",
  "The capital of New Zealand is",
  "A dog says",
  "The opposite of hot is",
  "The opposite of up is",
  "One day Tom got a little white cat called Pip from his uncle.",
  "The rain fell and",
  "1, 2, 3, 4,",
  "red blue red blue",
  "Problem: 27 + 58 + 36\nAnswer:",
  "Problem: 27 + 58 + 36\nSteps:",
  "Word: rovela\nAnswer:",
  "Word: rovela\nLetters:",
  "User: What is the capital of Spain?\nAssistant: Madrid\nUser: What sound does a cow make?\nAssistant:",
  turn("What is the capital of Italy?"),
  turn("What is the opposite of north?"),
  turn("What is 12 + 34 + 56? Think step by step."),
  turn("What is the capital of Poland? Answer as JSON."),
  `${turn("What colour is snow?")}{`,
];

/** Stories draw names and things from many that are equally probable: there rounding may decide. */
const STORIES = ["Once upon a time", "Once upon a time, there was a girl called Mia who had a brown dog called Rex."];
/** Two tokens this near to each other in probability are as good as equal. */
const TIE = 0.02;

/**
 * A token with its probability; `best` are the most probable ones at its place.
 * @typedef {{ id: number, text: string, p: number, best: { id: number, text: string, p: number }[] }} Token
 * @typedef {{ prompt: number, tokens: Token[] }} Written `prompt`: how many tokens the prompt has
 * @typedef {{ prompts: string[], count: number, shown: number }} Task
 */

const named = process.env.POCKET || path.join(ROOT, "pkg/pocket.gguf");
const site = setUp(async (url) => {
  if (url.pathname !== "/pocket-under-test.gguf") return null;
  return { headers: { "content-type": "application/octet-stream" }, body: await model() };
});

const model = () => readFile(named);

test("llama.cpp writes the same with the pocket model", { timeout: 300_000 }, async (t) => {
  const prompts = [...PROMPTS, ...STORIES];
  const task = { prompts, count: TOKENS, shown: SHOWN };

  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const here = await page.evaluate(ours, task);
    const there = await page.evaluate(theirs, task);
    let [equal, compared, closest] = [0, 0, Infinity];
    const differences = [];
    for (const [index, prompt] of prompts.entries()) {
      const [one, other] = [here[index], there[index]];
      assert.equal(one.prompt, other.prompt, `the prompt's tokens: ${JSON.stringify(prompt)}`);
      const at = differs(one.tokens, other.tokens);
      compared += at ?? one.tokens.length;
      for (const { best: [first, second] } of one.tokens.slice(0, at ?? one.tokens.length)) {
        closest = Math.min(closest, first.p - second.p);
      }
      if (STORIES.includes(prompt)) {
        if (at === null) continue;
        const [mine, its] = [one.tokens[at], other.tokens[at]];
        t.diagnostic(`${JSON.stringify(prompt)}, token ${at}:\n  here   ${shown(mine)}\n  wllama ${shown(its)}`);
        const near = [mine, its].every((token) => token && token.best[0].p - token.best[1].p < TIE);
        assert.ok(near && mine?.id === its?.best[1].id && its?.id === mine?.best[1].id, "a story parts only at a tie");
      } else if (at === null) equal += 1;
      else differences.push(`${JSON.stringify(prompt)}, token ${at}:\n  here   ${shown(one.tokens[at])}\n  wllama ${shown(other.tokens[at])}`);
    }
    for (const difference of differences) t.diagnostic(difference);
    t.diagnostic(`${equal} of ${PROMPTS.length} prompts equal, ${compared} tokens compared; the closest choice was won by ${closest.toPrecision(2)}`);
    assert.ok(compared > 0, "something was written");
    assert.equal(equal, PROMPTS.length, `the first difference: ${differences[0]}`);
  });
});

/**
 * Where two texts part, or null.
 * @param {Token[]} one @param {Token[]} other
 */
function differs(one, other) {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    if (one[at]?.id !== other[at]?.id) return at;
  }
  return null;
}

/** @param {Token | undefined} token */
function shown(token) {
  if (!token) return "has ended";
  const best = token.best.map(({ id, text, p }) => `${id} ${JSON.stringify(text)} ${p.toFixed(4)}`);
  return `${token.id} ${JSON.stringify(token.text)}, p ${token.p.toFixed(4)}; best: ${best.join(", ")}`;
}

/** In the page. @param {Task} task @returns {Promise<Written[]>} */
async function ours({ prompts, count, shown }) {
  const own = await nextToken.load({ model: { gguf: new URL("/pocket-under-test.gguf", location.href) }, backend: "cpu" });
  const all = [];
  for (const prompt of prompts) {
    const run = await own.start({ prompt, maxTokens: count, top: shown });
    /** @type {Token[]} */
    const tokens = [];
    for await (const { choice, candidates, appended } of run) {
      if (appended === null) break;
      const best = candidates.map(({ id, text, pRaw }) => ({ id, text, p: pRaw }));
      tokens.push({ id: choice.id, text: choice.text, p: choice.pRaw ?? NaN, best });
    }
    all.push({ prompt: run.state.promptLength, tokens });
    run.free();
  }
  own.free();
  return all;
}

/** In the page. @param {Task} task @returns {Promise<Written[]>} */
async function theirs({ prompts, count, shown }) {
  const module = "/node_modules/@wllama/wllama/esm/index.js";
  /** @type {typeof import("@wllama/wllama")} */
  const { Wllama, LoggerWithoutDebug } = await import(module);
  const wasm = new URL("/node_modules/@wllama/wllama/esm/wasm/wllama.wasm", location.href).href;
  const wllama = new Wllama({ default: wasm }, { suppressNativeLog: true, logger: LoggerWithoutDebug });
  const file = await (await fetch("/pocket-under-test.gguf")).blob();
  await wllama.loadModel([file], { n_ctx: 512, n_threads: 1, n_gpu_layers: 0, cache_type_k: "f32", cache_type_v: "f32" });
  const all = [];
  for (const prompt of prompts) {
    const options = { prompt, max_tokens: count, temperature: 0, logprobs: shown, cache_prompt: false };
    const { choices: [choice], usage } = await wllama.createCompletion(options);
    /** llama.cpp's own form, with ids, which wllama's types don't know. @type {any} */
    const logprobs = choice.logprobs;
    const read = (/** @type {{ id: number, token: string, logprob: number }} */ { id, token, logprob }) =>
      ({ id, text: token, p: Math.exp(logprob) });
    /** @type {Token[]} */
    const tokens = (logprobs?.content ?? []).map((/** @type {any} */ token) => ({ ...read(token), best: token.top_logprobs.map(read) }));
    // The token that ends a text has no text; here it isn't counted.
    if (choice.finish_reason === "stop" && tokens.at(-1) && wllama.isTokenEOG(tokens.at(-1)?.id ?? -1)) tokens.pop();
    all.push({ prompt: usage.prompt_tokens, tokens });
  }
  await wllama.exit();
  return all;
}
