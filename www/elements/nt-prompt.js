/** The prompt: a labelled field, examples, plain text or chat. */

import { modelCard } from "../core/models.js";
import { visible } from "../core/format.js";
import { Part } from "./base.js";
import { enable, freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */

export class NtPrompt extends Part {
  #field = h("textarea", { rows: "1", spellcheck: "false", dir: "auto", part: "prompt" });
  #label = h("label");
  #startButton = h("button", { type: "submit", class: "primary", part: "start", title: "Starts a new run with this prompt, at the first stage: tokenize" }, "Start");
  #error = h("p", { class: "error", role: "alert" });
  #edited = h("p", { class: "edited" });
  #examples = h("div", { class: "examples", role: "group" });
  #examplesLabel = h("span", { class: "label" }, "Examples");
  #text = h("input", { type: "radio", value: "text" });
  #chat = h("input", { type: "radio", value: "chat" });
  #modes = h("fieldset", { class: "modes" });
  #listed = "";

  /** @override @param {Player} player */
  build(player) {
    const id = freshId("prompt");
    const group = freshId("mode");
    this.#field.id = id;
    this.#label.htmlFor = id;
    this.#error.id = freshId("prompt-error");
    this.#examplesLabel.id = freshId("examples");
    this.#examples.setAttribute("aria-labelledby", this.#examplesLabel.id);
    this.#field.setAttribute("aria-describedby", this.#error.id);
    this.#field.value = player.prompt;
    this.#field.addEventListener("input", () => {
      this.player.prompt = this.#field.value;
      this.#fit();
      this.#note(this.player);
    });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#start();
    });
    for (const radio of [this.#text, this.#chat]) {
      radio.name = group;
      radio.id = freshId("mode");
      radio.addEventListener("change", () => this.#setMode());
    }
    this.#modes.append(
      h("legend", { class: "sr" }, "How the prompt is given"),
      this.#text, h("label", { for: this.#text.id }, "Plain text"),
      this.#chat, h("label", { for: this.#chat.id, title: "The prompt is set into the model’s own chat template" }, "Chat"),
    );
    const form = h("form", {}, h("div", { class: "head" }, this.#label, this.#modes), h("div", { class: "row" }, this.#field, this.#startButton), this.#error, this.#edited, this.#examples);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.append(form);
    this.#fit();
  }

  #start() {
    if (!this.player.engine) return;
    this.player.start();
  }

  #setMode() {
    this.player.mode = this.#chat.checked ? "chat" : "text";
    this.update(this.player);
  }

  #fit() {
    this.#field.rows = Math.min(6, Math.max(1, this.#field.value.split("\n").length));
  }

  /** @override @param {Player} player */
  update(player) {
    if (this.#field.value !== player.prompt) {
      this.#field.value = player.prompt;
      this.#fit();
    }
    const chat = player.engine?.info.chat ?? false;
    show(this.#modes, chat);
    this.#text.checked = player.mode === "text";
    this.#chat.checked = player.mode === "chat";
    setText(this.#label, player.mode === "chat" ? "Your message" : "Prompt");
    enable(this.#startButton, player.engine !== null);
    const fault = player.fault?.place === "prompt" ? player.fault : null;
    setText(this.#error, fault ? `${fault.message} ${fault.hint}`.trim() : "");
    setAttribute(this.#field, "aria-invalid", fault ? "true" : null);
    this.#note(player);
    this.#list(player);
  }

  /** @param {Player} player */
  #note(player) {
    const edited = player.run !== null && (player.startedPrompt !== player.prompt || player.startedMode !== player.mode);
    setText(this.#edited, edited ? "The prompt was changed: Start begins a new run with it. Below is still the run of the former one." : "");
    show(this.#edited, edited);
  }

  /** @param {Player} player */
  #list(player) {
    // A file of one's own is more like SmolLM2 than like the small ones.
    const card = modelCard(player.wanted.label) ?? modelCard("smollm2");
    const key = `${player.mode} ${card?.id}`;
    if (key === this.#listed || !card) return;
    this.#listed = key;
    const prompts = player.mode === "chat" ? card.questions : card.prompts;
    this.#examples.replaceChildren(this.#examplesLabel, ...prompts.map((text) => {
      const shown = text.length > 34 ? `${text.slice(0, 33)}…` : text;
      const button = h("button", { type: "button", class: "example", title: text }, visible(shown).replaceAll("·", " "));
      button.addEventListener("click", () => {
        this.player.prompt = text;
        this.#field.value = text;
        this.#fit();
        this.#note(this.player);
        this.#field.focus();
      });
      return button;
    }));
  }
}
