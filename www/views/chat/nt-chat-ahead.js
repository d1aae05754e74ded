/** Fast-forward to 10, 50 or 100 turns, and the same text as one document. Everything here is counted, nothing generated. */

import { count, plural } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { enable, h, setText, show } from "../../elements/dom.js";
import { Plot } from "../../plot/plot.js";
import { totalInput } from "./formula.js";
import { triangle } from "./triangle.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("./ahead.js").Ahead} Ahead */
/** @typedef {import("./conversation.js").Conversation} Conversation */

const TURNS = [10, 50, 100];

export class NtChatAhead extends Part {
  #conversation;
  #ahead;
  #buttons = TURNS.map((turns) => h("button", { type: "button", "data-turns": String(turns) }, `${turns} turns`));
  #cancel = h("button", { type: "button", class: "quiet", "data-do": "cancel-ahead" }, "Cancel");
  #progress = h("progress", { max: "1", value: "0", "aria-label": "Turns counted" });
  #state = h("p", { class: "hint", role: "status" });
  #fault = h("p", { class: "error", role: "alert" });
  #result = h("div", { class: "ahead-result" });
  #picture = h("div", { class: "triangle" });
  #sentence = h("p", { class: "verdict" });
  #document = h("p", { class: "verdict" });
  #overflow = h("p", { class: "words" });
  #body = h("tbody");
  #plot = new Plot({
    title: "Input so far, counted, not generated", file: "conversation-fast-forward", height: 250,
    x: { label: "turns", min: 0 }, y: { label: "input so far", unit: "tokens", min: 0 },
    series: [
      { key: "formula", label: "formula with the means of S, U and A", kind: "line", tone: "soft", dash: true },
      { key: "total", label: "counted: sent so far", kind: "dots", tone: "kept" },
      { key: "cached", label: "counted: computed with a prefix cache", kind: "dots", tone: "model" },
      { key: "document", label: "counted: the same text as one document", kind: "line", tone: "soft" },
    ],
  });
  /** What the result on show was made of. @type {unknown} */
  #shown = null;

  /** @param {Conversation} conversation @param {Ahead} ahead */
  constructor(conversation, ahead) {
    super();
    this.#conversation = conversation;
    this.#ahead = ahead;
  }

  /** @override */
  build() {
    for (const button of this.#buttons) button.addEventListener("click", () => this.#run(Number(button.dataset.turns)));
    this.#cancel.addEventListener("click", () => {
      this.#ahead.cancel();
      this.#buttons[0]?.focus();
    });
    const heads = ["Turn", "Input", "Computed with a prefix cache", "Input so far", "Computed so far", "As one document"];
    const table = h("div", { class: "scroll tall", role: "region", tabindex: "0", "aria-label": "Counted turns, a table" },
      h("table", { class: "numbers-table" }, h("caption", {}, h("span", {}, "Tokens by turn, counted, not generated")), h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), this.#body));
    this.#result.append(this.#sentence, this.#picture, this.#document, this.#overflow, this.#plot.element, h("details", {}, h("summary", {}, "All turns as a table"), table));
    this.append(h("h2", {}, "Fast-forward"),
      h("p", { class: "lead" }, "What would ten or a hundred such turns send? Your messages and the answers are repeated as text and counted by the model’s tokenizer; nothing is generated."),
      h("div", { class: "buttons" }, ...this.#buttons, this.#progress, this.#cancel), this.#state, this.#fault, this.#result);
  }

  /** @param {number} turns */
  #run(turns) {
    const { engine } = this.player;
    const pairs = this.#conversation.turns.filter((turn) => turn.finish !== null);
    if (!engine || this.#ahead.running || this.#conversation.busy || pairs.length === 0) return;
    this.#ahead.run(engine, this.#conversation.system, pairs, turns);
  }

  /** @override @param {Player} player */
  update(player) {
    const ahead = this.#ahead;
    const { turns, busy } = this.#conversation;
    show(this, player.engine?.info.chat === true && turns.length > 0);
    for (const button of this.#buttons) enable(button, !ahead.running && !busy && turns.length > 0);
    show(this.#progress, ahead.running);
    show(this.#cancel, ahead.running);
    this.#progress.max = Math.max(1, ahead.wanted);
    this.#progress.value = ahead.rows.length;
    setText(this.#state, ahead.running ? `Counting ${ahead.wanted} turns.` : ahead.cancelled ? `Cancelled after ${plural(ahead.rows.length, "turn")}; what was counted is below.` : "");
    show(this.#state, this.#state.textContent !== "");
    setText(this.#fault, ahead.fault ? `${ahead.fault.message} ${ahead.fault.hint}` : "");
    const { last } = ahead;
    show(this.#result, !ahead.running && last !== null);
    if (ahead.running || this.#shown === last) return;
    this.#shown = last;
    if (last) this.#write(last, player.modelName);
  }

  /** @param {import("./ahead.js").Row} last @param {string} name */
  #write(last, name) {
    const { rows, sizes, context, overflow } = this.#ahead;
    const n = last.turn;
    setText(this.#sentence, `${plural(n, "turn")} send ${count(last.total)} input tokens. With a cache of what was sent before, ${count(last.totalComputed)} of them would be computed.`);
    this.#picture.replaceChildren(triangle(rows, `${n} strips, one a turn, each longer than the one above: together ${count(last.total)} tokens. The dark ends, ${count(last.totalComputed)} tokens, are what no earlier turn began with.`));
    const counted = rows.findLast((row) => row.document !== null);
    setText(this.#document, counted?.document ? `One long document of the same content: ${count(counted.document)} tokens, sent once. The conversation sends ${times(counted.total / counted.document)} as many in ${plural(counted.turn, "turn")}.` : "");
    setText(this.#overflow, overflow ? `${name} could not hold this conversation: its context is ${count(context)} tokens, and turn ${overflow.turn} would send ${count(overflow.input)}. The counting goes on as if it could.` : `The longest input, ${count(last.input)} tokens, fits into the context of ${count(context)}.`);
    this.#plot.update({
      formula: sizes ? rows.map(({ turn }) => ({ x: turn, y: totalInput(turn, sizes) })) : [],
      total: rows.map(({ turn, total }) => ({ x: turn, y: total })),
      cached: rows.map(({ turn, totalComputed }) => ({ x: turn, y: totalComputed })),
      document: rows.filter((row) => row.document !== null).map(({ turn, document }) => ({ x: turn, y: document ?? 0 })),
    });
    this.#body.replaceChildren(...rows.map((row) => h("tr", {}, h("th", { scope: "row" }, String(row.turn)),
      ...[row.input, row.computed, row.total, row.totalComputed, row.document].map((value) => h("td", {}, value === null ? "–" : count(value))))));
  }
}

/** @param {number} ratio */
const times = (ratio) => `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)} times`;
