/**
 * Whether a text goes round in a loop.
 *
 * Ids end in a loop of period p if the last tokens are the same p tokens, at least ROUNDS times in a row
 * and at least LEAST tokens in all: every one of them is the one p places before it. The smallest such p
 * counts, up to LONGEST. A round that is begun but not whole belongs to the loop and isn't counted.
 */

import { plural, probability, quotedText } from "./format.js";

/** @typedef {import("../api/next-token.js").Step} Step */
/** @typedef {{ period: number, rounds: number, start: number }} Cycle `start`: where the loop begins, as an index */
/** @typedef {Cycle & { what: string, words: string }} Repetition `what`: the loop alone; `words`: and why greedy stays in it */

const ROUNDS = 3;
const LEAST = 6;
const LONGEST = 64;

/** @param {number[]} ids @returns {Cycle | null} */
export function cycleOf(ids) {
  const n = ids.length;
  for (let period = 1; period <= LONGEST && period * ROUNDS <= n; period++) {
    let start = n - period;
    while (start > 0 && ids[start - 1] === ids[start - 1 + period]) start -= 1;
    const rounds = Math.floor((n - start) / period);
    if (rounds >= ROUNDS && rounds * period >= LEAST) return { period, rounds, start };
  }
  return null;
}

/** The loop that these steps end in, in words. @param {Step[]} steps @returns {Repetition | null} */
export function repetitionOf(steps) {
  const cycle = cycleOf(steps.map((step) => step.choice.id));
  if (!cycle) return null;
  const { period, rounds, start } = cycle;
  const round = steps.slice(-period);
  const text = round.map((step) => step.appended?.piece.text ?? "").join("");
  const what = `The last ${period === 1 ? "token" : `${period} tokens`}, ${quotedText(text)}, ${period === 1 ? "has" : "have"} come ${plural(rounds, "time")} in a row.`;
  if (!steps.slice(start + period).every((step) => step.choice.method === "greedy")) return { ...cycle, what, words: what };
  const least = Math.min(...round.map((step) => step.choice.pRaw ?? 0));
  return { ...cycle, what, words: `${what} Greedy throws no coin that could lead out of it: the same beginning always gives the same choice. In this round each token had at least ${probability(least)} by the model.` };
}
