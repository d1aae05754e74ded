/** Canvases: sharp on every screen, in the theme's colours. */

import { h } from "../../elements/dom.js";

/** @typedef {[number, number, number]} Rgb */
/** @typedef {"k" | "v" | "accent" | "ink" | "soft" | "line" | "edge" | "card"} Ink */

const INKS = /** @type {const} */ (["k", "v", "accent", "ink", "soft", "line", "edge", "card"]);
const LEVELS = 64;

/** The theme's colours as a canvas needs them. */
export class Inks {
  element = h("span", { hidden: true });
  /** Changes when the colours do. */
  key = "";
  /** @type {Record<Ink, Rgb>} */
  rgb = { k: [0, 0, 0], v: [0, 0, 0], accent: [0, 0, 0], ink: [0, 0, 0], soft: [0, 0, 0], line: [0, 0, 0], edge: [0, 0, 0], card: [0, 0, 0] };
  /** Shades from nothing to everything. @type {Record<"k" | "v" | "ink" | "accent", string[]>} */
  shades = { k: [], v: [], ink: [], accent: [] };
  #probes = INKS.map((name) => h("span", { class: `ink-${name}` }));
  #pixel = h("canvas", { width: "1", height: "1" }).getContext("2d", { willReadFrequently: true });

  constructor() {
    this.element.append(...this.#probes);
  }

  read() {
    const colours = this.#probes.map((probe) => getComputedStyle(probe).color);
    const key = colours.join("|");
    if (key === this.key) return this;
    this.key = key;
    INKS.forEach((name, i) => (this.rgb[name] = this.#parse(colours[i] ?? "")));
    for (const name of /** @type {const} */ (["k", "v", "ink", "accent"])) {
      this.shades[name] = Array.from({ length: LEVELS + 1 }, (_, i) => css(mix(this.rgb.card, this.rgb[name], 0.1 + (0.9 * i) / LEVELS)));
    }
    return this;
  }

  /** @param {"k" | "v" | "ink" | "accent"} name @param {number} share from 0 to 1 */
  shade(name, share) {
    return this.shades[name][Math.round(Math.min(1, Math.max(0, share)) * LEVELS)] ?? "";
  }

  /** @param {Ink} name */
  css(name) {
    return css(this.rgb[name]);
  }

  /** @param {string} colour @returns {Rgb} */
  #parse(colour) {
    const pixel = this.#pixel;
    if (!pixel) return [0, 0, 0];
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = pixel.getImageData(0, 0, 1, 1).data;
    return [r, g, b];
  }
}

/** @param {Rgb} a @param {Rgb} b @param {number} t @returns {Rgb} */
export const mix = (a, b, t) => /** @type {Rgb} */ (a.map((x, i) => Math.round(x + (Number(b[i]) - x) * t)));

/** @param {Rgb} rgb */
const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;

/** Makes a canvas this large, empty and sharp. @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function blank(canvas, width, height) {
  const scale = Math.min(3, globalThis.devicePixelRatio || 1);
  const [w, t] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== t) canvas.height = t;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
