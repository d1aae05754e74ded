/**
 * `<next-token>`: a language model that writes one token at a time, with every stage on show.
 * Attributes in, events out; the player owns time, the parts draw.
 */

import { Announcer } from "../core/announce.js";
import { DoneEvent, FaultEvent, LoadingEvent, ReadyEvent, StepEvent } from "../core/events.js";
import { modelCard } from "../core/models.js";
import { Player, SPEEDS } from "../core/player.js";
import { NUMBERS, readNumber } from "../core/settings.js";
import { sheets } from "../styles/sheets.js";
import { ElementBase, Part } from "./base.js";
import { h, setAttribute, show } from "./dom.js";
import { handleKey } from "./keys.js";
import { NtCoin } from "./nt-coin.js";
import { NtControls } from "./nt-controls.js";
import { NtDistribution } from "./nt-distribution.js";
import { NtLoading } from "./nt-loading.js";
import { NtMeters } from "./nt-meters.js";
import { NtModel } from "./nt-model.js";
import { NtPrompt } from "./nt-prompt.js";
import { NtSettings } from "./nt-settings.js";
import { NtStages } from "./nt-stages.js";
import { NtText } from "./nt-text.js";
import { NtTokens } from "./nt-tokens.js";

const BACKENDS = ["auto", "webgpu", "cpu"];
const THEMES = ["auto", "light", "dark"];

export class NextToken extends ElementBase {
  static observedAttributes = ["model", "prompt", "backend", "theme", "autoload", ...NUMBERS.map((n) => n.attribute)];

