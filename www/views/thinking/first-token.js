/** The first distribution of one answer: the most probable tokens, and all others in one row. */

import { count, full, probability, tokenLabel, tokenSpoken } from "../../core/format.js";
import { h, setAttribute, setText, setStyle } from "../../elements/dom.js";
import { TOP } from "./beginning.js";

/** @typedef {import("./beginning.js").Answer} Answer */

export class FirstToken {
  #caption = h("caption");
  #rows = Array.from({ length: TOP + 1 }, (_, i) => {
    const rest = i === TOP;
    const token = h("th", { class: "token", scope: "row" });
    const bar = h("td", { class: "bar model" });
    return { tr: h("tr", rest ? { class: "rest" } : {}, h("td", { class: "rank" }, rest ? "" : String(i + 1)), token, bar), token, bar };
  });
  element = h("table", { class: "first" }, this.#caption,
    h("thead", {}, h("tr", {}, h("th", { class: "rank", scope: "col" }, "#"), h("th", { class: "token", scope: "col" }, "Token"), h("th", { scope: "col", title: "Softmax over the full vocabulary, before any setting" }, "The model’s probability"))),
    h("tbody", {}, ...this.#rows.map(({ tr }) => tr)));
  /** @type {Answer | null} */
  #drawn = null;

  /** @param {Answer} answer @param {string} caption */
  update(answer, caption) {
    if (answer === this.#drawn) return;
    this.#drawn = answer;
    setText(this.#caption, caption);
    this.#rows.forEach(({ tr, token, bar }, i) => {
      const vote = answer.votes[i];
      const p = i === TOP ? answer.rest.p : vote?.p ?? 0;
      if (i === TOP) setText(token, `${count(answer.rest.count)} others`);
      else if (vote) token.replaceChildren(h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, tokenLabel(vote.piece)), h("span", { class: "sr" }, tokenSpoken(vote.piece)));
      if (vote) token.title = `${tokenLabel(vote.piece)}, id ${vote.piece.id}`;
      setText(bar, probability(p));
      bar.title = full(p);
      setStyle(bar, "--p", String(p));
      setAttribute(bar, "data-zero", p === 0);
      // Greedy: the most probable one is what it writes.
      setAttribute(tr, "data-chosen", i === 0);
    });
  }
}
