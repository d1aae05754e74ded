/**
 * One way that the text goes on. Branches of one prompt share a beginning; each has a run of its own,
 * forked where it leaves its parent, so that neither going back nor going on computes anything again.
 */

import { Timeline } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Run} Run */

/**
 * @typedef {object} Branch
 * @property {number} id counts up from 1; the number of a branch that was removed isn't given again
 * @property {Run} run
 * @property {Timeline} timeline
 * @property {number} seed where its next coins come from
 * @property {{ from: number, seed: number }[]} seeds where its coins came from: from which turn on, which seed
 * @property {Branch | null} parent where it left from; null for the first
 * @property {number} at the first turn that is its own
 * @property {number} continuedAt tokens after which its limit was raised last; 0 if never
 * @property {number} before token passes of the runs that it was forked from, up to there
 */

/** @param {Run} run @param {Timeline} timeline @param {number} seed @param {Branch | null} [parent] @param {number} [at] @param {number} [id] @returns {Branch} */
export function newBranch(run, timeline, seed, parent = null, at = 0, id = 1) {
  return { id, run, timeline, seed, seeds: [...(parent?.seeds.filter((s) => s.from < at) ?? []), { from: at, seed }], parent, at, continuedAt: 0, before: 0 };
}

/** Coins from turn `from` on come from another seed. @param {Branch} branch @param {number} seed @param {number} from */
export function reseed(branch, seed, from) {
  branch.seed = seed;
  branch.seeds = [...branch.seeds.filter((s) => s.from < from), { from, seed }];
}

/** The seed that the coin of a turn comes from. @param {Branch} branch @param {number} index */
export function seedAt(branch, index) {
  return branch.seeds.findLast((s) => s.from <= index)?.seed ?? branch.seed;
}

/** The generated ids of a branch that are whole steps. @param {Branch} branch */
export const idsOf = (branch) => branch.timeline.steps.map((step) => step.choice.id);

/** Whether a branch begins with these ids. @param {Branch} branch @param {number[]} ids */
export function along(branch, ids) {
  const { turns } = branch.timeline;
  return turns.length >= ids.length && ids.every((id, i) => turns[i]?.step?.choice.id === id);
}

/**
 * The branch that already goes this way. The one on show comes first.
 * @param {Branch[]} branches @param {Branch | null} current @param {number[]} ids
 */
export function branchAlong(branches, current, ids) {
  return (current && along(current, ids) ? current : null) ?? branches.find((branch) => along(branch, ids)) ?? null;
}
