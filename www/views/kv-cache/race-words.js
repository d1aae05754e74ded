/** What the measurement says: formulas beside counts, medians, sentences. */

import { count, duration, plural, power } from "../../core/format.js";

/** @typedef {import("./race.js").Race} Race */
/** @typedef {import("./race.js").Turn} Turn */

/** Token passes with a cache, after n scores for a prompt of p. @param {number} p @param {number} n */
export const passesWith = (p, n) => p + n - 1;

/** And without one: p + (p+1) + … + (p+n−1). @param {number} p @param {number} n */
export const passesWithout = (p, n) => n * p + (n * (n - 1)) / 2;

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length === 0 ? NaN : sorted.length % 2 === 1 ? Number(sorted[half]) : (Number(sorted[half - 1]) + Number(sorted[half])) / 2;
}

/** The middle of the steps around each one: single hiccups of the machine don't show in it. @param {number[]} values @param {number} [width] */
export function runningMedian(values, width = 9) {
  const side = width >> 1;
  return values.map((_, i) => median(values.slice(Math.max(0, i - side), i + side + 1)));
}

/** Steps that made a pass of their own: not the first, whose scores come from the prefill. @param {Race} race */
export const timed = (race) => race.turns.slice(1);

/**
 * How long a step takes at the end, how that compares, and how it grew. null: too few steps.
 * @param {Race} race
 */
export function summary(race) {
  const turns = timed(race);
  if (turns.length < 9) return null;
  const over = Math.min(20, Math.floor(turns.length / 3));
  const ends = { early: turns.slice(0, over), late: turns.slice(-over) };
  // In a long race the very first steps are left out of this, too.
  if (turns.length >= 60) ends.early = turns.slice(9, 9 + over);
  const of = (/** @type {Turn[]} */ list, /** @type {"cached" | "plain"} */ name) => median(list.map((t) => t[name].ms));
  const [cached, plain] = [of(ends.late, "cached"), of(ends.late, "plain")];
  const from = /** @type {Turn} */ (ends.early[0]).length;
  return {
    over, cached, plain, ratio: plain / cached,
    growth: { from, to: from + over - 1, cached: cached / of(ends.early, "cached"), plain: plain / of(ends.early, "plain") },
  };
}

/** @param {number} ratio */
const times = (ratio) => (ratio >= 10 ? count(ratio) : ratio.toFixed(1));

/** The result in a sentence. @param {Race} race */
export function resultWords(race) {
  const s = summary(race);
  if (!s) return "";
  const { growth } = s;
  const grown = race.turns.length < 40 ? "" : ` Since positions ${growth.from} to ${growth.to} a step without it has become ${times(growth.plain)} times as long, a step with it ${times(growth.cached)} times.`;
  return `At ${plural(race.turns.length, "token")} a step without a cache took ${times(s.ratio)} times as long as with it (measured: medians of the last ${s.over} steps, ${duration(s.plain)} and ${duration(s.cached)}).${grown}`;
}

/** @param {Race} race */
export function passesWords(race) {
  const last = race.turns.at(-1);
  if (!last) return "";
  const [p, n] = [race.prompt, race.turns.length];
  return `${plural(last.cached.passes, "token pass", "token passes")} with the cache (formula: p + n − 1 = ${p} + ${n} − 1 = ${count(passesWith(p, n))}), ${count(last.plain.passes)} without it (formula: ${sumWords(p, n)} = ${count(passesWithout(p, n))}); both counted by the engine. p is the prompt’s tokens, n those written.`;
}

/** @param {number} p @param {number} n */
function sumWords(p, n) {
  if (n <= 3) return Array.from({ length: n }, (_, i) => p + i).join(" + ");
  return `${p} + ${p + 1} + … + ${p + n - 1}`;
}

/** The largest difference of all steps; null: nothing was compared. @param {Race} race */
export function difference(race) {
  const all = race.turns.flatMap((t) => (t.difference === null ? [] : [t.difference]));
  return all.length > 0 ? Math.max(...all) : null;
}

/** A very small number as a reader reads it. @param {number} x */
export const tiny = (x) => (x === 0 ? "0" : x >= 0.001 ? x.toPrecision(2) : `${(x / 10 ** Math.floor(Math.log10(x))).toFixed(1)} · ${power(Math.floor(Math.log10(x)))}`);

/** @param {Race} race @param {number} vocabulary */
export function sameWords(race, vocabulary) {
  const n = race.turns.length;
  if (n === 0) return "";
  const most = difference(race);
  const logits = most === null ? "" : ` The logits are the same within ${most === 0 ? "what float32 can tell" : tiny(most)}: the largest difference of any of the ${count(vocabulary)} scores at any step${race.parted >= 0 ? " up to there" : ""} is ${tiny(most)}.`;
  if (race.parted >= 0) return `The two parted at token ${race.parted + 1}: the scores differ by rounding, and where two are nearly equal that can decide. What comes later isn’t compared.${logits}`;
  return `Both wrote the same ${plural(n, "token")}; the ids were compared one by one.${logits}`;
}

/** What isn't fed back. @param {Race} race */
export function lastWords(race) {
  if (race.state !== "done" || race.turns.length === 0) return "";
  return `The last token was never fed back, so the cache ends with ${plural(race.columns.cached, "column")}: p + n − 1.`;
}
