/** The view of `<nt-chat>`: a conversation and what it re-sends. */

import { Part } from "../../elements/base.js";
import { h, setText, show } from "../../elements/dom.js";
import { viewHead } from "../head.js";
import { Ahead } from "./ahead.js";
import { Conversation } from "./conversation.js";
import { NtChatAhead } from "./nt-chat-ahead.js";
import { NtChatFormula } from "./nt-chat-formula.js";
import { NtChatGrowth } from "./nt-chat-growth.js";
import { NtChatSettings } from "./nt-chat-settings.js";
import { NtChatStack } from "./nt-chat-stack.js";
import { NtChatTable } from "./nt-chat-table.js";
import { NtChatTalk } from "./nt-chat-talk.js";
import { styles } from "./styles.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** What is said where no conversation is possible; and it meets every new model first. */
class NtChatGate extends Part {
  #meet;
  #words = h("p", { class: "hint" });

  /** @param {(player: import("../../core/player.js").Player) => void} meet */
  constructor(meet) {
    super();
    this.#meet = meet;
  }

  /** @override */
  build() {
    this.append(this.#words);
  }

  /** @override @param {import("../../core/player.js").Player} player */
  update(player) {
    this.#meet(player);
    const { engine } = player;
    show(this, engine !== null && !engine.info.chat);
    if (engine) setText(this.#words, `${player.modelName} has no chat template: it goes on with a text, but can’t tell who speaks. Choose pocket or SmolLM2 to talk.`);
  }
}

const TAGS = { "nt-chat-gate": NtChatGate, "nt-chat-talk": NtChatTalk, "nt-chat-settings": NtChatSettings, "nt-chat-stack": NtChatStack, "nt-chat-table": NtChatTable, "nt-chat-growth": NtChatGrowth, "nt-chat-formula": NtChatFormula, "nt-chat-ahead": NtChatAhead };

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of Object.entries(TAGS)) if (!customElements.get(tag)) customElements.define(tag, part);
  host.adopt(styles);
  const conversation = new Conversation(() => host.player);
  const ahead = new Ahead();
  conversation.addEventListener("change", () => host.redraw());
  conversation.addEventListener("turn", () => {
    host.dispatchEvent(new Event("nt-turns", { bubbles: true, composed: true }));
    ahead.forget();
  });
  ahead.addEventListener("change", () => host.redraw());
  // The page, and `<nt-cost>`, read the turns here.
  Object.assign(host, { conversation });
  host.dropped = () => {
    if (host.isConnected) return;
    ahead.forget();
    conversation.end();
  };
  const gate = new NtChatGate((player) => {
    const { engine } = player;
    conversation.meet(engine?.info.chat ? engine : null);
    if (!engine) ahead.forget();
  });
  const talk = new NtChatTalk(conversation);
  const settings = new NtChatSettings();
  const stack = new NtChatStack(conversation);
  const table = new NtChatTable(conversation);
  const growth = new NtChatGrowth(conversation);
  const formula = new NtChatFormula();
  const far = new NtChatAhead(conversation, ahead);
  const body = h("div", { class: "chat-body" }, gate, h("div", { class: "chat-talk" }, talk, settings), h("div", { class: "chat-sent" }, h("div", {}, stack, table)), growth, far, formula);
  body.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !conversation.busy) return;
    event.preventDefault();
    event.stopPropagation();
    conversation.stop();
  });
  return { parts: [gate, talk, settings, stack, table, growth, far, formula], body: [viewHead("The price of a conversation", "The model has no memory: with each message, everything above it is sent again."), body] };
}
