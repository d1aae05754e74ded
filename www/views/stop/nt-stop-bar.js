/** Step, play, back, stop; and tokens of the reader's own. */

import { plural, quotedText } from "../../core/format.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { BeltPart } from "./part.js";
import { PACES } from "./walk.js";

export class NtStopBar extends BeltPart {
  #back = h("button", { type: "button", "aria-keyshortcuts": "ArrowLeft", "data-do": "back" }, "‹ Back");
  #step = h("button", { type: "button", class: "primary", "aria-keyshortcuts": "ArrowRight Space", "data-do": "step" }, "Token ›");
  #play = h("button", { type: "button", "data-do": "play" }, "Play");
  #stop = h("button", { type: "button", "aria-keyshortcuts": "Escape", "data-do": "stop" }, "Stop");
  #over = h("button", { type: "button", "data-do": "over", title: "Begins a new run with the prompt and the limits above" }, "Start over");
  #pace = h("select");
  #force = h("input", { type: "text", size: "10", autocomplete: "off", spellcheck: "false" });
  #forceIt = h("button", { type: "button", "data-do": "force" });
  #own = h("details", { class: "own-tokens" });
  #fault = h("p", { class: "error", role: "alert" });
  #forced = "";

  /** @override */
  build() {
    const [pace, force] = [freshId("pace"), freshId("force")];
    this.#pace.id = pace;
    this.#force.id = force;
    this.#pace.append(...PACES.map((n) => h("option", { value: String(n) }, plural(n, "token") + " a second")));
    /** @type {[HTMLButtonElement, () => void][]} */
    const actions = [
      [this.#back, () => this.own?.go(this.own.cursor - 1)],
      [this.#step, () => this.own?.step()],
      [this.#play, () => (this.own?.playing ? this.own.pause() : this.own?.play())],
      [this.#stop, () => this.own?.cancel()],
      [this.#over, () => this.own?.reset()],
      [this.#forceIt, () => this.own?.force(this.#force.value)],
    ];
    for (const [button, act] of actions) button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && act());
    this.#pace.addEventListener("change", () => this.own && (this.own.pace = Number(this.#pace.value)));
    this.#force.addEventListener("input", () => this.host.redraw());
    this.#own.append(h("summary", {}, "Force tokens of your own"),
      h("div", { class: "row" }, h("label", { for: force }, "Text"), this.#force, this.#forceIt));
    this.append(
      h("div", { class: "buttons", part: "controls" }, this.#back, this.#step, this.#play, this.#stop, this.#over),
      h("span", { class: "field small" }, h("label", { for: pace }, "Play at"), this.#pace), this.#own, this.#fault);
  }

  /** @override */
  update() {
    const { own } = this;
    if (!own) return;
    const { playing, can, idle } = own;
    enable(this.#back, own.cursor > 0);
    enable(this.#step, can && !playing);
    enable(this.#play, playing || can || own.frames.length > 0);
    setText(this.#play, playing ? "Pause" : !can && own.frames.length > 0 ? "Replay" : "Play");
    enable(this.#stop, own.begun && (playing || !idle || (own.live && own.finish === null)));
    enable(this.#over, own.begun);
    this.#pace.value = String(own.pace);
    show(this.#own, !own.scripted);
    if (own.given.force !== this.#forced) {
      this.#forced = own.given.force;
      this.#force.value = own.given.force;
      this.#own.open = own.given.force !== "";
    }
    const { text, ids } = own.queued;
    const more = text === this.#force.value && ids.length > 0;
    setText(this.#forceIt, more ? `Force the next of ${quotedText(text)}: ${ids.length} to go` : "Force its first token");
    enable(this.#forceIt, own.able && idle && this.#force.value !== "" && (own.can || own.frames.length === 0));
    setText(this.#fault, own.fault ? `${own.fault.message} ${own.fault.hint}`.trim() : "");
    setAttribute(this.#step, "aria-busy", idle ? null : "true");
  }
}
