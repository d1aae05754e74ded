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

  /** @param {Lane} moved */
  scrolled(moved) {
    for (const lane of this.#all) if (lane !== moved && lane.element.scrollLeft !== moved.element.scrollLeft) lane.element.scrollLeft = moved.element.scrollLeft;
    this.redraw();
  }

  /** Brings a column into view. @param {number} column @param {number} of columns in all */
  reveal(column, of) {
    for (const lane of this.#all) lane.reveal(column, of);
  }
}

export class Lane {
  canvas = h("canvas", { role: "img" });
  #spacer = h("div", { class: "spacer" }, this.canvas);
  element = h("div", { class: "lane" }, this.#spacer);
  #width = 0;

  /** @param {Lanes} lanes @param {string} label */
  constructor(lanes, label) {
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
    const offset = this.element.scrollLeft - EDGE;
    return { width: seen, column, offset, first: Math.max(0, Math.floor(offset / column)), last: Math.min(n, Math.ceil((offset + seen) / column)) };
  }

  /** @param {number} column @param {number} of */
  reveal(column, of) {
    const width = this.#column(of);
    const [left, right, seen] = [column * width, (column + 1) * width, this.element.clientWidth];
    setStyle(this.#spacer, "width", `${Math.max(seen, width * of + 2 * EDGE)}px`);
    const at = this.element.scrollLeft;
    if (left < at) this.element.scrollLeft = left;
    else if (right > at + seen) this.element.scrollLeft = right - seen + 2 * EDGE;
  }

  /** The column and the height at which somebody points. @param {PointerEvent | MouseEvent} event @param {number} n */
  at(event, n) {
    const box = this.canvas.getBoundingClientRect();
    const { column, offset } = this.span(n);
    return { column: Math.floor((event.clientX - box.left + offset) / column), y: event.clientY - box.top };
  }
}
