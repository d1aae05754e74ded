/** The seven stages as a strip, the loop drawn as a loop, and one sentence about what just happened. */

import { describeEnd, describeStage } from "../core/describe.js";
import { STAGES } from "../core/timeline.js";
import { Part } from "./base.js";
import { h, setAttribute, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */

/** @type {Record<import("../core/timeline.js").StageName, string>} */
const LABELS = {
  tokenize: "tokenize",
  prefill: "prefill",
  forward: "forward",
  distribution: "distribution",
  sample: "sample",
  stop: "stop check",
  append: "append",
};

export class NtStages extends Part {
  /** @type {HTMLLIElement[]} */
  #items = [];
  #name = h("strong");
  #sentence = h("span");
  #line = h("p", { class: "sentence", part: "sentence" });

  /** @override */
  build() {
    this.#items = STAGES.map((stage) => h("li", { part: "stage", "data-stage": stage, title: LABELS[stage] }, h("span", { class: "dot" }), h("span", { class: "name" }, LABELS[stage])));
    this.#line.append(this.#name, " ", this.#sentence);
    this.append(
      h("ol", { class: "strip", "aria-label": "Stages of the loop" }, ...this.#items),
      h("div", { class: "loop" }, h("span", {}, "again for every token")),
      this.#line,
    );
  }

  /** @override @param {Player} player */
  update(player) {
    const { timeline, reading } = player;
    const now = timeline.stage === null ? -1 : STAGES.indexOf(timeline.stage);
    this.#items.forEach((item, i) => {
      setAttribute(item, "aria-current", i === now ? "step" : null);
      setAttribute(item, "data-done", i < now);
    });
    const ended = player.finish !== null && player.finish !== undefined;
    const name = reading ? "prefill" : timeline.stage ? LABELS[timeline.stage] : "";
    setText(this.#name, name && !(ended && player.finish === "cancelled") ? `${name}.` : "");
    const sentence = reading
      ? `Reading the prompt: ${reading.done} of ${reading.total} tokens.`
      : player.finish === "cancelled" ? describeEnd(player) : describeStage(player);
    setText(this.#sentence, sentence);
    show(this.#line, sentence !== "");
  }
}
