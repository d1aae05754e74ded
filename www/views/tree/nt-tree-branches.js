/** The text of every branch, side by side. */

import { reasonWords } from "../../core/describe.js";
import { plural, segmentText } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { enable, h, setAttribute, setText, show } from "../../elements/dom.js";
import { pathFull, pathLog, pathWords } from "./model.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../core/branch.js").Branch} Branch */

/** @param {string} words */
const button = (words) => h("button", { type: "button" }, words);

function cardOf() {
  const name = h("h3");
  const [prompt, shared, own, held] = ["prompt", "common", "mine", "held"].map((c) => h("span", { class: c }));
  const text = h("p", { class: "text", dir: "auto" }, .../** @type {HTMLElement[]} */ ([prompt, shared, own, held]));
  const [path, length, end] = [h("dd"), h("dd"), h("dd")];
  const [show, more, remove] = [button("Show"), button("Go on"), button("Remove")];
  const item = h("li", {}, name, text, h("dl", { class: "facts" },
    h("div", {}, h("dt", {}, "Model’s probability of this path"), path),
    h("div", {}, h("dt", {}, "Length"), length),
    h("div", {}, h("dt", {}, "End"), end)), h("div", { class: "buttons" }, show, more, remove));
  return { item, name, prompt: /** @type {HTMLElement} */ (prompt), shared: /** @type {HTMLElement} */ (shared), own: /** @type {HTMLElement} */ (own), held: /** @type {HTMLElement} */ (held), path, length, end, show, more, remove };
}

export class NtTreeBranches extends Part {
  #list = h("ol", { class: "branches" });
  #undo = h("p", { class: "undo", role: "status" });
  #undoWords = h("span");
  #undoButton = button("Undo");
  #head = h("h2", {}, "The branches, side by side");
  /** @type {Map<Branch, ReturnType<typeof cardOf>>} */
  #cards = new Map();

  /** @override */
  build() {
    this.#undoButton.addEventListener("click", () => this.player.restoreBranch());
    this.#undo.append(this.#undoWords, " ", this.#undoButton);
    this.append(this.#head, this.#undo, this.#list);
  }

  /** @override @param {Player} player */
  update(player) {
    const { branches, removed } = player;
    show(this, branches.length > 0 && player.timeline.cursor >= 0);
    setText(this.#undoWords, removed ? `Branch ${removed.branch.id} is removed; for ten seconds, or until the next branch, it can be put back.` : "");
    show(this.#undoButton, removed !== null);
    show(this.#undo, removed !== null);
    for (const [branch, card] of this.#cards) {
      if (branches.includes(branch)) continue;
      if (card.item.contains(this.#focused())) this.#undoButton.focus();
      card.item.remove();
      this.#cards.delete(branch);
    }
    branches.forEach((branch, i) => {
      const card = this.#cards.get(branch) ?? this.#add(branch);
      if (this.#list.children[i] !== card.item) this.#list.insertBefore(card.item, this.#list.children[i] ?? null);
      this.#write(player, branch, card);
    });
  }

  #focused() {
    const root = this.getRootNode();
    return root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
  }

  /** @param {Branch} branch */
  #add(branch) {
    const card = cardOf();
    this.#cards.set(branch, card);
    card.show.addEventListener("click", () => this.player.visit(branch, branch.timeline.edge));
    card.more.addEventListener("click", async () => {
      await this.player.visit(branch, branch.timeline.edge);
      await this.player.goOn();
    });
    card.remove.addEventListener("click", () => this.player.removeBranch(branch));
    for (const [name, node] of /** @type {[string, HTMLButtonElement][]} */ ([["Show", card.show], ["Go on with", card.more], ["Remove", card.remove]])) node.setAttribute("aria-label", `${name} branch ${branch.id}`);
    return card;
  }

  /** @param {Player} player @param {Branch} branch @param {ReturnType<typeof cardOf>} card */
  #write(player, branch, card) {
    const { steps } = branch.timeline;
    const { run } = branch;
    const here = branch === player.branch;
    setText(card.name, `Branch ${branch.id}${here ? ", on show" : ""}`);
    setAttribute(card.item, "data-here", here);
    setAttribute(card.item, "aria-current", here ? "true" : null);
    setText(card.prompt, player.startedMode === "text" ? run.state.promptText : "");
    const text = (/** @type {typeof steps} */ some) => some.map((s) => s.appended?.text ?? "").join("");
    setText(card.shared, text(steps.slice(0, branch.at)));
    setText(card.own, text(steps.slice(branch.at)));
    setText(card.held, run.state.held + (run.state.pending.length > 0 ? segmentText({ bytes: run.state.pending }) : ""));
    const log = pathLog(steps);
    setText(card.path, steps.length > 0 ? pathWords(log) : "–");
    setAttribute(card.path, "title", steps.length > 0 ? pathFull(log) : "no token yet");
    const from = branch.parent && branch.at > 0 ? `, the first ${branch.at === 1 ? "one" : branch.at} shared with branch ${branch.parent.id}` : "";
    setText(card.length, `${plural(steps.filter((s) => s.appended).length, "token")} generated${from}`);
    const { finish } = run;
    setText(card.end, finish ? `${finish} (${reasonWords(finish)})` : here && player.playing ? "being written" : "can go on");
    show(card.show, !here);
    show(card.more, finish === "length");
    enable(card.remove, player.branches.length > 1);
    setAttribute(card.remove, "title", player.branches.length > 1 ? null : "the only branch stays");
  }
}
