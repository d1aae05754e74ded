/** What it costs: a call and a day, how it adds up, and which side weighs. */

import { count, plural, probability } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setStyle, setText, show } from "../../elements/dom.js";
import { exact, ratio, rounded, words } from "./money.js";
import { PRICES } from "./prices.js";

/** @typedef {import("./estimate.js").Estimate} Estimate */
/** @typedef {import("./estimate.js").Cost} Cost */

/** Which prices are missing, in words. @param {Cost["missing"]} missing */
export const missingWords = (missing) => `unknown: no price for ${missing.map((name) => PRICES.find((p) => p.name === name)?.label.toLowerCase()).join(" and ")}`;

export class NtCostResult extends Part {
  #estimate;
  #call = h("b", { "data-result": "call" });
  #callWords = h("span");
  #day = h("b", { "data-result": "day" });
  #dayLabel = h("dt");
  #dayWords = h("span");
  #body = h("tbody");
  #bar = h("div", { class: "share", "aria-hidden": "true" });
  #shares = h("p", { class: "words" });
  #ratio = h("p", { class: "verdict" });

  /** @param {Estimate} estimate */
  constructor(estimate) {
    super();
    this.#estimate = estimate;
  }

  /** @override */
  build() {
    const head = h("tr", {}, ...["", "Tokens", "$ per million", "Cost"].map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))));
    for (const { name, label } of PRICES) {
      this.#body.append(h("tr", { "data-part": name }, h("th", { scope: "row" }, h("i", { class: "key", "data-part": name, "aria-hidden": "true" }), label), h("td"), h("td"), h("td")));
      this.#bar.append(h("span", { "data-part": name }));
    }
    this.append(
      h("h2", {}, "What it costs"),
      h("dl", { class: "totals" },
        h("div", {}, h("dt", {}, "One call"), h("dd", {}, this.#call, this.#callWords)),
        h("div", {}, this.#dayLabel, h("dd", {}, this.#day, this.#dayWords))),
      h("table", { class: "numbers-table" }, h("caption", {}, "One call, by formula: tokens × price ÷ 1,000,000"), h("thead", {}, head), this.#body),
      this.#bar, this.#shares, this.#ratio);
  }

  /** @override */
  update() {
    const estimate = this.#estimate;
    const { counts, call, day, prices, calls } = estimate;
    const unknown = call ? missingWords(call.missing) : "unknown: the prompt isn’t counted yet";
    setText(this.#call, call?.total ? exact(call.total) : "unknown");
    setText(this.#callWords, call?.total ? words(call.total) : unknown);
    setText(this.#dayLabel, `${plural(calls, "call")} a day`);
    setText(this.#day, day ? rounded(day) : "unknown");
    setText(this.#dayWords, day ? (rounded(day) === exact(day) ? words(day) : `a day, exactly ${exact(day)}`) : unknown);
    for (const tr of this.#body.rows) {
      const name = /** @type {import("./estimate.js").PriceName} */ (tr.dataset.part);
      const [, tokens, price, money] = tr.cells;
      const paid = call?.[name] ?? null;
      const each = prices[name];
      if (tokens) setText(tokens, counts ? count(counts[name]) : "unknown");
      if (price) setText(price, each ? exact(each) : "unknown");
      if (money) setText(money, counts?.[name] === 0 ? "–" : paid ? exact(paid) : "unknown");
    }
    this.#share(call);
    const times = prices.input && prices.output ? ratio(prices.output, prices.input) : null;
    setText(this.#ratio, times === null
      ? "How output compares with input is unknown until both have a price."
      : `One output token costs ${Number(times.toFixed(2))} times as much as one input token${times > 1 ? ": the answer is written a token at a time" : ""}.`);
  }

  /** @param {Cost | null} call */
  #share(call) {
    const total = call?.total ?? null;
    const shares = PRICES.map(({ name, label }) => ({ name, label, share: total && call?.[name] ? ratio(call[name], total) ?? 0 : 0 }));
    show(this.#bar, total !== null && total.units > 0n);
    for (const [i, { share }] of shares.entries()) {
      const part = this.#bar.children[i];
      if (part instanceof HTMLElement) setStyle(part, "--share", String(share));
    }
    const said = shares.filter(({ share }) => share > 0).map(({ label, share }) => `${label.toLowerCase()} ${probability(share)}`);
    setText(this.#shares, said.length > 0 ? `Of a call’s cost: ${said.join(", ")}.` : "");
  }
}
