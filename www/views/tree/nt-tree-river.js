/** The text as a river: what branches share is drawn once, another way is an arm below it. */

import { count, plural, probability, tokenLabel, tokenSpoken, visible } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setAttribute, setText, show } from "../../elements/dom.js";
import { LANE, bandOf, columnsOf, middle, thickness } from "./geometry.js";
import { pathFull, pathWords } from "./model.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./model.js").TreeNode} TreeNode */
/** @typedef {{ item: HTMLLIElement, button: HTMLButtonElement, p: HTMLElement, mark: HTMLElement, spoken: HTMLElement, band: SVGPathElement, at: [x: number, end: number, lane: number, slot: number, from: number], stamp: number, way: string, here: boolean, looked: boolean }} Drawn */

const SVG = "http://www.w3.org/2000/svg";
/** @param {"svg" | "g" | "path"} name @returns {any} */
const svg = (name) => document.createElementNS(SVG, name);

export class NtTreeRiver extends Part {
  /** @type {Look} */
  look = /** @type {never} */ (null);
  #scroller = h("div", { class: "river", part: "river", role: "group", "aria-label": "All branches as a river" });
  #list = h("ul", { class: "nodes", "aria-label": "The tokens of all branches" });
  #bands = /** @type {SVGSVGElement} */ (svg("svg"));
  #source = h("button", { type: "button", class: "source" });
  /** The band of the prompt: all that follows comes out of it. */
  #spring = /** @type {SVGPathElement} */ (svg("path"));
  #prompt = h("bdi", { translate: "no", dir: "auto" });
  #count = h("small");
  #passes = h("p", { class: "legend passes" });
  #waiting = h("p", { class: "waiting" }, "No run yet. Its tokens become the river.");
  #probe = h("span", { class: "probe", "aria-hidden": "true" }, "0000000000");
  #em = 9;
  /** @type {Map<TreeNode, Drawn>} */
  #drawn = new Map();
  /** @type {WeakMap<Element, TreeNode>} */
  #nodes = new WeakMap();
  #seen = "";
  #size = "";
  /** The one Tab stop of the list. */
  #stop = this.#source;

