/** The attention: the mean over the heads as bars, every head as a strip. */

import { blank } from "./pixels.js";

/** @typedef {import("./lane.js").Span} Span */
/** @typedef {import("./pixels.js").Inks} Inks */
/** @typedef {import("../../api/next-token.js").Attention} Attention */

const BARS = 64;
const GAP = 8;

/** @param {number} heads */
const heightOf = (heads) => (heads <= 10 ? 18 : 10);

/** The row at this height: −1 the mean, otherwise a head; −2: none. @param {number} heads @param {number} y */
export function rowAt(heads, y) {
  if (y < BARS) return -1;
  const head = Math.floor((y - BARS - GAP) / heightOf(heads));
  return head >= 0 && head < heads ? head : -2;
}

/**
 * @param {HTMLCanvasElement} canvas @param {Inks} inks @param {Span} span
 * @param {{ attention: Attention, mean: number[], most: { mean: number, head: number }, column: number, hover: { column: number, row: number } | null }} show
 * @returns {{ label: string, height: number }[]} the rows, from the top
 */
export function paintAttention(canvas, inks, span, { attention, mean, most, column, hover }) {
  const { heads, tokens, weights } = attention;
  const row = heightOf(heads);
  const context = blank(canvas, span.width, BARS + GAP + heads * row + 2);
  const rows = [{ label: "mean", height: BARS + GAP }, ...Array.from({ length: heads }, (_, i) => ({ label: row > 12 ? `head ${i + 1}` : (i + 1) % 5 === 0 ? String(i + 1) : "", height: row }))];
  if (!context) return rows;
  const { column: w, offset } = span;
  const gap = w >= 14 ? 3 : 1;
  context.fillStyle = inks.css("line");
  context.fillRect(0, BARS, Math.min(span.width, tokens * w - offset - gap), 1);
  for (let c = span.first; c < Math.min(span.last, tokens); c++) {
    const x = c * w - offset;
    const tall = Math.max(1, (Number(mean[c]) / most.mean) * (BARS - 2));
    context.fillStyle = inks.css("ink");
    context.fillRect(x, BARS - tall, w - gap, tall);
    for (let head = 0; head < heads; head++) {
      context.fillStyle = inks.shade("ink", Number(weights[head * tokens + c]) / most.head);
      context.fillRect(x, BARS + GAP + head * row, w - gap, row - (row > 12 ? 3 : 1));
    }
  }
  const ring = (/** @type {number} */ c, /** @type {string} */ colour, /** @type {number} */ width) => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(c * w - offset - 0.5, 1, w - gap + 1, BARS + GAP + heads * row - 2);
  };
  ring(tokens - 1, inks.css("accent"), 2);
  if (column !== tokens - 1 && column >= 0) ring(column, inks.css("ink"), 1.5);
  if (hover && hover.column < tokens) ring(hover.column, inks.css("soft"), 1);
  return rows;
}
