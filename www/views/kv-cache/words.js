/** What the views of the cache say. */

import { count, plural, quoted, size } from "../../core/format.js";
import { ALL } from "./columns.js";

/** @typedef {import("../../api/next-token.js").Info} Info */
/** @typedef {import("./place.js").Place} Place */

/** Numbers that a column has. @param {Info} info */
export const numbersOf = (info) => 2 * info.layers * info.kvHeads * info.headDim;

/** The formula with the model's own numbers. @param {Info} info @param {number} tokens */
export const formula = (info, tokens) => `2 · ${info.layers} · ${info.kvHeads} · ${info.headDim} · ${count(tokens)} · 4`;

/** Bytes as a reader and as an accountant reads them. @param {number} bytes */
export const bytesWords = (bytes) => (bytes < 1000 ? plural(bytes, "byte") : `${size(bytes)} (${count(bytes)} bytes)`);

/** A K or V as it is shown. @param {number} x */
export const value = (x) => (Number.isFinite(x) ? x.toFixed(Math.abs(x) >= 100 ? 1 : Math.abs(x) >= 10 ? 2 : 3).replace("-", "−") : "–");

/** @param {Info} info @param {number} head */
export const headWords = (info, head) => (head === ALL ? (info.kvHeads === 1 ? "its one KV head" : `all ${info.kvHeads} KV heads together`) : `KV head ${head + 1}`);

/** What the last pass did to the wall. @param {Place} place @param {{ cache: boolean, reading: { done: number, total: number } | null, finish: string | null }} more */
export function passWords(place, { cache, reading, finish }) {
  const { pass, prompt, cached, pieces } = place;
  if (pass === "none") {
    if (reading) return `Prefill: ${count(reading.done)} of ${count(reading.total)} prompt tokens are read.`;
    return pieces.length > 0 ? `The cache is empty: ${plural(pieces.length, "token")} wait for the prefill, which fills all their columns at once.` : "";
  }
  const waiting = pieces[cached];
  const rest = !waiting ? "" : finish
    ? ` The last token, ${quoted(waiting)}, was never fed back: it has no column.`
    : ` ${quoted(waiting)} gets its column at the next forward pass.`;
  if (pass === "prefill") {
    const how = prompt > place.chunk && place.chunk > 0
      ? `Prefill: the engine read the prompt up to ${place.chunk} tokens at a time, each time many columns together`
      : `Prefill: one pass computed ${prompt === 1 ? "the prompt’s one column" : `all ${count(prompt)} columns of the prompt together`}`;
    return `${how}.${rest}`;
  }
  if (pass === "again") return `Without a cache: this pass computed all ${count(cached)} columns again.${rest}`;
  const kept = `the ${count(cached - 1)} to its left ${cached === 2 ? "is" : "are"} only read`;
  const newest = pieces[cached - 1];
  const made = place.borrowed ? "came from the branch that this one left from" : "is all that the last pass computed";
  return `One column, ${newest ? quoted(newest) : ""}, ${made}; ${kept}.${cache ? rest : ""}`;
}
