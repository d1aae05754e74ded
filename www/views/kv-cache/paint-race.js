/** Two walls being built: with the cache one column a step, without it all of it again. Counts only, no tensors. */

import { blank } from "./pixels.js";

/** @typedef {import("./pixels.js").Inks} Inks */

const HEIGHT = 88;

/**
 * @param {HTMLCanvasElement} canvas @param {Inks} inks
 * @param {{ width: number, layers: number, room: number, tokens: number, computed: number }} show `computed`: the last so many columns came from the last pass
 */
export function paintRace(canvas, inks, { width, layers, room, tokens, computed }) {
  const context = blank(canvas, width, HEIGHT);
  if (!context || width === 0) return;
  const [w, row] = [width / room, HEIGHT / layers];
  const [gapX, gapY] = [w > 6 ? 1.5 : w > 3 ? 0.75 : 0, row > 6 ? 2 : row > 3 ? 1 : 0];
  context.fillStyle = inks.css("line");
  context.fillRect(0, HEIGHT - 1, width, 1);
  for (let c = 0; c < tokens; c++) {
    context.fillStyle = c >= tokens - computed ? inks.css("accent") : inks.shade("ink", 0.12);
    for (let l = 0; l < layers; l++) context.fillRect(c * w, l * row, Math.max(0.5, w - gapX), row - gapY);
  }
}
