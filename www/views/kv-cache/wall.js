/** The cache as a wall of bricks, drawn from the tensors themselves, and what is looked at in it. */

import { count, full, plural, quoted, tokenSpoken } from "../../core/format.js";
import { freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { ALL, SIDES } from "./columns.js";
import { gridOf, layerAt, paintWall } from "./paint-wall.js";
import { placeOf } from "./place.js";
import { CachePart } from "./shared.js";
import { WallTable } from "./tables.js";
import { headWords, passWords, value } from "./words.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("./columns.js").Columns} Columns */
/** @typedef {import("./place.js").Place} Place */

/** The time between two pictures while Play goes as fast as it can, in ms. */
const PACE = 100;

export class NtCacheWall extends CachePart {
  lane = this.shared.lanes.add("The wall of the cache");
  #pass = h("p", { class: "pass" });
  #layer = h("select");
  #head = h("select");
  #column = h("input", { type: "range", min: "0", step: "1" });
  #off = h("input", { type: "checkbox" });
  #waits = h("span", { class: "where" });
  #choices = h("div", { class: "choices" });
  #columnField = h("span", { class: "field small wide" });
  #picture = h("div", { class: "strip-grid" });
  #gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  #legend = h("div", { class: "scale" });
  #ends = { k: h("span", { class: "most" }), v: h("span", { class: "most" }) };
  #detail = h("p", { class: "detail" });
  #error = h("p", { class: "error", role: "alert" });
  #table = new WallTable();
  /** @type {{ column: number, layer: number } | null} */
  #hover = null;
  #drawn = "";
  #options = "";
  #cached = -1;
  #at = 0;

  /** @override */
  build() {
    const { selection, host } = this.shared;
    const select = (/** @type {HTMLSelectElement | HTMLInputElement} */ control, /** @type {string} */ label) => {
      control.id = freshId("cache");
      return [h("label", { for: control.id }, label), control];
    };
    this.#layer.addEventListener("change", () => selection.set({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => selection.set({ head: Number(this.#head.value) }));
    this.#column.addEventListener("input", () => {
      const to = Number(this.#column.value);
      selection.set({ column: to === Number(this.#column.max) ? null : to });
      this.shared.lanes.reveal(to, placeOf(this.player).pieces.length);
    });
    this.#columnField.append(...select(this.#column, "Column"));
    this.#off.id = freshId("cache-off");
    this.#off.addEventListener("change", () => this.player.set({ cache: !this.#off.checked }));
    const { canvas } = this.lane;
    canvas.addEventListener("pointermove", (event) => this.#point(event));
    canvas.addEventListener("pointerleave", () => this.#point(null));
    canvas.addEventListener("click", (event) => {
      const at = this.#cellAt(event);
      if (at) selection.set(at);
      this.shared.open();
    });
    this.#picture.append(this.#gutter, this.lane.element);
    for (const side of SIDES) this.#legend.append(h("span", { class: `side ${side}` }, h("b", {}, side.toUpperCase()), " 0", h("i", { class: "ramp" }), this.#ends[side]));
    this.#choices.append(
      h("span", { class: "field small" }, ...select(this.#layer, "Layer")),
      h("span", { class: "field small" }, ...select(this.#head, "Colour by")),
      this.#columnField);
    this.append(
      this.#pass, this.#picture, this.#detail,
      this.#choices, this.#legend,
      h("div", { class: "choices" }, h("span", { class: "tick" }, this.#off, h("label", { for: this.#off.id }, "Without a cache")), this.#waits),
      this.#table.element, this.#error,
    );
    this.#table.element.addEventListener("toggle", () => host.redraw());
  }

  /** @param {MouseEvent} event */
  #cellAt(event) {
    const place = placeOf(this.player);
    const { column, y } = this.lane.at(event, place.pieces.length);
    const info = this.player.engine?.info;
    if (!info || column < 0 || column >= place.cached) return null;
    const layer = layerAt(gridOf(info.layers, this.lane.span(place.pieces.length).column), y);
    return layer < 0 ? null : { column: column === place.cached - 1 ? null : column, layer };
  }

  /** @param {PointerEvent | null} event */
  #point(event) {
    const at = event ? this.#cellAt(event) : null;
    const hover = at ? { column: at.column ?? placeOf(this.player).cached - 1, layer: at.layer } : null;
    if (hover?.column === this.#hover?.column && hover?.layer === this.#hover?.layer) return;
    this.#hover = hover;
    this.shared.host.redraw();
  }

  /** @override @param {Player} player */
  update(player) {
    const info = player.engine?.info;
    const can = info !== undefined && info.kvBytesPerToken > 0;
    show(this, can);
    if (!info || !can) return;
    const { reader, selection, fast } = this.shared;
    // At full speed some tokens go by between two pictures; words and wall stay those of one place.
    const quick = fast(player);
    if (quick && performance.now() - this.#at < PACE) return;
    this.#at = performance.now();
    selection.layer = Math.min(selection.layer, info.layers - 1);
    if (selection.head >= info.kvHeads) selection.head = ALL;
    reader.layer = selection.layer;
    reader.sync(player, { fast: quick });
    const place = placeOf(player);
    this.#list(info);
    setText(this.#pass, player.timeline.cursor < 0 ? "No run yet. Start one with the prompt." : passWords(place, { cache: player.started?.cache !== false, reading: player.reading, finish: player.finish }));
    this.#off.checked = !player.settings.cache;
    const waits = player.run !== null && player.started !== null && player.started.cache !== player.settings.cache;
    setText(this.#waits, waits ? "from the next Start on" : "");
    const filled = place.pieces.length > 0;
    for (const part of [this.#picture, this.#choices, this.#legend, this.#table.element]) show(part, filled);
    show(this.#columnField, place.cached > 0);
    const { fault } = reader;
    setText(this.#error, fault ? `The cache couldn’t be read: ${fault.message} ${fault.hint}`.trim() : "");
    if (!filled) return void setText(this.#detail, "");
    const column = selection.at(place.cached);
    setAttribute(this.#column, "max", String(Math.max(0, place.cached - 1)));
    if (this.#column.value !== String(Math.max(0, column))) this.#column.value = String(Math.max(0, column));
    const piece = place.pieces[column];
    setAttribute(this.#column, "aria-valuetext", piece ? `position ${column}, ${tokenSpoken(piece)}` : null);
    const columns = reader.columns(player);
    this.#draw(player, place, columns, column);
    this.#table.update(columns, place, selection, info, player.playing);
  }

  /** @param {import("../../api/next-token.js").Info} info */
  #list(info) {
    const key = `${info.layers} ${info.kvHeads}`;
    if (key !== this.#options) {
      this.#options = key;
      this.#layer.replaceChildren(...Array.from({ length: info.layers }, (_, i) => h("option", { value: String(i) }, String(i + 1))));
      this.#head.replaceChildren(h("option", { value: String(ALL) }, info.kvHeads === 1 ? "its one KV head" : `all ${info.kvHeads} KV heads`), ...(info.kvHeads === 1 ? [] : Array.from({ length: info.kvHeads }, (_, i) => h("option", { value: String(i) }, `KV head ${i + 1}`))));
    }
    const { selection } = this.shared;
    this.#layer.value = String(selection.layer);
    this.#head.value = String(selection.head);
  }

  /** @param {Player} player @param {Place} place @param {Columns | null} columns @param {number} column */
  #draw(player, place, columns, column) {
    const { selection, inks, lanes } = this.shared;
    const info = /** @type {import("../../api/next-token.js").Info} */ (player.engine?.info);
    const n = place.pieces.length;
    if (place.cached !== this.#cached) {
      this.#cached = place.cached;
      // Under reduced motion nothing scrolls by itself; after a step it is the reader's own doing.
      if (selection.column === null && (!player.playing || matchMedia("(prefers-reduced-motion: no-preference)").matches)) lanes.reveal(n - 1, n);
    }
    const span = this.lane.span(n);
    if (span.width === 0) return;
    const { layer, head } = selection;
    inks.read();
    const most = { k: columns?.most("k", head) || 1, v: columns?.most("v", head) || 1 };
    const key = [player.branch?.id, columns?.have, columns?.passes, n, place.cached, place.from, place.to, place.pass, layer, head, column, this.#hover?.column, this.#hover?.layer, inks.key, ...Object.values(span)].join();
    if (key === this.#drawn) return;
    this.#drawn = key;
    const grid = gridOf(info.layers, span.column);
    this.#label(grid);
    const { fontFamily } = getComputedStyle(this);
    paintWall(this.lane.canvas, inks, span, grid, { columns, place, layer, head, column, most, hover: this.#hover, font: fontFamily, mono: this.shared.mono(this) });
    for (const side of SIDES) {
      setText(this.#ends[side], columns && columns.have > 0 ? value(most[side]) : "–");
      setAttribute(this.#ends[side], "title", full(most[side]));
    }
    setAttribute(this.lane.canvas, "aria-label", `The wall: ${plural(info.layers, "layer")}, ${plural(place.cached, "column")} in the cache; the last pass computed ${count(place.to - place.from)}.`);
    this.#say(place, columns, this.#hover ?? { column, layer }, head, info);
  }

  /** @param {import("./paint-wall.js").Grid} grid */
  #label(grid) {
    const key = `${grid.layers} ${grid.row}`;
    if (this.#gutter.dataset.key === key) return;
    this.#gutter.dataset.key = key;
    this.#gutter.style.paddingBlockStart = `${grid.top}px`;
    this.#gutter.replaceChildren(...Array.from({ length: grid.layers }, (_, i) => {
      const layer = grid.layers - i;
      const line = h("span", {}, grid.row > 16 || layer === 1 || layer % 5 === 0 ? `L${layer}` : "");
      line.style.height = `${grid.row}px`;
      line.style.lineHeight = `${grid.row - grid.gap}px`;
      return line;
    }));
  }

  /** @param {Place} place @param {Columns | null} columns @param {{ column: number, layer: number }} at @param {number} head @param {import("../../api/next-token.js").Info} info */
  #say(place, columns, { column, layer }, head, info) {
    const piece = place.pieces[column];
    if (!piece || column < 0) return setText(this.#detail, "");
    const where = `Layer ${layer + 1}, column ${column}: ${quoted(piece)}, id ${piece.id}`;
    if (!columns || column >= columns.have) return setText(this.#detail, `${where}: being read from the cache …`);
    const [k, v] = SIDES.map((side) => columns.rms(side, column, layer, head));
    const numbers = head === ALL ? info.kvHeads * info.headDim : info.headDim;
    setText(this.#detail, `${where}. Root mean square of ${headWords(info, head)}, ${numbers} numbers each: K ${value(Number(k))}, V ${value(Number(v))}.`);
    setAttribute(this.#detail, "title", `K ${full(Number(k))}, V ${full(Number(v))}`);
  }
}
