/**
 * A plot: axes, marks, legend, the point looked at in words, all numbers as a table and as files. Make it once, put
 * `element` into any tree that has the page's styles, and call `update` as often as you like: it draws at most once a
 * frame, and only what changed.
 */

import { freshId, h, setAttribute, setText, show } from "../elements/dom.js";
import { plural } from "../core/format.js";
import { Axes } from "./axes.js";
import { Cursor } from "./cursor.js";
import { columnsOf, csv, drawable, grid, NOTHING, same } from "./data.js";
import { download, svgFile } from "./files.js";
import { library } from "./library.js";
import { dodges, Marks } from "./marks.js";
import { px, s } from "./svg.js";
import { Table } from "./table.js";
import { summary } from "./words.js";

/** @import { Columns, Library, PlotData, PlotOptions } from "./types.js" */

const HEIGHT = 240;
/** A library that comes as fast as this is waited for; after that the table is shown. In ms. */
const PATIENCE = 500;
const WAITING = "The library that draws plots is still on its way. Until then the numbers:";
const MISSING = "Plots can’t be drawn here: their library couldn’t be loaded, or the site was built without Node 20 or later. The numbers instead:";

export class Plot {
  element = h("figure", { class: "plot" });
  #canvas = h("div", { class: "plot-canvas", tabindex: "0", role: "application" });
  #svg = s("svg", { role: "img" });
  #legend = h("ul", { class: "plot-legend" });
  #note = h("p", { class: "plot-note" });
  #saveSvg = h("button", { type: "button", class: "quiet" }, "SVG");
  #saveCsv = h("button", { type: "button", class: "quiet" }, "CSV");
  #clip = s("rect");
  #empty = s("text", { class: "empty", "text-anchor": "middle" }, "Nothing measured yet");
  #options;
  #axes;
  #marks;
  #cursor;
  #table;
  /** @type {Columns[]} */
  #all;
  /** What `update` was called with last. @type {PlotData} */
  #data = {};
  /** @type {Library | null} */
  #d3 = null;
  #frame = 0;
  #width = 0;
  #font = "";
  /** What the table was opened for, and is closed after. */
  #openedForWant = false;

