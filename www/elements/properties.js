/**
 * The attributes and properties that every element has which can run a model of its own.
 */

import { NUMBERS } from "../core/settings.js";
import { ElementBase } from "./base.js";

/** @typedef {import("../core/player.js").Player} Player */

const BACKENDS = ["auto", "webgpu", "cpu"];
const THEMES = ["auto", "light", "dark"];

export const ATTRIBUTES = ["for", "model", "prompt", "backend", "theme", "autoload", ...NUMBERS.map((n) => n.attribute)];

export class Properties extends ElementBase {
  /** What drives it; of an element with `for`, that of the element named there. @returns {Player} */
  get player() {
    throw new Error(`${this.localName} has no player`);
  }

  /** The id of the element whose run this one shows; without it, it has a run of its own. */
  get for() {
    return this.getAttribute("for") ?? "";
  }
  set for(value) {
    this.setAttribute("for", value);
  }
  /** The model to load: `pocket`, `smollm2`, `table`, or the URL of a GGUF file. */
  get model() {
    return this.getAttribute("model") ?? "pocket";
  }
  set model(value) {
    this.setAttribute("model", value);
  }
  get prompt() {
    return this.player.prompt;
  }
  set prompt(value) {
    this.setAttribute("prompt", value);
  }
  /** @returns {"auto" | "webgpu" | "cpu"} */
  get backend() {
    const value = this.getAttribute("backend") ?? "auto";
    return BACKENDS.includes(value) ? /** @type {"auto" | "webgpu" | "cpu"} */ (value) : "auto";
  }
  set backend(value) {
    this.setAttribute("backend", value);
  }
  get theme() {
    const value = this.getAttribute("theme") ?? "auto";
    return THEMES.includes(value) ? value : "auto";
  }
  set theme(value) {
    this.setAttribute("theme", value);
  }
  get autoload() {
    return this.hasAttribute("autoload");
  }
  set autoload(value) {
    this.toggleAttribute("autoload", value);
  }
  get temperature() {
    return this.player.settings.temperature;
  }
  set temperature(value) {
    this.setAttribute("temperature", String(value));
  }
  get topK() {
    return this.player.settings.topK;
  }
  set topK(value) {
    this.setAttribute("top-k", String(value));
  }
  get topP() {
    return this.player.settings.topP;
  }
  set topP(value) {
    this.setAttribute("top-p", String(value));
  }
  get minP() {
    return this.player.settings.minP;
  }
  set minP(value) {
    this.setAttribute("min-p", String(value));
  }
  get repetitionPenalty() {
    return this.player.settings.repetitionPenalty;
  }
  set repetitionPenalty(value) {
    this.setAttribute("repetition-penalty", String(value));
  }
  get seed() {
    return this.player.settings.seed;
  }
  set seed(value) {
    this.setAttribute("seed", String(value));
  }
  get maxTokens() {
    return this.player.settings.maxTokens;
  }
  set maxTokens(value) {
    this.setAttribute("max-tokens", String(value));
  }

  get engine() {
    return this.player.engine;
  }
  /** The run on show, or null. */
  get run() {
    return this.player.run;
  }
  /** idle, loading, ready, running, playing, paused, done or error. */
  get status() {
    return this.player.status;
  }
  /** The steps computed so far. */
  get steps() {
    return this.player.timeline.steps;
  }

  /** Properties that were set before the element was defined. */
  _upgrade() {
    for (const name of /** @type {const} */ (["for", "model", "prompt", "backend", "theme", "autoload", "temperature", "topK", "topP", "minP", "repetitionPenalty", "seed", "maxTokens"])) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      Object.assign(this, { [name]: value });
    }
  }
}
