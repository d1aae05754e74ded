/** All problems of a batch: both answers, right or wrong, and what each cost. */

import { count, plural, visible } from "../../core/format.js";
import { freshId, h, oneTabStop, roving, setAttribute, setText, show } from "../../elements/dom.js";
import { WAYS, WAY_NAMES } from "./ways.js";

/** @typedef {import("./trials.js").Row} Row */
/** @typedef {import("./trials.js").Result} Result */
/** @typedef {{ tr: HTMLTableRowElement, button: HTMLButtonElement, row: Row }} Drawn */

/** @type {Record<string, { label: string, keeps: (row: Row) => boolean }>} */
const FILTERS = {
  all: { label: "all problems", keeps: () => true },
  differ: { label: "where the two ways differ", keeps: ({ results: { bare, steps } }) => bare.right !== steps.right },
  bare: { label: "wrong at once", keeps: ({ results }) => !results.bare.right },
  steps: { label: "wrong in steps", keeps: ({ results }) => !results.steps.right },
};

/** The worst comes first: wrong both ways, wrong in steps, wrong at once, right. @param {Row} row */
const order = ({ results: { bare, steps } }) => (steps.right ? 0 : 2) + (bare.right ? 0 : 1);

export class ProblemTable {
  #filter = h("select");
  #first = h("input", { type: "checkbox" });
  #caption = h("caption");
  #body = h("tbody");
  #none = h("p", { class: "hint" });
  #table = h("table", { class: "problems" });
  /** @type {Drawn[]} */
  #drawn = [];
  #sorted = "";

  /** @param {(row: Row) => void} open shows a problem in the lanes */
  constructor(open) {
    this.#filter.id = freshId("filter");
    this.#first.id = freshId("first");
    for (const [name, { label }] of Object.entries(FILTERS)) this.#filter.append(h("option", { value: name }, label));
    this.#first.checked = true;
    for (const control of [this.#filter, this.#first]) control.addEventListener("change", () => this.#arrange(true));
    this.#table.append(this.#caption,
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Problem"), ...WAYS.map((way) => h("th", { scope: "col" }, WAY_NAMES[way])))),
      this.#body);
    roving(this.#body, () => this.#buttons(), { vertical: true });
    this.#body.addEventListener("click", (event) => {
      const found = this.#drawn.find(({ button }) => event.target instanceof Node && button.contains(event.target));
      if (found) open(found.row);
    });
    this.element = h("div", { class: "problem-table" },
      h("div", { class: "filters" },
        h("span", { class: "field small" }, h("label", { for: this.#filter.id }, "show"), this.#filter),
        h("span", { class: "field small check" }, this.#first, h("label", { for: this.#first.id }, "failures first"))),
      this.#table, this.#none);
  }

  /** In the order on show. */
  #buttons() {
    return [...this.#body.querySelectorAll("button")].filter((button) => button.closest("tr")?.hidden === false);
  }

  /** @param {Row[]} rows @param {boolean} running */
  update(rows, running) {
    if (rows.length < this.#drawn.length || (rows[0] && this.#drawn[0] && rows[0] !== this.#drawn[0].row)) {
      this.#body.replaceChildren();
      this.#drawn = [];
    }
    const fresh = rows.slice(this.#drawn.length).map(rowOf);
    this.#drawn.push(...fresh);
    for (const { tr } of fresh) this.#body.append(tr);
    // While they come in, new ones stand at the end: nothing jumps under the reader’s eyes.
    this.#arrange(!running, fresh);
  }

  /** @param {boolean} sort @param {Drawn[]} [changed] */
  #arrange(sort, changed = this.#drawn) {
    const { keeps } = FILTERS[this.#filter.value] ?? /** @type {(typeof FILTERS)[string]} */ (FILTERS.all);
    const state = `${this.#filter.value} ${this.#first.checked} ${this.#drawn.length}`;
    const again = sort && state !== this.#sorted;
    if (changed.length === 0 && !again) return;
    for (const { tr, row } of again ? this.#drawn : changed) show(tr, keeps(row));
    if (again) {
      this.#sorted = state;
      const sorted = this.#first.checked ? this.#drawn.toSorted((a, b) => order(b.row) - order(a.row)) : this.#drawn;
      const focused = this.#body.querySelector("button:focus");
      this.#body.append(...sorted.map(({ tr }) => tr));
      if (focused instanceof HTMLElement) focused.focus();
    }
    const buttons = this.#buttons();
    oneTabStop(buttons, buttons[0]);
    setText(this.#caption, `${count(buttons.length)} of ${plural(this.#drawn.length, "problem")}. Press one to see it pass by pass above.`);
    show(this.#table, buttons.length > 0);
    show(this.#none, buttons.length === 0);
    setText(this.#none, this.#drawn.length === 0 ? "No results yet." : `None of the ${count(this.#drawn.length)} problems so far.`);
  }
}

/** @param {Row} row @returns {Drawn} */
function rowOf(row) {
  const { problem, results } = row;
  const button = h("button", { type: "button", class: "open", tabindex: "-1", title: "Show it in the two lanes above" }, problem.text);
  const tr = h("tr", {},
    h("th", { scope: "row" }, button, h("small", {}, problem.kind === "sum" ? `= ${problem.answer}` : problem.answer)),
    ...WAYS.map((way) => cellOf(results[way])));
  setAttribute(tr, "data-problem", problem.text);
  return { tr, button, row };
}

/** @param {Result} result */
function cellOf({ text, answer, right, cut, written, passes }) {
  const said = answer === null ? "no answer" : answer.length > 24 ? `${answer.slice(0, 23)}…` : answer;
  return h("td", { "data-right": right ? "true" : "false", title: `It wrote: ${visible(text).replaceAll("·", " ")}` },
    h("span", { class: "said" }, h("span", { class: "mark" }, right ? "✓ right " : "✗ wrong "), h("bdi", { translate: "no", dir: "auto" }, said), cut ? " (cut)" : ""),
    h("small", {}, `${count(written)} written, ${count(passes)} computed`));
}
