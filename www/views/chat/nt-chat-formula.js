/** The formula with numbers of the reader's own: no model in it, and no template tokens. */

import { count } from "../../core/format.js";
import { readNumber } from "../../core/settings.js";
import { Part } from "../../elements/base.js";
import { freshId, h, setAttribute, setText } from "../../elements/dom.js";
import { inputOf, totalComputed, totalInput, totalOutput } from "./formula.js";

/** @typedef {{ key: "S" | "U" | "A" | "n", label: string, start: number, min: number, max: number }} Field */

/** @type {Field[]} */
const FIELDS = [
  { key: "S", label: "S: system message", start: 10, min: 0, max: 100_000 },
  { key: "U", label: "U: each user message", start: 5, min: 0, max: 100_000 },
  { key: "A", label: "A: each answer", start: 7, min: 0, max: 100_000 },
  { key: "n", label: "n: turns", start: 3, min: 1, max: 1000 },
];
/** So many turns are listed; the totals are of all. */
const LISTED = 12;

export class NtChatFormula extends Part {
  #values = { S: 10, U: 5, A: 7, n: 3 };
  #body = h("tbody");
  #totals = h("tr");
  #sentence = h("p", { class: "words" });

  /** @override */
  build() {
    const fields = FIELDS.map((field) => {
      const input = h("input", { type: "text", inputmode: "numeric", autocomplete: "off", id: freshId(field.key), value: String(field.start), "data-field": field.key });
      const error = h("p", { class: "error", role: "alert", id: freshId("error") });
      input.setAttribute("aria-describedby", error.id);
      input.addEventListener("input", () => {
        const read = readNumber({ name: "seed", label: field.label, attribute: "", whole: true, start: field.start, slider: null, short: "", help: "", min: field.min, max: field.max }, input.value);
        const refused = "refused" in read;
        setText(error, refused ? `${read.refused} The table still has ${this.#values[field.key]}.` : "");
        setAttribute(input, "aria-invalid", refused ? "true" : null);
        if (!refused) this.#values[field.key] = read.value;
        this.#write();
      });
      return h("div", { class: "small-field" }, h("label", { for: input.id }, field.label), input, error);
    });
    const table = h("table", { class: "numbers-table" },
      h("caption", {}, "By formula, not measured; template tokens left out"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Turn"), h("th", { scope: "col" }, "Input of the turn"), h("th", { scope: "col" }, "Output of the turn"))),
      this.#body, h("tfoot", {}, this.#totals));
    this.append(h("details", {}, h("summary", {}, "The formula with your own numbers"),
      h("p", { class: "formula" }, "input of turn k = S + kU + (k − 1)A"),
      h("p", { class: "formula" }, "total input = nS + U·n(n + 1)/2 + A·n(n − 1)/2"),
      h("p", { class: "formula" }, "total output = nA; computed with a prefix cache = S + nU + (n − 1)A"),
      h("div", { class: "small-fields" }, ...fields), table, this.#sentence));
    this.#write();
  }

  #write() {
    const { n, ...sizes } = this.#values;
    const turns = Array.from({ length: n }, (_, i) => i + 1).filter((k) => n <= LISTED || k < LISTED || k === n);
    this.#body.replaceChildren(...turns.map((k) => h("tr", {}, h("th", { scope: "row" }, String(k)), h("td", {}, count(inputOf(k, sizes))), h("td", {}, count(sizes.A)))));
    this.#totals.replaceChildren(h("th", { scope: "row" }, `All ${n}`), h("td", {}, count(totalInput(n, sizes))), h("td", {}, count(totalOutput(n, sizes.A))));
    setText(this.#sentence, `With a prefix cache ${count(totalComputed(n, sizes))} input tokens would be computed in place of ${count(totalInput(n, sizes))}.${n > LISTED ? ` Turns ${LISTED} to ${n - 1} are not listed; the totals are of all.` : ""}`);
  }
}
