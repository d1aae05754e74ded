/** The sequence as token chips: an ordered list, prompt first, then what was generated. */

import { count, full, hex, plural, probability, tokenLabel, tokenSpoken } from "../core/format.js";
import { repetitionOf } from "../core/repetition.js";
import { Part } from "./base.js";
import { h, oneTabStop, roving, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../api/next-token.js").Piece} Piece */
/** @typedef {import("../api/next-token.js").Choice} Choice */
/** @typedef {{ piece: Piece, choice: Choice | null, kind: "prompt" | "generated" }} Shown */

const HINT = "Point at a token, or reach it with Tab and the arrow keys, to see its id, its bytes, and what it was drawn from.";

export class NtTokens extends Part {
  #list = h("ol", { class: "chips", part: "tokens", "aria-label": "Tokens of the sequence" });
  #next = h("li", { class: "chip next" });
  #detail = h("p", { class: "detail" });
  #legend = h("p", { class: "legend" });
  /** @type {HTMLLIElement[]} */
  #chips = [];
  /** @type {Shown[]} */
  #shown = [];
  /** @type {HTMLLIElement | null} */
  #pointed = null;
  /** Whether the turn on show is one that was pointed at here. */
  #peeking = false;
  #loop = h("p", { class: "loops" });

  /** @override */
  build() {
    roving(this.#list, () => this.#chips);
    this.#list.append(this.#next);
    for (const type of ["focusin", "pointerover"]) {
      this.#list.addEventListener(type, (event) => {
        const chip = event.target instanceof Element ? event.target.closest("li.chip") : null;
        this.#point(chip instanceof HTMLLIElement && chip !== this.#next ? chip : null);
      });
    }
    for (const type of ["focusout", "pointerleave"]) this.#list.addEventListener(type, () => this.#point(null));
    this.append(h("div", { class: "head" }, h("h2", {}, "The sequence"), this.#legend), this.#list, this.#loop, this.#detail);
  }

  /** @param {HTMLLIElement | null} chip */
  #point(chip) {
    const focused = this.#list.querySelector("li:focus");
    this.#pointed = chip ?? (focused instanceof HTMLLIElement ? focused : null);
    this.#writeDetail();
    this.#peek();
  }

  /** What the token pointed at was drawn from, shown where the distribution is. */
  #peek() {
    const { player } = this;
    const turn = (this.#pointed ? this.#chips.indexOf(this.#pointed) : -1) - player.timeline.prompt.length;
    const peeked = turn >= 0 && player.timeline.turns[turn]?.distribution ? turn : null;
    if (peeked !== null || this.#peeking) player.peek(peeked);
    this.#peeking = peeked !== null;
  }

  #writeDetail() {
    const index = this.#pointed ? this.#chips.indexOf(this.#pointed) : -1;
    const shown = this.#shown[index];
    setText(this.#detail, shown ? detail(shown, index) : HINT);
  }

  /** @override @param {Player} player */
  update(player) {
    const { timeline } = player;
    show(this, timeline.cursor >= 0);
    if (timeline.cursor < 0) return this.#draw([], false);
    /** @type {Shown[]} */
    const wanted = timeline.prompt.map((piece) => ({ piece, choice: null, kind: "prompt" }));
    for (const turn of timeline.turns.slice(0, timeline.generated)) {
      const piece = turn.step?.appended?.piece;
      if (piece) wanted.push({ piece, choice: turn.choice, kind: "generated" });
    }
    this.#draw(wanted, player.playing);
    const turn = timeline.turn;
    const newest = timeline.stage === "append" && turn?.step?.appended ? wanted.length - 1 : -1;
    this.#chips.forEach((chip, i) => setAttribute(chip, "data-chosen", i === newest));

    const choice = timeline.stage === "append" ? (turn?.step?.appended ? null : turn?.choice ?? null) : timeline.reached("sample") ? turn?.choice ?? null : null;
    const ended = player.finish !== null && player.finish !== undefined;
    show(this.#next, choice !== null || (timeline.reached("prefill") && !ended));
    setAttribute(this.#next, "data-chosen", choice !== null);
    setText(this.#next, choice ? tokenLabel(choice) : "?");
    setAttribute(this.#next, "data-ended", choice !== null && timeline.stage === "append");
    if (choice) this.#next.append(h("small", {}, timeline.stage === "append" ? "not appended" : "chosen"));
    else this.#next.append(h("small", {}, "next"));

    const made = wanted.length - timeline.prompt.length;
    setText(this.#legend, `${plural(timeline.prompt.length, "prompt token")}${made > 0 ? `, ${count(made)} generated (boxed)` : ""}`);
    oneTabStop(this.#chips, this.#chips[0]);
    this.#writeLoop(player);
    if (this.#pointed && !this.#pointed.isConnected) this.#point(null);
    this.#writeDetail();
  }

  /** A loop that the text ends in: a line over its tokens, a notch where each round begins. @param {Player} player */
  #writeLoop({ timeline }) {
    const loop = repetitionOf(timeline.steps.slice(0, timeline.generated));
    const start = loop ? timeline.prompt.length + loop.start : Infinity;
    this.#chips.forEach((chip, i) => setAttribute(chip, "data-loop", !loop || i < start ? null : (i - start) % loop.period === 0 ? "begins" : "goes on"));
    show(this.#loop, loop !== null);
    setText(this.#loop, loop ? loop.words : "");
  }

  /** @param {Shown[]} wanted @param {boolean} playing */
  #draw(wanted, playing) {
    let same = 0;
    while (same < wanted.length && same < this.#shown.length && wanted[same]?.piece.id === this.#shown[same]?.piece.id && wanted[same]?.kind === this.#shown[same]?.kind) same += 1;
    for (const chip of this.#chips.splice(same)) chip.remove();
    this.#shown = wanted;
    const fresh = wanted.slice(same).map((shown) => chipOf(shown));
    if (fresh.length === 0) return;
    this.#chips.push(...fresh);
    this.#next.before(...fresh);
    // Under reduced motion nothing scrolls by itself; after a step it is the reader's own doing.
    // Once all parts have written, so that the page is laid out once.
    if (!playing || matchMedia("(prefers-reduced-motion: no-preference)").matches) queueMicrotask(() => (this.#list.scrollTop = 1e7));
  }
}

/** @param {Shown} shown */
function chipOf({ piece, kind }) {
  const label = tokenLabel(piece);
  const chip = h("li", { class: `chip ${kind}${piece.special ? " special" : ""}`, part: "token", tabindex: "-1" });
  const glyphs = h("bdi", { translate: "no", "aria-hidden": "true", dir: "auto" });
  // White space is drawn paler than the letters around it.
  for (const run of label.match(/[·⏎⇥␍⍽]+|[^·⏎⇥␍⍽]+/gu) ?? []) glyphs.append(/^[·⏎⇥␍⍽]/u.test(run) && label !== "·" ? h("i", {}, run) : run);
  chip.append(glyphs, h("span", { class: "sr" }, `${tokenSpoken(piece)},${kind === "generated" ? " generated," : ""} id `), h("small", {}, String(piece.id)));
  return chip;
}

/** @param {Shown} shown @param {number} index */
function detail({ piece, choice, kind }, index) {
  const words = [`${tokenLabel(piece)}`, `id ${piece.id}`, `position ${index}`, `${plural(piece.bytes.length, "byte")} ${hex(piece.bytes)}`];
  if (piece.special) words.push("control token");
  words.push(kind === "prompt" ? "from the prompt" : "generated");
  if (choice) {
    words.push(choice.method);
    if (choice.pRaw !== null) words.push(`model probability ${probability(choice.pRaw)} (${full(choice.pRaw)})`);
  }
  return words.join("  ·  ").replace("  ·  ", ", ");
}
