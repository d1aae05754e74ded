/** The view of `<nt-tree>`: all branches of a prompt. */

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  void host;
  return { parts: [], body: [] };
}
