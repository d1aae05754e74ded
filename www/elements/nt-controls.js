/** Step, token, play, back, stop, reset, speed: every key also has a button here. */

import { nextWords } from "../core/describe.js";
import { SPEEDS } from "../core/player.js";
import { Part } from "./base.js";
import { enable, freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../core/player.js").Speed} Speed */

/** @type {[string, string][]} */
const KEYS = [
  ["→ / Shift+→", "next stage / next token"],
  ["← / Shift+←", "previous stage / previous token, from the history"],
  ["Space", "step when paused, pause when playing"],
  ["Home / End", "first / latest stage"],
  ["Esc", "stop generating"],
  ["Enter in the prompt", "start a new run; Shift+Enter makes a new line"],
  ["?", "this list"],
];

export class NtControls extends Part {
  #back = h("button", { type: "button", "aria-keyshortcuts": "ArrowLeft", "data-do": "back" }, "‹ Back");
  #step = h("button", { type: "button", class: "primary", "aria-keyshortcuts": "ArrowRight Space", "data-do": "step" }, "Step ›");
  #token = h("button", { type: "button", "aria-keyshortcuts": "Shift+ArrowRight", "data-do": "token" }, "Token »");
  #play = h("button", { type: "button", "data-do": "play" }, "Play");
  #stop = h("button", { type: "button", "aria-keyshortcuts": "Escape", "data-do": "stop" }, "Stop");
  #reset = h("button", { type: "button", class: "quiet", "data-do": "reset", title: "Forgets this run; prompt and settings stay" }, "Reset");
  #help = h("button", { type: "button", class: "quiet", "aria-keyshortcuts": "?", "aria-haspopup": "dialog" }, "Keys");
  #speed = h("select");
  #next = h("p", { class: "next" });
  #dialog = h("dialog", { "aria-labelledby": "" });

  /** @override @param {Player} player */
  build(player) {
    const speed = freshId("speed");
    this.#speed.id = speed;
    for (const [value, { label }] of Object.entries(SPEEDS)) this.#speed.append(h("option", { value }, label));
    this.#speed.value = player.speed;
    this.#speed.addEventListener("change", () => {
      this.player.speed = /** @type {Speed} */ (this.#speed.value);
    });
    /** @type {[HTMLButtonElement, () => void][]} */
    const actions = [
      [this.#back, () => this.player.back()],
      [this.#step, () => this.player.stage()],
      [this.#token, () => this.player.token()],
      [this.#play, () => (this.player.status === "playing" ? this.player.pause() : this.player.play())],
      [this.#stop, () => this.player.stop()],
      [this.#reset, () => this.player.reset()],
      [this.#help, () => this.help()],
    ];
    for (const [button, act] of actions) {
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") !== "true") act();
      });
    }
    this.append(
      h("div", { class: "buttons", part: "controls" }, this.#back, this.#step, this.#token, this.#play, this.#stop),
      this.#next,
      h("div", { class: "second" }, h("span", { class: "field small" }, h("label", { for: speed }, "Play at"), this.#speed), this.#reset, this.#help),
      this.#dialog,
    );
    this.#buildHelp();
  }

  #buildHelp() {
    const title = freshId("keys");
    this.#dialog.setAttribute("aria-labelledby", title);
    const close = h("button", { type: "button", class: "primary" }, "Close");
    close.addEventListener("click", () => this.#dialog.close());
    const list = h("dl");
    for (const [keys, what] of KEYS) list.append(h("div", {}, h("dt", {}, keys), h("dd", {}, what)));
    this.#dialog.append(h("h2", { id: title }, "Keys"), h("p", {}, "They act while the focus is inside this box. A field keeps its own keys."), list, close);
  }

  help() {
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  get helpOpen() {
    return this.#dialog.open;
  }

  /** @override @param {Player} player */
  update(player) {
    show(this, player.engine !== null);
    const { timeline, status } = player;
    const playing = status === "playing";
    const can = player.canStep;
    enable(this.#back, timeline.cursor > 0);
    enable(this.#step, can && !playing);
    enable(this.#token, can && !playing);
    enable(this.#play, playing || can);
    setText(this.#play, playing ? "Pause" : "Play");
    setAttribute(this.#play, "data-playing", playing);
    enable(this.#stop, player.run !== null && !player.run.finish && timeline.edge >= 0);
    enable(this.#reset, player.run !== null);
    setText(this.#next, !can ? "The run has ended. Start, beside the prompt, begins a new one." : playing ? "" : nextWords(player));
    if (this.#speed.value !== player.speed) this.#speed.value = player.speed;
  }
}
