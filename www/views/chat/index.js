/** The view of `<nt-chat>`: a conversation and what it re-sends. */

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  void host;
  return { parts: [], body: [] };
}
