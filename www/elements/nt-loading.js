/** Before there is a model: what is loaded and how far, a way out, and what to do when it fails. */

import { size } from "../core/format.js";
import { about, modelCard, nameOf } from "../core/models.js";
import { Part } from "./base.js";
import { freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../api/next-token.js").Progress} Progress */

/** @type {Record<Progress["phase"], string>} */
const PHASES = { engine: "Starting the engine", waiting: "Waiting for the server", download: "Downloading", verify: "Verifying", weights: "Reading the weights", "warm-up": "Warming up", ready: "Ready" };

export class NtLoading extends Part {
  #title = h("h2");
  #what = h("p", { class: "what" });
  #bar = h("progress", { part: "progress" });
  #phase = h("p", { class: "phase" });
  #status = h("p", { class: "sr", role: "status", "aria-atomic": "true" });
  #cancel = h("button", { type: "button" }, "Cancel");
  #load = h("button", { type: "button", class: "primary" });
  #retry = h("button", { type: "button", class: "primary" }, "Retry");
  #other = h("button", { type: "button" });
  #former = h("button", { type: "button" });
  #message = h("p", { class: "message" });
  #hint = h("p", { class: "hint" });
  #fault = h("div", { class: "fault", role: "alert" });
  #said = "";
  /** What needs no download. @type {"pocket" | "table"} */
  #offered = "pocket";

  /** @override */
  build() {
    const id = freshId("loading");
    this.#phase.id = id;
    this.#bar.setAttribute("aria-labelledby", id);
    this.#cancel.addEventListener("click", () => this.player.cancelLoad());
    for (const button of [this.#load, this.#retry]) button.addEventListener("click", () => this.player.load(this.player.wanted));
    this.#former.addEventListener("click", () => this.player.former && this.player.load(this.player.former));
    this.#other.addEventListener("click", () => this.player.load({ source: this.#offered, backend: "auto", label: this.#offered }));
    this.#fault.append(this.#message, this.#hint);
    this.append(this.#title, this.#what, this.#phase, this.#bar, this.#status, this.#fault, h("div", { class: "buttons" }, this.#load, this.#retry, this.#cancel, this.#former, this.#other));
  }

  /** @override @param {Player} player */
  update(player) {
    const { status, progress, wanted, former } = player;
    const loading = status === "loading";
    const fault = player.fault?.place === "load" ? player.fault : null;
    show(this, loading || status === "idle" || status === "error");
    const card = typeof wanted.source === "string" ? modelCard(wanted.source) : null;
    const name = nameOf(wanted);
    setText(this.#title, fault ? `${name} can’t run` : loading ? `Loading ${name}` : `${name} is not loaded`);
    setText(this.#what, card ? about(card) : "Your file is read here and never leaves your device.");
    show(this.#bar, loading);
    show(this.#phase, loading);
    show(this.#cancel, loading);
    show(this.#load, status === "idle");
    setText(this.#load, card && card.bytes > 0 ? `Run it live (${size(card.bytes)})` : "Run it live");
    show(this.#retry, status === "error");
    const back = !loading && former !== null && former.label !== wanted.label;
    show(this.#former, back);
    setText(this.#former, back && former ? `Back to ${former.source === "table" ? "the lesson’s table" : nameOf(former)}` : "");
    this.#offered = wanted.source === "pocket" ? "table" : "pocket";
    show(this.#other, !loading && former?.label !== this.#offered);
    setText(this.#other, this.#offered === "table" ? "Use the lesson’s table" : "Use pocket, part of this page");
    setText(this.#message, fault?.message ?? "");
    setText(this.#hint, fault?.hint ?? "");
    show(this.#fault, fault !== null);
    if (loading) this.#progress(progress);
    else setText(this.#status, "");
  }

  /** @param {Progress | null} progress */
  #progress(progress) {
    const phase = progress ? PHASES[progress.phase] : "Starting the engine";
    const known = progress !== null && progress.total > 0 && progress.phase !== "waiting";
    const share = known ? Math.min(1, progress.loaded / progress.total) : 0;
    if (known) {
      this.#bar.max = 1;
      if (Math.abs(this.#bar.value - share) > 0.002 || share === 1) this.#bar.value = share;
    } else setAttribute(this.#bar, "value", null);
    const bytes = known && progress.phase !== "engine" ? `: ${size(progress.loaded)} of ${size(progress.total)}, ${Math.floor(share * 100)}%` : "";
    const why = progress?.phase === "waiting" && progress.note ? `. ${progress.note}` : "";
    setText(this.#phase, `${phase}${why}${bytes}${progress?.cached ? " (from this browser’s store)" : ""}`);
    const quarter = known ? Math.floor(share * 4) * 25 : 0;
    const said = `${phase}, ${quarter}%`;
    if (said !== this.#said) {
      this.#said = said;
      setText(this.#status, said);
    }
  }
}
