/** What the conversation of an `<nt-chat>` would cost: this turn and all turns, each under its name. */

import { count } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setText, show } from "../../elements/dom.js";
import { cost } from "./estimate.js";
import { exact, sum } from "./money.js";
import { missingWords } from "./nt-cost-result.js";

/** @typedef {import("./estimate.js").Estimate} Estimate */
/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {{ input: number, reused: number, output: number }} Turn `reused`: the cached part of `input` */

export class NtCostChat extends Part {
  #estimate;
  #host;
  #body = h("tbody");
  #words = h("p", { class: "words" });
  #full = h("p", { class: "words" });
  #none = h("p", { class: "hint" });
  #table = h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "The conversation’s cost, a table" });
  /** Ends listening to the conversation. */
  #listening = new AbortController();
  /** @type {Element | null} */
  #chat = null;

  /** @param {Estimate} estimate @param {Host} host */
  constructor(estimate, host) {
    super();
    this.#estimate = estimate;
    this.#host = host;
  }

  /** @override */
  build() {
    const heads = ["", "Input", "Cached input", "Output", "Cost"].map((text) => (text ? h("th", { scope: "col" }, text) : h("td")));
    this.#table.append(h("table", { class: "numbers-table" }, h("caption", {}, "Tokens as the model of the conversation counts them, at the prices above. Cached input is part of input."), h("thead", {}, h("tr", {}, ...heads)), this.#body));
    this.append(h("h2", {}, "The conversation on this page"), this.#none, this.#table, this.#words, this.#full);
  }

  /** @returns {Turn[]} */
  #turns() {
    const tree = this.#host.getRootNode();
    const chat = this.#host.for && (tree instanceof Document || tree instanceof ShadowRoot) ? tree.getElementById(this.#host.for) : null;
    if (chat !== this.#chat) {
      this.#chat = chat;
      this.#listening.abort();
      this.#listening = new AbortController();
      chat?.addEventListener("nt-turns", () => this.#host.redraw(), { signal: this.#listening.signal });
    }
    const talk = chat && "conversation" in chat ? /** @type {{ turns?: Turn[] } | null} */ (chat.conversation) : null;
    return talk?.turns ?? [];
  }

  /** @override */
  update() {
    show(this, this.#host.shared);
    if (!this.#host.shared) return;
    const turns = this.#turns();
    const last = turns.at(-1);
    show(this.#table, last !== undefined);
    show(this.#none, last === undefined);
    setText(this.#none, "No turn yet: talk to the model above.");
    setText(this.#words, "");
    setText(this.#full, "");
    if (!last) return;
    const { prices } = this.#estimate;
    const all = turns.reduce((total, turn) => ({ input: total.input + turn.input, reused: total.reused + turn.reused, output: total.output + turn.output }), { input: 0, reused: 0, output: 0 });
    const rows = [{ name: `Turn ${turns.length}, this one`, ...last }, { name: turns.length === 1 ? "All turns so far" : `All ${turns.length} turns`, ...all }];
    const costs = rows.map(({ input, reused, output }) => cost({ input: input - reused, cached: reused, output }, prices));
    this.#body.replaceChildren(...rows.map(({ name, input, reused, output }, i) => {
      const total = costs[i]?.total ?? null;
      return h("tr", {}, h("th", { scope: "row" }, name), ...[input, reused, output].map((n) => h("td", {}, count(n))), h("td", {}, total ? exact(total) : "unknown"));
    }));
    const missing = costs[1]?.missing ?? [];
    if (missing.length > 0) setText(this.#words, `The cost is ${missingWords(missing)}.`);
    if (missing.includes("cached") && prices.input && prices.output) {
      const whole = cost({ input: all.input, cached: 0, output: all.output }, prices);
      setText(this.#full, `Without a prefix cache, all ${turns.length} turns would cost ${exact(whole.total ?? sum())}.`);
    }
  }
}
