/** All tokens that came, and what became of each. One of them can be pointed at to go back to its moment. */

import { count, plural, tokenLabel, tokenSpoken } from "../../core/format.js";
import { h, oneTabStop, roving, setAttribute, setText, show } from "../../elements/dom.js";
import { fateOf } from "./frames.js";
import { BeltPart } from "./part.js";

/** @typedef {import("./frames.js").Frame} Frame */

export class NtStopStream extends BeltPart {
  #list = h("ol", { class: "tokens", "aria-label": "The tokens, in the order in which they came" });
  #note = h("p", { class: "note" });
  /** @type {{ frame: Frame, id: number, item: HTMLLIElement, button: HTMLButtonElement, fate: HTMLElement, moment: HTMLElement }[]} */
  #chips = [];

  /** @override */
  build() {
    roving(this.#list, () => this.#chips.map(({ button }) => button));
    this.append(h("h3", {}, "The stream, token by token"), this.#list, this.#note);
  }

  /** @override */
  update() {
    const { belt } = this;
    const { frames, cursor } = belt;
    const now = frames[cursor - 1] ?? null;
    show(this, frames.length > 0);
    let same = 0;
    while (same < frames.length && same < this.#chips.length && frames[same]?.choice === this.#chips[same]?.frame.choice) same += 1;
    for (const { item } of this.#chips.splice(same)) item.remove();
    for (const frame of frames.slice(same)) this.#add(frame);
    // What is sure already stays as it is: only chips near the cursor change.
    this.#chips.forEach((chip, i) => {
      const fate = now && i < cursor ? fateOf(frames, i, now) : "";
      if (chip.fate.textContent !== fate) setText(chip.fate, fate);
      setAttribute(chip.item, "data-fate", fate || "later");
      setAttribute(chip.button, "aria-current", i === cursor - 1 ? "step" : null);
    });
    oneTabStop(this.#chips.map(({ button }) => button), this.#chips[0]?.button);
    setText(this.#note, cursor < frames.length ? `Looking back at token ${count(cursor)} of ${count(frames.length)}; nothing is computed.` : `${plural(frames.length, "token")}. Choose one to go back to its moment.`);
  }

  /** @param {Frame} frame */
  #add(frame) {
    const index = this.#chips.length;
    const [fate, moment] = [h("small", { class: "fate" }), h("span", { class: "sr" }, `${tokenSpoken(frame.choice)}, token ${index + 1}, `)];
    const button = h("button", { type: "button", tabindex: "-1", title: `id ${frame.choice.id}, ${frame.choice.method}` }, h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, tokenLabel(frame.choice)), moment, fate);
    button.addEventListener("click", () => this.belt.go(index + 1));
    const item = h("li", {}, button);
    this.#chips.push({ frame, id: frame.choice.id, item, button, fate, moment });
    this.#list.append(item);
  }
}
