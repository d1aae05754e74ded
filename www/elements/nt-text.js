/** The growing text: final text, what is held back, bytes that are no character yet, and why it ended. */

import { describeEnd, reasonWords } from "../core/describe.js";
import { hex, plural, quotedText, segmentText, visible } from "../core/format.js";
import { repetitionOf } from "../core/repetition.js";
import { Part } from "./base.js";
import { h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../api/next-token.js").Segment} Segment */

export class NtText extends Part {
  #prompt = h("span", { class: "prompt" });
  #final = h("span", { class: "final" });
  #held = h("span", { class: "held" });
  #pending = h("span", { class: "pending" });
  #box = h("p", { class: "answer", part: "text", dir: "auto" });
  #notes = h("p", { class: "notes" });
  #naive = h("p", { class: "naive" });
  #naiveText = h("bdi", { translate: "no" });
  #finish = h("p", { class: "finish", part: "finish" });
  #tag = h("strong");
  #why = h("span");
  /** @type {Segment[]} */
  #shown = [];

  /** @override */
  build() {
    this.#box.append(this.#prompt, this.#final, this.#held, this.#pending);
    this.#naive.append("A server that holds nothing back would have shown: ", this.#naiveText);
    this.#finish.append(this.#tag, " ", this.#why);
    this.append(h("h2", {}, "The text"), this.#box, this.#notes, this.#naive, this.#finish);
  }

  /** @override @param {Player} player */
  update(player) {
    const { timeline } = player;
    const snap = timeline.snapshot;
    show(this, snap !== null);
    if (!snap) return;
    setAttribute(this.#box, "aria-busy", player.status === "playing" || player.status === "running" ? "true" : null);
    setText(this.#prompt, player.startedMode === "text" ? player.run?.state.promptText ?? "" : "");
    this.#write(arrived(snap.segments, player));
    setText(this.#held, snap.held);
    setAttribute(this.#held, "title", "held back");
    setText(this.#pending, snap.pending.length > 0 ? hex(snap.pending) : "");

    /** @type {string[]} */
    const notes = [];
    if (snap.held) notes.push(`Held back (dashed): ${quotedText(snap.held)} may be the beginning of a stop sequence.`);
    const loop = repetitionOf(timeline.steps.slice(0, timeline.generated));
    if (loop) notes.push(loop.what);
    if (snap.pending.length > 0) notes.push(`Incomplete: ${plural(snap.pending.length, "byte")} of a character that needs more.`);
    setText(this.#notes, notes.join(" "));
    show(this.#notes, notes.length > 0);
    show(this.#naive, snap.naive !== snap.text && (player.started?.stop.length ?? 0) > 0);
    setText(this.#naiveText, visible(snap.naive));

    const { finish } = player;
    show(this.#finish, finish !== null && finish !== undefined);
    if (finish) {
      setText(this.#tag, `Finish reason: ${finish} (${reasonWords(finish)}).`);
      setText(this.#why, describeEnd(player));
    }
  }

  /** @param {Segment[]} segments */
  #write(segments) {
    const only = segments.length === 1 ? segments[0] : null;
    const before = this.#shown.length === 1 ? this.#shown[0] : null;
    const node = this.#final.firstChild;
    // The common case, one run of text that grew: append to the text node that is there.
    if (only && "text" in only && before && "text" in before && node instanceof Text && only.text.startsWith(before.text)) {
      if (only.text.length > before.text.length) node.appendData(only.text.slice(before.text.length));
    } else {
      this.#final.replaceChildren(...segments.map((s) => ("text" in s ? segmentText(s) : h("span", { class: "stray", title: "bytes that are no character" }, segmentText(s)))));
    }
    this.#shown = segments;
  }
}

/**
 * Under reduced motion, played text arrives by sentence.
 * @param {Segment[]} segments
 * @param {Player} player
 */
function arrived(segments, player) {
  if (player.status !== "playing" || !matchMedia("(prefers-reduced-motion: reduce)").matches) return segments;
  const last = segments.at(-1);
  if (!last || !("text" in last)) return segments;
  const end = Math.max(...[". ", "! ", "? ", "\n"].map((mark) => last.text.lastIndexOf(mark)));
  return [...segments.slice(0, -1), { text: last.text.slice(0, end + 1) }];
}
