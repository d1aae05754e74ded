/**
 * Fast-forward: the conversation so far, repeated as text to any number of turns. Nothing is generated;
 * every turn is rendered and its tokens are counted by the model's own tokenizer.
 */

import { faultOf } from "../../core/events.js";
import { commonPrefix } from "../../core/lists.js";
import { meansOf } from "./stack.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Message} Message */
/** @typedef {{ user: string, answer: string }} Pair */
/**
 * `computed`: tokens of the input that the one before doesn't begin with, by ids; `total` and
 * `totalComputed`: so far; `document`: the text of all messages so far, as one document (null: not counted).
 * @typedef {{ turn: number, input: number, computed: number, total: number, totalComputed: number, document: number | null }} Row
 */

/** How many times the document is counted on the way. */
const DOCUMENTS = 10;

export class Ahead extends EventTarget {
  /** @type {Row[]} */
  rows = [];
  /** How many turns were asked for. */
  wanted = 0;
  running = false;
  cancelled = false;
  /** @type {import("../../core/events.js").Fault | null} */
  fault = null;
  /** The model's context, in tokens. */
  context = 0;
  /** S, and the means of U and A over all turns counted. @type {import("./formula.js").Sizes | null} */
  sizes = null;
  #epoch = 0;

  /** The first turn that wouldn't fit into the context. */
  get overflow() {
    return this.rows.find((row) => row.input >= this.context) ?? null;
  }

  get last() {
    return this.rows.at(-1) ?? null;
  }

  /** @param {Engine} engine @param {string} system @param {Pair[]} pairs @param {number} turns */
  async run(engine, system, pairs, turns) {
    const epoch = ++this.#epoch;
    Object.assign(this, { rows: [], wanted: turns, running: true, cancelled: false, fault: null, sizes: null, context: engine.info.context });
    this.#changed();
    try {
      /** @type {Message[]} */
      const messages = system.trim() === "" ? [] : [{ role: "system", content: system }];
      /** @type {number[]} */
      let before = [];
      for (let k = 1; k <= turns; k++) {
        const pair = pairs[(k - 1) % pairs.length];
        if (!pair) break;
        messages.push({ role: "user", content: pair.user });
        const rendered = await engine.render(messages);
        if (epoch !== this.#epoch) return;
        const ids = rendered.pieces.map((piece) => piece.id);
        if (k > 1) this.sizes = meansOf(rendered, messages);
        messages.push({ role: "assistant", content: pair.answer });
        const computed = ids.length - commonPrefix(before, ids);
        const whole = k === turns || k % Math.ceil(turns / DOCUMENTS) === 0;
        const document = whole ? (await engine.encode(documentOf(messages), { special: false })).length : null;
        if (epoch !== this.#epoch) return;
        const { last } = this;
        this.rows.push({ turn: k, input: ids.length, computed, total: (last?.total ?? 0) + ids.length, totalComputed: (last?.totalComputed ?? 0) + computed, document });
        before = ids;
        this.#changed();
      }
    } catch (error) {
      if (epoch === this.#epoch) this.fault = faultOf(error);
    } finally {
      if (epoch === this.#epoch) {
        this.running = false;
        this.#changed();
      }
    }
  }

  /** What was counted so far stays. */
  cancel() {
    if (!this.running) return;
    this.#epoch += 1;
    this.running = false;
    this.cancelled = true;
    this.#changed();
  }

  /** What was counted is about another conversation now. */
  forget() {
    this.#epoch += 1;
    if (this.rows.length === 0 && !this.running && !this.fault) return;
    Object.assign(this, { rows: [], wanted: 0, running: false, cancelled: false, fault: null, sizes: null });
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** The text of all messages as one document. @param {Message[]} messages */
export const documentOf = (messages) => messages.map((message) => message.content).join("\n\n");
