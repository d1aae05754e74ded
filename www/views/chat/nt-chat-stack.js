/**
 * What each turn sends: a strip a turn, each holding all strips above it again. The staircase of strips
 * is the triangle that grows with n². What came out of the prefix cache is pale, what was written is the accent.
 */

import { count, plural, tokenLabel, tokenSpoken } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { freshId, h, oneTabStop, roving, setAttribute, setStyle, setText, show } from "../../elements/dom.js";
import { cutAt, stretches } from "./stack.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./turn.js").Turn} Turn */
/** @typedef {{ turn: Turn | null, drawn: boolean, element: HTMLLIElement, strip: HTMLElement, tip: HTMLElement, numbers: HTMLElement, words: HTMLElement }} Row */

/** So many tokens are spelled out. */
const SPELLED = 400;
/** What a character of a name needs, in pixels. */
const ROOM = 8.5;
const NAMES = { system: "system message", user: "user message", assistant: "answer", template: "template", all: "input" };

export class NtChatStack extends Part {
  #conversation;
  #list = h("ol", { class: "stairs", "aria-label": "What each turn sends" });
  /** @type {Row[]} */
  #rows = [];
  #detail = h("p", { class: "detail", "aria-live": "off" });
  #legend = h("p", { class: "legend stair-legend", "aria-hidden": "true" });
  #whole = h("p", { class: "hint" });
  #switch = h("input", { type: "checkbox", id: freshId("prefix-cache"), "data-do": "prefix-cache" });
  #tokens = h("details", { class: "spelled" });
  #summary = h("summary");
  #spelled = h("p", { class: "tokens" });
  /** The turn whose tokens are spelled out. @type {Turn | null} */
  #of = null;
  #pointed = -1;
  /** Of the strips, in pixels. */
  #width = 380;

  /** @param {Conversation} conversation */
  constructor(conversation) {
    super();
    this.#conversation = conversation;
  }

