/** What is drawn for a series. Series differ by shape, dash or hatching as well as by colour. */

import { freshId, setAttribute } from "../elements/dom.js";
import { places, shown } from "./data.js";
import { padded } from "./scales.js";
import { px, s } from "./svg.js";

/** @import { Columns, Frame, Library, Placed, PlotOptions } from "./types.js" */

/** Each as a path around a middle, of about the same area. @type {((x: number, y: number, r: number) => string)[]} */
const SHAPES = [
  (x, y, r) => `M${px(x - r)},${px(y)}a${r},${r} 0 1,0 ${px(2 * r)},0a${r},${r} 0 1,0 ${px(-2 * r)},0Z`,
  (x, y, r) => `M${px(x - 0.9 * r)},${px(y - 0.9 * r)}h${px(1.8 * r)}v${px(1.8 * r)}h${px(-1.8 * r)}Z`,
  (x, y, r) => `M${px(x)},${px(y - 1.25 * r)}l${px(1.2 * r)},${px(2.1 * r)}h${px(-2.4 * r)}Z`,
  (x, y, r) => `M${px(x)},${px(y - 1.35 * r)}l${px(1.35 * r)},${px(1.35 * r)}l${px(-1.35 * r)},${px(1.35 * r)}l${px(-1.35 * r)},${px(-1.35 * r)}Z`,
  (x, y, r) => `M${px(x)},${px(y + 1.25 * r)}l${px(1.2 * r)},${px(-2.1 * r)}h${px(-2.4 * r)}Z`,
  (x, y, r) => `M${px(x - r)},${px(y - 0.4 * r)}h${px(0.6 * r)}v${px(-0.9 * r)}h${px(0.8 * r)}v${px(0.9 * r)}h${px(0.9 * r)}v${px(0.8 * r)}h${px(-0.9 * r)}v${px(0.9 * r)}h${px(-0.8 * r)}v${px(-0.9 * r)}h${px(-0.9 * r)}Z`,
];

/** A line carries at most so many markers. */
const ON_A_LINE = 12;
const WIDEST_BAR = 56;
const WHISKER = 4;

export class Marks {
  element;
  /** The sign in the legend. */
  sign;
  #plot;
  #series;
  #shape;
  #fill = s("path", { class: "fill" });
  #line = s("path", { class: "line" });
  #whiskers = s("path", { class: "whiskers" });
  #markers = s("path", { class: "markers" });
  #clipped = s("g");

