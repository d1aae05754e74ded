/** What the cache takes: now, a column, at full context, and the formula with the model's own numbers. */

import { count, plural } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setText, show } from "../../elements/dom.js";
import { placeOf } from "./place.js";
import { bytesWords, formula, numbersOf } from "./words.js";

/** @typedef {import("../../elements/base.js").Player} Player */

export class NtCacheBytes extends Part {
  #now = h("dd");
  #column = h("dd");
  #full = h("dd");
  #formula = h("p", { class: "formula" });
  #names = h("p", { class: "names" }, "K and V · layers · KV heads · head_dim · tokens · bytes of a float32");
  #room = h("p", { class: "room" });

  /** @override */
  build() {
    const row = (/** @type {string} */ term, /** @type {HTMLElement} */ dd) => h("div", {}, h("dt", {}, term), dd);
    this.append(
      h("dl", { class: "sizes" }, row("Now", this.#now), row("One column", this.#column), row("At full context", this.#full)),
      h("div", { class: "sum" }, this.#formula, this.#names, this.#room),
    );
  }

  /** @override @param {Player} player */
  update(player) {
    const info = player.engine?.info;
    show(this, info !== undefined && info.kvBytesPerToken > 0);
    if (!info || info.kvBytesPerToken === 0) return;
    const { cached } = placeOf(player);
    const off = player.started?.cache === false;
    setText(this.#now, `${bytesWords(cached * info.kvBytesPerToken)}, ${plural(cached, "column")}${off ? ", thrown away before each pass" : ""}`);
    setText(this.#column, `${count(numbersOf(info))} numbers, ${count(info.kvBytesPerToken)} bytes in float32`);
    setText(this.#full, `${bytesWords(info.context * info.kvBytesPerToken)}, ${plural(info.context, "column")}`);
    const tokens = Math.max(1, cached);
    setText(this.#formula, `Formula${cached === 0 ? ", one column" : ""}: ${formula(info, tokens)} = ${count(tokens * info.kvBytesPerToken)} bytes`);
    const capacity = player.run?.state.capacity;
    setText(this.#room, capacity ? `Set aside for this run from the start: room for ${plural(capacity, "column")}.` : "");
  }
}
