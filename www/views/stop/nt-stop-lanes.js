/** The conveyor: a token comes in, a gate holds back what may become a stop sequence, the rest goes out. Below it the naive way. */

import { count, probability, quotedText, tokenLabel, tokenSpoken, visible } from "../../core/format.js";
import { h, setAttribute, setText, show } from "../../elements/dom.js";
import { beyond, matched, tooSoon } from "./frames.js";
import { BeltPart } from "./part.js";

/** @typedef {import("./frames.js").Frame} Frame */

const bdi = (/** @type {string} */ name) => h("bdi", { class: name, translate: "no", dir: "auto" });

export class NtStopLanes extends BeltPart {
  #token = h("span", { class: "chip came" });
  #tokenNote = h("small");
  #gate = h("div", { class: "zone gate" });
  #gateName = h("h3");
  #held = bdi("held");
  #slots = h("div", { class: "slots" });
  #text = bdi("text");
  #wait = h("p", { class: "empty" });
  #naive = bdi("text");
  #naiveMay = bdi("may");
  #naiveSoon = bdi("soon");
  #naiveLast = bdi("soon last");
  #naiveWords = h("p", { class: "note" });
  #sets = "";

  /** @override */
  build() {
    this.#gate.append(this.#gateName, h("div", { class: "box" }, this.#held), this.#slots);
    const out = h("div", { class: "zone out" }, h("h3", {}, "Released: this is final"), h("div", { class: "box" }, h("div", { class: "scroll" }, this.#text, this.#wait)));
    const held = h("div", { class: "lane holding", role: "group", "aria-label": "With a gate" },
      h("div", { class: "zone in" }, h("h3", {}, "Comes in"), h("div", { class: "box" }, this.#token), this.#tokenNote), this.#gate, out);
    const naive = h("div", { class: "lane naive", role: "group", "aria-label": "Without a gate" },
      h("div", { class: "zone in" }, h("h3", {}, "Comes in"), h("div", { class: "box" }, "the same tokens")),
      h("div", { class: "zone gate" }, h("h3", {}, "No gate"), h("div", { class: "box" })),
      h("div", { class: "zone out" }, h("h3", {}, "Naive: what a loop without hold-back has already shown"), h("div", { class: "box" }, h("div", { class: "scroll" }, this.#naive, this.#naiveMay, this.#naiveSoon, this.#naiveLast)), this.#naiveWords));
    this.append(held, ...this.below, naive);
  }

  /** What hangs from the belt at the end; set before it is built. @type {Node[]} */
  below = [];

  /** @override */
  update() {
    const { belt } = this;
    const { frames, cursor } = belt;
    const frame = frames[cursor - 1] ?? null;
    this.#writeToken(frame);
    this.#writeGate(frame);
    grow(this.#text, frame?.text ?? "");
    show(this.#wait, (frame?.text ?? "") === "");
    setText(this.#wait, frame ? "Nothing is released yet." : this.own ? "Nothing yet. “Token” brings the first one." : "Nothing yet.");

    const soon = tooSoon(frames, cursor);
    grow(this.#naive, soon ? (frame?.text ?? "") : (frame?.naive ?? "").slice(0, frame?.text.length ?? 0));
    setText(this.#naiveMay, soon ? "" : visible(beyond(frame)));
    setText(this.#naiveSoon, soon ? visible(soon.shown) : "");
    setText(this.#naiveLast, soon ? visible(soon.last) : "");
    for (const node of [this.#naiveMay, this.#naiveSoon, this.#naiveLast]) show(node, node.textContent !== "");
    setText(this.#naiveWords, naiveWords(frame, soon));
    show(this.#naiveWords, this.#naiveWords.textContent !== "");
  }

  /** @param {Frame | null} frame */
  #writeToken(frame) {
    const { belt } = this;
    const chip = this.#token;
    setAttribute(chip, "data-chosen", frame !== null);
    setAttribute(chip, "data-special", frame?.choice.special ?? false);
    const key = frame ? `${belt.cursor} ${frame.choice.id}` : "none";
    if (chip.dataset.key !== key) {
      chip.dataset.key = key;
      // A new node starts the move anew.
      const label = h("bdi", { class: "arrive", translate: "no", dir: "auto", "aria-hidden": "true" }, frame ? tokenLabel(frame.choice) : "–");
      chip.replaceChildren(label, h("span", { class: "sr" }, frame ? tokenSpoken(frame.choice) : "no token yet"));
    }
    const choice = frame?.choice;
    const how = !choice ? "" : belt.scripted ? (choice.method === "forced" ? "scripted" : "by the table") : choice.method === "forced" ? "forced by you" : `${choice.method}${choice.pRaw === null ? "" : `, ${probability(choice.pRaw)} by the model`}`;
    setText(this.#tokenNote, choice ? `token ${count(belt.cursor)}, id ${choice.id}, ${how}${frame?.joined ? "" : "; joins nothing"}` : "");
  }

  /** @param {Frame | null} frame */
  #writeGate(frame) {
    const stops = frame?.stops ?? this.belt.stops;
    const over = frame?.finish === "stop" && this.belt.finish === "stop";
    const shut = (frame?.held ?? "") !== "" || over;
    setAttribute(this.#gate, "data-shut", shut);
    setText(this.#gateName, stops.length === 0 ? "Gate: no stop sequence" : over ? "Gate: complete" : shut ? "Gate: shut, may be a stop" : "Gate: open");
    setText(this.#held, visible(frame?.held ?? ""));
    const shape = JSON.stringify(stops);
    if (shape !== this.#sets) {
      this.#sets = shape;
      this.#slots.replaceChildren(...stops.map((sequence) => h("span", { class: "sequence", role: "img" }, ...[...sequence].map((character) => h("i", {}, visible(character))))));
    }
    stops.forEach((sequence, i) => {
      const row = this.#slots.children[i];
      if (!row) return;
      const there = [...sequence.slice(0, matched(sequence, frame))].length;
      [...row.children].forEach((slot, k) => setAttribute(slot, "data-there", k < there));
      setAttribute(row, "data-full", there === row.childElementCount);
      setAttribute(row, "aria-label", `${count(there)} of ${count(row.childElementCount)} characters of the stop sequence ${quotedText(sequence)} have come`);
    });
  }
}

/** @param {Frame | null} frame @param {ReturnType<typeof tooSoon>} soon */
function naiveWords(frame, soon) {
  if (!soon) return beyond(frame) === "" ? "" : `Shown already, although ${quotedText(beyond(frame))} may turn out to be a stop sequence.`;
  const last = soon.last === "" ? "" : ` Where it shows a token before it checks, ${quotedText(soon.last)} is on show, too.`;
  return soon.shown === "" ? `It had shown nothing wrong by then: the sequence was complete with one token.${last}` : `Shown in error (boxed): ${quotedText(soon.shown)} was on show when the stop sequence became complete.${last}`;
}

/** Text that mostly grows. @param {HTMLElement} node @param {string} text */
function grow(node, text) {
  const { firstChild } = node;
  if (firstChild instanceof Text && text.startsWith(firstChild.data)) {
    if (text.length > firstChild.data.length) firstChild.appendData(text.slice(firstChild.data.length));
  } else setText(node, text);
}
