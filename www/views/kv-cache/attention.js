/** What the newest column's token attends to, over all columns: every head, and the mean over them. */

import { full, plural, probability, quoted } from "../../core/format.js";
import { h, setAttribute, setText, show } from "../../elements/dom.js";
import { paintAttention, rowAt } from "./paint-attention.js";
import { filledPlace, placeOf } from "./place.js";
import { CachePart } from "./shared.js";
import { AttentionTable } from "./tables.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("../../api/next-token.js").Attention} Attention */
/** @typedef {import("./place.js").Place} Place */

/** Over all heads. @param {Attention} attention */
export function meanOf({ heads, tokens, weights }) {
  return Array.from({ length: tokens }, (_, i) => {
    let sum = 0;
    for (let head = 0; head < heads; head++) sum += Number(weights[head * tokens + i]);
    return sum / heads;
  });
}

export class NtCacheAttention extends CachePart {
  lane = this.shared.lanes.add("The attention");
  #who = h("p", { class: "pass" });
  #picture = h("div", { class: "strip-grid" });
  #gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  #detail = h("p", { class: "detail" });
  #legend = h("p", { class: "detail" });
  #table = new AttentionTable();
  #again = h("button", { type: "button" }, "Compute it again");
  #recalling = false;
  /** @type {{ column: number, row: number } | null} */
  #hover = null;
  #drawn = "";
  /** @type {Attention | null} */
  #shown = null;

  /** @override */
  build() {
    const { host, reader } = this.shared;
    this.#picture.append(this.#gutter, this.lane.element);
    this.lane.canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.lane.canvas.addEventListener("pointerleave", () => this.#point(null));
    this.lane.canvas.addEventListener("click", () => {
      if (this.#hover) this.shared.selection.set({ column: this.#hover.column });
    });
    this.#again.addEventListener("click", async () => {
      if (this.#recalling) return;
      this.#recalling = true;
      host.redraw();
      await reader.recall(this.player, placeOf(this.player).cached);
      this.#recalling = false;
      host.redraw();
    });
    this.#table.element.addEventListener("toggle", () => host.redraw());
    this.append(h("div", { class: "head" }, h("h2", {}, "What the newest column looks at")), this.#who, this.#again, this.#picture, this.#detail, this.#legend, this.#table.element);
  }

  /** @param {PointerEvent | null} event */
  #point(event) {
    const n = placeOf(this.player).pieces.length;
    const at = event ? this.lane.at(event, n) : null;
    const row = at ? rowAt(this.player.engine?.info.heads ?? 0, at.y) : -1;
    this.#hover = at && row >= 0 && at.column >= 0 ? { column: at.column, row } : null;
    this.shared.host.redraw();
  }

  /** @override @param {Player} player */
  update(player) {
    const filled = filledPlace(player);
    show(this, filled !== null);
    if (!filled) return;
    const { place } = filled;
    const { reader, selection, fast } = this.shared;
    const columns = reader.columns(player);
    const known = columns?.attention(selection.layer, place.cached);
    const newest = place.pieces[place.cached - 1];
    const paused = fast(player);
    const attention = paused ? null : known;
    show(this.#picture, Boolean(attention));
    show(this.#table.element, Boolean(attention));
    for (const line of [this.#detail, this.#legend]) show(line, Boolean(attention));
    const earlier = !paused && !known && (known === null || !player.timeline.live) && !player.playing;
    show(this.#again, earlier);
    setAttribute(this.#again, "aria-disabled", this.#recalling ? "true" : null);
    setText(this.#who, paused
      ? "While Play goes as fast as it can, the attention isn’t drawn; pause to see it."
      : attention
        ? `Layer ${selection.layer + 1}: how ${newest ? quoted(newest) : ""}, column ${place.cached - 1}, divides its attention among ${place.cached === 1 ? "the one column" : `all ${place.cached} columns`}. Each head’s shares add up to 1; the top row is the mean over the ${plural(attention.heads, "head")}.`
        : earlier
          ? `Nobody looked at layer ${selection.layer + 1} when ${newest ? quoted(newest) : "this column"} was computed. ${place.cached > place.prompt ? "That takes one more token pass, on a run of its own." : "That takes one more pass over the prompt, on a run of its own."}`
          : "Being read from the engine …");
    if (!attention) return;
    const mean = meanOf(attention);
    this.#draw(player, place, attention, mean);
    this.#table.update(attention, mean, place, player.playing);
  }

  /** @param {Player} player @param {Place} place @param {Attention} attention @param {number[]} mean */
  #draw(player, place, attention, mean) {
    const { inks, selection } = this.shared;
    const span = this.lane.span(place.pieces.length);
    if (span.width === 0) return;
    inks.read();
    const column = selection.at(place.cached);
    const key = [player.branch?.id, this.#hover?.column, this.#hover?.row, column, inks.key, ...Object.values(span)].join();
    if (key === this.#drawn && attention === this.#shown) return;
    this.#drawn = key;
    this.#shown = attention;
    const most = { mean: mean.reduce((a, b) => Math.max(a, b), 0), head: attention.weights.reduce((a, b) => Math.max(a, b), 0) };
    setText(this.#legend, `The tallest bar stands for ${probability(most.mean)}, the darkest cell for ${probability(most.head)}.`);
    const rows = paintAttention(this.lane.canvas, inks, span, { attention, mean, most, column, hover: this.#hover });
    if (this.#gutter.childElementCount !== rows.length) {
      this.#gutter.replaceChildren(...rows.map(({ label, height }) => {
        const line = h("span", {}, label);
        line.style.height = `${height}px`;
        line.style.lineHeight = `${height - 2}px`;
        return line;
      }));
    }
    const top = mean.indexOf(most.mean);
    const to = place.pieces[top];
    setAttribute(this.lane.canvas, "aria-label", `Attention of column ${attention.tokens - 1} in layer ${attention.layer + 1}: ${attention.heads} heads and their mean over ${attention.tokens} columns. By the mean, column ${top}${to ? `, ${quoted(to)},` : ""} gets most: ${probability(Number(mean[top]))}.`);
    const at = this.#hover && this.#hover.column < attention.tokens ? this.#hover : { column, row: -1 };
    const piece = place.pieces[at.column];
    const share = at.row < 0 ? mean[at.column] : attention.weights[at.row * attention.tokens + at.column];
    setText(this.#detail, `${at.row < 0 ? "Mean over the heads" : `Head ${at.row + 1}`} to column ${at.column}, ${piece ? quoted(piece) : ""}: ${probability(Number(share))} of its attention.`);
    setAttribute(this.#detail, "title", full(Number(share)));
  }
}
