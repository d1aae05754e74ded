/** Into the vectors: the selected K and V as numbers, and all columns of the layer as heat maps. */

import { full, quoted } from "../../core/format.js";
import { h, setAttribute, setText, show } from "../../elements/dom.js";
import { ALL, SIDES } from "./columns.js";
import { numberAt, paintMap, paintStrips } from "./paint-vectors.js";
import { filledPlace, placeOf } from "./place.js";
import { CachePart } from "./shared.js";
import { VectorTable } from "./tables.js";
import { value } from "./words.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("./columns.js").Columns} Columns */
/** @typedef {import("./columns.js").Side} Side */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("../../api/next-token.js").Info} Info */

/** What each of the two is. */
const NAMES = { k: "after the position’s rotation", v: "which isn’t rotated" };

export class NtCacheVectors extends CachePart {
  #summary = h("summary");
  #details = h("details", { class: "zoom" });
  #who = h("p", { class: "pass" });
  #strips = h("canvas", { role: "img" });
  #stripBox = h("div", { class: "strips" }, this.#strips);
  #ends = { k: h("span"), v: h("span") };
  #detail = h("p", { class: "detail" });
  #table = new VectorTable();
  #maps = h("div", { class: "maps" });
  /** @type {Record<Side, { title: HTMLElement, lane: import("./lane.js").Lane }> | null} */
  #lanes = null;
  /** @type {{ side: Side, index: number } | null} */
  #hover = null;
  #drawn = "";
  #width = 0;
  /** @type {Record<Side, Float32Array> | null} */
  #shown = null;

  /** Shows them: somebody chose a brick. */
  open() {
    this.#details.open = true;
  }

