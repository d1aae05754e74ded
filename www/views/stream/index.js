/** The view of `<nt-stream>`: one run, streamed and all at once. */

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  void host;
  return { parts: [], body: [] };
}
