/** Axes: where the drawing's frame lies, hairlines, ticks and their texts. */

import { setAttribute, setText } from "../elements/dom.js";
import { withUnit } from "./data.js";
import { ticks, xScale, yScale } from "./scales.js";
import { children, crisp, px, s, textWidth, wrap } from "./svg.js";

/** @import { Columns, Frame, Library, PlotOptions } from "./types.js" */
/** @typedef {{ value: number, text: string }} Tick */

const LINE = 15;

export class Axes {
  grid = s("g", { class: "grid" });
  element = s("g", { class: "axes" });
  #baseline = s("path", { class: "baseline" });
  #marks = s("path", { class: "ticks" });
  #x = s("g", { class: "x" });
  #y = s("g", { class: "y" });
  #xLabel = s("g", { class: "label x" });
  #yLabel = s("g", { class: "label y" });
  #options;

  /** @param {PlotOptions} options */
  constructor(options) {
    this.#options = options;
    this.element.append(this.#baseline, this.#marks, this.#x, this.#y, this.#xLabel, this.#yLabel);
  }

  /**
   * Draws the axes for these data and says where the marks go.
   * @param {Library} d3 @param {Columns[]} all @param {number} width @param {number} height @param {string} font
   * @returns {Frame & { empty: boolean }}
   */
  draw(d3, all, width, height, font) {
    const options = this.#options;
    const yLabel = wrap(withUnit(options.y), width, font);
    const xLabel = wrap(withUnit(options.x), width - 40, font);
    const top = yLabel.length * LINE + 13;
    const below = 9 + xLabel.length * LINE + 4;
    let bottom = height - below - LINE;
    const y = yScale(d3, options, all, bottom, top);
    const yTicks = y.empty ? [] : ticks(options.y, y.scale, Math.max(2, Math.round((bottom - top) / 44)), y.whole);
    const left = Math.ceil(Math.max(0, ...yTicks.map(({ text }) => textWidth(text, font)))) + (yTicks.length > 0 ? 9 : 1);
    const x = xScale(d3, options, all, left, width - 10);
    const xTicks = x.empty ? [] : this.#fitting(x, font);
    const lines = xTicks.length === 0 ? 1 : Math.max(...xTicks.map(({ lines }) => lines.length));
    const last = xTicks.at(-1);
    const sticksOut = last ? x.scale(last.value) + Math.max(...last.lines.map((text) => textWidth(text, font))) / 2 - width : 0;
    const right = width - 10 - Math.max(0, sticksOut);
    bottom = height - below - lines * LINE;
    x.scale.range([left, right]);
    y.scale.range([bottom, top]);

    const empty = x.empty || y.empty;
    setAttribute(this.grid, "transform", null);
    children(this.grid, empty ? 0 : yTicks.length, () => s("path")).forEach((path, i) => setAttribute(path, "d", `M${px(left)},${crisp(y.scale(yTicks[i].value))}H${px(right)}`));
    setAttribute(this.#baseline, "d", `M${px(left)},${crisp(this.#zero(y.scale, bottom))}H${px(right)}`);
    setAttribute(this.#marks, "d", empty ? "" : xTicks.map(({ value }) => `M${crisp(x.scale(value))},${px(bottom + 1)}v4`).join(""));
    children(this.#y, empty ? 0 : yTicks.length, () => s("text", { "text-anchor": "end", dy: "0.34em" })).forEach((node, i) => {
      setText(node, yTicks[i].text);
      setAttribute(node, "x", px(left - 8));
      setAttribute(node, "y", px(y.scale(yTicks[i].value)));
    });
    const texts = empty ? [] : xTicks.flatMap(({ value, lines }) => lines.map((text, row) => ({ text, row, at: x.scale(value) })));
    children(this.#x, texts.length, () => s("text", { "text-anchor": "middle" })).forEach((node, i) => {
      const { text, row, at } = texts[i];
      setText(node, text);
      setAttribute(node, "x", px(at));
      setAttribute(node, "y", px(bottom + 17 + row * LINE));
    });
    write(this.#yLabel, yLabel, "start", 0, 11);
    write(this.#xLabel, xLabel, "middle", (left + right) / 2, height - 5 - (xLabel.length - 1) * LINE);
    return { width, height, left, right, top, bottom, x: x.scale, y: y.scale, empty };
  }

  /** Where the line lies that marks stand on: at zero, where zero is inside. @param {import("./types.js").Scale} y @param {number} bottom */
  #zero(y, bottom) {
    const [low, high] = y.domain();
    return this.#options.y.scale !== "log" && low <= 0 && high >= 0 ? y(0) : bottom;
  }

  /** As many ticks as there is room for; the texts of categories are broken into lines. @param {ReturnType<typeof xScale>} x @param {string} font */
  #fitting({ scale, whole, categories }, font) {
    const axis = this.#options.x;
    const [from, to] = scale.range();
    if (categories) {
      const format = axis.format ?? scale.tickFormat(categories.length);
      const room = (to - from) / categories.length - 6;
      const all = categories.map((value) => ({ value, lines: wrap(format(value), room, font) }));
      if (all.every(({ lines }) => lines.length <= 3 && lines.every((text) => textWidth(text, font) <= room + 4))) return all;
    }
    for (let n = Math.max(2, Math.floor((to - from) / 62)); ; n--) {
      const all = ticks(axis, scale, n, whole);
      const fits = all.every(({ value, text }, i) => i === 0 || scale(value) - scale(all[i - 1].value) >= (textWidth(text, font) + textWidth(all[i - 1].text, font)) / 2 + 10);
      if (fits || n <= 1) return (fits ? all : all.slice(0, 1)).map(({ value, text }) => ({ value, lines: [text] }));
    }
  }
}

/** @param {SVGGElement} group @param {string[]} lines @param {string} anchor @param {number} x @param {number} y */
function write(group, lines, anchor, x, y) {
  children(group, lines.length, () => s("text")).forEach((node, i) => {
    setText(node, lines[i]);
    setAttribute(node, "text-anchor", anchor);
    setAttribute(node, "x", px(x));
    setAttribute(node, "y", px(y + i * LINE));
  });
}