  /** @param {PlotOptions} options */
  constructor(options) {
    this.#options = options;
    this.#all = options.series.map(() => NOTHING);
    this.#axes = new Axes(options);
    this.#marks = options.series.map((_, k) => new Marks(options, k));
    this.#cursor = new Cursor(this.#canvas, options);
    this.#table = new Table(options, () => grid(options, this.#all));
    this.#build();
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry.contentRect.width);
      if (width === this.#width) return;
      this.#width = width;
      this.#font = "";
      this.#draw();
    }).observe(this.#canvas);
    const late = setTimeout(() => this.#without(WAITING), PATIENCE);
    library().then((d3) => this.#with(d3), () => this.#without(MISSING)).finally(() => clearTimeout(late));
  }

  /** Shows these data; they may be the same arrays with more in them. @param {PlotData} data */
  update(data) {
    this.#data = data;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#take());
  }

  #build() {
    const { title, series, file, height = HEIGHT } = this.#options;
    const [clip, caption] = [freshId("clip"), freshId("plot")];
    for (const marks of this.#marks) marks.clip(clip);
    this.#canvas.style.height = `${height}px`;
    setAttribute(this.#canvas, "aria-labelledby", caption);
    setAttribute(this.#canvas, "aria-roledescription", "plot; left and right walk its points, up and down its series");
    setAttribute(this.#svg, "height", String(height));
    this.#svg.append(
      s("defs", {}, s("clipPath", { id: clip }, this.#clip)),
      this.#axes.grid,
      s("g", { class: "marks" }, ...this.#marks.map(({ element }) => element)),
      this.#axes.element,
      this.#empty,
      this.#cursor.element,
    );
    this.#canvas.append(this.#svg);
    this.#legend.append(...series.map(({ label }, k) => h("li", {}, this.#marks[k].sign, label)));
    show(this.#legend, series.length > 1);
    setAttribute(this.#saveSvg, "aria-label", `SVG: the drawing “${title}” as a file`);
    setAttribute(this.#saveCsv, "aria-label", `CSV: the numbers of “${title}” as a file`);
    this.#saveSvg.addEventListener("click", () => download(`${file}.svg`, "image/svg+xml", this.#svgFile()));
    this.#saveCsv.addEventListener("click", () => download(`${file}.csv`, "text/csv;charset=utf-8", csv(grid(this.#options, this.#fresh()))));
    this.element.append(
      h("figcaption", { id: caption }, title),
      this.#legend,
      this.#canvas,
      this.#cursor.readout,
      this.#cursor.status,
      this.#note,
      h("div", { class: "plot-foot" }, this.#table.element, this.#saveSvg, this.#saveCsv),
    );
    this.#say();
  }

  /** The data as of now: a file asked for has what came since the last frame. */
  #fresh() {
    this.#take();
    return this.#all;
  }

  #svgFile() {
    this.#fresh();
    const { title, series } = this.#options;
    return svgFile({ svg: this.#svg, title, description: summary(this.#options, this.#all), legend: series.map(({ label }, k) => ({ sign: this.#marks[k].sign, label })) });
  }

  #take() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    let changed = false;
    this.#options.series.forEach(({ key }, k) => {
      const columns = columnsOf(this.#data[key]);
      if (same(columns, this.#all[k])) return;
      this.#all[k] = columns;
      changed = true;
    });
    if (!changed) return;
    this.#draw();
    this.#say();
    this.#table.changed();
  }

  /** @param {Library} d3 */
  #with(d3) {
    this.#d3 = d3;
    if (this.#openedForWant) this.#table.element.open = this.#openedForWant = false;
    setAttribute(this.element, "data-bare", null);
    this.#say();
    this.#draw();
  }

  /** No drawing: the table in the open, and why. @param {string} why */
  #without(why) {
    setAttribute(this.element, "data-bare", true);
    if (!this.#table.element.open) this.#table.element.open = this.#openedForWant = true;
    setText(this.#note, why);
    show(this.#note, true);
  }

  /** What a picture can't say, or hides. */
  #say() {
    setAttribute(this.#svg, "aria-label", summary(this.#options, this.#all));
    if (this.element.dataset.bare !== undefined) return;
    let off = 0;
    for (const { x, y, length } of this.#all) for (let i = 0; i < length; i++) if (y[i] === y[i] && !(drawable(this.#options.x, x[i]) && drawable(this.#options.y, y[i]))) off += 1;
    setText(this.#note, off === 0 ? "" : `${plural(off, "point has", "points have")} no place on a logarithmic axis, which has no zero; the table has ${off === 1 ? "it" : "them"}.`);
    show(this.#note, off > 0);
  }

  #draw() {
    const d3 = this.#d3;
    if (!d3 || this.#width < 60) return;
    const [width, height] = [this.#width, this.#options.height ?? HEIGHT];
    this.#font ||= `12px ${getComputedStyle(this.#svg).fontFamily}`;
    setAttribute(this.#svg, "width", String(width));
    setAttribute(this.#svg, "viewBox", `0 0 ${width} ${height}`);
    const frame = this.#axes.draw(d3, this.#all, width, height, this.#font);
    for (const [name, value] of Object.entries({ x: frame.left - 1, y: frame.top - 2, width: frame.right - frame.left + 2, height: frame.bottom - frame.top + 4 })) setAttribute(this.#clip, name, px(value));
    const places = dodges(this.#options, this.#all, frame);
    const placed = this.#marks.map((marks, k) => marks.draw(d3, this.#all[k], frame, places[k]));
    setAttribute(this.#empty, "x", px((frame.left + frame.right) / 2));
    setAttribute(this.#empty, "y", px((frame.top + frame.bottom) / 2));
    setAttribute(this.#empty, "visibility", frame.empty ? null : "hidden");
    this.#cursor.draw({ d3, frame, all: this.#all, placed });
  }
}
