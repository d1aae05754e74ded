/**
 * The same question twice: with nothing behind it, and with the answer begun with `{`. The first distribution of
 * each is the model’s own, over the full vocabulary; then each is written to its end, greedily.
 */

import { faultOf } from "../../core/events.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Run} Run */
/** @typedef {import("../../api/next-token.js").Piece} Piece */
/** @typedef {"free" | "begun"} Side */
/** @typedef {{ piece: Piece, p: number, rank: number }} Vote */
/**
 * @typedef {object} Answer
 * @property {Side} side
 * @property {Piece[]} prompt
 * @property {Vote[]} votes the most probable first tokens
 * @property {{ count: number, p: number }} rest all other entries of the vocabulary
 * @property {Vote | null} brace how probable `{` was here, before it was put there
 * @property {Piece[]} written
 * @property {string} text with the beginning
 * @property {boolean} ended by itself
 * @property {boolean} over
 * @property {number} passes
 */
/** @typedef {{ ok: true, keys: string[], kind: string } | { ok: false, message: string }} Parsed */

export const BEGINNING = "{";
/** @type {readonly Side[]} */
export const SIDES = ["free", "begun"];
export const TOP = 6;
const MOST = 64;

/** Questions of the sort that pocket was trained to answer both in words and as JSON. */
export const QUESTIONS = [
  "What is the capital of France?",
  "What colour is a lemon?",
  "How many legs does a crow have?",
  "What is the opposite of loud?",
  "Nora is 5 years old. How old is Nora?",
];

/** Tells `change`. */
export class Beginning extends EventTarget {
  question = QUESTIONS[0] ?? "";
  /** @type {Record<Side, Answer | null>} */
  answers = { free: null, begun: null };
  /** The question that the answers are for. */
  asked = "";
  /** @type {"ready" | "running" | "cancelled" | "done"} */
  status = "ready";
  fault = /** @type {import("../../core/events.js").Fault | null} */ (null);
  #epoch = 0;
  /** @type {Run | null} */
  #run = null;

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  get running() {
    return this.status === "running";
  }

  #end() {
    this.#epoch += 1;
    this.#run?.free();
    this.#run = null;
  }

  reset() {
    this.#end();
    this.answers = { free: null, begun: null };
    this.asked = "";
    this.status = "ready";
    this.fault = null;
    this.#changed();
  }

  cancel() {
    if (!this.running) return;
    this.#end();
    this.status = "cancelled";
    this.#changed();
  }

  /** @param {Engine} engine */
  async ask(engine) {
    if (this.running || !engine.info.chat) return;
    this.reset();
    const epoch = this.#epoch;
    this.status = "running";
    this.asked = this.question;
    this.#changed();
    try {
      const messages = [{ role: /** @type {const} */ ("user"), content: this.question }];
      const [conversation, beginning] = [(await engine.render(messages)).pieces, await engine.encode(BEGINNING, { special: false })];
      for (const side of SIDES) {
        const prompt = side === "free" ? conversation : [...conversation, ...beginning];
        await this.#write(engine, side, prompt, beginning[0]?.id ?? -1, epoch);
        if (epoch !== this.#epoch) return;
      }
      this.status = "done";
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.reset();
      this.fault = faultOf(error);
    }
    this.#changed();
  }

  /** @param {Engine} engine @param {Side} side @param {Piece[]} prompt @param {number} brace @param {number} epoch */
  async #write(engine, side, prompt, brace, epoch) {
    const run = await engine.start({ prompt: prompt.map(({ id }) => id), maxTokens: MOST, temperature: 0, top: TOP });
    if (epoch !== this.#epoch) return run.free();
    this.#run = run;
    try {
      await run.prefill();
      // Computes nothing: the prefill has these scores already.
      await run.forward();
      const { candidates, tail } = await run.distribution({ temperature: 1, top: TOP });
      /** @type {Answer} */
      const answer = {
        side, prompt, written: [], text: side === "free" ? "" : BEGINNING, ended: false, over: false, passes: run.state.passes,
        votes: candidates.map(({ id, text, bytes, special, pRaw, rank }) => ({ piece: { id, text, bytes, special }, p: pRaw, rank })),
        rest: { count: tail.count, p: tail.massRaw },
        brace: side === "free" ? voteOf((await run.logits()).values, brace) : null,
      };
      if (epoch !== this.#epoch) return;
      this.answers[side] = answer;
      this.#changed();
      while (run.finish === null) {
        const { choice, appended } = await run.step({ temperature: 0, top: TOP });
        if (epoch !== this.#epoch) return;
        if (appended) answer.written.push(appended.piece);
        else answer.written.push({ id: choice.id, text: choice.text, bytes: choice.bytes, special: choice.special });
        answer.text = (side === "free" ? "" : BEGINNING) + run.text;
        answer.passes = run.state.passes;
        this.#changed();
      }
      answer.ended = run.finish === "eos";
      answer.over = true;
    } finally {
      run.free();
      if (this.#run === run) this.#run = null;
    }
  }
}

/** One entry of the vocabulary: softmax over all of it. @param {Float32Array} scores @param {number} id @returns {Vote | null} */
function voteOf(scores, id) {
  const score = scores[id];
  if (score === undefined) return null;
  let most = -Infinity;
  for (const s of scores) if (s > most) most = s;
  let [all, rank] = [0, 0];
  scores.forEach((s, i) => {
    all += Math.exp(s - most);
    if (s > score || (s === score && i < id)) rank += 1;
  });
  return { piece: { id, text: BEGINNING, bytes: [0x7b], special: false }, p: Math.exp(score - most) / all, rank };
}

/** Whether a text is JSON: asked of JSON.parse, as it is. @param {string} text @returns {Parsed} */
export function parsed(text) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(text));
    const object = typeof value === "object" && value !== null && !Array.isArray(value);
    return { ok: true, kind: object ? "an object" : Array.isArray(value) ? "an array" : `a ${value === null ? "null" : typeof value}`, keys: object ? Object.keys(value) : [] };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
