/** Which model runs, on what and why; another one can be chosen, or a file dropped. */

import { count, size, weights } from "../core/format.js";
import { MODELS, modelCard } from "../core/models.js";
import { Part } from "./base.js";
import { enable, freshId, h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */

export class NtModel extends Part {
  #name = h("strong");
  #facts = h("span", { class: "facts" });
  #change = h("button", { type: "button", class: "quiet", "aria-expanded": "false" }, "Change model");
  #panel = h("form", { class: "panel", hidden: true });
  #model = h("select");
  #backend = h("select");
  #file = h("input", { type: "file", accept: ".gguf" });
  #what = h("p", { class: "what" });
  #load = h("button", { type: "submit", class: "primary" }, "Load");
  #notice = h("p", { class: "notice", role: "status" });
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
    for (const m of MODELS) this.#model.append(h("option", { value: m.id }, m.bytes > 0 ? `${m.name}, ${size(m.bytes)}` : m.name));
    this.#model.append(h("option", { value: "file" }, "A GGUF file of yours"));
    for (const [value, label] of /** @type {const} */ ([["auto", "Automatic"], ["webgpu", "WebGPU"], ["cpu", "CPU"]])) this.#backend.append(h("option", { value }, label));
    this.#model.addEventListener("change", () => this.#describe());
    this.#file.addEventListener("change", () => {
      this.#dropped = this.#file.files?.[0] ?? null;
      this.#describe();
    });
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
      this.#what,
    );
    this.append(h("div", { class: "line" }, this.#name, this.#facts, this.#change), this.#notice, this.#panel);
  }

  /** @param {boolean} open */
  open(open) {
    show(this.#panel, open);
    this.#change.setAttribute("aria-expanded", String(open));
    setText(this.#change, open ? "Close" : "Change model");
    if (!open) return;
    this.#model.value = this.#dropped ? "file" : modelCard(this.player.wanted.label)?.id ?? "file";
    this.#backend.value = this.player.wanted.backend;
    this.#describe();
  }

  /** A file that was dropped on the element. @param {File} file */
  drop(file) {
    this.#dropped = file;
    this.open(true);
    this.#model.value = "file";
    this.#describe();
    this.#start();
  }

  #describe() {
    const card = modelCard(this.#model.value);
    show(this.#fileRow, card === null);
    enable(this.#load, card !== null || this.#dropped !== null);
    setText(this.#what, card
      ? `${card.what} ${card.bytes > 0 ? `${size(card.bytes)} from` : "From"} ${card.from}. Licence: ${card.licence}.`
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
      setText(this.#name, modelCard(player.wanted.label)?.name ?? info.model);
      setAttribute(this.#name, "title", `The name in the file: ${info.model}`);
      const where = info.backend === "cpu" ? "CPU" : `WebGPU${info.adapter ? ` (${info.adapter})` : ""}`;
      setText(this.#facts, `${table ? "a hand-written model" : weights(info.parameters)}, vocabulary of ${count(info.vocabulary)}, context ${count(info.context)}. Runs on ${where}. ${info.reason}`);
    } else {
      setText(this.#name, "next-token");
      setText(this.#facts, player.status === "loading" ? "" : "No model is loaded.");
    }
    setAttribute(this.#change, "aria-disabled", player.status === "loading" ? "true" : null);
    show(this.#change, player.status !== "loading");
    setText(this.#notice, player.notice);
  }
}
