/** The beginning of an answer decides what follows: a question answered freely, and begun with `{`. */

import { count, full, plural, probability, quotedText } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { BEGINNING, QUESTIONS, SIDES, parsed } from "./beginning.js";
import { FirstToken } from "./first-token.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("./bench.js").Bench} Bench */
/** @typedef {import("./beginning.js").Side} Side */
/** @typedef {import("./beginning.js").Answer} Answer */

/** @type {Record<Side, string>} */
const NAMES = { free: "Free", begun: "Begun with {" };

class Column {
  #table = new FirstToken();
  #asked = h("p", { class: "notes" });
  #text = h("bdi", { translate: "no", dir: "auto" });
  #given = h("mark", { title: "Put there, not written by the model" });
  #json = h("p", { class: "json" });
  #cost = h("p", { class: "notes" });
  element;

  /** @param {Side} side */
  constructor(side) {
    this.side = side;
    this.element = h("section", { class: `beginning ${side}`, "aria-label": NAMES[side] },
      h("h3", {}, NAMES[side]), this.#asked, this.#table.element, h("p", { class: "wrote" }, this.#given, this.#text), this.#json, this.#cost);
    setText(this.#given, side === "begun" ? BEGINNING : "");
    show(this.#given, side === "begun");
  }

  /** @param {Answer | null} answer @param {string} status */
  update(answer, status) {
    show(this.element, answer !== null);
    if (!answer) return;
    this.#table.update(answer, `First token, ${plural(answer.prompt.length, "prompt token")} before it`);
    setText(this.#asked, this.side === "free"
      ? `After the chat template, nothing put in its mouth.${answer.brace ? ` “{” has ${probability(answer.brace.p)} here, rank ${count(answer.brace.rank + 1)}.` : ""}`
      : "The same, and “{” behind it: it is read as if the model had written it.");
    if (answer.brace) this.#asked.title = `“{”: ${full(answer.brace.p)}`;
    setText(this.#text, this.side === "begun" ? answer.text.slice(BEGINNING.length) : answer.text);
    const over = answer.over;
    const cut = status === "cancelled" && !over;
    show(this.#json, over);
    if (over) {
      const result = parsed(answer.text);
      setAttribute(this.#json, "data-right", result.ok ? "true" : "false");
      setText(this.#json, result.ok
        ? `✓ JSON.parse: ${result.kind}${result.keys.length > 0 ? ` with ${result.keys.map(quotedText).join(", ")}` : ""}`
        : `✗ JSON.parse: ${result.message}`);
    }
    setText(this.#cost, `${plural(answer.written.length, "token")} written, ${count(answer.passes)} computed${over && !answer.ended ? "; cut at the limit" : cut ? "; cancelled" : ""}.`);
  }
}

export class NtThinkingBeginning extends Part {
  #bench;
  #question = h("input", { type: "text", maxlength: "300", autocomplete: "off", dir: "auto" });
  #ask = h("button", { type: "submit", class: "primary", "data-do": "ask" }, "Ask both ways");
  #examples = h("div", { class: "questions", role: "group", "aria-label": "Examples" });
  #columns = SIDES.map((side) => new Column(side));
  #asked = h("p", { class: "edited" });
  #outcome = h("p", { class: "outcome" });
  #fault = h("p", { class: "error", role: "alert" });
  #form = h("form", { novalidate: true });
  #cannot = h("p", { class: "cannot" });
  #told = false;

  /** @param {Bench} bench */
  constructor(bench) {
    super();
    this.#bench = bench;
  }

  /** @override */
  build() {
    const { beginning } = this.#bench;
    this.#question.id = freshId("question");
    this.#question.value = beginning.question;
    this.#question.addEventListener("input", () => {
      beginning.question = this.#question.value;
      this.#bench.host.redraw();
    });
    for (const question of QUESTIONS) {
      const button = h("button", { type: "button", class: "example" }, question);
      button.addEventListener("click", () => {
        beginning.question = this.#question.value = question;
        this.#bench.host.redraw();
      });
      this.#examples.append(button);
    }
    this.#form.append(h("label", { for: this.#question.id }, "Question"), h("div", { class: "ask" }, this.#question, this.#ask), this.#examples);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { engine } = this.player;
      if (beginning.running) beginning.cancel();
      else if (engine) beginning.ask(engine);
    });
    this.append(
      h("h2", {}, "One character steers the rest"),
      h("p", { class: "say" }, "The same question, answered freely and with the answer begun with “{”. Look at the bars of the first token: whichever is taken, the rest has to go on from it."),
      this.#cannot, this.#form, this.#fault, this.#asked,
      h("div", { class: "pair" }, ...this.#columns.map(({ element }) => element)), this.#outcome);
  }

  /** @override @param {Player} player */
  update(player) {
    const { engine } = player;
    this.#bench.attend(engine);
    const { beginning, host } = this.#bench;
    show(this, engine !== null && engine.info.architecture !== "table");
    const chat = engine?.info.chat ?? false;
    show(this.#form, chat);
    show(this.#cannot, !chat);
    setText(this.#cannot, "This model has no chat template: nothing says where an answer begins.");
    setText(this.#ask, beginning.running ? "Cancel" : "Ask both ways");
    enable(this.#ask, beginning.running || beginning.question.trim() !== "");
    setText(this.#fault, beginning.fault ? `${beginning.fault.message} ${beginning.fault.hint}`.trim() : "");
    const old = beginning.asked !== "" && beginning.asked !== beginning.question;
    show(this.#asked, old);
    setText(this.#asked, `Below are still the answers to ${quotedText(beginning.asked)}.`);
    for (const column of this.#columns) column.update(beginning.answers[column.side], beginning.status);
    const { free, begun } = beginning.answers;
    const over = beginning.status === "done" && free !== null && begun !== null;
    const words = over ? outcome(free, begun) : "";
    setText(this.#outcome, words);
    show(this.#outcome, over);
    if (over && !this.#told) host.say(words);
    this.#told = over;
  }
}

/** @param {Answer} free @param {Answer} begun */
function outcome(free, begun) {
  const [a, b] = [parsed(free.text).ok, parsed(begun.text).ok];
  if (a === b) return a ? `Both are JSON${free.votes[0]?.piece.text === BEGINNING ? ": free, “{” was the most probable first token anyway" : ""}.` : "Neither is JSON: a beginning makes a form likely, it doesn’t enforce it.";
  return b ? "Begun with “{” it is JSON, free it isn’t: same model, same question, one token put in its mouth." : "Free it is JSON, begun with “{” it isn’t.";
}