  /** @override */
  build() {
    this.#bands.setAttribute("aria-hidden", "true");
    this.#source.append(this.#prompt, this.#count);
    this.#spring.setAttribute("stroke-width", String(LANE.band));
    this.#spring.setAttribute("data-way", "on");
    this.#bands.append(this.#spring);
    this.#source.addEventListener("click", () => this.player.branch && this.player.visit(this.player.branch, 1));
    this.#list.append(h("li", {}, this.#source));
    this.#scroller.append(this.#bands, this.#list, this.#probe);
    this.#list.addEventListener("click", (event) => {
      const node = this.#nodeAt(event);
      if (node) this.look.visit(node, this.player);
    });
    this.#list.addEventListener("pointerover", (event) => this.look.point(this.#nodeAt(event)));
    this.#list.addEventListener("pointerleave", () => this.look.point(null));
    this.#list.addEventListener("focusin", (event) => {
      const node = this.#nodeAt(event);
      if (node) this.look.focus(node);
      if (event.target instanceof HTMLButtonElement) this.#stopAt(event.target);
    });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.append(
      h("div", { class: "head" }, h("p", { class: "hint" }, "A band is as thick as its path is likely by the model: the full height is 100%, a hairline the least."), this.#passes),
      this.#waiting, this.#scroller,
    );
  }

  /** @param {Event} event */
  #nodeAt(event) {
    const button = event.target instanceof Element ? event.target.closest("button.node") : null;
    return (button && this.#nodes.get(button)) ?? null;
  }

  /** The one that Tab reaches. @param {HTMLButtonElement} button */
  #stopAt(button) {
    if (!this.#stop.isConnected) this.#stop = this.#source;
    this.#stop.tabIndex = -1;
    this.#stop = button;
    button.tabIndex = 0;
  }

  /** Along the text with left and right, from arm to arm with up and down. @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const node = this.#nodeAt(event);
    const { model, path } = this.look;
    const rtl = getComputedStyle(this.#list).direction === "rtl";
    const key = rtl && event.key === "ArrowLeft" ? "ArrowRight" : rtl && event.key === "ArrowRight" ? "ArrowLeft" : event.key;
    const ways = [...(node ? node.children : model.roots).values()];
    const beside = (/** @type {number} */ step) => {
      if (!node) return undefined;
      const lanes = model.nodes.filter((n) => (n.lane - node.lane) * step > 0);
      const lane = step > 0 ? Math.min(...lanes.map((n) => n.lane)) : Math.max(...lanes.map((n) => n.lane));
      return lanes.filter((n) => n.lane === lane).sort((a, b) => Math.abs(a.index - node.index) - Math.abs(b.index - node.index))[0];
    };
    const along = node ? model.nodes.filter((n) => n.lane === node.lane) : path;
    /** @type {Record<string, () => TreeNode | null | undefined>} */
    const moves = {
      ArrowRight: () => ways.find((n) => path.includes(n)) ?? ways[0],
      ArrowLeft: () => node?.parent,
      ArrowDown: () => beside(1),
      ArrowUp: () => beside(-1),
      Home: () => null,
      End: () => along.at(-1),
    };
    const move = moves[key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const to = move();
    if (to) this.#drawn.get(to)?.button.focus();
    else if (key === "Home" || (key === "ArrowLeft" && node)) this.#source.focus();
  }

  /** @override @param {Player} player */
  update(player) {
    const { look } = this;
    look.update(player);
    const { timeline, branch } = player;
    show(this, player.engine !== null || player.branches.length > 0);
    const some = branch !== null && timeline.cursor >= 0;
    show(this.#scroller, some);
    show(this.#waiting, !some);
    show(this.#passes, some);
    if (!some) {
      for (const [node, drawn] of this.#drawn) this.#remove(node, drawn);
      return;
    }
    setText(this.#passes, `Token passes so far, all branches together: ${count(player.passes)}. Going back, or to another branch, makes none.`);
    setText(this.#prompt, visible(player.startedPrompt));
    setText(this.#count, `the prompt, ${plural(timeline.prompt.length, "token")}`);
    setAttribute(this.#source, "aria-current", look.here ? null : "step");
    this.#draw();
    if (!this.#list.matches(":focus-within")) this.#stopAt((look.here && this.#drawn.get(look.here)?.button) ?? this.#source);
    this.#follow(player);
  }

  #draw() {
    const { model, path, here, node: looked } = this.look;
    const wide = this.#scroller.clientWidth >= 520;
    const from = wide ? 190 : 128;
    if (this.#probe.offsetWidth > 0) this.#em = this.#probe.getBoundingClientRect().width / 10;
    const columns = columnsOf(model, from, this.#em);
    const height = Math.max(1, model.lanes) * LANE.height;
    const width = /** @type {number} */ (columns.at(-1)) + 12;
    const size = `${width} ${height} ${from}`;
    if (this.#size !== size) {
      this.#size = size;
      Object.assign(this.#list.style, { width: `${width}px`, height: `${height}px` });
      this.#spring.setAttribute("d", `M0 ${middle(0)}H${from}`);
      Object.assign(this.#source.style, { width: `${from - 8}px`, height: `${LANE.height - 4}px` });
    }
    const current = new Map(path.map((n, i) => [n, i]));
    const at = here ? here.index : -1;
    const fresh = [];
    const bands = [];
    for (const [node, drawn] of this.#drawn) if (!model.has(node)) this.#remove(node, drawn);
    for (const node of model.nodes) {
      let drawn = this.#drawn.get(node);
      if (!drawn) {
        drawn = nodeOf(node);
        this.#drawn.set(node, drawn);
        this.#nodes.set(drawn.button, node);
        fresh.push(drawn.item);
        bands.push(drawn.band);
      }
      const [x, end] = [columns[node.index] ?? 0, columns[node.index + 1] ?? 0];
      const from = node.parent ? node.parent.lane : 0;
      const [x0, end0, lane0, slot0, from0] = drawn.at;
      if (x !== x0 || end !== end0 || node.lane !== lane0 || node.slot !== slot0 || from !== from0) {
        drawn.at = [x, end, node.lane, node.slot, from];
        Object.assign(drawn.item.style, { left: `${x}px`, top: `${node.lane * LANE.height}px`, width: `${end - x}px`, height: `${LANE.height - 4}px` });
        drawn.band.setAttribute("d", bandOf(node, (node.parent ? node.parent.children : model.roots).values(), x, end));
        drawn.band.setAttribute("stroke-width", thickness(node.log).toFixed(2));
      }
      const on = current.get(node);
      const way = on === undefined ? "other" : on <= at ? "on" : "ahead";
      if (way !== drawn.way) {
        drawn.way = way;
        setAttribute(drawn.item, "data-way", way);
        setAttribute(drawn.band, "data-way", way);
      }
      if ((node === here) !== drawn.here) setAttribute(drawn.button, "aria-current", (drawn.here = node === here) ? "step" : null);
      if ((node === looked) !== drawn.looked) setAttribute(drawn.item, "data-looked", (drawn.looked = node === looked));
      if (drawn.stamp === node.stamp) continue;
      drawn.stamp = node.stamp;
      write(drawn, node);
    }
    this.#list.append(...fresh);
    this.#bands.append(...bands);
  }

  /** @param {TreeNode} node @param {Drawn} drawn */
  #remove(node, drawn) {
    drawn.item.remove();
    drawn.band.remove();
    this.#drawn.delete(node);
  }

  /** Keeps the place on show in sight; under reduced motion nothing scrolls while it plays. @param {Player} player */
  #follow({ branch, timeline, playing }) {
    const now = `${branch?.id} ${timeline.cursor}`;
    if (now === this.#seen) return;
    this.#seen = now;
    if (playing && !matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
    const { here } = this.look;
    const item = here && this.#drawn.get(here)?.item;
    queueMicrotask(() => {
      if (!item) this.#scroller.scrollLeft = 0;
      else if (item.offsetLeft < this.#scroller.scrollLeft || item.offsetLeft + item.offsetWidth > this.#scroller.scrollLeft + this.#scroller.clientWidth - 16) this.#scroller.scrollLeft = item.offsetLeft - this.#scroller.clientWidth * 0.6;
    });
  }
}

/** @param {TreeNode} node @returns {Drawn} */
function nodeOf(node) {
  const { choice } = node.step;
  const spoken = h("span", { class: "sr" });
  const p = h("small", { class: "p", "aria-hidden": "true" });
  const mark = h("small", { class: "mark", "aria-hidden": "true" });
  const label = h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, tokenLabel(choice));
  const button = h("button", { type: "button", class: `node${choice.special ? " special" : ""}`, tabindex: "-1" }, label, spoken, p, mark);
  const item = h("li", {}, button);
  return { item, button, p, mark, spoken, band: svg("path"), at: [-1, -1, -1, -1, -1], stamp: -1, way: "", here: false, looked: false };
}

/** @param {Drawn} drawn @param {TreeNode} node */
function write(drawn, node) {
  const { choice } = node.step;
  const p = choice.pRaw === null ? "–" : probability(choice.pRaw);
  setText(drawn.p, p);
  setText(drawn.mark, node.mark);
  setText(drawn.spoken, `${tokenSpoken(choice)}, step ${node.index + 1}, ${choice.pRaw === null ? "no probability" : `${p} by the model`}, the path to here ${pathWords(node.log)}${node.mark ? `, ${node.mark}` : ""}, ${node.branches.length > 1 ? "branches" : "branch"} ${node.names}`);
  drawn.button.title = `model’s probability of this token: ${choice.pRaw ?? "–"}; of the path to here: ${pathFull(node.log)}`;
  setAttribute(drawn.item, "data-mark", node.mark !== "" ? node.mark.split(" ")[0] ?? "" : null);
  drawn.item.style.setProperty("--at", `${middle(0) + thickness(node.log) / 2 + 3}px`);
}
