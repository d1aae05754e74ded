/** How answers are drawn and how long they may get: folded away. */

import { NUMBERS, readNumber } from "../../core/settings.js";
import { Part } from "../../elements/base.js";
import { freshId, h, setAttribute, setText, show } from "../../elements/dom.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../core/settings.js").NumberSpec} NumberSpec */

const SHOWN = ["maxTokens", "temperature", "topP", "seed"];

export class NtChatSettings extends Part {
  /** @type {{ spec: NumberSpec, input: HTMLInputElement, error: HTMLElement }[]} */
  #fields = [];

  /** @override */
  build() {
    const fields = SHOWN.flatMap((name) => NUMBERS.filter((spec) => spec.name === name)).map((spec) => {
      const input = h("input", { type: "text", inputmode: spec.whole ? "numeric" : "decimal", autocomplete: "off", id: freshId(spec.name), "data-setting": spec.name });
      const error = h("p", { class: "error", role: "alert", id: freshId("error") });
      input.setAttribute("aria-describedby", error.id);
      input.addEventListener("change", () => this.#commit(spec, input, error));
      this.#fields.push({ spec, input, error });
      const label = spec.name === "maxTokens" ? "Max tokens of an answer" : spec.label;
      return h("div", { class: "small-field" }, h("label", { for: input.id, title: spec.help }, label), input, error);
    });
    this.append(h("details", {}, h("summary", {}, "Settings of the answers"), h("div", { class: "small-fields" }, ...fields)));
  }

  /** @param {NumberSpec} spec @param {HTMLInputElement} input @param {HTMLElement} error */
  #commit(spec, input, error) {
    const read = readNumber(spec, input.value);
    const refused = "refused" in read;
    const before = this.player.settings[spec.name];
    setText(error, refused ? `${read.refused} It stays ${before}.` : "");
    setAttribute(input, "aria-invalid", refused ? "true" : null);
    if (refused) input.value = String(before);
    else this.player.set({ [spec.name]: read.value });
  }

  /** @override @param {Player} player */
  update(player) {
    show(this, player.engine?.info.chat === true);
    const active = this.getRootNode();
    const focused = active instanceof ShadowRoot ? active.activeElement : null;
    for (const { spec, input } of this.#fields) {
      const value = String(player.settings[spec.name]);
      if (input !== focused && input.value !== value) input.value = value;
    }
  }
}
