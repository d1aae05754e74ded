/** The point that is looked at, with the pointer or with the keyboard: a ring, a hairline, and its values in words. */

import { h, setAttribute, setText } from "../elements/dom.js";
import { pointWords } from "./words.js";
import { px, s } from "./svg.js";

/** @import { Columns, Frame, Library, Placed, PlotOptions } from "./types.js" */
/** @typedef {{ d3: Library, frame: Frame, all: Columns[], placed: Placed[] }} Drawn */
/** @typedef {{ k: number, i: number }} Place a series, and a point of it */

export class Cursor {
  element = s("g", { class: "cursor" });
  readout = h("p", { class: "plot-readout" });
  status = h("p", { class: "sr", role: "status", "aria-atomic": "true" });
  #hair = s("path", { class: "hair" });
  #ring = s("circle", { class: "ring", r: "6" });
  #options;
  /** @type {Drawn | null} */
  #drawn = null;
  /** @type {Place | null} */
  #key = null;
  /** @type {Place | null} */
  #pointer = null;

  /** @param {HTMLElement} canvas @param {PlotOptions} options */
  constructor(canvas, options) {
    this.#options = options;
    this.element.append(this.#hair, this.#ring);
    const point = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      this.#pointer = this.#nearest(event.clientX - box.left, event.clientY - box.top);
      this.#write();
    };
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);
    canvas.addEventListener("pointerleave", () => {
      this.#pointer = null;
      this.#write();
    });
    canvas.addEventListener("keydown", (event) => this.#press(event));
    canvas.addEventListener("blur", () => {
      this.#key = null;
      setText(this.status, "");
      this.#write();
    });
    this.#write();
  }

  /** The plot was drawn anew. @param {Drawn} drawn */
  draw(drawn) {
    this.#drawn = drawn;
    for (const place of [this.#key, this.#pointer]) if (place && !this.#there(place)) this.#key = this.#pointer = null;
    this.#write();
  }

  /** @param {Place} place */
  #there({ k, i }) {
    const placed = this.#drawn?.placed[k];
    return placed !== undefined && i < placed.x.length && placed.x[i] === placed.x[i];
  }

  /** The points of a series that are in the drawing, from left to right. @param {number} k */
  #walk(k) {
    const placed = this.#drawn?.placed[k];
    if (!placed) return [];
    const found = [];
    for (let i = 0; i < placed.x.length; i++) if (placed.x[i] === placed.x[i]) found.push(i);
    return found.sort((a, b) => placed.x[a] - placed.x[b] || a - b);
  }

  /** What is closest; along a line its place on the axis counts for more. @param {number} x @param {number} y @returns {Place | null} */
  #nearest(x, y) {
    /** @type {Place | null} */
    let found = null;
    let least = Infinity;
    this.#drawn?.placed.forEach((placed, k) => {
      const weight = this.#options.series[k].kind === "dots" ? 1 : 0.15;
      for (let i = 0; i < placed.x.length; i++) {
        const [dx, dy] = [placed.x[i] - x, placed.y[i] - y];
        const distance = dx * dx + weight * dy * dy;
        if (distance < least) [least, found] = [distance, { k, i }];
      }
    });
    return found;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !this.#drawn) return;
    const to = this.#target(event.key);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#key = to;
    this.#pointer = null;
    this.#write();
    setText(this.status, to ? this.#words(to) : "Nothing measured yet.");
  }

  /** @param {string} key @returns {Place | null | undefined} undefined: not a key of ours */
  #target(key) {
    if (key === "Escape") return this.#key ? null : undefined;
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key)) return undefined;
    const series = this.#options.series.map((_, k) => k).filter((k) => this.#walk(k).length > 0);
    if (series.length === 0) return null;
    const now = this.#key ?? this.#pointer;
    const k = now ? now.k : series[0];
    const walk = this.#walk(k);
    if (key === "Home") return { k, i: walk[0] };
    if (key === "End") return { k, i: walk[walk.length - 1] };
    if (!now) return { k, i: key === "ArrowLeft" ? walk[walk.length - 1] : walk[0] };
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const at = walk.indexOf(now.i) + (key === "ArrowRight" ? 1 : -1);
      return { k, i: walk[Math.min(Math.max(at, 0), walk.length - 1)] };
    }
    // Up and down: the same place in the next series.
    const other = series[(series.indexOf(k) + (key === "ArrowDown" ? 1 : series.length - 1)) % series.length];
    const points = this.#walk(other);
    const { d3, placed } = /** @type {Drawn} */ (this.#drawn);
    const nearest = d3.leastIndex(points, (i) => Math.abs(placed[other].x[i] - placed[k].x[now.i]));
    return { k: other, i: points[nearest ?? 0] };
  }

  /** @param {Place} place */
  #words({ k, i }) {
    return this.#drawn ? pointWords(this.#options, k, this.#drawn.all[k], i) : "";
  }

  #write() {
    const place = this.#pointer ?? this.#key;
    setAttribute(this.element, "visibility", place ? null : "hidden");
    setText(this.readout, place ? this.#words(place) : "");
    if (!place || !this.#drawn) return;
    const { frame, placed } = this.#drawn;
    const [x, y] = [px(placed[place.k].x[place.i]), px(placed[place.k].y[place.i])];
    setAttribute(this.#hair, "d", `M${x},${px(frame.top)}V${px(frame.bottom)}`);
    setAttribute(this.#ring, "cx", x);
    setAttribute(this.#ring, "cy", y);
    setAttribute(this.#ring, "class", `ring tone-${this.#options.series[place.k].tone}`);
  }
}
