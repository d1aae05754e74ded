/** What a run of one's own is started with: presets, and a prompt. */

import { modelCard } from "../../core/models.js";
import { freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { BeltPart } from "./part.js";
import { PRESETS, copyOf, differs, presetsFor } from "./presets.js";

/** @typedef {import("./presets.js").Preset} Preset */

export class NtStopStart extends BeltPart {
  #list = h("div", { class: "presets", role: "group", "aria-label": "Ways to end, to try" });
  #note = h("p", { class: "note" });
  #prompt = h("textarea", { rows: "1", spellcheck: "false", dir: "auto", part: "prompt" });
  #field = h("div", { class: "field" });
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  #listed = "";
  /** The attribute as it was last seen. @type {string | null} */
  #attribute = null;
  /** Called when a preset was taken. */
  taken = () => {};

  /** @override */
  build() {
    const id = freshId("prompt");
    this.#prompt.id = id;
    this.#prompt.addEventListener("input", () => {
      this.own?.give({ prompt: this.#prompt.value });
      this.#fit();
    });
    this.#field.append(h("label", { for: id }, "Prompt"), this.#prompt);
    this.#attribute = this.host.getAttribute("prompt");
    this.append(h("div", { class: "row" }, h("span", { class: "label" }, "Try"), this.#list), this.#field, this.#note);
  }

  #fit() {
    this.#prompt.rows = Math.min(6, Math.max(1, this.#prompt.value.split("\n").length));
  }

  /** @param {Preset} preset */
  take(preset) {
    const { own } = this;
    if (!own) return;
    own.reset();
    own.give(copyOf(preset));
    this.taken();
  }

  /** @override @param {import("../../core/player.js").Player} player */
  update(player) {
    const { own } = this;
    if (!own) return;
    const attribute = this.host.getAttribute("prompt");
    if (attribute !== this.#attribute) {
      this.#attribute = attribute;
      if (attribute !== null) own.give({ prompt: attribute, script: false });
    }
    const { given } = own;
    const label = player.wanted.label;
    if (label !== this.#listed) {
      this.#listed = label;
      this.#buttons = new Map(presetsFor(label).map((preset) => {
        const button = h("button", { type: "button", "aria-pressed": "false", "data-preset": preset.id }, preset.label);
        button.addEventListener("click", () => this.take(preset));
        return [preset.id, button];
      }));
      this.#list.replaceChildren(...this.#buttons.values());
      // A preset that the new model can't do anything with gives way.
      const now = PRESETS.find((preset) => !differs(preset, given));
      const first = presetsFor(label)[0];
      if (now && first && !this.#buttons.has(now.id)) return this.take(first);
    }
    const now = PRESETS.find((preset) => !differs(preset, given) && this.#buttons.has(preset.id)) ?? null;
    for (const [id, button] of this.#buttons) setAttribute(button, "aria-pressed", id === now?.id ? "true" : "false");
    const other = now && !now.script && label !== "pocket" && label !== "table" ? ` Made for pocket: ${modelCard(label)?.name ?? "this model"} may end otherwise.` : "";
    const script = PRESETS.find((preset) => preset.script)?.note ?? "";
    setText(this.#note, given.script ? script : now ? now.note + other : "");
    show(this.#note, this.#note.textContent !== "");
    show(this.#field, !given.script);
    if (this.#prompt.value !== given.prompt) {
      this.#prompt.value = given.prompt;
      this.#fit();
    }
  }
}
