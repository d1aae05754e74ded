/** How the conversation grows: measured dots, and beside them the formula with S, U and A as they were measured. */

import { count, plural } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setText, show } from "../../elements/dom.js";
import { Plot } from "../../plot/plot.js";
import { inputOf, totalComputed, totalInput } from "./formula.js";
import { soFar } from "./nt-chat-table.js";
import { meansOf } from "./stack.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./turn.js").Turn} Turn */

/** The formula's lines go at least as far. */
const SHOWN = 10;

export class NtChatGrowth extends Part {
  #conversation;
  #each = new Plot({
    title: "Input of each turn", file: "conversation-input-per-turn", height: 230,
    x: { label: "turn", min: 0 }, y: { label: "input of this turn", unit: "tokens", min: 0 },
    series: [
      { key: "formula", label: "formula: S + kU + (k − 1)A", kind: "line", tone: "soft", dash: true },
      { key: "input", label: "measured: sent", kind: "dots", tone: "kept" },
      { key: "computed", label: "measured: computed of it", kind: "dots", tone: "model" },
    ],
  });
  #all = new Plot({
    title: "Input so far, all turns together", file: "conversation-input-so-far", height: 230,
    x: { label: "turns", min: 0 }, y: { label: "input so far", unit: "tokens", min: 0 },
    series: [
      { key: "formula", label: "formula: nS + U·n(n + 1)/2 + A·n(n − 1)/2", kind: "line", tone: "soft", dash: true },
      { key: "cached", label: "formula with a prefix cache: S + nU + (n − 1)A", kind: "line", tone: "model", dash: true },
      { key: "input", label: "measured: sent so far", kind: "dots", tone: "kept" },
      { key: "computed", label: "measured: computed so far", kind: "dots", tone: "model" },
    ],
  });
  #words = h("p", { class: "words" });
  /** @type {Turn[]} */
  #drawn = [];
  #known = "";

  /** @param {Conversation} conversation */
  constructor(conversation) {
    super();
    this.#conversation = conversation;
  }

  /** @override */
  build() {
    this.append(h("h2", {}, "How it grows"),
      h("p", { class: "lead" }, "Each turn is a straight line longer than the last; all turns together are a curve with n²."),
      h("div", { class: "two" }, this.#each.element, this.#all.element), this.#words);
  }

  /** @override @param {Player} player */
  update(player) {
    // An answer being written adds nothing to what was sent.
    const turns = this.#conversation.turns.filter((turn) => turn.computed > 0);
    show(this, player.engine?.info.chat === true && turns.length > 0);
    const known = turns.map((turn) => `${turn.input} ${turn.computed}`).join(",");
    if (known === this.#known && turns.at(-1) === this.#drawn.at(-1)) return;
    this.#known = known;
    this.#drawn = turns;
    this.#draw(turns);
  }

  /** @param {Turn[]} turns */
  #draw(turns) {
    const last = turns.at(-1);
    if (!last) return;
    const n = turns.length;
    const sizes = n > 1 ? meansOf(last, last.messages) : null;
    const line = sizes ? Array.from({ length: Math.max(n, SHOWN) }, (_, i) => i + 1) : [];
    const rows = soFar(turns);
    let computed = 0;
    this.#each.update({
      formula: sizes ? line.map((x) => ({ x, y: inputOf(x, sizes) })) : [],
      input: turns.map((turn, i) => ({ x: i + 1, y: turn.input })),
      computed: turns.map((turn, i) => ({ x: i + 1, y: turn.computed })),
    });
    this.#all.update({
      formula: sizes ? line.map((x) => ({ x, y: totalInput(x, sizes) })) : [],
      cached: sizes ? line.map((x) => ({ x, y: totalComputed(x, sizes) })) : [],
      input: rows.map((row, i) => ({ x: i + 1, y: row.inputSoFar })),
      computed: rows.map((row, i) => ({ x: i + 1, y: (computed += row.computed) })),
    });
    setText(this.#words, wordsOf(turns, last, sizes, rows.at(-1)?.inputSoFar ?? 0, computed));
  }
}

/** @param {Turn[]} turns @param {Turn} last @param {import("./formula.js").Sizes | null} sizes @param {number} sent @param {number} computed */
function wordsOf(turns, last, sizes, sent, computed) {
  if (!sizes) return last.parts ? "The formula’s line needs a second turn: only then is an answer sent again." : "This template can’t be taken apart, so S, U and A can’t be measured: there are dots, but no formula.";
  const n = turns.length;
  const off = turns.filter((turn) => !turn.cache).length;
  const one = (/** @type {number} */ x) => (Number.isInteger(x) ? count(x) : x.toFixed(1));
  const means = `S ${one(sizes.S)}, U ${one(sizes.U)} and A ${one(sizes.A)} are the means of turn ${n}’s input, template tokens included.`;
  const both = `By formula with these means, ${n} turns send ${one(totalInput(n, sizes))} tokens; measured: ${count(sent)}${totalInput(n, sizes) === sent ? "" : ", for the turns aren’t equally long"}. With a prefix cache the formula has ${one(totalComputed(n, sizes))} computed; measured: ${count(computed)}${off > 0 ? `, with the cache off in ${plural(off, "turn")}` : ""}.`;
  const why = computed < totalComputed(n, sizes) ? " It is less because this engine also keeps K and V of the answers it wrote: sent again, they needn’t be read." : "";
  return `${means} ${both}${why}`;
}
