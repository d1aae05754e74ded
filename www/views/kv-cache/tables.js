/** The same numbers as the pictures, as tables: made when they are opened, brought up to date between passes. */

import { full, tokenLabel } from "../../core/format.js";
import { h, setText } from "../../elements/dom.js";
import { value } from "./words.js";

/** @typedef {import("./columns.js").Columns} Columns */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./selection.js").Selection} Selection */
/** @typedef {import("../../api/next-token.js").Info} Info */
/** @typedef {import("../../api/next-token.js").Piece} Piece */

/** A token's name in a table. @param {Piece | undefined} piece */
const name = (piece) => h("bdi", { translate: "no", dir: "auto" }, piece ? tokenLabel(piece) : "");

/** @param {number} x */
const cell = (x) => h("td", { title: full(x) }, value(x));

/** A table that is folded away. */
export class Folded {
  #summary = h("summary");
  #caption = h("caption");
  #head = h("tr");
  #body = h("tbody");
  #scroll = h("div", { class: "rows", tabindex: "0", role: "group" }, h("table", {}, this.#caption, h("thead", {}, this.#head), this.#body));
  element = h("details", { class: "as-table" }, this.#summary, this.#scroll);
  #written = "";

  constructor() {
    this.#scroll.addEventListener("keydown", (event) => {
      if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") event.stopPropagation();
    });
  }

  /** @param {string} text */
  name(text) {
    setText(this.#summary, text);
    this.#scroll.setAttribute("aria-label", text);
  }

  /**
   * Writes it, if it is open and anything differs.
   * @param {string} key @param {string} caption @param {string[]} heads @param {number} rows @param {(row: number) => [th: Node | string, ...cells: HTMLElement[]]} row
   */
  write(key, caption, heads, rows, row) {
    if (!this.element.open || key === this.#written) return;
    this.#written = key;
    setText(this.#caption, caption);
    this.#head.replaceChildren(...heads.map((text) => h("th", { scope: "col" }, text)));
    this.#body.replaceChildren(...Array.from({ length: rows }, (_, i) => {
      const [th, ...cells] = row(i);
      return h("tr", {}, h("th", { scope: "row" }, th), ...cells);
    }));
  }
}

/** One layer of the wall. */
export class WallTable extends Folded {
  /** @param {Columns | null} columns @param {Place} place @param {Selection} selection @param {Info} info @param {boolean} playing */
  update(columns, place, { layer, head }, info, playing) {
    this.name(`Show layer ${layer + 1} of the wall as a table`);
    if (!columns || playing) return;
    const n = Math.min(columns.have, place.cached);
    const heads = head < 0 ? "all KV heads" : `KV head ${head + 1}`;
    this.write([n, layer, head, columns.passes, ...columns.ids.slice(0, n)].join(), `Layer ${layer + 1} of ${info.layers}, ${heads}: root mean square of K (after the position’s rotation) and of V`, ["Column", "Token", "K", "V"], n, (i) => [
      String(i), h("td", { class: "token" }, name(place.pieces[i])), cell(columns.rms("k", i, layer, head)), cell(columns.rms("v", i, layer, head)),
    ]);
  }
}

/** The selected K and V, number by number. */
export class VectorTable extends Folded {
  /** @param {Columns | null} columns @param {Place} place @param {Selection} selection @param {Info} info @param {boolean} playing */
  update(columns, place, selection, info, playing) {
    const { layer, head } = selection;
    const column = selection.at(place.cached);
    this.name(`Show column ${column} of layer ${layer + 1} as a table`);
    if (!columns || playing || columns.layer !== layer || column < 0 || column >= columns.vectors) return;
    const [k, v] = [columns.vector("k", column, head), columns.vector("v", column, head)];
    this.write([layer, column, head, columns.passes, columns.ids[column]].join(), `Layer ${layer + 1}, column ${column}: K after the position’s rotation, and V`, ["Number", "K", "V"], k.length, (i) => [
      head < 0 && info.kvHeads > 1 ? `head ${Math.floor(i / info.headDim) + 1}, ${(i % info.headDim) + 1}` : String((i % info.headDim) + 1), cell(Number(k[i])), cell(Number(v[i])),
    ]);
  }
}

/** What the newest token attends to, column by column. */
export class AttentionTable extends Folded {
  /** @param {import("../../api/next-token.js").Attention | null | undefined} attention @param {number[]} mean @param {Place} place @param {boolean} playing */
  update(attention, mean, place, playing) {
    this.name("Show the attention as a table");
    if (!attention || playing) return;
    const { heads, tokens, weights, layer } = attention;
    const share = (/** @type {number} */ x) => h("td", { title: full(x) }, x.toFixed(4));
    this.write([layer, tokens, weights[0], weights.at(-1), ...place.pieces.slice(0, tokens).map((p) => p.id)].join(), `Layer ${layer + 1}: share of each column; a head’s shares add up to 1`, ["Column", "Token", "Mean", ...Array.from({ length: heads }, (_, i) => `Head ${i + 1}`)], tokens, (i) => [
      String(i), h("td", { class: "token" }, name(place.pieces[i])), share(Number(mean[i])), ...Array.from({ length: heads }, (_, head) => share(Number(weights[head * tokens + i]))),
    ]);
  }
}
