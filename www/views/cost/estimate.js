/** What a call costs: token counts, prices, and what is unknown. No drawing here. */

import { faultOf } from "../../core/events.js";
import { countO200k } from "../../core/o200k.js";
import { NOTHING, costOf, sum, times } from "./money.js";

/** @typedef {import("./money.js").Money} Money */
/** @typedef {"input" | "cached" | "output"} PriceName */
/** @typedef {{ input: Money | null, cached: Money | null, output: Money | null }} Prices per million tokens; null: unknown */
/** @typedef {{ input: number, cached: number, output: number }} Counts `input` without the cached part */
/** @typedef {{ input: Money | null, cached: Money | null, output: Money | null, total: Money | null, missing: PriceName[] }} Cost */

/** Texts of the articles, counted with o200k_base beforehand; the tests count them again. */
export const COUNTED = {
  long: { text: "You are a helpful assistant. What are the best smart glasses?", tokens: 13 },
  short: { text: "What's the best smart glasses?", tokens: 6 },
  answer: { text: "Ray-Ban Meta Ultra — lightweight, 48MP camera, translates 40 languages, full-day battery", tokens: 21 },
};

/** The size of the counter, before it is loaded: bytes. */
export const COUNTER_BYTES = 2_035_846;

/** The article's rule: 1.33 tokens a word, rounded down. @param {number} words */
export const tokensOfWords = (words) => Math.floor((words * 133) / 100);

/** A price that isn't known makes the cost unknown, unless nothing is charged by it. @param {Counts} counts @param {Prices} prices @returns {Cost} */
export function cost(counts, prices) {
  /** @type {PriceName[]} */
  const missing = [];
  /** @param {PriceName} name */
  const part = (name) => {
    const price = prices[name];
    if (counts[name] === 0) return NOTHING;
    if (price) return costOf(price, counts[name]);
    missing.push(name);
    return null;
  };
  const [input, cached, output] = [part("input"), part("cached"), part("output")];
  const total = input && cached && output ? sum(input, cached, output) : null;
  return { input, cached, output, total, missing };
}

export class Estimate extends EventTarget {
  text = COUNTED.long.text;
  /** Tokens of `text`; null: not counted. @type {number | null} */
  promptTokens = COUNTED.long.tokens;
  /** Tokens of the prompt that come out of the provider's prefix cache. */
  cachedTokens = 0;
  answer = 200;
  /** @type {"words" | "tokens"} */
  unit = "words";
  calls = 1000;
  /** @type {Prices} */
  prices = { input: null, cached: null, output: null };
  /** @type {"beforehand" | "none" | "loading" | "ready"} */
  counter = "beforehand";
  /** @type {import("../../core/events.js").Fault | null} */
  fault = null;
  #asked = 0;
  #loaded = false;

  get output() {
    return this.unit === "words" ? tokensOfWords(this.answer) : this.answer;
  }

  /** @returns {Counts | null} null: the prompt isn't counted */
  get counts() {
    if (this.promptTokens === null) return null;
    const cached = Math.min(this.cachedTokens, this.promptTokens);
    return { input: this.promptTokens - cached, cached, output: this.output };
  }

  /** @returns {Cost | null} */
  get call() {
    const { counts } = this;
    return counts && cost(counts, this.prices);
  }

  /** @returns {Money | null} */
  get day() {
    const total = this.call?.total ?? null;
    return total && times(total, this.calls);
  }

  /** @param {Partial<Pick<Estimate, "cachedTokens" | "answer" | "unit" | "calls" | "prices">>} patch */
  set(patch) {
    Object.assign(this, patch);
    this.#changed();
  }

  /** Another prompt. It is counted at once if the counter is there. @param {string} text */
  write(text) {
    if (text === this.text) return;
    this.text = text;
    this.#asked += 1;
    const known = Object.values(COUNTED).find((entry) => entry.text === text);
    this.promptTokens = known?.tokens ?? (text === "" ? 0 : null);
    if (known || text === "") this.counter = this.#loaded ? "ready" : "beforehand";
    else if (this.#loaded) return void this.count();
    else this.counter = "none";
    this.#changed();
  }

  /** Counts the prompt; the first time this loads the counter. */
  async count() {
    const asked = ++this.#asked;
    this.fault = null;
    if (!this.#loaded) this.counter = "loading";
    this.#changed();
    try {
      const tokens = await countO200k(this.text);
      this.#loaded = true;
      if (asked !== this.#asked) {
        // Something else was written meanwhile; it has been counted, or is counted now.
        if (this.promptTokens === null && this.counter !== "ready") await this.count();
        return;
      }
      this.promptTokens = tokens;
      this.counter = "ready";
    } catch (error) {
      if (asked !== this.#asked) return;
      this.fault = faultOf(error);
      this.counter = "none";
    }
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
