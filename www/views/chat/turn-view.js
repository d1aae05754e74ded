/** One turn as it is read: the message, which can be edited, the answer, and why it ended. */

import { plural } from "../../core/format.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { endWords } from "./turn.js";

/** @typedef {import("./turn.js").Turn} Turn */

export class TurnView {
  #user = h("bdi", { class: "said", translate: "no", dir: "auto" });
  #edit;
  #field = h("textarea", { rows: "2", dir: "auto", id: freshId("edit") });
  #form;
  #name = h("span", { class: "who" });
  #answer = h("bdi", { class: "said", translate: "no", dir: "auto" });
  #end = h("p", { class: "end" });
  #lost = h("p", { class: "lost" });
  #busy = false;

  /** @param {number} index @param {(text: string) => Promise<boolean>} ask */
  constructor(index, ask) {
    const number = index + 1;
    this.#edit = h("button", { type: "button", class: "quiet", "aria-label": `Edit message ${number}` }, "Edit");
    const save = h("button", { type: "submit", class: "primary" }, "Ask again from here");
    const cancel = h("button", { type: "button" }, "Keep as it is");
    this.#form = h("form", { class: "edit" }, h("label", { for: this.#field.id }, `Message ${number}, edited: the turns after it are dropped`), this.#field, h("div", { class: "buttons" }, save, cancel));
    show(this.#form, false);
    this.#edit.addEventListener("click", () => {
      if (this.#busy) return;
      this.#field.value = this.#user.textContent ?? "";
      this.#open(true);
      this.#field.focus();
    });
    cancel.addEventListener("click", () => this.#close());
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.#close();
      }
    });
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = this.#field.value;
      if (this.#busy || text.trim() === "") return;
      this.#close();
      await ask(text);
    });
    this.element = h("li", { class: "turn" },
      h("div", { class: "message user" }, h("span", { class: "who" }, h("span", { class: "sr" }, `Message ${number}, `), "You"), this.#user, this.#edit),
      this.#form,
      h("div", { class: "message answer-of" }, this.#name, h("p", { class: "reply" }, this.#answer)),
      this.#end, this.#lost);
  }

  /** @param {boolean} open */
  #open(open) {
    show(this.#form, open);
    show(this.#user, !open);
    show(this.#edit, !open);
  }

  #close() {
    this.#open(false);
    this.#edit.focus();
  }

  /** @param {Turn} turn @param {{ name: string, context: number, writing: boolean, busy: boolean }} now */
  update(turn, { name, context, writing, busy }) {
    this.#busy = busy;
    enable(this.#edit, !busy);
    setText(this.#user, turn.user);
    setText(this.#name, name);
    setAttribute(this.element, "aria-busy", writing ? "true" : null);
    setAttribute(this.element, "data-writing", writing);
    this.#write(writing && matchMedia("(prefers-reduced-motion: reduce)").matches ? sentences(turn.answer) : turn.answer);
    const words = writing ? "" : endWords(turn, context);
    setText(this.#end, words);
    show(this.#end, words !== "" && turn.finish !== "eos");
    const { edited } = turn;
    setText(this.#lost, edited && edited.cached > 0
      ? `Edited: the cache held ${plural(edited.cached, "token")}, only the first ${edited.reused} still fit. ${plural(edited.cached - edited.reused, "token")} of it ${edited.cached - edited.reused === 1 ? "is" : "are"} lost.`
      : "");
    show(this.#lost, this.#lost.textContent !== "");
  }

  /** Appends to the text that is there. @param {string} text */
  #write(text) {
    const node = this.#answer.firstChild;
    const before = this.#answer.textContent ?? "";
    if (node instanceof Text && text.length > before.length && text.startsWith(before)) node.appendData(text.slice(before.length));
    else setText(this.#answer, text);
  }
}

/** Under reduced motion text arrives by sentence. @param {string} text */
function sentences(text) {
  return text.slice(0, Math.max(...[". ", "! ", "? ", "\n"].map((mark) => text.lastIndexOf(mark))) + 1);
}
