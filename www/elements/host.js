/**
 * What every public element is made of: a card in a shadow tree, a player of its own or the one of the
 * element that `for` names, parts that draw. Attributes in, events out.
 */

import { Announcer } from "../core/announce.js";
import { DoneEvent, FaultEvent, LoadingEvent, ReadyEvent, StepEvent } from "../core/events.js";
import { modelCard } from "../core/models.js";
import { Player, SPEEDS } from "../core/player.js";
import { NUMBERS, readNumber } from "../core/settings.js";
import { sheets } from "../styles/sheets.js";
import { Part } from "./base.js";
import { h, landmarkName, setAttribute, setText, show } from "./dom.js";
import { handleKey } from "./keys.js";
import { NtControls } from "./nt-controls.js";
import { NtLoading } from "./nt-loading.js";
import { NtModel } from "./nt-model.js";
import { NtPrompt } from "./nt-prompt.js";
import { ATTRIBUTES, Properties } from "./properties.js";

/**
 * The parts, and where they stand in the card: `foot` below the transport. `controls`: the view's own transport.
 * @typedef {{ parts: Part[], body: Node[], foot?: Node[], controls?: NtControls }} Composition
 */

export class Host extends Properties {
  static observedAttributes = ATTRIBUTES;
  /** The name of the card. */
  static label = "next-token";
  /**
   * What stands around the view where it has a run of its own; `keys: false` where the keys of the loop aren't wanted.
   * @type {{ model: boolean, prompt: boolean, controls: boolean, keys?: boolean }}
   */
  static frame = { model: true, prompt: true, controls: true };

  #own = new Player();
  #shared = /** @type {Player | null} */ (null);
  #root = this.attachShadow({ mode: "open" });
  #frame = 0;
  #begun = false;
  /** Settles when the element that `for` names was found. */
  #followed = Promise.resolve();
  #queued = false;
  /** @type {Set<string>} attributes that changed since they were last applied */
  #stale = new Set(ATTRIBUTES);
  /** @type {Part[]} */
  #parts = [];
  #fault = h("p", { class: "run-error error", role: "alert" });
  #card = /** @type {HTMLElement | null} */ (null);
  #controls = /** @type {NtControls | null} */ (null);
  #log = h("div", { class: "sr", role: "log", "aria-live": "polite", "aria-atomic": "false", "aria-label": "What the model does" });
  #announcer = new Announcer(this.#log);
  #listening = new AbortController();
  /** What waits until it is visible for the first time. @type {IntersectionObserver | null} */
  #awaited = null;
  /** Whether it can be seen now. */
  #seen = true;
  /** What is missing to show this view at all. */
  #missing = "";

