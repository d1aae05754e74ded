/** Two numbers measured, and the formula that makes a time of them beside the time measured. */

import { count, duration, full, plural, rate as rateWords } from "../../core/format.js";
import { h, setAttribute, setText, show } from "../../elements/dom.js";
import { RacePart } from "./part.js";
import { formula } from "./recording.js";

export class NtStreamNumbers extends RacePart {
  #first = number("TTFT, time to the first token");
  #rate = number("Rate after it");
  #total = number("Total");
  #body = h("tbody");
  #note = h("p", { class: "note" });

  /** @override */
  build() {
    const head = h("thead", {}, h("tr", {}, ...["", "time", "difference"].map((name) => (name ? h("th", { scope: "col" }, name) : h("td")))));
    this.append(
      h("h3", {}, "Measured, and by the formula"),
      h("dl", { class: "numbers" }, this.#first.box, this.#rate.box, this.#total.box),
      h("p", { class: "formula" }, "latency ≈ TTFT + tokens / rate"),
      h("table", {}, h("caption", { class: "sr" }, "The formula beside the measurement"), head, this.#body), this.#note);
  }

  /** @override */
  update() {
    const { recording, arrivals, pace } = this.race;
    show(this, recording !== null);
    if (!recording) return;
    const [first, total] = [recording.arrivals[0] ?? 0, recording.arrivals.at(-1) ?? 0];
    const { tokens, rate, over, early, earlyOver, ended, found } = recording;
    const set = pace.first !== null || pace.rate !== null;
    write(this.#first, duration(first), "measured: prefill and the first token’s turn", `${full(first)} ms`);
    write(this.#rate, rate === null ? "–" : `${rateWords(rate)} tokens/s`, rate === null ? "needs a second token with a forward pass of its own" : `measured over ${plural(over, "token")}`, rate === null ? "" : `${full(rate)} tokens/s`);
    write(this.#total, duration(total), `measured: ${plural(tokens, "token")}${ended ? ", the last one the end-of-text token" : ""}${found > 0 ? `; for ${count(found)} the scores were there already` : ""}`, `${full(total)} ms`);

    /** @type {[string, number, number][]} what, the time, and the time that it is held against */
    const rows = [["measured", total, total]];
    if (rate !== null) rows.push([`formula: ${duration(first)} + ${tokens} / ${rateWords(rate)} tokens/s`, formula(first, tokens, rate), total]);
    if (early !== null && over > earlyOver) rows.push([`formula, foretold after token ${earlyOver + 1}: ${duration(first)} + ${tokens} / ${rateWords(early)} tokens/s`, formula(first, tokens, early), total]);
    if (set && arrivals.length > 0) {
      const [begin, end] = [arrivals[0] ?? 0, arrivals.at(-1) ?? 0];
      rows.push(["replayed as set", end, end]);
      if (pace.rate !== null) rows.push([`formula: ${duration(begin)} + ${tokens} / ${pace.rate} tokens/s`, formula(begin, tokens, pace.rate), end]);
    }
    this.#body.replaceChildren(...rows.map(([name, ms, against]) => h("tr", {},
      h("th", { scope: "row" }, name), h("td", { title: `${full(ms)} ms` }, duration(ms)), h("td", ms === against ? {} : { title: `${full(ms - against)} ms` }, ms === against ? "–" : difference(ms - against, against)))));
    const twice = rate === null ? "" : `The formula counts the first token twice, in TTFT and among the tokens: one token’s time, ${duration(1000 / rate)} here. `;
    setText(this.#note, `${twice}All times are the engine’s own computing times: no pause and no drawing is in them.`);
  }
}

/** @param {number} ms @param {number} of */
const difference = (ms, of) => `${ms < 0 ? "−" : "+"}${duration(Math.abs(ms))}${of > 0 ? ` (${ms < 0 ? "−" : "+"}${((Math.abs(ms) / of) * 100).toFixed(1)} %)` : ""}`;

/** @param {string} name */
function number(name) {
  const [value, note] = [h("b"), h("span")];
  return { box: h("div", {}, h("dt", {}, name), h("dd", {}, value, " ", note)), value, note };
}

/** @param {ReturnType<typeof number>} number @param {string} at @param {string} words @param {string} exact */
function write({ value, note }, at, words, exact) {
  setText(value, at);
  setText(note, words);
  setAttribute(value, "title", exact || null);
}
