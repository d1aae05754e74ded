/** The conversation itself: the system message, what was said, the field for the next message. */

import { Announcer } from "../../core/announce.js";
import { count, plural } from "../../core/format.js";
import { modelCard } from "../../core/models.js";
import { Part } from "../../elements/base.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { TurnView } from "./turn-view.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("./conversation.js").Conversation} Conversation */

export class NtChatTalk extends Part {
  #conversation;
  #system = h("textarea", { rows: "1", dir: "auto", id: freshId("system") });
  #systemNote = h("p", { class: "hint" });
  #list = h("ol", { class: "turns", "aria-label": "What was said" });
  /** @type {TurnView[]} */
  #views = [];
  #field = h("textarea", { rows: "2", dir: "auto", id: freshId("message"), part: "prompt" });
  #send = h("button", { type: "submit", class: "primary", "data-do": "send" }, "Send");
  #stop = h("button", { type: "button", "data-do": "stop" }, "Stop");
  #goOn = h("button", { type: "button", "data-do": "continue" }, "Continue");
  #undo = h("button", { type: "button", class: "quiet", "data-do": "undo" }, "Undo");
  #fresh = h("button", { type: "button", class: "quiet", "data-do": "new" }, "New conversation");
  #fault = h("p", { class: "error", role: "alert", id: freshId("chat-error") });
  #notice = h("p", { class: "hint" });
  #progress = h("p", { class: "hint" });
  #examples = h("div", { class: "examples", role: "group", "aria-label": "Example messages" });
  #log = h("div", { class: "sr", role: "log", "aria-live": "polite", "aria-atomic": "false", "aria-label": "What the model answers" });
  #announcer = new Announcer(this.#log);
  #listed = "";

  /** @param {Conversation} conversation */
  constructor(conversation) {
    super();
    this.#conversation = conversation;
    conversation.addEventListener("say", (event) => {
      if (!(event instanceof CustomEvent)) return;
      if (event.detail.kind === "text") this.#announcer.text(event.detail.sentence);
      else this.#announcer.now(event.detail.sentence);
    });
  }

  /** @override */
  build() {
    const talk = this.#conversation;
    this.#system.addEventListener("input", () => {
      talk.system = this.#system.value;
      this.update(this.player);
    });
    this.#field.setAttribute("aria-describedby", this.#fault.id);
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    this.#stop.addEventListener("click", () => talk.stop());
    this.#goOn.addEventListener("click", () => talk.goOn());
    this.#undo.addEventListener("click", () => {
      talk.undo();
      this.#system.value = talk.system;
      this.#field.focus();
    });
    this.#fresh.addEventListener("click", () => {
      talk.clear();
      this.#field.focus();
    });
    const form = h("form", { class: "compose" },
      h("label", { for: this.#field.id }, "Your next message"), this.#field,
      h("div", { class: "buttons" }, this.#send, this.#stop, this.#goOn, this.#undo, this.#fresh),
      this.#fault, this.#notice, this.#progress, this.#examples);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.append(
      h("h2", {}, "The conversation"),
      h("div", { class: "system" }, h("label", { for: this.#system.id }, "System message"), this.#system, this.#systemNote),
      this.#list, form, this.#log);
  }

  async #submit() {
    const talk = this.#conversation;
    if (talk.busy || !this.player.engine) return;
    const text = this.#field.value;
    this.#field.value = "";
    if (await talk.send(text)) return;
    if (this.#field.value === "") this.#field.value = text;
  }

  /** @override @param {Player} player */
  update(player) {
    const talk = this.#conversation;
    const info = player.engine?.info ?? null;
    show(this, info !== null && info.chat);
    if (!info?.chat) return;
    if (this.#system.value !== talk.system) this.#system.value = talk.system;
    const sent = talk.last?.messages[0];
    const changed = talk.last !== null && (sent?.role === "system" ? sent.content : "") !== (talk.system.trim() === "" ? "" : talk.system);
    setText(this.#systemNote, changed ? "Changed: the next turn sends this one. All that follows it must then be computed again." : "");
    this.#turns(player);
    enable(this.#send, !talk.busy);
    enable(this.#stop, talk.busy);
    show(this.#goOn, talk.canGoOn);
    show(this.#undo, talk.undoable !== "");
    setText(this.#undo, `Undo ${talk.undoable}`);
    show(this.#fresh, talk.turns.length > 0);
    enable(this.#fresh, !talk.busy);
    setText(this.#fault, talk.fault ? `${talk.fault.message} ${talk.fault.hint}`.trim() : "");
    setAttribute(this.#field, "aria-invalid", talk.fault ? "true" : null);
    setText(this.#notice, talk.notice);
    show(this.#notice, talk.notice !== "");
    const { reading } = talk;
    setText(this.#progress, reading ? `Reading: ${count(reading.done)} of ${plural(reading.total, "token")}.` : "");
    show(this.#progress, reading !== null);
    this.#list.hidden = talk.turns.length === 0;
    this.#offer(player);
  }

  /** @param {Player} player */
  #turns(player) {
    const talk = this.#conversation;
    while (this.#views.length > talk.turns.length) this.#views.pop()?.element.remove();
    talk.turns.forEach((turn, index) => {
      let view = this.#views[index];
      if (!view) {
        view = new TurnView(index, (text) => talk.edit(index, text));
        this.#views[index] = view;
        this.#list.append(view.element);
      }
      view.update(turn, { name: player.modelName, context: player.engine?.info.context ?? 0, writing: talk.busy && turn === talk.last, busy: talk.busy });
    });
  }

  /** @param {Player} player */
  #offer(player) {
    const card = modelCard(player.wanted.label) ?? modelCard("smollm2");
    const key = String(card?.id);
    if (key === this.#listed || !card) return;
    this.#listed = key;
    // Something to send is there at once.
    if (this.#field.value === "" && this.#conversation.turns.length === 0) this.#field.value = card.questions[0] ?? "";
    this.#examples.replaceChildren(...card.questions.map((text) => {
      const button = h("button", { type: "button", class: "example" }, text);
      button.addEventListener("click", () => {
        this.#field.value = text;
        this.#field.focus();
      });
      return button;
    }));
  }
}
