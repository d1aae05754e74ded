/** What is asked: the prompt, the answer's length, calls a day, prices. */

import { count, plural, size } from "../../core/format.js";
import { readNumber } from "../../core/settings.js";
import { Part } from "../../elements/base.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { COUNTER_BYTES } from "./estimate.js";
import { readPrice } from "./money.js";
import { PRESETS, PRICES } from "./prices.js";

/** @typedef {import("./estimate.js").Estimate} Estimate */
/** @typedef {import("./estimate.js").PriceName} PriceName */

/** After the last key the reader waits no longer for the count. In ms. */
const PAUSE = 250;

export class NtCostForm extends Part {
  #estimate;
  #prompt = h("textarea", { rows: "3", dir: "auto", id: freshId("cost-prompt"), "data-field": "prompt" });
  #counted = h("p", { class: "hint", role: "status" });
  #count = h("button", { type: "button", "data-do": "count" });
  #fault = h("p", { class: "error", role: "alert" });
  #unit = h("select", { id: freshId("unit"), "aria-label": "Unit of the answer’s length" }, h("option", { value: "words" }, "words"), h("option", { value: "tokens" }, "tokens"));
  #answerNote = h("p", { class: "hint" });
  #preset = h("select", { id: freshId("preset"), "data-field": "preset" }, ...PRESETS.map(({ id, label }) => h("option", { value: id }, label)));
  #date = h("input", { type: "text", id: freshId("date"), autocomplete: "off", "data-field": "date" });
  #note = h("p", { class: "hint" });
  /** @type {Map<PriceName, { input: HTMLInputElement, clear: () => void }>} */
  #prices = new Map();
  #timer = 0;

  /** @param {Estimate} estimate */
  constructor(estimate) {
    super();
    this.#estimate = estimate;
  }

  /** @override */
  build() {
    const estimate = this.#estimate;
    this.#prompt.value = estimate.text;
    this.#prompt.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => estimate.write(this.#prompt.value), PAUSE);
    });
    this.#count.addEventListener("click", () => {
      clearTimeout(this.#timer);
      estimate.write(this.#prompt.value);
      estimate.count();
    });
    this.#unit.addEventListener("change", () => estimate.set({ unit: this.#unit.value === "tokens" ? "tokens" : "words" }));
    this.#preset.addEventListener("change", () => this.#take(this.#preset.value));
    const prices = PRICES.map(({ name, label }) => this.#price(name, label));
    this.append(
      h("h2", {}, "A call"),
      h("div", { class: "wide-field" }, h("label", { for: this.#prompt.id }, "Prompt"), this.#prompt, h("div", { class: "count-line" }, this.#counted, this.#count), this.#fault),
      h("div", { class: "small-fields" },
        this.#number("answer", "Answer’s length", estimate.answer, 10_000_000, (answer) => estimate.set({ answer }), this.#unit, this.#answerNote),
        this.#number("calls", "Calls a day", estimate.calls, 1_000_000_000, (calls) => estimate.set({ calls })),
        this.#number("cached", "Of it, cached tokens", 0, 10_000_000, (cachedTokens) => estimate.set({ cachedTokens }))),
      h("h2", {}, "Prices, in dollars per million tokens"),
      h("div", { class: "small-fields" },
        h("div", { class: "small-field" }, h("label", { for: this.#preset.id }, "Prices of"), this.#preset),
        h("div", { class: "small-field" }, h("label", { for: this.#date.id }, "As of"), this.#date)),
      h("div", { class: "small-fields prices" }, ...prices), this.#note);
    this.#take(PRESETS[0]?.id ?? "own");
  }

  /** @param {string} id */
  #take(id) {
    const preset = PRESETS.find((p) => p.id === id);
    if (!preset) return;
    this.#preset.value = id;
    this.#date.value = preset.date;
    setText(this.#note, preset.note);
    const prices = { ...this.#estimate.prices };
    for (const [name, { input, clear }] of this.#prices) {
      input.value = preset[name];
      clear();
      const read = readPrice(preset[name], name);
      if ("value" in read) prices[name] = read.value;
    }
    this.#estimate.set({ prices });
  }

  /** @param {PriceName} name @param {string} label */
  #price(name, label) {
    const input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", id: freshId("price"), placeholder: "unknown", "data-field": `price-${name}` });
    const error = h("p", { class: "error", role: "alert", id: freshId("error") });
    input.setAttribute("aria-describedby", error.id);
    const clear = () => {
      setText(error, "");
      setAttribute(input, "aria-invalid", null);
    };
    input.addEventListener("input", () => {
      const read = readPrice(input.value, label);
      const own = PRESETS.find((p) => p.id === "own");
      if (this.#preset.value !== "own" && own) {
        // A changed price is the reader's, and so is its date.
        this.#preset.value = "own";
        this.#date.value = "";
        setText(this.#note, own.note);
      }
      if ("refused" in read) {
        setText(error, `${read.refused} The result still has the former price.`);
        return setAttribute(input, "aria-invalid", "true");
      }
      clear();
      this.#estimate.set({ prices: { ...this.#estimate.prices, [name]: read.value } });
    });
    this.#prices.set(name, { input, clear });
    return h("div", { class: "small-field" }, h("label", { for: input.id }, label), input, error);
  }

  /**
   * @param {string} field @param {string} label @param {number} start @param {number} max @param {(value: number) => void} take
   * @param {HTMLElement} [beside] @param {HTMLElement} [below]
   */
  #number(field, label, start, max, take, beside, below) {
    const input = h("input", { type: "text", inputmode: "numeric", autocomplete: "off", id: freshId(field), value: String(start), "data-field": field });
    const error = h("p", { class: "error", role: "alert", id: freshId("error") });
    input.setAttribute("aria-describedby", error.id);
    let former = start;
    input.addEventListener("input", () => {
      const read = readNumber({ name: "seed", label, attribute: "", whole: true, start, slider: null, short: "", help: "", min: 0, max }, input.value);
      const refused = "refused" in read;
      setText(error, refused ? `${read.refused} The result still has ${count(former)}.` : "");
      setAttribute(input, "aria-invalid", refused ? "true" : null);
      if (refused) return;
      former = read.value;
      take(read.value);
    });
    return h("div", { class: "small-field" }, h("label", { for: input.id }, label), h("div", { class: "beside" }, input, ...(beside ? [beside] : [])), ...(below ? [below] : []), error);
  }

  /** @override */
  update() {
    const estimate = this.#estimate;
    const { counter, promptTokens, fault } = estimate;
    const by = counter === "beforehand" ? "counted with o200k_base beforehand" : "counted with o200k_base";
    setText(this.#counted, counter === "loading" ? "Loading the counter…" : promptTokens === null ? "This prompt isn’t counted yet." : `${plural(promptTokens, "token")}, ${by}.`);
    show(this.#count, counter !== "ready");
    enable(this.#count, counter !== "loading");
    setText(this.#count, `Count with o200k_base (loads ${size(COUNTER_BYTES)})`);
    setText(this.#fault, fault ? `${fault.message} ${fault.hint}` : "");
    setText(this.#answerNote, estimate.unit === "words" ? `${plural(estimate.output, "token")}: words × 1.33, rounded down` : "tokens, as the provider counts them");
  }
}
