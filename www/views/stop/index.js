/** The view of `<nt-stop>`: why a run ends, and what a stop sequence holds back. */

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  void host;
  return { parts: [], body: [] };
}
