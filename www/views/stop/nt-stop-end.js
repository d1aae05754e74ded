/** What hangs from the belt when a run has ended: the trimmed text, the finish reason on a tag, and ways to go on. */

import { count, plural, visible } from "../../core/format.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { beyond } from "./frames.js";
import { BeltPart } from "./part.js";
import { REASONS, why } from "./words.js";

export class NtStopEnd extends BeltPart {
  #dropped = h("del", { class: "dropped" });
  #text = h("bdi", { translate: "no", dir: "auto" });
  #tag = h("strong", { class: "tag" });
  #words = h("p", { class: "why" });
  #ways = h("div", { class: "go-on" });
  #more = h("input", { type: "text", inputmode: "numeric", size: "4", value: "20", autocomplete: "off" });
  #goOn = h("button", { type: "button", "data-do": "continue" }, "Continue");
  #without = h("button", { type: "button", "data-do": "without" }, "Take the stop sequence away and go on");
  #error = h("p", { class: "error", role: "alert" });
  #passes = h("p", { class: "note passes" });
  #names = h("details", {}, h("summary", {}, "What other APIs call it"));
  #body = h("div", { class: "end", part: "finish" });
  #continued = h("p", { class: "note continued" });

  /** @override */
  build() {
    const more = freshId("more");
    this.#more.id = more;
    this.#error.id = freshId("more-error");
    this.#more.setAttribute("aria-describedby", this.#error.id);
    this.#dropped.append(this.#text);
    this.#goOn.addEventListener("click", () => this.#continue());
    this.#more.addEventListener("keydown", (event) => event.key === "Enter" && this.#continue());
    this.#without.addEventListener("click", () => this.own?.withoutStop());
    const label = h("span", { class: "field" }, h("label", { for: more }, "for"), this.#more, "more tokens");
    this.#ways.append(this.#goOn, label, this.#without, this.#error);
    const row = (/** @type {string[]} */ cells) => h("tr", {}, ...cells.map((cell, i) => h(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, h("code", {}, cell))));
    this.#names.append(h("table", {},
      h("caption", {}, "From their documentation. One has a single name for the end-of-text token and a stop sequence."),
      h("thead", {}, h("tr", {}, ...["here", "OpenAI finish_reason", "Anthropic stop_reason"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...(/** @type {const} */ (["eos", "length", "stop"])).map((reason) => row([reason, REASONS[reason].openai, REASONS[reason].anthropic])))));
    this.#body.append(h("p", { class: "drop" }, this.#dropped, this.#tag), this.#words, this.#passes, this.#ways, this.#names);
    this.append(this.#body, this.#continued);
  }

  #continue() {
    if (this.#goOn.getAttribute("aria-disabled") === "true") return;
    const more = Number(this.#more.value.trim());
    const fine = /^\d+$/.test(this.#more.value.trim()) && more >= 1 && more <= 100_000;
    setText(this.#error, fine ? "" : `“${this.#more.value.trim()}” can’t be a number of tokens. It takes a whole number, 1 or more.`);
    setAttribute(this.#more, "aria-invalid", fine ? null : "true");
    if (fine) this.belt.goOn(more);
  }

  /** @override */
  update() {
    const { belt, own } = this;
    const { finish } = belt;
    show(this.#body, finish !== null);
    this.#writeContinued();
    if (!finish) return;
    const { frames, cursor } = belt;
    const frame = frames[cursor - 1] ?? null;
    setText(this.#text, finish === "stop" ? visible(beyond(frame)) : "");
    show(this.#dropped, this.#text.textContent !== "");
    setText(this.#tag, `finish reason: ${finish} (${REASONS[finish].words})`);
    setText(this.#words, why(belt));
    const passes = frame?.passes ?? 0;
    setText(this.#passes, finish === "length" ? `Counted: ${plural(passes, "token pass", "token passes")} for ${plural(belt.prompt.length, "prompt token")} and ${plural(cursor, "generated token")}.` : "");
    show(this.#passes, finish === "length");
    show(this.#ways, finish === "length" || (finish === "stop" && own !== null));
    for (const node of [this.#goOn, this.#goOn.nextElementSibling]) if (node instanceof HTMLElement) show(node, finish === "length");
    show(this.#without, finish === "stop" && own !== null);
    // An end that is looked back at was gone on from already.
    enable(this.#goOn, belt.idle && belt.live);
    enable(this.#without, belt.idle && belt.live);
  }

  /** What going on cost, counted. */
  #writeContinued() {
    const { belt } = this;
    const { continued, frames, cursor } = belt;
    const [at, now] = [frames[continued - 1], frames[cursor - 1]];
    const on = continued > 0 && at !== undefined && now !== undefined && cursor > continued;
    show(this.#continued, on);
    if (!on) return;
    const [tokens, passes] = [cursor - continued, now.passes - at.passes];
    setText(this.#continued, `Continued after token ${count(continued)}. Counted since then: ${plural(passes, "token pass", "token passes")} for ${plural(tokens, "token")}; of the ${plural(belt.prompt.length, "prompt token")} and the ${count(continued)} before, ${passes <= tokens ? "nothing was" : `${count(passes - tokens)} were`} computed again.`);
  }
}
