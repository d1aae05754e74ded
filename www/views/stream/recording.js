/**
 * A run as it can be replayed: when each token was there, and how much text was released with it. The times
 * are the engine's own computing times, so that no pause and no drawing is in them.
 */

import { placeOf } from "../../core/timeline.js";

/** @typedef {import("../../core/timeline.js").Timeline} Timeline */

/**
 * @typedef {object} Recording
 * @property {number[]} arrivals ms from the request to each token; the first is the TTFT
 * @property {number[]} lengths of the released text, after each token
 * @property {string} text
 * @property {number} tokens passes of the loop: the end-of-text token counts, too
 * @property {number} ended 1 if the last of them is the end-of-text token, which joins nothing
 * @property {number | null} rate tokens a second after the first
 * @property {number} over tokens that the rate was measured over
 * @property {number | null} early the rate of the first of those alone
 * @property {number} earlyOver
 * @property {number} found tokens whose scores another pass had computed before: its time isn't in theirs
 */

/** Tokens that a prediction is made from. */
const EARLY = 32;

/** The steps up to the cursor; null if there is nothing to replay. @param {Timeline} timeline @returns {Recording | null} */
export function record(timeline) {
  const { prefill, generated } = timeline;
  const steps = timeline.turns.slice(0, generated).flatMap(({ step }) => (step ? [step] : []));
  if (!prefill || steps.length === 0) return null;
  /** @type {number[]} */
  const arrivals = [];
  /** @type {number[]} */
  const lengths = [];
  let [at, text] = [prefill.ms, ""];
  for (const step of steps) {
    at += step.ms;
    arrivals.push(at);
    text = timeline.history.at(placeOf(step.index, "append"))?.text ?? text;
    lengths.push(text.length);
  }
  const computed = steps.slice(1).filter((step) => step.logits !== null && step.logits.passes > 0).map(({ ms }) => ms);
  const found = steps.slice(1).filter((step) => step.logits?.passes === 0).length;
  const last = steps.at(-1);
  const { rate, over } = timeline.timing();
  return { arrivals, lengths, text, found, tokens: steps.length, ended: last?.appended ? 0 : 1, rate, over, early: rateOf(computed.slice(0, EARLY)), earlyOver: Math.min(EARLY, computed.length) };
}

/** @param {number[]} ms */
function rateOf(ms) {
  const sum = ms.reduce((a, b) => a + b, 0);
  return sum > 0 ? (ms.length * 1000) / sum : null;
}

/** The formula: TTFT + tokens / rate, in ms. @param {number} first in ms @param {number} tokens @param {number} rate */
export const formula = (first, tokens, rate) => first + (tokens * 1000) / rate;

/**
 * The times under another pace: so long to the first token, then one token every 1/rate seconds.
 * @param {Recording} recording @param {{ first: number | null, rate: number | null }} pace null: as measured
 */
export function paced({ arrivals }, { first, rate }) {
  const begin = arrivals[0] ?? 0;
  const shift = (first ?? begin) - begin;
  return arrivals.map((at, i) => (rate === null ? at + shift : begin + shift + (i * 1000) / rate));
}

/** How many of them are there at this time. @param {number[]} arrivals @param {number} time */
export function arrived(arrivals, time) {
  let [low, high] = [0, arrivals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {number} */ (arrivals[middle]) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the last whole sentence of this beginning ends. @param {string} text @param {number} length */
export function sentence(text, length) {
  const begun = text.slice(0, length);
  return Math.max(0, ...[". ", "! ", "? ", ".\n", "\n\n"].map((mark) => begun.lastIndexOf(mark) + 1));
}
