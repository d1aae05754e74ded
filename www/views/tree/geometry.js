/** Where the river runs: columns as wide as their widest token, bands as thick as their path is likely. */

import { tokenLabel } from "../../core/format.js";

/** @typedef {import("./model.js").TreeNode} TreeNode */
/** @typedef {import("./model.js").TreeModel} TreeModel */

/** Heights within a lane, in px: the token, the band, the numbers below it. */
export const LANE = { height: 92, label: 28, band: 28, least: 1.5 };
/** How far a band takes to reach its own lane and thickness. */
const LEAD = 20;
const PAD = 10;
const NARROW = 64;
const WIDE = 192;

/** Widths grow in such steps: a wider token seldom moves all that is behind it. */
const STEP = 16;
/** @type {WeakMap<TreeNode, number>} */
const lengths = new WeakMap();

/** How many characters wide a token is drawn. @param {TreeNode} node */
function lengthOf(node) {
  const known = lengths.get(node);
  if (known !== undefined) return known;
  let n = 0;
  for (const ch of tokenLabel(node.step.choice)) n += (ch.codePointAt(0) ?? 0) > 0x10ff && !"·⏎⇥␍⍽⟨⟩∅".includes(ch) ? 2 : 1;
  lengths.set(node, n);
  return n;
}

/** @param {TreeNode} node @param {number} em the width of a character */
const widthOf = (node, em) => Math.min(WIDE, Math.max(NARROW, Math.ceil((lengthOf(node) * em + PAD + LEAD) / STEP) * STEP));

/**
 * Where each column begins; one more than there are columns: the last is the end.
 * @param {TreeModel} model @param {number} from where the first begins @param {number} em
 */
export function columnsOf({ nodes, depth }, from, em) {
  const widths = new Array(depth).fill(NARROW);
  for (const node of nodes) widths[node.index] = Math.max(widths[node.index], widthOf(node, em));
  const starts = [from];
  for (const width of widths) starts.push(/** @type {number} */ (starts.at(-1)) + width);
  return starts;
}

/** The thickness of a path, linear: the full height is certainty. @param {number | null} log */
export const thickness = (log) => (log === null ? LANE.least : Math.max(LANE.least, LANE.band * Math.exp(log)));

/** The middle of a lane's band. @param {number} lane */
export const middle = (lane) => lane * LANE.height + LANE.label + LANE.band / 2;

/**
 * The middle line of a node's band, from its slice of the band before it; it is as thick all along.
 * What no branch took ends where the arms part.
 * @param {TreeNode} node @param {Iterable<TreeNode>} siblings @param {number} x @param {number} end
 */
export function bandOf(node, siblings, x, end) {
  const before = thickness(node.parent ? node.parent.log : 0);
  let from = middle(node.parent ? node.parent.lane : 0) - before / 2 + thickness(node.log) / 2;
  for (const other of siblings) {
    if (other === node) break;
    from += thickness(other.log);
  }
  const to = middle(node.lane);
  const r = (/** @type {number} */ v) => Math.round(v * 100) / 100;
  return `M${r(x)} ${r(from)}C${r(x + LEAD / 2)} ${r(from)} ${r(x + LEAD / 2)} ${r(to)} ${r(x + LEAD)} ${r(to)}H${r(end)}`;
}
