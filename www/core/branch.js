/**
 * One way that the text goes on. Branches of one prompt share a beginning; each has a run of its own,
 * forked where it leaves its parent, so that neither going back nor going on computes anything again.
 */

import { Timeline } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Run} Run */

/**
 * @typedef {object} Branch
 * @property {number} id counts up from 1 on a page
 * @property {Run} run
 * @property {Timeline} timeline
 * @property {number} seed where its coins come from, from `at` on
 * @property {Branch | null} parent where it left from; null for the first
 * @property {number} at the first turn that is its own
 * @property {number} before token passes of the runs that it was forked from, up to there
 */

let last = 0;

/** @param {Run} run @param {Timeline} timeline @param {number} seed @param {Branch | null} parent @param {number} at @returns {Branch} */
export function newBranch(run, timeline, seed, parent, at) {
  last += 1;
  return { id: last, run, timeline, seed, parent, at, before: 0 };
}

/** The generated ids of a branch that are whole steps. @param {Branch} branch */
export const idsOf = (branch) => branch.timeline.steps.map((step) => step.choice.id);

/**
 * The branch that already goes this way: with these ids, then this one. The one on show comes first.
 * @param {Branch[]} branches @param {Branch | null} current @param {number[]} ids
 */
export function branchAlong(branches, current, ids) {
  const along = (/** @type {Branch} */ branch) => {
    const own = idsOf(branch);
    return own.length >= ids.length && ids.every((id, i) => own[i] === id);
  };
  return (current && along(current) ? current : null) ?? branches.find(along) ?? null;
}