  /** @override */
  build() {
    const { host, lanes } = this.shared;
    const side = (/** @type {Side} */ name) => {
      const lane = lanes.add(name === "k" ? "K of all columns" : "V of all columns");
      const title = h("p", { class: `map-title ${name}` });
      this.#maps.append(title, h("div", { class: "strip-grid" }, h("div", { class: "gutter", "aria-hidden": "true" }), lane.element));
      lane.canvas.addEventListener("click", (event) => {
        const place = placeOf(this.player);
        const { column } = lane.at(event, place.pieces.length);
        if (column >= 0 && column < place.cached) this.shared.selection.set({ column: column === place.cached - 1 ? null : column });
      });
      return { title, lane };
    };
    this.#lanes = { k: side("k"), v: side("v") };
    this.#strips.addEventListener("pointermove", (event) => this.#point(event));
    this.#strips.addEventListener("pointerleave", () => this.#point(null));
    new ResizeObserver(() => {
      if (this.#stripBox.clientWidth === this.#width) return;
      this.#width = this.#stripBox.clientWidth;
      host.redraw();
    }).observe(this.#stripBox);
    for (const details of [this.#details, this.#table.element]) details.addEventListener("toggle", () => host.redraw());
    const end = (/** @type {Side} */ name) => h("p", { class: `side ${name}` }, h("b", {}, name.toUpperCase()), " ", this.#ends[name]);
    this.#details.append(this.#summary, this.#who, h("div", { class: "two" }, end("k"), end("v")), this.#stripBox, this.#detail, this.#table.element, this.#maps);
    this.append(this.#details);
  }

  /** @param {PointerEvent | null} event */
  #point(event) {
    const numbers = this.#shown?.k.length ?? 0;
    this.#hover = event ? numberAt(event.offsetX, event.offsetY, this.#width, numbers) : null;
    this.shared.host.redraw();
  }

  /** @override @param {Player} player */
  update(player) {
    const filled = filledPlace(player);
    show(this, filled !== null);
    if (!filled) return;
    const { info, place } = filled;
    const { reader, selection, fast } = this.shared;
    const column = selection.at(place.cached);
    const piece = place.pieces[column];
    setText(this.#summary, `Into the vectors of layer ${selection.layer + 1}`);
    if (!this.#details.open) return;
    const columns = reader.columns(player);
    const paused = fast(player);
    const can = !paused && columns !== null && columns.layer === selection.layer && column < columns.vectors;
    for (const part of [this.#stripBox, this.#detail, this.#table.element, this.#maps]) show(part, can);
    const whose = selection.head === ALL ? `${info.kvHeads} KV heads one after another` : `KV head ${selection.head + 1}`;
    setText(this.#who, paused
      ? "While Play goes as fast as it can, the vectors aren’t drawn; pause to see them."
      : can ? `Column ${column}, ${piece ? quoted(piece) : ""}: ${whose}, ${info.headDim} numbers each, as they stand in the cache.` : "Being read from the cache …");
    if (!columns || !can) return;
    this.#draw(player, place, columns, column, info);
    this.#table.update(columns, place, selection, info, player.playing);
  }

  /** @param {Player} player @param {Place} place @param {Columns} columns @param {number} column @param {Info} info */
  #draw(player, place, columns, column, info) {
    const { inks, selection } = this.shared;
    const { head, layer } = selection;
    const [width, lanes] = [this.#width || this.#stripBox.clientWidth, this.#lanes];
    if (!lanes || width === 0) return;
    inks.read();
    const n = place.pieces.length;
    const spans = { k: lanes.k.lane.span(n), v: lanes.v.lane.span(n) };
    const key = [player.branch?.id, columns.vectors, columns.passes, n, place.cached, place.from, place.to, layer, head, column, this.#hover?.side, this.#hover?.index, width, inks.key, ...Object.values(spans.k)].join();
    if (key === this.#drawn) return;
    this.#drawn = key;
    const vectors = { k: columns.vector("k", column, head), v: columns.vector("v", column, head) };
    this.#shown = vectors;
    const most = { k: largest([vectors.k]), v: largest([vectors.v]) };
    paintStrips(this.#strips, inks, width, vectors, { headDim: info.headDim, most, hover: this.#hover });
    const piece = place.pieces[column];
    setAttribute(this.#strips, "aria-label", `K and V of column ${column}${piece ? `, ${quoted(piece)}` : ""}, in layer ${layer + 1}: ${vectors.k.length} numbers each, K up to ${value(most.k)} and V up to ${value(most.v)} in size.`);
    const hover = this.#hover ?? { side: /** @type {Side} */ ("k"), index: 0 };
    const x = Number(vectors[hover.side][hover.index]);
    const which = head === ALL && info.kvHeads > 1 ? `head ${Math.floor(hover.index / info.headDim) + 1}, number ${(hover.index % info.headDim) + 1}` : `number ${(hover.index % info.headDim) + 1}`;
    setText(this.#detail, `${hover.side.toUpperCase()}, ${which}: ${value(x)}. Point at a bar for its value.`);
    setAttribute(this.#detail, "title", full(x));
    for (const side of SIDES) {
      setText(this.#ends[side], `${NAMES[side]}; the scale ends at ±${value(most[side])}`);
      const { lane, title } = lanes[side];
      const all = Array.from({ length: place.cached }, (_, c) => columns.vector(side, c, head));
      const [end, far] = [3 * rootMeanSquare(all), largest(all)];
      setText(title, `${side.toUpperCase()} of all columns in layer ${layer + 1}, ${vectors.k.length} numbers down: zero has the ground’s colour, above it ${side === "k" ? "blue" : "green"}, below it grey; full colour from ±${value(end)} on, three times the root mean square of them all.`);
      paintMap(lane.canvas, inks, spans[side], side, { columns, cached: place.cached, head, numbers: vectors.k.length, most: end, column, fresh: [place.from, place.to] });
      setAttribute(lane.canvas, "aria-label", `${side.toUpperCase()} of layer ${layer + 1}: ${place.cached} columns of ${vectors.k.length} numbers, none larger than ${value(far)} in size. The table above has the selected column.`);
    }
  }
}

/** @param {Float32Array[]} vectors */
function rootMeanSquare(vectors) {
  let [sum, n] = [0, 0];
  for (const vector of vectors) {
    for (const x of vector) sum += x * x;
    n += vector.length;
  }
  return Math.sqrt(sum / n);
}

/** The largest size of any number. @param {Float32Array[]} vectors */
function largest(vectors) {
  let most = 0;
  for (const vector of vectors) for (const x of vector) most = Math.max(most, Math.abs(x));
  return most;
}

