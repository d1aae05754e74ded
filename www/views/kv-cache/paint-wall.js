/** The wall: layers up, tokens across, K above and V below in every brick. */

import { tokenLabel } from "../../core/format.js";
import { blank } from "./pixels.js";

/** @typedef {import("./columns.js").Columns} Columns */
/** @typedef {import("./lane.js").Span} Span */
/** @typedef {import("./pixels.js").Inks} Inks */
/** @typedef {import("./place.js").Place} Place */

/** @typedef {{ top: number, row: number, gap: number, layers: number, labels: number, height: number }} Grid */

/** @param {number} layers @param {number} column @returns {Grid} */
export function gridOf(layers, column) {
  const row = layers <= 6 ? 36 : layers <= 14 ? 22 : 13;
  const labels = column >= 34 ? 22 : column >= 11 ? 70 : 6;
  return { top: 26, row, gap: row > 16 ? 4 : 2, layers, labels, height: 26 + layers * row + labels };
}

/** The layer at this height; -1: none. @param {Grid} grid @param {number} y */
export function layerAt(grid, y) {
  const up = Math.floor((y - grid.top) / grid.row);
  return up >= 0 && up < grid.layers ? grid.layers - 1 - up : -1;
}

/** The upper edge of a layer's bricks. @param {Grid} grid @param {number} layer */
export const yOf = (grid, layer) => grid.top + (grid.layers - 1 - layer) * grid.row;

/**
 * @param {HTMLCanvasElement} canvas @param {Inks} inks @param {Span} span @param {Grid} grid
 * @param {{ columns: Columns | null, place: Place, layer: number, head: number, column: number, most: { k: number, v: number }, hover: { column: number, layer: number } | null, font: string, mono: string }} show
 */
export function paintWall(canvas, inks, span, grid, { columns, place, layer, head, column, most, hover, font, mono }) {
  const context = blank(canvas, span.width, grid.height);
  if (!context) return;
  const { column: w, offset } = span;
  const gap = w >= 14 ? 3 : 1;
  const brick = grid.row - grid.gap;
  const half = Math.floor(brick / 2);
  const have = Math.min(columns?.have ?? 0, place.cached);
  for (let c = span.first; c < Math.min(span.last, have); c++) {
    const x = c * w - offset;
    for (let l = 0; l < grid.layers; l++) {
      const y = yOf(grid, l);
      context.fillStyle = inks.shade("k", /** @type {Columns} */ (columns).rms("k", c, l, head) / most.k);
      context.fillRect(x, y, w - gap, half);
      context.fillStyle = inks.shade("v", /** @type {Columns} */ (columns).rms("v", c, l, head) / most.v);
      context.fillRect(x, y + half, w - gap, brick - half);
    }
  }
  // Columns that aren't read yet, and the token that has none yet.
  context.strokeStyle = inks.css("edge");
  context.setLineDash([3, 3]);
  for (let c = Math.max(have, span.first); c < Math.min(span.last, place.pieces.length); c++) {
    context.strokeRect(c * w - offset + 1.5, grid.top + 0.5, Math.max(1, w - gap - 3), grid.layers * grid.row - grid.gap - 1);
  }
  context.setLineDash([]);
  const left = (/** @type {number} */ c) => c * w - offset;
  if (place.to > place.from) {
    context.strokeStyle = inks.css("accent");
    context.lineWidth = 2;
    context.strokeRect(left(place.from) - 1, grid.top - 2, (place.to - place.from) * w - gap + 2, grid.layers * grid.row);
  }
  const ring = (/** @type {number} */ c, /** @type {number} */ l, /** @type {number} */ width) => {
    context.lineWidth = width;
    context.strokeStyle = inks.css("ink");
    context.strokeRect(left(c), yOf(grid, l), w - gap, brick);
  };
  if (column >= 0 && column < place.cached) ring(column, layer, 2);
  if (hover && hover.column < place.cached) ring(hover.column, hover.layer, 1.5);
  bracket(context, inks, span, "prefill", 0, Math.min(place.prompt, place.cached), place.pass === "prefill", font);
  bracket(context, inks, span, "decode, a column a pass", place.prompt, place.cached, place.pass === "decode", font);
  if (w >= 11) labels(context, inks, span, grid, place, mono);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Inks} inks @param {Span} span
 * @param {string} text @param {number} from @param {number} to @param {boolean} now @param {string} font
 */
function bracket(context, inks, { column, offset, width }, text, from, to, now, font) {
  if (to <= from) return;
  const [left, right] = [from * column - offset + 1, to * column - offset - 4];
  context.strokeStyle = inks.css(now ? "accent" : "edge");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, 20);
  context.lineTo(left, 16);
  context.lineTo(right, 16);
  context.lineTo(right, 20);
  context.stroke();
  context.font = `12px ${font}`;
  context.fillStyle = inks.css(now ? "accent" : "soft");
  const seen = Math.max(left, 0);
  const room = Math.min(right, width) - seen;
  for (const words of [text, text.split(",")[0] ?? ""]) {
    if (context.measureText(words).width > room) continue;
    context.fillText(words, seen, 11);
    return;
  }
}

/** @param {CanvasRenderingContext2D} context @param {Inks} inks @param {Span} span @param {Grid} grid @param {Place} place @param {string} mono */
function labels(context, inks, span, grid, place, mono) {
  const { column: w, offset } = span;
  const y = grid.top + grid.layers * grid.row + 2;
  const flat = w >= 34;
  context.font = `${flat ? 12.5 : 11}px ${mono}`;
  for (let c = span.first; c < Math.min(span.last, place.pieces.length); c++) {
    const piece = place.pieces[c];
    if (!piece) continue;
    const x = c * w - offset;
    context.fillStyle = inks.css(c >= place.from && c < place.to && place.pass === "decode" ? "accent" : c < place.cached ? "ink" : "soft");
    if (flat) {
      const text = fit(context, tokenLabel(piece), w - 4);
      context.textAlign = "center";
      context.fillText(text, x + (w - 3) / 2, y + 13);
      context.textAlign = "start";
    } else {
      context.save();
      context.translate(x + w / 2 + 2, y + 2);
      context.rotate(Math.PI / 2);
      context.fillText(fit(context, tokenLabel(piece), grid.labels - 6), 0, 0);
      context.restore();
    }
  }
}

/** Measuring is slow, and tokens come again. @type {Map<string, string>} */
const fitted = new Map();

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function fit(context, text, width) {
  const key = `${context.font} ${width} ${text}`;
  const known = fitted.get(key);
  if (known !== undefined) return known;
  const all = [...text];
  let short = text;
  while (all.length > 1 && context.measureText(short).width > width) {
    all.pop();
    short = `${all.join("")}…`;
  }
  if (fitted.size > 5000) fitted.clear();
  fitted.set(key, short);
  return short;
}
