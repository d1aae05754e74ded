/** Which model runs, on what and why; another one can be chosen, or a file dropped. */

import { count, size, weights } from "../core/format.js";
import { MODELS, about, modelCard, nameOf } from "../core/models.js";
import { Part } from "./base.js";
import { enable, freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */

export class NtModel extends Part {
  #name = h("strong");
  #facts = h("span", { class: "facts" });
  #running = h("p", { class: "what" });
  #change = h("button", { type: "button", class: "quiet", "aria-expanded": "false" }, "Change model");
  #panel = h("form", { class: "panel", hidden: true });
  #model = h("select");
  #backend = h("select");
  #file = h("input", { type: "file", accept: ".gguf" });
  #what = h("p", { class: "what" });
  #load = h("button", { type: "submit", class: "primary" }, "Load");
  #refused = h("p", { class: "error", role: "alert" });
  #notice = h("p", { class: "notice", role: "status" });
  #retry = h("button", { type: "button" });
  /** @type {HTMLElement} */
  #fileRow = h("span", { class: "field" });
  /** @type {File | null} */
  #dropped = null;

  /** @override */
  build() {
    const ids = { model: freshId("model"), backend: freshId("backend"), file: freshId("file"), panel: freshId("panel") };
    this.#model.id = ids.model;
    this.#backend.id = ids.backend;
    this.#file.id = ids.file;
    this.#panel.id = ids.panel;
    this.#change.setAttribute("aria-controls", ids.panel);
    for (const m of MODELS) this.#model.append(h("option", { value: m.id }, m.offer));
    this.#model.append(h("option", { value: "file" }, "A GGUF file of yours"));
    for (const [value, label] of /** @type {const} */ ([["auto", "Automatic"], ["webgpu", "WebGPU"], ["cpu", "CPU"]])) this.#backend.append(h("option", { value }, label));
    this.#model.addEventListener("change", () => this.#describe());
    this.#file.addEventListener("change", () => this.#take(this.#file.files?.[0] ?? null));
    this.#retry.addEventListener("click", () => this.player.missing && this.player.load(this.player.missing, { fallBack: true }));
    this.#change.addEventListener("click", () => this.open(this.#panel.hidden !== false));
    this.#panel.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.#fileRow.append(h("label", { for: ids.file }, "File"), this.#file);
    this.#panel.append(
      h("div", { class: "fields" },
        h("span", { class: "field" }, h("label", { for: ids.model }, "Model"), this.#model),
        h("span", { class: "field" }, h("label", { for: ids.backend }, "Runs on"), this.#backend),
        this.#fileRow, this.#load),
      this.#refused, this.#what,
    );
    this.append(h("div", { class: "line" }, this.#name, this.#facts, this.#change), this.#running, this.#notice, this.#retry, this.#panel);
  }

  /** @param {boolean} open */
  open(open) {
    show(this.#panel, open);
    show(this.#running, !open);
    this.#change.setAttribute("aria-expanded", String(open));
    setText(this.#change, open ? "Close" : "Change model");
    if (!open) return;
    const { source } = this.player.wanted;
    this.#model.value = typeof source === "string" ? source : "file";
    this.#backend.value = this.player.wanted.backend;
    this.#describe();
  }

  /** A file that was dropped on the element. @param {File} file */
  async drop(file) {
    this.open(true);
    this.#model.value = "file";
    if (await this.#take(file)) this.#start();
  }

  /**
   * A file that was chosen. One that can't be a model is refused before the model that runs is given up.
   * @param {File | null} file
   */
  async #take(file) {
    const refused = file && (await noModel(file));
    const problem = refused && `${refused}${this.player.engine ? " What runs here is untouched." : ""}`;
    this.#dropped = problem ? null : file;
    if (problem) this.#file.value = "";
    this.#describe();
    setText(this.#refused, problem ?? "");
    return file !== null && !problem;
  }

  #describe() {
    const card = modelCard(this.#model.value);
    show(this.#fileRow, card === null);
    setText(this.#refused, "");
    enable(this.#load, card !== null || this.#dropped !== null);
    setText(this.#load, card && card.bytes > 0 ? `Load (${size(card.bytes)})` : "Load");
    setText(this.#what, card
      ? about(card)
      : this.#dropped
        ? `${this.#dropped.name}, ${size(this.#dropped.size)}. It is read here and never leaves your device.`
        : "A GGUF file of architecture “llama”. Choose it here or drop it on this box; it is read here and never leaves your device.");
  }

  #start() {
    const card = modelCard(this.#model.value);
    const backend = /** @type {"auto" | "webgpu" | "cpu"} */ (this.#backend.value);
    if (card) this.player.load({ source: card.id, backend, label: card.id });
    else if (this.#dropped) this.player.load({ source: { gguf: this.#dropped }, backend, label: this.#dropped.name });
    else return;
    this.open(false);
  }

  /** @override @param {Player} player */
  update(player) {
    const info = player.engine?.info;
    if (info) {
      const table = info.architecture === "table";
      setText(this.#name, player.modelName);
      setAttribute(this.#name, "title", `The name in the file: ${info.model}`);
      const where = info.backend === "cpu" ? "CPU" : `WebGPU${info.adapter ? ` (${info.adapter})` : ""}`;
      setText(this.#facts, `${table ? "a hand-written model" : weights(info.parameters)}, vocabulary of ${count(info.vocabulary)}, context ${count(info.context)}. Runs on ${where}. ${info.reason}`);
    } else {
      setText(this.#name, "next-token");
      setText(this.#facts, player.status === "loading" ? "" : "No model is loaded.");
    }
    setText(this.#running, info && typeof player.wanted.source === "string" ? modelCard(player.wanted.source)?.what ?? "" : "");
    setAttribute(this.#change, "aria-disabled", player.status === "loading" ? "true" : null);
    show(this.#change, player.status !== "loading");
    setText(this.#notice, player.notice);
    show(this.#retry, player.missing !== null);
    setText(this.#retry, player.missing ? `Retry ${nameOf(player.missing)}` : "");
  }
}

/** Why this file can't be a model, or null if it may be one. @param {File} file */
async function noModel(file) {
  try {
    const magic = await file.slice(0, 4).text();
    if (magic === "GGUF") return null;
    const pointer = (await file.slice(0, 40).text()).startsWith("version https://git-lfs");
    return `${file.name} is no GGUF file: ${pointer ? "it is a Git LFS pointer, which only names the real file. Download that one" : "it doesn’t begin with the letters GGUF. Choose another one"}.`;
  } catch {
    return `${file.name} can’t be read. Choose a file, not a folder.`;
  }
}