  /** @override */
  build() {
    for (const [who, words] of /** @type {const} */ ([["system", "S system"], ["user", "U user"], ["assistant", "A earlier answers"], ["template", "template"], ["tip", "written in this turn"]])) {
      this.#legend.append(h("span", {}, h("i", { class: "seg", "data-who": who }), words));
    }
    this.#legend.append(h("span", {}, h("i", { class: "seg pale", "data-who": "user", "data-cached": true }), "pale: cached"));
    this.#switch.addEventListener("change", () => {
      this.#conversation.cache = this.#switch.checked;
      this.update(this.player);
    });
    roving(this.#list, () => this.#rows.map((row) => row.element), { vertical: true });
    for (const type of ["focusin", "pointerover"]) this.#list.addEventListener(type, (event) => this.#point(event.target));
    new ResizeObserver(() => {
      const width = this.#rows[0]?.strip.clientWidth ?? 0;
      if (width === 0 || width === this.#width) return;
      this.#width = width;
      this.update(this.player);
    }).observe(this.#list);
    this.#tokens.append(this.#summary, this.#spelled);
    this.#tokens.addEventListener("toggle", () => this.#spell());
    this.append(
      h("div", { class: "head" }, h("h2", {}, "What is sent each time"),
        h("span", { class: "switch" }, this.#switch, h("label", { for: this.#switch.id }, "Prefix cache"))),
      h("p", { class: "lead" }, "Every strip holds all strips above it again; only its end is new."),
      this.#list, this.#legend, this.#detail, this.#whole, this.#tokens);
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const at = this.#rows.findIndex((row) => target instanceof Node && row.element.contains(target));
    if (at < 0 || at === this.#pointed) return;
    this.#pointed = at;
    this.#write();
  }

  /** @override @param {Player} player */
  update(player) {
    const { turns, cache } = this.#conversation;
    show(this, player.engine?.info.chat === true && turns.length > 0);
    this.#switch.checked = cache;
    while (this.#rows.length > turns.length) this.#rows.pop()?.element.remove();
    if (this.#pointed >= turns.length) this.#pointed = -1;
    const widest = Math.max(1, ...turns.map((turn) => turn.input + turn.output));
    setStyle(this.#list, "--most", String(widest));
    setAttribute(this.#list, "data-many", turns.length > 12);
    turns.forEach((turn, index) => this.#draw(turn, index, widest));
    oneTabStop(this.#rows.map((row) => row.element), this.#rows[0]?.element);
    setText(this.#whole, turns.at(-1)?.parts === null ? "This model’s template does more than to put text around the messages: its input can’t be taken apart, so each strip is one piece." : "");
    show(this.#whole, this.#whole.textContent !== "");
    this.#write();
  }

  /** @param {Turn} turn @param {number} index @param {number} widest */
  #draw(turn, index, widest) {
    let row = this.#rows[index];
    if (!row) {
      const strip = h("span", { class: "strip-row", "aria-hidden": "true" });
      const tip = h("span", { class: "seg", "data-who": "tip", "data-name": `A${index + 1}` });
      const numbers = h("span", { class: "numbers", "aria-hidden": "true" });
      const words = h("span", { class: "sr" });
      const element = h("li", { tabindex: "-1" }, h("span", { class: "nth", "aria-hidden": "true" }, `${index + 1}`), strip, numbers, words);
      row = { turn: null, drawn: false, element, strip, tip, numbers, words };
      this.#rows[index] = row;
      this.#list.append(element);
    }
    const read = turn.computed > 0 || turn.reused > 0;
    // The strip is known as soon as the conversation is rendered, its cached part once it was read.
    if (row.turn !== turn || row.drawn !== read) {
      row.turn = turn;
      row.drawn = read;
      const cut = cutAt(stretches({ parts: turn.parts, pieces: turn.pieces }, turn.messages), turn.reused);
      row.strip.replaceChildren(...cut.map((stretch) => {
        const size = stretch.to - stretch.from;
        const seg = h("span", { class: "seg", "data-who": stretch.who, ...(stretch.cached ? { "data-cached": /** @type {const} */ (true) } : {}), "data-name": stretch.name ?? "", title: `${stretch.name ?? NAMES[stretch.who]}: ${plural(size, "token")}${stretch.cached ? ", cached" : ""}` });
        seg.style.setProperty("--size", String(size));
        return seg;
      }), row.tip);
    }
    setStyle(row.tip, "--size", String(turn.output));
    show(row.tip, turn.output > 0);
    // A name stands where there is room for it.
    for (const seg of row.strip.children) if (seg instanceof HTMLElement) setText(seg, Number(seg.style.getPropertyValue("--size")) * this.#width >= ROOM * (seg.dataset.name?.length ?? 0) * widest ? seg.dataset.name ?? "" : "");
    setText(row.numbers, `${count(turn.input)} in · ${count(turn.output)} out`);
    setText(row.words, rowWords(turn, index));
  }

  #write() {
    const { turns } = this.#conversation;
    const at = this.#pointed < 0 ? turns.length - 1 : this.#pointed;
    const turn = turns[at];
    if (!turn) return;
    setText(this.#detail, `${rowWords(turn, at)} ${stackWords(turn)}`);
    setText(this.#summary, `Turn ${at + 1}, token by token`);
    this.#spell();
  }

  /** The input of the turn on show as tokens. */
  #spell() {
    const { turns } = this.#conversation;
    const turn = turns[this.#pointed < 0 ? turns.length - 1 : this.#pointed] ?? null;
    if (!this.#tokens.open || !turn || this.#of === turn) return;
    this.#of = turn;
    const list = stretches({ parts: turn.parts, pieces: turn.pieces }, turn.messages);
    const nodes = list.flatMap(({ who, from, to }) => turn.pieces.slice(from, Math.min(to, SPELLED)).map((piece, i) => {
      const token = h("span", { class: "tk", "data-who": who, ...(from + i < turn.reused ? { "data-cached": /** @type {const} */ (true) } : {}), title: `${tokenSpoken(piece)}, id ${piece.id}, ${NAMES[who]}` }, h("bdi", { translate: "no", dir: "auto" }, tokenLabel(piece)));
      return token;
    }));
    const more = turn.pieces.length - SPELLED;
    this.#spelled.replaceChildren(...nodes, ...(more > 0 ? [h("span", { class: "hint" }, ` and ${plural(more, "more token", "more tokens")}`)] : []));
  }
}

/** @param {Turn} turn @param {number} index */
function rowWords(turn, index) {
  const cached = turn.cache ? `${count(turn.reused)} of them cached, ${count(turn.computed)} computed` : `all ${count(turn.computed)} computed (prefix cache off)`;
  return `Turn ${index + 1}: ${plural(turn.input, "token")} sent, ${turn.computed === 0 && turn.reused === 0 ? "not read yet" : cached}; ${count(turn.output)} written.`;
}

/** The stack, part by part. @param {Turn} turn */
function stackWords({ parts, pieces, messages }) {
  if (!parts) return "";
  const sum = { system: 0, earlier: 0, template: 0, fresh: 0 };
  for (const { who, from, to } of stretches({ parts, pieces }, messages)) if (who === "system" || who === "template") sum[who] += to - from;
  const newest = parts.find((part) => part.message === messages.length - 1);
  sum.fresh = newest ? newest.to - newest.from : 0;
  sum.earlier = pieces.length - sum.system - sum.template - sum.fresh;
  return `Sent: system message ${count(sum.system)}, earlier turns ${count(sum.earlier)}, new message ${count(sum.fresh)}, template ${count(sum.template)}.`;
}