  #player = new Player();
  #root = /** @type {ShadowRoot | null} */ (null);
  #frame = 0;
  #begun = false;
  #queued = false;
  /** @type {Set<string>} attributes that changed since they were last applied */
  #stale = new Set(NextToken.observedAttributes);
  /** @type {Part[]} */
  #parts = [];
  #fault = /** @type {HTMLElement | null} */ (null);
  #work = /** @type {HTMLElement | null} */ (null);
  #card = /** @type {HTMLElement | null} */ (null);

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = sheets();
  }

  // ---- attributes and properties ----

  /** The model to load: `pocket`, `smollm2`, `table`, or the URL of a GGUF file. */
  get model() {
    return this.getAttribute("model") ?? "pocket";
  }
  set model(value) {
    this.setAttribute("model", value);
  }
  get prompt() {
    return this.#player.prompt;
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
    return this.#player.settings.temperature;
  }
  set temperature(value) {
    this.setAttribute("temperature", String(value));
  }
  get topK() {
    return this.#player.settings.topK;
  }
  set topK(value) {
    this.setAttribute("top-k", String(value));
  }
  get topP() {
    return this.#player.settings.topP;
  }
  set topP(value) {
    this.setAttribute("top-p", String(value));
  }
  get minP() {
    return this.#player.settings.minP;
  }
  set minP(value) {
    this.setAttribute("min-p", String(value));
  }
  get repetitionPenalty() {
    return this.#player.settings.repetitionPenalty;
  }
  set repetitionPenalty(value) {
    this.setAttribute("repetition-penalty", String(value));
  }
  get seed() {
    return this.#player.settings.seed;
  }
  set seed(value) {
    this.setAttribute("seed", String(value));
  }
  get maxTokens() {
    return this.#player.settings.maxTokens;
  }
  set maxTokens(value) {
    this.setAttribute("max-tokens", String(value));
  }

  /** What drives it: for views and tests that stand beside the element. */
  get player() {
    return this.#player;
  }
  get engine() {
    return this.#player.engine;
  }
  /** The run on show, or null. */
  get run() {
    return this.#player.run;
  }
  /** idle, loading, ready, running, playing, paused, done or error. */
  get status() {
    return this.#player.status;
  }
  /** The steps computed so far. */
  get steps() {
    return this.#player.timeline.steps;
  }

  // ---- life ----

  connectedCallback() {
    this.#upgrade();
    if (this.#parts.length === 0) this.#build();
    this.#apply();
    if (this.#begun) return;
    this.#begun = true;
    this.#player.wanted = this.#wanted();
    // What is part of the page starts at once; a download is asked for, or is the author's wish.
    const card = modelCard(this.model);
    if (this.autoload || card?.bytes === 0) this.#whenVisible(() => this.#player.load(this.#player.wanted, { fallBack: card !== null }));
  }

  disconnectedCallback() {
    // Moved within the page, it is connected again by the next microtask.
    queueMicrotask(() => {
      if (this.isConnected || !this.#begun) return;
      this.#begun = false;
      this.#player.unload().then(() => this.#draw());
    });
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    this.#stale.add(name);
    if (this.#parts.length === 0 || this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      this.#apply();
    });
  }

  /** Properties that were set before the element was defined. */
  #upgrade() {
    for (const name of /** @type {const} */ (["model", "prompt", "backend", "theme", "autoload", "temperature", "topK", "topP", "minP", "repetitionPenalty", "seed", "maxTokens"])) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      Object.assign(this, { [name]: value });
    }
  }

  #wanted() {
    const { model, backend } = this;
    const card = modelCard(model);
    return { source: card ? card.id : { gguf: new URL(model, document.baseURI) }, backend, label: card ? card.id : model };
  }

  /** A bad attribute is passed over: the former value stays. */
  #apply() {
    const stale = this.#stale;
    this.#stale = new Set();
    if (stale.has("prompt")) {
      const prompt = this.getAttribute("prompt");
      if (prompt !== null && prompt !== this.#player.prompt) {
        this.#player.prompt = prompt;
        if (this.#player.run) this.#player.reset();
      }
    }
    /** @type {Record<string, number>} */
    const patch = {};
    for (const spec of NUMBERS) {
      const text = stale.has(spec.attribute) ? this.getAttribute(spec.attribute) : null;
      const read = text === null ? null : readNumber(spec, text);
      if (read && "value" in read) patch[spec.name] = read.value;
    }
    if (Object.keys(patch).length > 0) this.#player.set(patch);
    if (this.#begun && (stale.has("model") || stale.has("backend"))) {
      const wanted = this.#wanted();
      if (wanted.label !== this.#player.wanted.label || wanted.backend !== this.#player.wanted.backend) this.#player.load(wanted);
    }
    this.#schedule();
  }

  /** @param {() => void} act */
  #whenVisible(act) {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      observer.disconnect();
      if (this.isConnected) act();
    });
    observer.observe(this);
  }

  // ---- drawing ----

  #build() {
    const [model, controls, loading, prompt, stages, tokens, distribution, settings, coin, text, meters] = [new NtModel(), new NtControls(), new NtLoading(), new NtPrompt(), new NtStages(), new NtTokens(), new NtDistribution(), new NtSettings(), new NtCoin(), new NtText(), new NtMeters()];
    this.#parts = [model, loading, prompt, stages, tokens, distribution, settings, coin, text, controls, meters];
    const log = h("div", { class: "sr", role: "log", "aria-live": "polite", "aria-atomic": "false", "aria-label": "What the model does" });
    this.#fault = h("p", { class: "run-error error", role: "alert" });
    this.#card = h("section", { class: "card", part: "card", "aria-label": "next-token: a language model, stage by stage", tabindex: "-1", lang: "en" },
      model, loading, prompt, stages, tokens, this.#fault,
      (this.#work = h("div", { class: "work", hidden: true }, h("div", { class: "left" }, distribution, coin), h("div", { class: "right" }, text, settings))),
      controls, meters, log);
    this.#root?.append(this.#card);
    for (const part of this.#parts) part.attach(this.#player);

    const announcer = new Announcer(log);
    const player = this.#player;
    player.addEventListener("change", () => this.#schedule());
    player.addEventListener("say", (event) => {
      if (!(event instanceof CustomEvent)) return;
      if (event.detail.kind === "text") announcer.text(event.detail.sentence);
      else announcer.now(event.detail.sentence);
    });
    player.addEventListener("nt-ready", (e) => e instanceof ReadyEvent && this.dispatchEvent(new ReadyEvent(e.info)));
    player.addEventListener("nt-step", (e) => e instanceof StepEvent && this.dispatchEvent(new StepEvent(e.step)));
    player.addEventListener("nt-done", (e) => e instanceof DoneEvent && this.dispatchEvent(new DoneEvent(e.reason, e.text)));
    player.addEventListener("nt-error", (e) => e instanceof FaultEvent && this.dispatchEvent(new FaultEvent(e)));
    player.addEventListener("nt-progress", (e) => e instanceof LoadingEvent && this.dispatchEvent(new LoadingEvent(e.progress)));

    this.#card.addEventListener("keydown", (event) => handleKey(event, player, controls));
    this.#card.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    this.#card.addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      model.drop(file);
    });
  }

  /** Changes made together are drawn once, at the next frame. */
  #schedule() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const player = this.#player;
    for (const part of this.#parts) part.update(player);
    if (this.#card) {
      setAttribute(this.#card, "data-status", player.status);
      setAttribute(this.#card, "data-fast", player.playing && SPEEDS[player.speed].rest === 0);
      setAttribute(this.#card, "data-run", player.timeline.cursor >= 0);
      setAttribute(this.#card, "data-past", !player.timeline.live);
    }
    if (this.#work) show(this.#work, player.engine !== null);
    const fault = player.fault?.place === "run" ? player.fault : null;
    if (this.#fault) {
      this.#fault.textContent = fault ? `${fault.message} ${fault.hint}`.trim() : "";
      show(this.#fault, fault !== null);
    }
  }
}
