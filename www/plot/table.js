/** The numbers of a plot as a real table, filled only while it is open. */

import { h, setAttribute, setText, show } from "../elements/dom.js";
import { count } from "../core/format.js";
import { children } from "./svg.js";
import { brief } from "./words.js";

/** @import { PlotOptions } from "./types.js" */
/** @import { Cell, Grid } from "./data.js" */

export const MOST_ROWS = 500;
/** While the data change with every frame, the table follows at a reader's pace, in ms. */
const PACE = 400;

export class Table {
  element = h("details");
  #caption = h("caption", { class: "sr" });
  #head = h("tr");
  #body = h("tbody");
  #note = h("p", { class: "plot-note" });
  #options;
  #grid;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #written = -Infinity;

  /** @param {PlotOptions} options @param {() => Grid} grid */
  constructor(options, grid) {
    this.#options = options;
    this.#grid = grid;
    setText(this.#caption, `${options.title}: the numbers`);
    const scroll = h("div", { class: "plot-scroll", tabindex: "0", role: "group", "aria-label": `${options.title}: the numbers` });
    scroll.append(h("table", {}, this.#caption, h("thead", {}, this.#head), this.#body));
    this.element.append(h("summary", {}, "Data table"), this.#note, scroll);
    this.element.addEventListener("toggle", () => this.element.open && this.#write());
  }

  /** The data changed. */
  changed() {
    if (!this.element.open || this.#timer !== undefined) return;
    const wait = this.#written + PACE - performance.now();
    if (wait <= 0) this.#write();
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        if (this.element.open) this.#write();
      }, wait);
    }
  }

  #write() {
    this.#written = performance.now();
    const { head, rows } = this.#grid();
    children(this.#head, head.length, () => h("th", { scope: "col" })).forEach((cell, i) => setText(cell, head[i]));
    const shown = rows.slice(0, MOST_ROWS);
    children(this.#body, shown.length, () => h("tr")).forEach((tr, i) => {
      /** @type {HTMLTableCellElement[]} */
      const cells = children(tr, head.length, () => (tr.childElementCount === 0 ? h("th", { scope: "row" }) : h("td")));
      shown[i].forEach((cell, j) => this.#writeCell(cells[j], cell));
    });
    const left = rows.length - shown.length;
    setText(this.#note, rows.length === 0 ? "Nothing measured yet." : left > 0 ? `The first ${count(MOST_ROWS)} of ${count(rows.length)} rows; the CSV file has all.` : "");
    show(this.#note, this.#note.textContent !== "");
  }

  /** @param {HTMLTableCellElement} node @param {Cell} cell */
  #writeCell(node, cell) {
    if (cell === null || typeof cell === "string") {
      setText(node, cell ?? "–");
      setAttribute(node, "title", null);
      return;
    }
    const text = this.#options[cell.axis].format?.(cell.value) ?? brief(cell.value);
    setText(node, text);
    setAttribute(node, "title", text.replaceAll(",", "") === String(cell.value) ? null : String(cell.value));
  }
}