  #sight = new IntersectionObserver((entries) => {
    this.#seen = entries.at(-1)?.isIntersecting ?? true;
    if (this.#seen) this.#schedule();
  });

  constructor() {
    super();
    this.#root.adoptedStyleSheets = sheets();
  }

  /** @override */
  get player() {
    return this.#shared ?? this.#own;
  }

  /** Whether another element's run is on show here. */
  get shared() {
    return this.hasAttribute("for");
  }

  /** The parts of this view; called once. A promise: its code is fetched when the element is used. @returns {Composition | Promise<Composition>} */
  compose() {
    return { parts: [], body: [] };
  }

  /** Adds styles to this element's tree. @param {string} css */
  adopt(css) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.#root.adoptedStyleSheets.push(sheet);
  }

  /** A sentence for those who listen. @param {string} sentence */
  say(sentence) {
    this.#announcer.now(sentence);
  }

  /** Draws again at the next frame: for what isn't told by the player. */
  redraw() {
    this.#schedule();
  }

  /** The element left the page, its run was reset or its model given back: end what was started beside the player's run. */
  dropped() {}

  // ---- life ----

  connectedCallback() {
    this._upgrade();
    if (this.#card === null) this.#build();
    this.#apply();
    if (this.#begun) return;
    this.#begun = true;
    this.#sight.observe(this);
    if (this.shared) return void (this.#followed = this.#follow());
    const { frame } = /** @type {typeof Host} */ (this.constructor);
    if (!frame.model) return;
    this.#own.wanted = this.#wanted();
    // What is part of the page starts at once; a download is asked for, or is the author's wish.
    const card = modelCard(this.model);
    if (this.autoload || card?.bytes === 0) this.#whenVisible(() => this.#own.load(this.#own.wanted, { fallBack: card !== null }));
  }

  disconnectedCallback() {
    // Moved within the page, it is connected again by the next microtask.
    queueMicrotask(() => {
      if (this.isConnected || !this.#begun) return;
      this.#begun = false;
      this.#sight.disconnect();
      this.#awaited?.disconnect();
      this.dropped();
      if (this.#shared) this.#attend(null);
      this.#own.unload().then(() => this.#draw());
    });
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    this.#stale.add(name);
    if (this.#card === null || this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      this.#apply();
    });
  }

  /** Waits for the element that `for` names, and shows its run. */
  async #follow() {
    await null; // all elements of the page are upgraded by then
    const tree = this.getRootNode();
    const find = () => (tree instanceof Document || tree instanceof ShadowRoot ? tree.getElementById(this.for) : null);
    if (!find() && document.readyState === "loading") await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
    const other = find();
    if (other && !customElements.get(other.localName)) await customElements.whenDefined(other.localName);
    if (!this.isConnected) return;
    // That one may itself show the run of another, and wait for it.
    if (other instanceof Host) await other.#followed;
    if (!this.isConnected) return;
    if (other instanceof Host && other !== this) return this.#attend(other.player);
    this.#missing = `There is no element with the id “${this.for}” whose run could be shown here.`;
    this.#schedule();
  }

  #wanted() {
    const { model, backend } = this;
    const card = modelCard(model);
    return { source: card ? card.id : { gguf: new URL(model, document.baseURI) }, backend, label: card ? card.id : model };
  }

  /** A bad attribute is passed over: the former value stays. */
  #apply() {
    const stale = this.#stale;
    const player = this.#own;
    this.#stale = new Set();
    if (stale.has("prompt")) {
      const prompt = this.getAttribute("prompt");
      if (prompt !== null && prompt !== player.prompt) {
        player.prompt = prompt;
        if (player.run) player.reset();
      }
    }
    /** @type {Record<string, number>} */
    const patch = {};
    for (const spec of NUMBERS) {
      const text = stale.has(spec.attribute) ? this.getAttribute(spec.attribute) : null;
      const read = text === null ? null : readNumber(spec, text);
      if (read && "value" in read) patch[spec.name] = read.value;
    }
    if (Object.keys(patch).length > 0) player.set(patch);
    if (this.#begun && !this.shared && (stale.has("model") || stale.has("backend"))) {
      const wanted = this.#wanted();
      if (wanted.label !== player.wanted.label || wanted.backend !== player.wanted.backend) player.load(wanted);
    }
    this.#schedule();
  }

  /** @param {() => void} act */
  #whenVisible(act) {
    this.#awaited?.disconnect();
    const observer = (this.#awaited = new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      observer.disconnect();
      if (this.isConnected) act();
    }));
    observer.observe(this);
  }

  // ---- drawing ----

  #build() {
    const { frame, label } = /** @type {typeof Host} */ (this.constructor);
    /** @type {Part[]} */
    const above = [];
    /** @type {Part[]} */
    const below = [];
    let model = /** @type {NtModel | null} */ (null);
    if (!this.shared) {
      if (frame.model) above.push((model = new NtModel()), new NtLoading());
      if (frame.prompt) above.push(new NtPrompt());
      if (frame.controls && this.getAttribute("controls") !== "none") below.push((this.#controls = new NtControls()));
    }
    this.#parts = [...above, ...below];
    show(this.#fault, false);
    this.#card = h("section", { class: `card ${this.localName}`, part: "card", "aria-label": landmarkName(label), tabindex: "-1", lang: "en" }, ...above, this.#fault, ...below, this.#log);
    this.#root.append(this.#card);
    const composed = this.compose();
    if (composed instanceof Promise) composed.then((composition) => this.#fill(composition), (error) => this.#lack(error));
    else this.#fill(composed);
    this.#attend(null);
    if (frame.keys !== false) this.#card.addEventListener("keydown", (event) => handleKey(event, this.player, this.#controls));
    this.#card.addEventListener("dragover", (event) => {
      if (model && event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    this.#card.addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file || !model) return;
      event.preventDefault();
      model.drop(file);
    });
  }

  /** Puts the view into its frame. @param {Composition} composition */
  #fill({ parts, body, foot = [], controls }) {
    if (controls) this.#controls = controls;
    this.#parts.push(...parts);
    this.#fault.after(...body);
    this.#log.before(...foot);
    for (const part of parts) part.attach(this.player);
    this.#schedule();
  }

  /** @param {unknown} error */
  #lack(error) {
    this.#missing = `This view can’t be loaded: ${error instanceof Error ? error.message : error}. Check the connection, then load the page again.`;
    this.#schedule();
  }

  /** Listens to this player; null: its own. @param {Player | null} shared */
  #attend(shared) {
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#shared = shared;
    const { player } = this;
    const on = (/** @type {string} */ type, /** @type {(event: Event) => void} */ act) => player.addEventListener(type, act, { signal: this.#listening.signal });
    for (const part of this.#parts) part.attach(player);
    on("change", () => this.#schedule());
    on("reset", () => this.dropped());
    // The element that owns the run tells of it; those that show it too stay silent.
    if (!shared) {
      on("say", (event) => {
        if (!(event instanceof CustomEvent)) return;
        if (event.detail.kind === "text") this.#announcer.text(event.detail.sentence);
        else this.#announcer.now(event.detail.sentence);
      });
      on("nt-ready", (e) => e instanceof ReadyEvent && this.dispatchEvent(new ReadyEvent(e.info)));
      on("nt-step", (e) => e instanceof StepEvent && this.dispatchEvent(new StepEvent(e.step)));
      on("nt-done", (e) => e instanceof DoneEvent && this.dispatchEvent(new DoneEvent(e.reason, e.text)));
      on("nt-error", (e) => e instanceof FaultEvent && this.dispatchEvent(new FaultEvent(e)));
      on("nt-progress", (e) => e instanceof LoadingEvent && this.dispatchEvent(new LoadingEvent(e.progress)));
    }
    this.#schedule();
  }

  /** Changes made together are drawn once, at the next frame. */
  #schedule() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const { player } = this;
    const fast = player.playing && SPEEDS[player.speed].rest === 0;
    // At full speed nobody reads what is out of sight; it is drawn when the run rests, or comes into view.
    if (fast && !this.#seen) return;
    for (const part of this.#parts) part.update(player);
    if (this.#card) {
      setAttribute(this.#card, "data-status", player.status);
      setAttribute(this.#card, "data-fast", fast);
      setAttribute(this.#card, "data-run", player.timeline.cursor >= 0);
      setAttribute(this.#card, "data-past", !player.timeline.live);
      setAttribute(this.#card, "data-engine", player.engine !== null);
    }
    const fault = player.fault?.place === "run" ? player.fault : null;
    setText(this.#fault, this.#missing || (fault ? `${fault.message} ${fault.hint}`.trim() : ""));
    show(this.#fault, this.#fault.textContent !== "");
  }
}