  /** @param {PlotOptions} plot @param {number} k */
  constructor(plot, k) {
    this.#plot = plot;
    this.#series = plot.series[k];
    this.#shape = SHAPES[k % SHAPES.length];
    const { kind, tone, dash } = this.#series;
    const name = `series ${kind} tone-${tone}${dash ? " dash" : ""}`;
    this.element = s("g", { class: name }, this.#clipped, this.#markers);
    this.#clipped.append(this.#fill, this.#line, this.#whiskers);
    const hatch = kind === "bars" ? this.#hatching(k) : null;
    this.sign = s("svg", { class: "sign", width: "28", height: "14", viewBox: "0 0 28 14", "aria-hidden": "true" }, this.#sign(name, hatch));
  }

  /** @param {string} id */
  clip(id) {
    setAttribute(this.#clipped, "clip-path", `url(#${id})`);
  }

  /** Every second series of bars is hatched, and every third the other way. @param {number} k */
  #hatching(k) {
    const before = this.#plot.series.slice(0, k).filter(({ kind }) => kind === "bars").length;
    if (before === 0) return null;
    const id = freshId("hatch");
    const lines = s("path", { class: "hatch", d: "M0,0V6M3,0V6" });
    this.element.prepend(s("pattern", { id, width: "6", height: "6", patternUnits: "userSpaceOnUse", patternTransform: `rotate(${before % 2 === 1 ? 45 : -45})` }, lines));
    // Where style sheets are out of reach, as in the legend's own drawing, the attribute does.
    this.#fill.setAttribute("fill", `url(#${id})`);
    this.element.classList.add("hatched");
    return id;
  }

  /** @param {string} name @param {string | null} hatch */
  #sign(name, hatch) {
    const { kind } = this.#series;
    const group = s("g", { class: `${name}${hatch ? " hatched" : ""}` });
    if (kind === "bars") {
      const fill = s("path", { class: "fill", d: "M7.5,2.5H20.5V12.5H7.5Z" });
      if (hatch) fill.setAttribute("fill", `url(#${hatch})`);
      group.append(fill);
      return group;
    }
    if (kind === "area") group.append(s("path", { class: "fill", d: "M2,5H26V13H2Z" }), s("path", { class: "line", d: "M2,5H26" }));
    if (kind === "line" || kind === "step") group.append(s("path", { class: "line", d: kind === "step" ? "M2,10H14V4H26" : "M2,7H26" }));
    if (kind === "interval") group.append(s("path", { class: "whiskers", d: whisker(14, 1, 13) }));
    if (kind === "dots" || kind === "interval" || (kind !== "area" && this.#plot.series.length > 1)) group.append(s("path", { class: "markers", d: this.#shape(14, 7, 3.4) }));
    return group;
  }

  /**
   * @param {Library} d3 @param {Columns} columns @param {Frame} frame @param {{ dodge: number, bar: number }} place
   * @returns {Placed}
   */
  draw(d3, columns, frame, { dodge, bar }) {
    const { kind } = this.#series;
    const options = this.#plot;
    const n = columns.length;
    const at = new Float64Array(n);
    const height = new Float64Array(n);
    const placed = { x: new Float64Array(n), y: new Float64Array(n) };
    const linear = kind === "line" || kind === "step" || kind === "area";
    const [bars, whiskers] = /** @type {[string[], string[]]} */ ([[], []]);
    const [low, high] = options.y.scale === "log" ? [Number.MIN_VALUE, Infinity] : [-Infinity, Infinity];
    const base = frame.y(Math.max(frame.y.domain()[0], options.y.scale === "log" ? 0 : Math.min(0, frame.y.domain()[1])));
    let ranged = false;
    for (let i = 0; i < n; i++) {
      const there = shown(columns, options, i);
      at[i] = there ? frame.x(columns.x[i]) + dodge : NaN;
      height[i] = there ? frame.y(columns.y[i]) : NaN;
      const inside = there && at[i] >= frame.left - 0.5 && at[i] <= frame.right + 0.5 && height[i] >= frame.top - 0.5 && height[i] <= frame.bottom + 0.5;
      placed.x[i] = inside ? at[i] : NaN;
      placed.y[i] = inside ? height[i] : NaN;
      if (!there) continue;
      if (kind === "bars") bars.push(`M${px(at[i] - bar / 2)},${px(base)}V${px(height[i])}h${px(bar)}V${px(base)}Z`);
      const [lo, hi] = [columns.lo[i], columns.hi[i]];
      if (lo !== lo || hi !== hi) continue;
      ranged = true;
      if (!linear) whiskers.push(whisker(at[i], frame.y(Math.max(lo, low)), frame.y(Math.min(hi, high))));
    }

    const defined = (/** @type {unknown} */ _, /** @type {number} */ i) => at[i] === at[i];
    const x = (/** @type {unknown} */ _, /** @type {number} */ i) => at[i];
    const list = columns.x.subarray(0, n);
    let [fill, line] = [bars.join(""), ""];
    if (linear) {
      const path = /** @type {import("d3-shape").Line<number>} */ (d3.line()).defined(defined).x(x).y((_, i) => height[i]).digits(2);
      if (kind === "step") path.curve(d3.curveStepAfter);
      line = path(list) ?? "";
      if (ranged || kind === "area") {
        const area = /** @type {import("d3-shape").Area<number>} */ (d3.area()).x(x).digits(2);
        if (ranged) area.defined((_, i) => at[i] === at[i] && columns.lo[i] === columns.lo[i] && columns.hi[i] === columns.hi[i]).y0((_, i) => frame.y(Math.max(columns.lo[i], low))).y1((_, i) => frame.y(columns.hi[i]));
        else area.defined(defined).y0(base).y1((_, i) => height[i]);
        if (kind === "step") area.curve(d3.curveStepAfter);
        fill = area(list) ?? "";
      }
    }
    setAttribute(this.#fill, "d", fill);
    setAttribute(this.#line, "d", line);
    setAttribute(this.#whiskers, "d", whiskers.join(""));
    setAttribute(this.#markers, "d", this.#markersOf(placed, n));
    return placed;
  }

  /** @param {Placed} placed @param {number} n */
  #markersOf(placed, n) {
    const { kind } = this.#series;
    const every = kind === "dots" || kind === "interval";
    if (kind === "bars" || (kind === "area" && n > 1)) return "";
    // A lone line needs no sign, a lone point does.
    if (!every && this.#plot.series.length === 1 && n > 1) return "";
    // A power of two, so that a growing line keeps its markers where they are.
    const step = every ? 1 : 2 ** Math.max(0, Math.ceil(Math.log2(n / ON_A_LINE)));
    const r = !every ? 3.2 : n > 400 ? 1.6 : n > 100 ? 2.4 : 3.6;
    const parts = [];
    for (let i = 0; i < n; i += step) if (placed.x[i] === placed.x[i]) parts.push(this.#shape(placed.x[i], placed.y[i], r));
    return parts.join("");
  }
}

/** @param {number} x @param {number} from @param {number} to */
const whisker = (x, from, to) => `M${px(x)},${px(from)}V${px(to)}M${px(x - WHISKER)},${px(from)}h${2 * WHISKER}M${px(x - WHISKER)},${px(to)}h${2 * WHISKER}`;

/**
 * Bars at one place stand side by side, and so do intervals.
 * @param {PlotOptions} options @param {Columns[]} all @param {Frame} frame
 */
export function dodges(options, all, frame) {
  if (!padded(options)) return options.series.map(() => ({ dodge: 0, bar: 0 }));
  const at = places(all);
  let room = frame.right - frame.left;
  for (let i = 1; i < at.length; i++) {
    const apart = frame.x(at[i]) - frame.x(at[i - 1]);
    if (apart > 0.01) room = Math.min(room, apart);
  }
  return options.series.map(({ kind }, k) => {
    if (kind !== "bars" && kind !== "interval") return { dodge: 0, bar: 0 };
    const group = options.series.flatMap((other, i) => (other.kind === kind ? [i] : []));
    const slot = kind === "bars" ? Math.min((room * 0.76) / group.length, WIDEST_BAR) : Math.min((room * 0.6) / group.length, 14);
    return { dodge: (group.indexOf(k) - (group.length - 1) / 2) * slot, bar: Math.max(0.5, kind === "bars" ? slot - (slot > 6 ? 2 : slot * 0.2) : 0) };
  });
}
