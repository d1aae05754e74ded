/** Which node of the tree somebody looks at: pointed at, else focused, else the place on show. */

import { placeOf } from "../../core/timeline.js";
import { TreeModel } from "./model.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../core/branch.js").Branch} Branch */
/** @typedef {import("./model.js").TreeNode} TreeNode */

export class Look {
  model = new TreeModel();
  /** @type {TreeNode | null} */
  pointed = null;
  /** @type {TreeNode | null} */
  focused = null;
  /** The place on show. @type {TreeNode | null} */
  here = null;
  /** The nodes of the branch on show. @type {TreeNode[]} */
  path = [];
  #redraw;
  #was = "";

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.#redraw = redraw;
  }

  /** @returns {TreeNode | null} */
  get node() {
    return this.pointed ?? this.focused ?? this.here;
  }

  /** @param {Player} player */
  update({ branches, branch, timeline }) {
    this.model.sync(branches);
    this.path = branch ? this.model.path(branch) : [];
    this.here = this.path[timeline.generated - 1] ?? null;
    // The place on show changed: that is what is looked at now.
    const now = `${branch?.id} ${timeline.cursor}`;
    if (now !== this.#was) this.focused = null;
    this.#was = now;
    if (this.focused && !this.model.has(this.focused)) this.focused = null;
    if (this.pointed && !this.model.has(this.pointed)) this.pointed = null;
  }

  /** @param {TreeNode | null} node */
  point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.#redraw();
  }

  /** @param {TreeNode} node */
  focus(node) {
    if (node === this.focused) return;
    this.focused = node;
    this.#redraw();
  }

  /** The branch to go to for a node: the one on show, if it passes here. @param {TreeNode} node @param {Player} player */
  branchOf(node, player) {
    return player.branch && node.branches.includes(player.branch) ? player.branch : /** @type {Branch} */ (node.branches[0]);
  }

  /** Shows the place of a node. Nothing is computed. @param {TreeNode} node @param {Player} player */
  async visit(node, player) {
    this.pointed = null;
    await player.visit(this.branchOf(node, player), placeOf(node.index, "append"));
  }
}
