// Speed of SmolLM2 on the CPU path in headless Chromium, and of wllama (llama.cpp) on the same
// file in the same browser, one thread each. Nothing is asserted: `cargo xtask bench` prints it.
import { fixture, launch, serve, withPage } from "./harness.mjs";

const PROMPT = "The capital of France is";
const TOKENS = 64;
const ROUNDS = 3;
const MODEL = "/models/SmolLM2-135M-Instruct.Q4_1.gguf";
const LONG = `Rivers begin as small streams high in the hills. Rain and melting snow feed them, and on
their way to the sea they grow, carry sand and stones, and shape the land. Towns were built beside
them, since a river gives water to drink, fish to eat, a road for boats, and power for mills. Old
bridges still stand where people once had to wait for a ferry.`;

/**
 * Milliseconds, of the best round: the machine does other things too.
 * @typedef {{ load: number, prefill: number, first: number, perToken: number, memory: number, prompt: number, generated: number }} Result
 */

/** @param {{ prompt: string, long: string, tokens: number, rounds: number }} task @returns {Promise<Result>} */
async function ours({ prompt, long, tokens, rounds }) {
  const begun = performance.now();
  const own = await nextToken.load({ model: "smollm2", backend: "cpu" });
  const result = { load: performance.now() - begun, prefill: Infinity, first: Infinity, perToken: Infinity, memory: 0, prompt: 0, generated: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const reading = await own.start({ prompt: long });
    const prefillBegun = performance.now();
    await reading.prefill();
    result.prefill = Math.min(result.prefill, performance.now() - prefillBegun);
    reading.free();

    const run = await own.start({ prompt, maxTokens: tokens });
    const writeBegun = performance.now();
    let first = 0;
    for await (const _ of run) first ||= performance.now();
    result.prompt = run.state.promptLength;
    result.generated = run.tokens.length - run.state.promptLength;
    result.first = Math.min(result.first, first - writeBegun);
    result.perToken = Math.min(result.perToken, (performance.now() - first) / (result.generated - 1));
    run.free();
  }
  result.memory = await own.memory();
  own.free();
  return result;
}

/** @param {{ prompt: string, long: string, tokens: number, rounds: number, model: string }} task @returns {Promise<Result>} */
async function theirs({ prompt, long, tokens, rounds, model }) {
  const module = "/node_modules/@wllama/wllama/esm/index.js";
  /** @type {typeof import("@wllama/wllama")} */
  const { Wllama, LoggerWithoutDebug } = await import(module);
  const wasm = new URL("/node_modules/@wllama/wllama/esm/wasm/wllama.wasm", location.href).href;
  const wllama = new Wllama({ default: wasm }, { suppressNativeLog: true, logger: LoggerWithoutDebug });
  const begun = performance.now();
  const file = await (await fetch(model)).blob();
  await wllama.loadModel([file], { n_ctx: 2048, n_threads: 1, n_gpu_layers: 0 });
  const result = { load: performance.now() - begun, prefill: Infinity, first: Infinity, perToken: Infinity, memory: 0, prompt: 0, generated: 0 };

  /** @param {string} text @param {number} count */
  const write = async (text, count) => {
    const asked = performance.now();
    const options = { prompt: text, max_tokens: count, temperature: 0, stream: /** @type {const} */ (true), cache_prompt: false };
    let first = 0;
    let last = 0;
    let written = 0;
    for await (const chunk of await wllama.createCompletion(options)) {
      first ||= performance.now();
      // The closing chunk brings no token.
      if (chunk.choices[0]?.finish_reason) continue;
      last = performance.now();
      written += 1;
    }
    return { first: first - asked, perToken: (last - first) / Math.max(written - 1, 1), written };
  };
  for (let round = 0; round < rounds; round += 1) {
    result.prefill = Math.min(result.prefill, (await write(long, 1)).first);
    const { first, perToken, written } = await write(prompt, tokens);
    result.first = Math.min(result.first, first);
    result.perToken = Math.min(result.perToken, perToken);
    result.generated = written;
  }
  await wllama.exit();
  return result;
}

/** The first 64 tokens of a text, as text. */
async function longPrompt(/** @type {string} */ text) {
  const own = await nextToken.load({ model: "smollm2", backend: "cpu" });
  const pieces = (await own.encode(text)).slice(0, 64);
  own.free();
  return { long: pieces.map((piece) => piece.text).join(""), count: pieces.length };
}

const { cases } = await fixture("smollm2-greedy.json");
if (!cases.some((/** @type {{ prompt: string }} */ { prompt }) => prompt === PROMPT)) throw new Error("the prompt is not in the reference");
const site = await serve();
const browser = await launch();
/** @type {[string, Result][]} */
const results = [];
try {
  await withPage(browser, `${site.origin}/blank`, async (page) => {
    const { long, count } = await page.evaluate(longPrompt, LONG.replaceAll("\n", " "));
    if (count !== 64) throw new Error(`the long prompt has ${count} tokens, not 64`);
    const task = { prompt: PROMPT, long, tokens: TOKENS, rounds: ROUNDS, model: MODEL };
    results.push(["next-token", await page.evaluate(ours, task)]);
    try {
      results.push(["wllama 3.13.0", await page.evaluate(theirs, task)]);
    } catch (error) {
      console.log(`wllama couldn't be measured: ${error instanceof Error ? error.message : error}`);
    }
  });
} finally {
  await browser.close();
  await site.close();
}

console.log(`\nSmolLM2-135M-Instruct Q4_1, CPU, one thread, headless Chromium ${browser.version()}; best of ${ROUNDS}\n`);
const columns = ["", "load", "prefill 64", "first token", "per token", "decode", "wasm memory"];
const rows = results.map(([name, { load, prefill, first, perToken, memory }]) => [
  name, `${load.toFixed(0)} ms`, `${prefill.toFixed(0)} ms`, `${first.toFixed(0)} ms`, `${perToken.toFixed(1)} ms`,
  `${(1000 / perToken).toFixed(1)} tok/s`, memory ? `${(memory / 2 ** 20).toFixed(0)} MiB` : "-",
]);
for (const row of [columns, ...rows]) {
  console.log(row.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(13))).join(""));
}
const [[, { prompt, generated }]] = results;
console.log(`\nfirst token: prefill of ${prompt} tokens included. decode: the other ${generated - 1} tokens, greedy.`);
console.log("next-token sends a record with the whole distribution for each token, and keeps float32");
console.log("activations; wllama sends text, and rounds activations to 8 bits.");
