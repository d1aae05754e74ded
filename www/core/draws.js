/** What came of many draws, beside what was to be expected. */

import { count, full, plural, quoted } from "./format.js";

/** @typedef {import("../api/next-token.js").Draws} Draws */
/** @typedef {import("../api/next-token.js").Distribution} Distribution */
/** @typedef {{ token: (import("./format.js").TokenText & { id: number }) | null, others: string, count: number, p: number }} Row `others`: what stands for those without a row of their own */

/** Below this many expected, counts are too few for a standard error to mean much. */
const ENOUGH = 5;

/**
 * Rows for the first candidates, drawn or not, and one for all others; then how far the counts are off.
 * @param {Draws} record @param {Distribution | null} distribution of the same scores
 * @returns {{ rows: Row[], words: string }}
 */
export function describeDraws({ draws, times, settings }, distribution) {
  const drawn = new Map(draws.map((d) => [d.id, d]));
  // The candidates tell the p of those never drawn, if they are of the same settings.
  const same = distribution && (["temperature", "topK", "topP", "minP", "repetitionPenalty"]).every((name) => distribution.settings[/** @type {"topK"} */ (name)] === settings[/** @type {"topK"} */ (name)]);
  const first = same ? distribution.candidates.filter((c) => c.kept) : draws.slice(0, settings.top);
  /** @type {Row[]} */
  const rows = first.map((token) => ({ token, others: "", count: drawn.get(token.id)?.count ?? 0, p: token.p }));
  const left = times - rows.reduce((sum, r) => sum + r.count, 0);
  const mass = same ? distribution.tail.mass : Math.max(0, 1 - rows.reduce((sum, r) => sum + r.p, 0));
  const kinds = draws.filter((d) => !first.some((f) => f.id === d.id)).length;
  if (left > 0 || mass > 1e-9) rows.push({ token: null, others: `others${left > 0 ? `: ${count(kinds)} of them` : ""}`, count: left, p: mass });
  return { rows, words: deviation(rows, times, draws) };
}

/** @param {Row[]} rows @param {number} times @param {Draws["draws"]} draws */
function deviation(rows, times, draws) {
  // Over the whole vocabulary: what was never drawn is off by all of its probability.
  const off = draws.reduce((sum, d) => sum + Math.abs(d.count / times - d.p) - d.p, 1) / 2;
  const distance = `Over the whole vocabulary the shares and the probabilities differ by ${full(Math.round(Math.max(0, off) * 1000) / 1000)} (total variation distance: half the sum of all differences; 0 is the same, 1 is nothing in common).`;
  const tried = rows
    .filter((r) => times * r.p >= ENOUGH && times * (1 - r.p) >= ENOUGH)
    .map((row) => ({ row, error: Math.sqrt(times * row.p * (1 - row.p)) }))
    .map(({ row, error }) => ({ row, error, z: (row.count - times * row.p) / error }))
    .sort((a, b) => Math.abs(b.z) - Math.abs(a.z));
  const [worst] = tried;
  if (!worst) return distance;
  const who = worst.row.token ? quoted(worst.row.token) : "the others";
  return `Largest deviation: ${who} came ${plural(worst.row.count, "time")} where ${(times * worst.row.p).toFixed(1)} were expected, ${Math.abs(worst.z).toFixed(1)} standard errors off (one is √(n·p·(1−p)) = ${worst.error.toFixed(1)}; chance alone seldom makes more than 3). ${distance}`;
}
