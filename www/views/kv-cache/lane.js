/**
 * A strip that is as long as the sequence and draws only what can be seen of it. Lanes of one element have the
 * same columns at the same places and scroll together.
 */

import { h, setAttribute, setStyle } from "../../elements/dom.js";

/** @typedef {{ width: number, column: number, offset: number, first: number, last: number }} Span what can be seen: columns `first` up to `last`, `offset` pixels to the left */

const LEAST = 8;
const MOST = 110;
/** Room for the outline of the first column. */
const EDGE = 2;

/** Columns there is room for: in steps, so that the wall fills up and isn't drawn anew at each token. @param {number} n */
function slots(n) {
  for (let room = 8; ; room *= 2) {
    if (n <= room) return room;
    if (n <= room * 1.5) return room * 1.5;
  }
}

export class Lanes {
  /** @type {Lane[]} */
  #all = [];
  /** How far they are scrolled. */
  left = 0;
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
  }

  /** @param {string} label */
  add(label) {
    const lane = new Lane(this, label);
    this.#all.push(lane);
    return lane;
  }

  /** Somebody scrolled one of them. @param {Lane} moved */
  scrolled(moved) {
    const to = moved.element.scrollLeft;
    if (Math.abs(to - this.left) < 1) return;
    this.left = to;
    this.redraw();
  }

  /** Brings a column into view at the next drawing. @param {number} column @param {number} of columns in all */
  reveal(column, of) {
    const lane = this.#all.find(({ element }) => element.clientWidth > 0);
    if (lane) this.left = lane.reach(column, of, this.left);
    this.redraw();
  }
}

export class Lane {
  canvas = h("canvas", { role: "img" });
  #spacer = h("div", { class: "spacer" }, this.canvas);
  element = h("div", { class: "lane" }, this.#spacer);
  #width = 0;

  /** @param {Lanes} lanes @param {string} label */
  constructor(lanes, label) {
    this.lanes = lanes;
    this.label = label;
    this.element.addEventListener("scroll", () => lanes.scrolled(this), { passive: true });
    // Here the arrows scroll.
    this.element.addEventListener("keydown", (event) => {
      if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") event.stopPropagation();
    });
    new ResizeObserver(() => {
      if (this.element.clientWidth === this.#width) return;
      this.#width = this.element.clientWidth;
      lanes.redraw();
    }).observe(this.element);
  }

  /** @param {number} n */
  #column(n) {
    return Math.min(MOST, Math.max(LEAST, Math.floor(((this.element.clientWidth - 2 * EDGE) / slots(n)) * 2) / 2));
  }

  /** What can be seen of so many columns. @param {number} n @returns {Span} */
  span(n) {
    const seen = this.element.clientWidth;
    const column = this.#column(n);
    const width = Math.max(seen, column * n + 2 * EDGE);
    setStyle(this.#spacer, "width", `${width}px`);
    const long = width > seen;
    setAttribute(this.element, "tabindex", long ? "0" : null);
    setAttribute(this.element, "role", long ? "group" : null);
    setAttribute(this.element, "aria-label", long ? `${this.label}, scrolls sideways` : null);
    const left = Math.min(this.lanes.left, width - seen);
    if (Math.abs(this.element.scrollLeft - left) >= 1) this.element.scrollLeft = left;
    const offset = left - EDGE;
    return { width: seen, column, offset, first: Math.max(0, Math.floor(offset / column)), last: Math.min(n, Math.ceil((offset + seen) / column)) };
  }

  /** How far to scroll, so that a column can be seen. @param {number} column @param {number} of @param {number} at */
  reach(column, of, at) {
    const width = this.#column(of);
    const [left, right, seen] = [column * width, (column + 1) * width + 2 * EDGE, this.element.clientWidth];
    return left < at ? left : right > at + seen ? right - seen : at;
  }

  /** The column and the height at which somebody points. @param {PointerEvent | MouseEvent} event @param {number} n */
  at(event, n) {
    const box = this.canvas.getBoundingClientRect();
    const { column, offset } = this.span(n);
    return { column: Math.floor((event.clientX - box.left + offset) / column), y: event.clientY - box.top };
  }
}
