/** The cumulative bar: one segment a kept candidate, as wide as its probability, and the coin on it. */

import { seedAt } from "../core/branch.js";
import { full, interval, position, probability, tokenLabel, tokenSpoken } from "../core/format.js";
import { settingsWords } from "../core/settings.js";
import { Part } from "./base.js";
import { enable, freshId, h, setAttribute, setStyle, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../api/next-token.js").Distribution} Distribution */
/** @typedef {import("../api/next-token.js").Choice} Choice */

export class NtCoin extends Part {
  #bar = h("div", { class: "cumulative", part: "cumulative", role: "img" });
  #coin = h("div", { class: "coin", part: "coin", "aria-hidden": "true" });
  #words = h("p", { class: "words" });
  #slider = h("input", { type: "range", min: "0", max: "0.9999", step: "0.0001" });
  #number = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: "7" });
  #place = h("button", { type: "submit" }, "Place the coin");
  #own = h("form", { class: "own", novalidate: true });
  #error = h("p", { class: "error", role: "alert" });
  #track = h("div", { class: "track" });
  /** @type {Distribution | null} */
  #shown = null;
  /** @type {Choice | null} */
  #choice = null;

  /** @override */
  build() {
    const slider = freshId("coin");
    const number = freshId("coin");
    this.#error.id = freshId("coin-error");
    this.#slider.id = slider;
    this.#number.id = number;
    this.#number.setAttribute("aria-describedby", this.#error.id);
    this.#slider.addEventListener("input", () => {
      this.#number.value = this.#slider.value;
      setStyle(this.#coin, "--at", this.#slider.value);
      show(this.#coin, true);
      setAttribute(this.#coin, "data-preview", true);
    });
    this.#slider.addEventListener("change", () => this.#throw(this.#slider.value));
    this.#own.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#throw(this.#number.value);
    });
    this.#own.append(
      h("span", { class: "field wide" }, h("label", { for: slider }, "Your own coin"), this.#slider),
      h("span", { class: "field" }, h("label", { for: number, class: "sr" }, "Coin, from 0 to just below 1"), this.#number, this.#place),
      this.#error,
    );
    this.#track.append(this.#bar, this.#coin);
    this.append(h("h2", {}, "The coin"), this.#track, this.#words, this.#own);
  }

  /** @param {string} text */
  #throw(text) {
    const value = Number(text);
    const fine = text.trim() !== "" && value >= 0 && value < 1;
    setText(this.#error, fine ? "" : `${text.trim() === "" ? "Nothing was typed" : `“${text.trim()}” is no coin`}. A coin is a number from 0 to just below 1.`);
    setAttribute(this.#number, "aria-invalid", fine ? null : "true");
    if (fine && this.player.canPlaceCoin) this.player.coin(value);
  }

  /** @override @param {Player} player */
  update(player) {
    const { timeline, peeked } = player;
    const turn = player.turnOnShow;
    const shown = turn && (peeked !== null || timeline.reached("distribution")) ? turn.distribution : null;
    show(this, shown !== null);
    if (!turn || !shown) {
      this.#shown = null;
      return;
    }
    const choice = peeked !== null || timeline.reached("sample") ? turn.choice : null;
    const greedy = shown.settings.temperature === 0;
    const can = player.canPlaceCoin && peeked === null;
    show(this.#own, !greedy && can);
    enable(this.#place, can);
    const sentence = words(player, turn, shown, choice);
    setText(this.#words, sentence);
    if (shown === this.#shown && choice === this.#choice) return;
    this.#drawBar(shown, choice);
    this.#shown = shown;
    this.#choice = choice;
    const coin = choice?.coin ?? null;
    show(this.#coin, coin !== null);
    setAttribute(this.#coin, "data-preview", null);
    if (coin !== null) {
      setStyle(this.#coin, "--at", String(coin));
      // The field in which someone types or drags keeps what is in it.
      if (!this.#slider.matches(":focus")) this.#slider.value = String(coin);
      if (!this.#number.matches(":focus")) this.#number.value = Number.isNaN(Number(position(coin))) ? full(coin) : position(coin);
      setText(this.#error, "");
      setAttribute(this.#number, "aria-invalid", null);
    }
    setAttribute(this.#words, "title", coin === null ? null : `coin ${full(coin)}, interval from ${full(choice?.lo ?? 0)} to ${full(choice?.hi ?? 0)}`);
  }

  /** @param {Distribution} shown @param {Choice | null} choice */
  #drawBar(shown, choice) {
    const parts = segmentsOf(shown, choice);
    while (this.#bar.childElementCount > parts.length) this.#bar.lastElementChild?.remove();
    while (this.#bar.childElementCount < parts.length) this.#bar.append(h("span", { class: "segment", part: "segment" }, h("bdi", { translate: "no" })));
    let lo = 0;
    parts.forEach(({ token, p }, i) => {
      const segment = /** @type {HTMLElement} */ (this.#bar.children[i]);
      setText(/** @type {HTMLElement} */ (segment.firstElementChild), token ? tokenLabel(token) : "rest");
      setStyle(segment, "--p", String(p));
      setAttribute(segment, "data-narrow", p < 0.04);
      setAttribute(segment, "data-rest", token === null);
      setAttribute(segment, "data-chosen", choice !== null && token?.id === choice.id);
      setAttribute(segment, "title", `${token ? tokenLabel(token) : "others"}: ${probability(p)}, from ${full(lo)} to ${full(lo + p)}`);
      lo += p;
    });
    const first = shown.candidates[0];
    setAttribute(this.#bar, "aria-label", `Cumulative bar of ${parts.length} segments${first ? `, the first is ${tokenSpoken(first)} with ${probability(first.p)}` : ""}`);
  }
}

/**
 * The segments in order. A chosen token that isn't among the candidates has its own, where its
 * interval lies, between the others in front of it and those behind it.
 * @param {Distribution} shown @param {Choice | null} choice
 * @returns {{ token: (import("../core/format.js").TokenText & { id: number }) | null, p: number }[]}
 */
function segmentsOf(shown, choice) {
  const { candidates, tail } = shown;
  const own = choice !== null && (choice.p ?? 0) > 0 && choice.lo !== null && !candidates.some((c) => c.id === choice.id);
  const p = own ? choice.p ?? 0 : 0;
  const shownMass = candidates.reduce((sum, c) => sum + c.p, 0);
  const before = own ? Math.min(Math.max(0, (choice.lo ?? 0) - shownMass), Math.max(0, tail.mass - p)) : tail.mass;
  const rest = (/** @type {number} */ mass) => ({ token: null, p: mass });
  const all = [...candidates.map((c) => ({ token: c, p: c.p })), rest(before), ...(own ? [{ token: choice, p }, rest(Math.max(0, tail.mass - p - before))] : [])];
  // What is left of a sum of floats is no segment.
  return all.filter((s) => s.p > (s.token ? 0 : 1e-9));
}

/** @param {Player} player @param {import("../core/timeline.js").Turn} turn @param {Distribution} shown @param {Choice | null} choice */
function words(player, turn, shown, choice) {
  const seed = player.branch ? seedAt(player.branch, turn.index) : player.settings.seed;
  const then = player.whatIf?.turn === turn ? `As it was drawn, with ${settingsWords(shown.settings)}. ` : "";
  if (choice?.method === "forced") return `${then}No coin: you took \u2068${tokenLabel(choice)}\u2069.`;
  if (shown.settings.temperature === 0) return `${then}No coin: greedy takes the top token.`;
  if (!choice || choice.coin === null) return `The coin is not thrown yet. It falls anywhere from 0 to 1 with equal chance; seed ${seed}.`;
  const [lo, coin, hi] = interval(choice.lo ?? 0, choice.coin, choice.hi ?? 1);
  return `${then}Coin ${coin} lies from ${lo} to ${hi}: \u2068${tokenLabel(choice)}\u2069. ${turn.placed ? "You placed it" : `Seed ${seed}`}.`;
}
