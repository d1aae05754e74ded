/** Three ways to end, each with what sets it and how far it is. */

import { count, plural, quoted, visible } from "../../core/format.js";
import { RUNNING, readNumber, readStops, writeStops } from "../../core/settings.js";
import { freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { matched } from "./frames.js";
import { BeltPart } from "./part.js";
import { END_TOKENS } from "./presets.js";

const LIMIT = /** @type {import("../../core/settings.js").NumberSpec} */ (RUNNING.find(({ name }) => name === "maxTokens"));

export class NtStopWays extends BeltPart {
  #limit = h("input", { type: "text", inputmode: "numeric", autocomplete: "off", size: "6", "data-setting": "maxTokens" });
  #limitError = h("p", { class: "error", role: "alert" });
  #meter = h("span", { class: "meter", "aria-hidden": "true" });
  #stop = h("textarea", { rows: "2", spellcheck: "false", "data-setting": "stop" });
  #stopError = h("p", { class: "error", role: "alert" });
  #end = h("p");
  #waits = h("p", { class: "waits", role: "status" });
  /** @type {Record<"eos" | "length" | "stop", { way: HTMLElement, state: HTMLElement, ended: HTMLElement }>} */
  #ways = { eos: way(), length: way(), stop: way() };

  /** @override */
  build() {
    const [limit, stop] = [freshId("max-tokens"), freshId("stop")];
    this.#limit.id = limit;
    this.#stop.id = stop;
    this.#limitError.id = freshId("max-tokens-error");
    this.#stopError.id = freshId("stop-error");
    this.#limit.setAttribute("aria-describedby", this.#limitError.id);
    this.#stop.setAttribute("aria-describedby", this.#stopError.id);
    this.#limit.addEventListener("change", () => this.#readLimit());
    this.#limit.addEventListener("keydown", (event) => event.key === "Enter" && this.#readLimit());
    this.#stop.addEventListener("change", () => this.#readStops());
    const { eos, length, stop: sequence } = this.#ways;
    eos.way.prepend(h("h4", {}, "End-of-text token"), this.#end);
    length.way.prepend(h("h4", {}, h("label", { for: limit }, "max_tokens")), h("p", { class: "set" }, this.#limit, this.#meter), this.#limitError);
    sequence.way.prepend(h("h4", {}, h("label", { for: stop }, "Stop sequences ", h("small", {}, "one a line; \\n is a newline"))), this.#stop, this.#stopError);
    this.append(h("h3", {}, "Three ways to end"), h("div", { class: "ways" }, eos.way, length.way, sequence.way), this.#waits);
  }

  /** @param {{ maxTokens?: number, stop?: string[] }} patch */
  #give(patch) {
    if (this.own) this.own.give(patch);
    else this.player.set(patch);
    this.host.redraw();
  }

  get #set() {
    return this.own ? this.own.given : this.player.settings;
  }

  #readLimit() {
    const read = readNumber(LIMIT, this.#limit.value);
    const good = "value" in read;
    setText(this.#limitError, good ? "" : `${read.refused} It stays ${this.#set.maxTokens}.`);
    setAttribute(this.#limit, "aria-invalid", good ? null : "true");
    if (good) this.#give({ maxTokens: read.value });
    else this.#limit.value = String(this.#set.maxTokens);
  }

  #readStops() {
    const read = readStops(this.#stop.value);
    const refused = "refused" in read;
    setText(this.#stopError, refused ? read.refused : "");
    setAttribute(this.#stop, "aria-invalid", refused ? "true" : null);
    if (!refused) this.#give({ stop: read.value });
  }

  /** Forgets refusals: other values are set now. */
  clear() {
    for (const node of [this.#limitError, this.#stopError]) setText(node, "");
    for (const field of [this.#limit, this.#stop]) setAttribute(field, "aria-invalid", null);
  }

  /** @override @param {import("../../core/player.js").Player} player */
  update(player) {
    const { belt, own } = this;
    const { finish, frames, cursor, limit } = belt;
    const frame = frames[cursor - 1] ?? null;
    const focused = this.getRootNode() instanceof ShadowRoot ? /** @type {ShadowRoot} */ (this.getRootNode()).activeElement : null;
    const set = this.#set;
    if (this.#limit !== focused && !this.#limit.hasAttribute("aria-invalid")) this.#limit.value = String(set.maxTokens);
    const stops = writeStops(set.stop);
    if (this.#stop !== focused && !this.#stop.hasAttribute("aria-invalid") && this.#stop.value !== stops) this.#stop.value = stops;

    setText(this.#end, endWords(belt.scripted ? "table" : player.wanted.label));
    for (const [reason, { way: box, ended }] of Object.entries(this.#ways)) {
      setAttribute(box, "data-ended", finish === reason);
      setText(ended, finish === reason ? "This ended the run" : "");
    }
    const { eos, length, stop } = this.#ways;
    setText(eos.state, !belt.begun ? "" : frame && !frame.joined ? `chosen as token ${count(cursor)}: ${quoted(frame.choice)}` : cursor === 0 ? "not chosen so far" : `not chosen in ${plural(cursor, "token")}`);
    const came = frames.slice(0, cursor).filter((f) => f.joined).length;
    setText(length.state, limit === null ? `${plural(came, "token")}; the limit was raised` : belt.begun ? `${count(came)} of ${count(limit)} tokens` : "");
    show(this.#meter, limit !== null && belt.begun);
    this.#meter.style.setProperty("--at", String(Math.min(1, came / (limit ?? 1))));
    const inForce = frame?.stops ?? belt.stops;
    const best = inForce.map((sequence) => ({ sequence, there: [...sequence.slice(0, matched(sequence, frame))].length })).sort((a, b) => b.there - a.there)[0];
    setText(stop.state, !belt.begun ? "" : !best ? "none in this run" : `${count(best.there)} of ${plural([...best.sequence].length, "character")} of “\u2068${visible(best.sequence)}\u2069” have come`);
    const waits = own ? own.waiting : player.waiting.some((name) => name === "stop" || name === "maxTokens");
    setText(this.#waits, waits ? `Changed: it applies from the next run. Press ${own ? "Start over" : "Start at the prompt"}.` : "");
  }
}

/** What the end-of-text token is. @param {string} model */
function endWords(model) {
  const token = END_TOKENS[model];
  if (!token) return "A control token of the model’s vocabulary, named in its file. It can’t be switched off here.";
  return `${token}: a token like any other, and the ${model === "table" ? "table’s own way out" : "model’s own way out, learnt in training"}. It can’t be switched off here.`;
}

function way() {
  const [state, ended] = [h("p", { class: "reached" }), h("p", { class: "ended" })];
  return { way: h("div", { class: "way" }, state, ended), state, ended };
}
