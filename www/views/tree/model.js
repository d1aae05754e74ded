/**
 * All branches as one tree: what several have in common is one node, by its ids. Then where it is drawn:
 * a column for each step, a lane for each way that ends.
 */

import { seedAt } from "../../core/branch.js";
import { power, probability } from "../../core/format.js";

/** @typedef {import("../../core/branch.js").Branch} Branch */
/** @typedef {import("../../api/next-token.js").Step} Step */

/**
 * @typedef {object} TreeNode
 * @property {number} id the token's
 * @property {number} index the turn that it came of
 * @property {Step} step
 * @property {TreeNode | null} parent
 * @property {Map<number, TreeNode>} children in the order in which they came
 * @property {Branch[]} branches those that go through it
 * @property {number | null} log the natural logarithm of its path's probability; null if a token of it has none
 * @property {string} mark forced, or by which seed, where that is news
 * @property {number} lane
 * @property {number} slot which of its siblings it is
 * @property {number} seen
 * @property {string} names the numbers of its branches
 * @property {number} stamp changes with its mark and its names
 */

export class TreeModel {
  /** @type {Map<number, TreeNode>} */
  roots = new Map();
  /** All nodes, in the order in which the branches tell them. @type {TreeNode[]} */
  nodes = [];
  lanes = 0;
  depth = 0;
  #version = 0;
  /** What was last followed. @type {Branch[]} */
  #branches = [];
  /** How far each branch was followed, and to which node. @type {Map<Branch, { steps: number, node: TreeNode | null, last: Step | null }>} */
  #tips = new Map();

  /** Follows the branches; nodes that stay keep their identity. @param {Branch[]} branches */
  sync(branches) {
    if (branches !== this.#branches || !branches.every((branch) => this.#grow(branch))) this.#all(branches);
  }

  /** The usual case: a branch went on where no other one went. False if it is another case. @param {Branch} branch */
  #grow(branch) {
    const tip = this.#tips.get(branch);
    const { turns } = branch.timeline;
    const whole = turns.length - (turns.at(-1)?.step === null ? 1 : 0);
    if (!tip || whole < tip.steps || (tip.last && turns[tip.steps - 1]?.step !== tip.last)) return false;
    for (; tip.steps < whole; tip.steps += 1) {
      const children = tip.node ? tip.node.children : this.roots;
      const step = turns[tip.steps]?.step;
      if (!step) return false;
      let node = children.get(step.choice.id);
      // Another way beside one that is there: everything below it moves.
      if (!node && children.size > 0) return false;
      if (!node) {
        node = newNode(step, tip.node);
        Object.assign(node, { seen: this.#version, lane: tip.node ? tip.node.lane : 0 });
        children.set(node.id, node);
        this.nodes.push(node);
        this.depth = Math.max(this.depth, node.index + 1);
        this.lanes = Math.max(this.lanes, 1);
      }
      node.branches.push(branch);
      name(node);
      tip.node = node;
      tip.last = step;
    }
    return true;
  }

  /** @param {Branch[]} branches */
  #all(branches) {
    const round = ++this.#version;
    this.#branches = branches;
    this.#tips = new Map();
    this.nodes = [];
    this.depth = 0;
    for (const branch of branches) {
      const { steps } = branch.timeline;
      let children = this.roots;
      /** @type {TreeNode | null} */
      let parent = null;
      for (const step of steps) {
        /** @type {TreeNode} */
        const node = children.get(step.choice.id) ?? newNode(step, parent);
        if (node.seen !== round) {
          node.seen = round;
          node.branches = [];
          node.step = step;
          children.set(node.id, node);
          this.nodes.push(node);
        }
        node.branches.push(branch);
        parent = node;
        ({ children } = node);
      }
      this.#tips.set(branch, { steps: steps.length, node: parent, last: steps.at(-1) ?? null });
      this.depth = Math.max(this.depth, steps.length);
    }
    for (const children of [this.roots, ...this.nodes.map((n) => n.children)]) {
      for (const [id, node] of children) if (node.seen !== round) children.delete(id);
    }
    for (const node of this.nodes) name(node);
    this.#place();
  }

  /** Whether some branch goes through it. @param {TreeNode} node */
  has(node) {
    return node.seen === this.#version;
  }

  /** The first way on stays on the lane; each other one begins a lane below all of those before it. */
  #place() {
    let next = 0;
    let slot = 0;
    for (const root of this.roots.values()) root.slot = slot++;
    /** From the last to the first: a stack gives them back in order. @type {{ node: TreeNode, first: boolean }[]} */
    const stack = [];
    const push = (/** @type {Map<number, TreeNode>} */ children) => stack.push(...[...children.values()].map((node, i) => ({ node, first: i === 0 })).reverse());
    push(this.roots);
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { node, first } = top;
      node.lane = first && node.parent ? node.parent.lane : next++;
      let slot = 0;
      for (const child of node.children.values()) child.slot = slot++;
      push(node.children);
    }
    this.lanes = next;
  }

  /** The nodes of a branch, in order. @param {Branch} branch @returns {TreeNode[]} */
  path(branch) {
    /** @type {TreeNode[]} */
    const path = [];
    let children = this.roots;
    for (const step of branch.timeline.steps) {
      const node = children.get(step.choice.id);
      if (!node) break;
      path.push(node);
      ({ children } = node);
    }
    return path;
  }
}

