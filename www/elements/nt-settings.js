/** The knobs. Sampling settings act on the bars at once; the others wait for the next start. */

import { visible } from "../core/format.js";
import { RUNNING, SAMPLING, readNumber, readStops, writeStops } from "../core/settings.js";
import { Part } from "./base.js";
import { freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../core/settings.js").NumberSpec} NumberSpec */

export class NtSettings extends Part {
  /** @type {Map<string, { spec: NumberSpec, number: HTMLInputElement, slider: HTMLInputElement | null, error: HTMLElement }>} */
  #fields = new Map();
  #stop = h("textarea", { rows: "2", spellcheck: "false" });
  #stopError = h("p", { class: "error", role: "alert" });
  #stopShown = h("p", { class: "stops" });
  #cache = h("input", { type: "checkbox" });
  #waiting = h("p", { class: "waits", role: "status" });
  #fault = h("p", { class: "error", role: "alert" });
  #more = h("details");
  /** The run and the engine that refusals were about. @type {Pick<Player, "run" | "engine">} */
  #of = { run: null, engine: null };

  /** @override */
  build() {
    const knobs = h("div", { class: "knobs" }, ...SAMPLING.map((spec) => this.#field(spec)));
    const stop = freshId("stop");
    const cache = freshId("cache");
    this.#stop.id = stop;
    this.#cache.id = cache;
    this.#stopError.id = freshId("stop-error");
    this.#stop.setAttribute("aria-describedby", this.#stopError.id);
    this.#stop.addEventListener("change", () => this.#readStops());
    this.#cache.addEventListener("change", () => this.player.set({ cache: this.#cache.checked }));
    this.#more.append(
      h("summary", {}, "Stop and run settings"),
      h("div", { class: "knobs" },
        ...RUNNING.map((spec) => this.#field(spec)),
        h("div", { class: "knob stop" }, h("label", { for: stop }, "Stop sequences", h("small", {}, "one a line; \\n is a newline")), this.#stop, this.#stopError, this.#stopShown),
        h("div", { class: "knob check" }, this.#cache, h("label", { for: cache }, "KV cache", h("small", {}, "off: every token is computed again at each pass")))),
      this.#waiting,
    );
    this.append(h("h2", {}, "Sampling"), knobs, this.#fault, this.#more);
  }

  /** @param {NumberSpec} spec */
  #field(spec) {
    const id = freshId(spec.name);
    const number = h("input", { id, type: "text", inputmode: spec.whole ? "numeric" : "decimal", autocomplete: "off", size: "6", "data-setting": spec.name });
    const error = h("p", { class: "error", role: "alert", id: freshId("error") });
    number.setAttribute("aria-describedby", error.id);
    const label = h("label", { for: id, title: spec.help }, spec.label, h("small", {}, spec.short));
    const commit = () => this.#commit(spec, number.value);
    number.addEventListener("change", commit);
    number.addEventListener("keydown", (event) => {
      if (event.key === "Enter") commit();
    });
    const knob = h("div", { class: `knob${spec.slider ? "" : " plain"}` }, label);
    const slider = spec.slider ? sliderOf(spec.label, spec.slider) : null;
    if (slider) {
      slider.addEventListener("input", () => this.#commit(spec, slider.value));
      knob.append(slider);
    }
    knob.append(number, error);
    this.#fields.set(spec.name, { spec, number, slider, error });
    return knob;
  }

  /** @param {NumberSpec} spec @param {string} text */
  #commit(spec, text) {
    const field = this.#fields.get(spec.name);
    if (!field) return;
    const read = readNumber(spec, text);
    const before = this.player.settings[spec.name];
    if ("value" in read) {
      this.#clear();
      field.number.value = String(read.value);
      if (read.value !== before) this.player.set({ [spec.name]: read.value });
    } else {
      setText(field.error, `${read.refused} It stays ${before}.`);
      setAttribute(field.number, "aria-invalid", "true");
      field.number.value = String(before);
    }
  }

  /** Refusals are about what was typed last: the next good value, run or model ends them. */
  #clear() {
    for (const { number, error } of this.#fields.values()) {
      setText(error, "");
      setAttribute(number, "aria-invalid", null);
    }
    setText(this.#stopError, "");
    setAttribute(this.#stop, "aria-invalid", null);
  }

  #readStops() {
    const read = readStops(this.#stop.value);
    const refused = "refused" in read;
    setText(this.#stopError, refused ? read.refused : "");
    setAttribute(this.#stop, "aria-invalid", refused ? "true" : null);
    if (refused) return;
    this.#clear();
    this.player.set({ stop: read.value });
  }

  /** @override @param {Player} player */
  update(player) {
    const { settings, fault } = player;
    show(this, player.engine !== null);
    if (player.run !== this.#of.run || player.engine !== this.#of.engine) {
      this.#of = { run: player.run, engine: player.engine };
      this.#clear();
    }
    const active = this.getRootNode();
    const focused = active instanceof ShadowRoot || active instanceof Document ? active.activeElement : null;
    for (const { spec, number, slider } of this.#fields.values()) {
      const value = String(settings[spec.name]);
      if (number !== focused && number.value !== value) number.value = value;
      if (slider && slider !== focused && slider.value !== value) slider.value = value;
    }
    const stops = writeStops(settings.stop);
    if (this.#stop !== focused && !this.#stop.hasAttribute("aria-invalid") && this.#stop.value !== stops) this.#stop.value = stops;
    setText(this.#stopShown, settings.stop.length > 0 ? `Stops at: ${settings.stop.map((s) => `“${visible(s)}”`).join(" or ")}` : "");
    this.#cache.checked = settings.cache;
    const { waiting } = player;
    setText(this.#waiting, waiting.length > 0 ? "Applies from the next run: press Start." : "");
    setText(this.#fault, fault?.place === "settings" ? `${fault.message} ${fault.hint}`.trim() : "");
  }

  /** Opens the folded part. */
  unfold() {
    this.#more.open = true;
  }
}

/** @param {string} label @param {[number, number, number]} range */
function sliderOf(label, [min, max, step]) {
  return h("input", { type: "range", min: String(min), max: String(max), step: String(step), "aria-label": label });
}
