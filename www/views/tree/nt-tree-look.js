/** One place of the tree: how its token came, what else was likely, and other ways from there. */

import { seedAt } from "../../core/branch.js";
import { full, plural, probability, tokenLabel, tokenSpoken } from "../../core/format.js";
import { settingsWords } from "../../core/settings.js";
import { Part } from "../../elements/base.js";
import { enable, h, oneTabStop, roving, setAttribute, setStyle, setText, show } from "../../elements/dom.js";
import { NtForce } from "../../elements/nt-force.js";
import { pathFull, pathWords } from "./model.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../api/next-token.js").Candidate} Candidate */
/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./model.js").TreeNode} TreeNode */

/** So many other ways are offered. */
const OTHERS = 6;

export class NtTreeLook extends Part {
  /** @type {Look} */
  look = /** @type {never} */ (null);
  #title = h("h2");
  #token = h("bdi", { translate: "no", dir: "auto" });
  #step = h("span");
  #facts = h("dl", { class: "facts" });
  #one = h("dd");
  #path = h("dd");
  #how = h("dd");
  #ways = h("ol", { class: "ways", "aria-label": "What else was likely here" });
  #none = h("p", { class: "hint" });
  #again = h("button", { type: "button" }, "Draw again from here");
  #why = h("p", { class: "hint" });
  #force = new NtForce();
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /** @type {TreeNode | null} */
  #node = null;
  #was = "";

  /** @override @param {Player} player */
  build(player) {
    this.#title.append(this.#token, " ", this.#step);
    const fact = (/** @type {string} */ term, /** @type {HTMLElement} */ dd) => h("div", {}, h("dt", {}, term), dd);
    this.#facts.append(fact("Model’s probability of this token", this.#one), fact("Model’s probability of this path", this.#path), fact("How it came", this.#how));
    this.#force.at = () => this.#place();
    this.#force.attach(player);
    this.#again.addEventListener("click", async () => {
      if (this.player.settings.temperature === 0 || !(await this.#go())) return;
      await this.player.redraw();
      // The whole token, so that the new arm can be seen.
      if (!this.player.timeline.last?.step) await this.player.token();
    });
    roving(this.#ways, () => this.#buttons, { vertical: true });
    this.append(
      h("div", { class: "about" }, this.#title, this.#facts),
      h("div", { class: "others" }, h("h3", {}, "What else was likely here"), this.#ways, this.#none),
      h("div", { class: "more" }, h("div", { class: "again" }, this.#again, this.#why), this.#force),
    );
  }

  /** Goes to the place that is looked at. Nothing is computed. */
  async #go() {
    if (!this.#node) return false;
    await this.look.visit(this.#node, this.player);
    return true;
  }

  /** @returns {{ branch: import("../../core/branch.js").Branch, index: number } | null} */
  #place() {
    return this.#node && { branch: this.look.branchOf(this.#node, this.player), index: this.#node.index };
  }

  /** @override @param {Player} player */
  update(player) {
    const node = this.look.node;
    this.#node = node;
    show(this, node !== null);
    if (!node) return;
    if (this.#force.player !== player) this.#force.attach(player);
    else this.#force.update(player);
    const greedy = player.settings.temperature === 0;
    enable(this.#again, !greedy && node.step.tail !== null);
    setText(this.#why, greedy ? "Greedy throws no coin: drawn again, it would be the same token. Set a temperature above 0 first." : `With the present settings (${settingsWords({ ...player.settings })}) and other coins. It takes no pass.`);
    const siblings = node.parent ? node.parent.children : this.look.model.roots;
    const was = `${node.branches.map((b) => b.id)} ${[...siblings.values()].map((s) => `${s.id}:${s.branches.map((b) => b.id)}`)}`;
    if (this.#drawnFor === node && was === this.#was) return;
    this.#drawnFor = node;
    this.#was = was;
    this.#write(node, siblings);
  }

  /** @type {TreeNode | null} */
  #drawnFor = null;

  /** @param {TreeNode} node @param {Map<number, TreeNode>} siblings */
  #write(node, siblings) {
    const { choice, candidates, tail, settings } = node.step;
    setText(this.#token, tokenLabel(choice));
    setText(this.#step, `step ${node.index + 1}, ${node.branches.length > 1 ? "branches" : "branch"} ${node.branches.map((b) => b.id).join(", ")}`);
    setText(this.#one, choice.pRaw === null ? "– (forced without a pass)" : probability(choice.pRaw));
    setAttribute(this.#one, "title", choice.pRaw === null ? null : full(choice.pRaw));
    setText(this.#path, `${pathWords(node.log)}, the product over ${plural(node.index + 1, "token")}`);
    setAttribute(this.#path, "title", pathFull(node.log));
    const branch = this.look.branchOf(node, this.player);
    setText(this.#how, choice.method === "forced" ? "forced by you"
      : choice.method === "greedy" ? "greedy: the top token, no coin"
      : `drawn: ${settingsWords(settings)}; coin ${choice.coin?.toFixed(4)}, ${branch.timeline.turns[node.index]?.placed ? "placed by you" : `seed ${seedAt(branch, node.index)}`}`);
    show(this.#none, tail === null);
    setText(this.#none, "This token was forced without a pass: nothing else was scored.");
    this.#buttons = [];
    const rows = candidates.slice(0, OTHERS).map((c) => this.#row(c, c.id === choice.id, siblings.get(c.id) ?? null));
    // Ways that somebody went already, however unlikely, have a row too.
    for (const other of siblings.values()) {
      const { id, pRaw } = other.step.choice;
      if (pRaw !== null && !candidates.slice(0, OTHERS).some((c) => c.id === id)) rows.push(this.#row({ ...other.step.choice, pRaw }, other === node, other));
    }
    this.#ways.replaceChildren(...rows);
    oneTabStop(this.#buttons, this.#buttons[0]);
  }

  /** @param {Pick<Candidate, "id" | "text" | "bytes" | "special" | "pRaw">} c @param {boolean} own @param {TreeNode | null} there */
  #row(c, own, there) {
    const label = h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, tokenLabel(c));
    const says = own ? "this one" : there ? `go to branch ${there.branches.map((b) => b.id).join(", ")}` : "make a branch";
    const p = h("span", { class: "p", title: full(c.pRaw) }, probability(c.pRaw));
    const bar = h("span", { class: "bar", "aria-hidden": "true" });
    setStyle(bar, "--p", String(c.pRaw));
    const parts = [label, h("span", { class: "sr" }, tokenSpoken(c)), p, bar, h("span", { class: "says" }, says)];
    if (own) return h("li", { "data-own": true }, h("span", { class: "way" }, ...parts));
    const button = h("button", { type: "button", class: "way", tabindex: "-1" }, ...parts);
    button.addEventListener("click", async () => {
      if (there) return this.look.visit(there, this.player);
      if (await this.#go()) await this.player.force(c.id);
    });
    this.#buttons.push(button);
    return h("li", {}, button);
  }
}

