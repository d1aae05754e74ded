/** The same as a table: a turn's tokens and the conversation's so far, each under its own name. */

import { count } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setText, show } from "../../elements/dom.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./turn.js").Turn} Turn */

const COLUMNS = [
  { key: "input", head: "Input", note: "sent in this turn" },
  { key: "cached", head: "Cached input", note: "of it, copied" },
  { key: "computed", head: "Computed input", note: "of it, read anew" },
  { key: "output", head: "Output", note: "written in this turn" },
  { key: "inputSoFar", head: "Input so far", note: "all turns together" },
  { key: "cachedSoFar", head: "Cached so far", note: "part of input so far" },
  { key: "outputSoFar", head: "Output so far", note: "all turns together" },
];

export class NtChatTable extends Part {
  #conversation;
  #body = h("tbody");

  /** @param {Conversation} conversation */
  constructor(conversation) {
    super();
    this.#conversation = conversation;
  }

  /** @override */
  build() {
    const head = h("tr", {}, h("th", { scope: "col" }, "Turn"), ...COLUMNS.map(({ key, head, note }) => h("th", { scope: "col", "data-key": key }, head, h("small", {}, note))));
    this.append(h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Tokens of each turn, a table" },
      h("table", { class: "numbers-table" }, h("caption", {}, h("span", {}, "Tokens by turn, measured. Cached input is input too: it was sent, but not computed again.")), h("thead", {}, head), this.#body)));
  }

  /** @override @param {Player} player */
  update(player) {
    const { turns } = this.#conversation;
    show(this, player.engine?.info.chat === true && turns.length > 0);
    while (this.#body.rows.length > turns.length) this.#body.deleteRow(-1);
    soFar(turns).forEach((row, index) => {
      const tr = this.#body.rows[index] ?? this.#body.appendChild(h("tr", {}, h("th", { scope: "row" }, String(index + 1)), ...COLUMNS.map(({ key }) => h("td", { "data-key": key }))));
      for (const cell of tr.cells) {
        const value = row[/** @type {keyof typeof row} */ (cell.dataset.key)];
        if (value !== undefined) setText(cell, count(value));
      }
    });
  }
}

/** @param {Turn[]} turns */
export function soFar(turns) {
  let [inputSoFar, cachedSoFar, outputSoFar] = [0, 0, 0];
  return turns.map(({ input, reused: cached, computed, output }) => {
    inputSoFar += input;
    cachedSoFar += cached;
    outputSoFar += output;
    return { input, cached, computed, output, inputSoFar, cachedSoFar, outputSoFar };
  });
}
