/** A token of one's own: text becomes ids, and these take the place of the draw. */

import { plural, quoted, tokenLabel, tokenSpoken } from "../core/format.js";
import { placeOf } from "../core/timeline.js";
import { Part } from "./base.js";
import { enable, freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../api/next-token.js").Piece} Piece */

export class NtForce extends Part {
  /** Where the tokens go, if not to the turn on show. @type {(() => { branch: import("../core/branch.js").Branch, index: number } | null) | null} */
  at = null;
  #field = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", translate: "no", dir: "auto", "data-force": true });
  #one = h("button", { type: "submit" });
  #all = h("button", { type: "button" });
  #form = h("form", { novalidate: true });
  #ids = h("ol", { class: "pieces", "aria-label": "The tokens of what you typed" });
  #words = h("p", { class: "hint", role: "status" });
  #error = h("p", { class: "error", role: "alert" });
  /** @type {Piece[]} */
  #pieces = [];
  /** The text that `#pieces` are of. */
  #read = "";
  #label = h("label");

  /** @override */
  build() {
    this.#field.id = freshId("force");
    this.#error.id = freshId("force-error");
    this.#words.id = freshId("force-words");
    this.#label.htmlFor = this.#field.id;
    this.#field.setAttribute("aria-describedby", `${this.#words.id} ${this.#error.id}`);
    this.#field.addEventListener("input", () => this.#encode());
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await this.#encode()) this.#take(1);
    });
    this.#all.addEventListener("click", () => this.#take(this.#pieces.length));
    this.#form.append(this.#label, h("span", { class: "row" }, this.#field, this.#one, this.#all));
    this.append(this.#form, this.#ids, this.#words, this.#error);
    this.#write();
  }

  /** Reads the field. False if it holds nothing that could be taken. @returns {Promise<boolean>} */
  async #encode() {
    const text = this.#field.value;
    const { engine } = this.player;
    setText(this.#error, "");
    setAttribute(this.#field, "aria-invalid", null);
    try {
      const pieces = text === "" || !engine ? [] : await engine.encode(text, { special: false });
      if (this.#field.value !== text) return false;
      this.#pieces = pieces;
      this.#read = text;
      const unknown = engine?.info.architecture === "table" ? pieces.find((p) => p.text === "<unk>") : undefined;
      if (unknown) {
        this.#pieces = [];
        this.#refuse("The table doesn’t know this word. It knows only those in its rows.");
      }
    } catch (error) {
      this.#pieces = [];
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
    this.#write();
    return this.#pieces.length > 0;
  }

  /** @param {string} why */
  #refuse(why) {
    setText(this.#error, why);
    setAttribute(this.#field, "aria-invalid", "true");
  }

  /** @param {number} n how many of them */
  async #take(n) {
    const ids = this.#pieces.slice(0, n).map((p) => p.id);
    if (ids.length === 0 || this.#read !== this.#field.value) return;
    this.#field.value = "";
    this.#pieces = [];
    this.#write();
    const place = this.at?.();
    if (place) await this.player.visit(place.branch, placeOf(place.index, "append"));
    await this.player.forceAll(ids);
  }

  #write() {
    const n = this.#pieces.length;
    const [first] = this.#pieces;
    this.#ids.replaceChildren(...this.#pieces.map((piece) => h("li", {}, h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, tokenLabel(piece)), h("span", { class: "sr" }, `${tokenSpoken(piece)}, id `), h("small", {}, String(piece.id)))));
    show(this.#ids, n > 0);
    setText(this.#one, n > 1 ? "Take the first" : "Take it");
    setText(this.#all, n > 1 ? `Take all ${n}, one after another` : "");
    show(this.#all, n > 1);
    enable(this.#one, n > 0 || this.#field.value === "");
    setText(this.#words, n > 1 && first
      ? `This is ${plural(n, "token")}. Only one is appended at a time: take ${quoted(first)} alone, or all of them, with a pass for each.`
      : "A space in front counts: most words begin with one.");
  }

  /** @override @param {Player} player */
  update(player) {
    const place = this.at?.();
    const turn = place ? place.branch.timeline.turns[place.index] ?? null : player.turnOnShow;
    const { timeline } = player;
    const can = turn !== null && turn.distribution !== null && (!!place || player.peeked !== null || timeline.reached("distribution"));
    show(this, can);
    if (!turn) return;
    setText(this.#label, turn.step ? `A token of your own in place of ${quoted(turn.step.choice)}, step ${turn.index + 1}` : `A token of your own for step ${turn.index + 1}`);
  }
}
