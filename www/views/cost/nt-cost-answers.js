/** A worked example: shorter answers beat shorter prompts. */

import { count, probability } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setStyle, setText } from "../../elements/dom.js";
import { COUNTED, cost, tokensOfWords } from "./estimate.js";
import { missingWords } from "./nt-cost-result.js";
import { exact, less, ratio, rounded, times } from "./money.js";

/** @typedef {import("./estimate.js").Estimate} Estimate */

const VERBOSE = tokensOfWords(200);
const CASES = [
  { prompt: COUNTED.long.tokens, answer: VERBOSE },
  { prompt: COUNTED.short.tokens, answer: VERBOSE },
  { prompt: COUNTED.long.tokens, answer: COUNTED.answer.tokens },
  { prompt: COUNTED.short.tokens, answer: COUNTED.answer.tokens },
];

export class NtCostAnswers extends Part {
  #estimate;
  #body = h("tbody");
  #day = h("th", { scope: "col" });
  #verdict = h("p", { class: "verdict" });

  /** @param {Estimate} estimate */
  constructor(estimate) {
    super();
    this.#estimate = estimate;
  }

  /** @override */
  build() {
    const text = (/** @type {string} */ words) => h("bdi", { translate: "no" }, `“${words}”`);
    this.append(
      h("h2", {}, "Shorter answers beat shorter prompts"),
      h("ul", { class: "texts" },
        h("li", {}, "Long prompt, ", `${COUNTED.long.tokens} tokens: `, text(COUNTED.long.text)),
        h("li", {}, "Short prompt, ", `${COUNTED.short.tokens} tokens: `, text(COUNTED.short.text)),
        h("li", {}, `Long answer, ${VERBOSE} tokens: 200 words × 1.33, rounded down`),
        h("li", {}, "Short answer, ", `${COUNTED.answer.tokens} tokens: `, text(COUNTED.answer.text))),
      h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Four ways to ask, a table" },
        h("table", { class: "numbers-table" }, h("caption", {}, "The articles’ texts, counted with o200k_base, at the prices above"),
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Prompt and answer"), h("th", { scope: "col" }, "Input"), h("th", { scope: "col" }, "Output"), h("th", { scope: "col" }, "One call"), this.#day)),
          this.#body)),
      this.#verdict);
    for (const { prompt, answer } of CASES) {
      const name = `${prompt === COUNTED.long.tokens ? "long" : "short"} prompt, ${answer === VERBOSE ? "long" : "short"} answer`;
      this.#body.append(h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(prompt)), h("td", {}, String(answer)), h("td"), h("td", { class: "paid" })));
    }
  }

  /** @override */
  update() {
    const { prices, calls } = this.#estimate;
    setText(this.#day, `${count(calls)} a day`);
    const costs = CASES.map(({ prompt, answer }) => cost({ input: prompt, cached: 0, output: answer }, prices));
    for (const [i, tr] of [...this.#body.rows].entries()) {
      const total = costs[i]?.total ?? null;
      const [call, day] = [tr.cells[3], tr.cells[4]];
      if (call) setText(call, total ? exact(total) : "unknown");
      const first = costs[0]?.total ?? null;
      if (day) setStyle(day, "--share", String(total && first ? ratio(total, first) ?? 0 : 0));
      if (day) setText(day, total ? rounded(times(total, calls)) : "unknown");
    }
    const [base, prompt, answer] = costs.map((c) => c.total);
    if (!base || !prompt || !answer) return setText(this.#verdict, `The saving is ${missingWords(costs[0]?.missing ?? [])}.`);
    const saved = (/** @type {import("./money.js").Money} */ now) => {
      const by = less(base, now);
      return `${exact(by)} a call${base.units > 0n ? `, ${probability(ratio(by, base) ?? 0)}` : ""}`;
    };
    setText(this.#verdict, `The shorter prompt saves ${saved(prompt)}. The shorter answer saves ${saved(answer)}.`);
  }
}