/** @param {Step} step @param {TreeNode | null} parent @returns {TreeNode} */
function newNode(step, parent) {
  const { id, pRaw } = step.choice;
  const before = parent ? parent.log : 0;
  const log = before === null || pRaw === null ? null : before + Math.log(pRaw);
  return { id, index: parent ? parent.index + 1 : 0, step, parent, children: new Map(), branches: [], log, mark: "", lane: 0, slot: 0, seen: 0, names: "", stamp: 0 };
}

/** @param {TreeNode} node */
function seedsOf(node) {
  if (node.step.choice.method === "greedy" && node.branches.length === 1) return [];
  const drawn = node.branches.filter((b) => b.timeline.turns[node.index]?.choice?.method === "sampled" && !b.timeline.turns[node.index]?.placed);
  return [...new Set(drawn.map((b) => seedAt(b, node.index)))];
}

/** What stands at a node, anew. @param {TreeNode} node */
function name(node) {
  const mark = markOf(node);
  const names = node.branches.map((b) => b.id).join(", ");
  if (mark === node.mark && names === node.names) return;
  Object.assign(node, { mark, names, stamp: node.stamp + 1 });
}

/** @param {TreeNode} node */
function markOf(node) {
  if (node.step.choice.method === "forced") return "forced";
  const seeds = seedsOf(node);
  const before = node.parent ? seedsOf(node.parent) : [];
  // Where ways part by the coin, each says which seed made it.
  const siblings = node.parent ? node.parent.children.size : 1;
  const news = seeds.length > 0 && (siblings > 1 || !node.parent || seeds.some((s) => !before.includes(s)));
  return news ? `seed ${seeds.join(", ")}` : "";
}

/** The product of the model's probabilities, as its logarithm. @param {Step[]} steps @returns {number | null} */
export function pathLog(steps) {
  let log = 0;
  for (const { choice } of steps) {
    if (choice.pRaw === null) return null;
    log += Math.log(choice.pRaw);
  }
  return log;
}

/** The probability of a path: long ones are very unlikely. @param {number | null} log */
export function pathWords(log) {
  if (log === null) return "–";
  const p = Math.exp(log);
  if (p >= 1e-4) return probability(p);
  const exponent = Math.floor(log / Math.LN10);
  const mantissa = Math.exp(log - exponent * Math.LN10);
  const [digits, more] = mantissa >= 9.95 ? ["1.0", 1] : [mantissa.toFixed(1), 0];
  return `${digits} × ${power(exponent + more)}`;
}

/** @param {number | null} log */
export const pathFull = (log) => (log === null ? "a token of this path was forced without a pass: it has no probability" : `${log > -700 ? Math.exp(log) : `e^${log}`}`);
