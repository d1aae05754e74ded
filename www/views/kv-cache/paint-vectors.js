/** One K and one V, number by number, and one layer's vectors side by side. */

import { SIDES } from "./columns.js";
import { blank, mix } from "./pixels.js";

/** @typedef {import("./columns.js").Columns} Columns */
/** @typedef {import("./columns.js").Side} Side */
/** @typedef {import("./lane.js").Span} Span */
/** @typedef {import("./pixels.js").Inks} Inks */

const STRIP = 96;
export const STRIPS = 2 * STRIP + 14;

/** Which number, and of which of the two, is at this place; null: none. @param {number} x @param {number} y @param {number} width @param {number} numbers */
export function numberAt(x, y, width, numbers) {
  const side = y < STRIP ? "k" : y > STRIP + 14 ? "v" : null;
  const index = Math.floor((x / width) * numbers);
  return side && index >= 0 && index < numbers ? { side: /** @type {Side} */ (side), index } : null;
}

/**
 * Bars around zero, K above in blue, V below in green, each to its own scale.
 * @param {HTMLCanvasElement} canvas @param {Inks} inks @param {number} width @param {Record<Side, Float32Array>} vectors
 * @param {{ headDim: number, most: Record<Side, number>, hover: { side: Side, index: number } | null }} show
 */
export function paintStrips(canvas, inks, width, vectors, { headDim, most, hover }) {
  const context = blank(canvas, width, STRIPS);
  if (!context) return;
  SIDES.forEach((side, s) => {
    const values = vectors[side];
    const w = width / values.length;
    const gap = w > 5 ? 1.5 : w > 2.5 ? 0.75 : 0;
    const zero = s * (STRIP + 14) + STRIP / 2;
    context.fillStyle = inks.css("edge");
    context.fillRect(0, zero, width, 1);
    values.forEach((x, i) => {
      const tall = (Math.abs(x) / (most[side] || 1)) * (STRIP / 2 - 1);
      const lit = hover?.side === side && hover.index === i;
      context.fillStyle = lit ? inks.css("ink") : inks.css(side);
      context.fillRect(i * w, x < 0 ? zero + 1 : zero - tall, w - gap, Math.max(0.75, tall));
    });
    context.fillStyle = inks.css("edge");
    for (let i = headDim; i < values.length; i += headDim) context.fillRect(Math.round(i * w - gap / 2) - 0.5, zero - STRIP / 2, 1, STRIP);
  });
}

/** One pixel as four bytes, whatever their order on this machine. @param {import("./pixels.js").Rgb} rgb */
const pixel = (rgb) => Number(new Uint32Array(new Uint8Array([...rgb, 255]).buffer)[0]);

/** @param {number} numbers */
const dotHeight = (numbers) => Math.max(1, Math.min(4, Math.floor(128 / numbers)));

/** @param {number} numbers */
export const mapHeight = (numbers) => numbers * dotHeight(numbers);

/**
 * All columns of one layer: tokens across, the numbers of a vector down. Zero has the card's colour, above it
 * is K's or V's colour, below it grey.
 * @param {HTMLCanvasElement} canvas @param {Inks} inks @param {Span} span @param {Side} side
 * @param {{ columns: Columns, cached: number, head: number, numbers: number, most: number, column: number, fresh: [number, number] }} show
 */
export function paintMap(canvas, inks, span, side, { columns, cached, head, numbers, most, column, fresh }) {
  const height = mapHeight(numbers);
  const context = blank(canvas, span.width, height + 4);
  if (!context) return;
  const { column: w, offset } = span;
  const last = Math.min(span.last, cached, columns.vectors);
  const count = last - span.first;
  if (count <= 0) return;
  const image = new ImageData(count, numbers);
  const { card, soft } = inks.rgb;
  const levels = 255;
  const [above, below] = [inks.rgb[side], soft].map((full) => Uint32Array.from({ length: levels + 1 }, (_, i) => pixel(mix(card, full, i / levels))));
  const pixels = new Uint32Array(image.data.buffer);
  for (let c = 0; c < count; c++) {
    const vector = columns.vector(side, span.first + c, head);
    for (let i = 0; i < numbers; i++) {
      const x = Number(vector[i]);
      pixels[i * count + c] = /** @type {Uint32Array} */ (x < 0 ? below : above)[Math.round(Math.min(1, Math.abs(x) / (most || 1)) * levels)] ?? 0;
    }
  }
  const small = document.createElement("canvas");
  small.width = count;
  small.height = numbers;
  small.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, span.first * w - offset, 2, count * w, height);
  const ring = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ colour, /** @type {number} */ line) => {
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.strokeRect(from * w - offset, 1, (to - from) * w - 1, height + 2);
  };
  ring(...fresh, inks.css("accent"), 2);
  if (column >= 0 && !(fresh[0] === column && fresh[1] === column + 1)) ring(column, column + 1, inks.css("ink"), 2);
}
