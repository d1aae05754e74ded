/** The view of `<nt-thinking>`: the answer at once, or after written steps. */

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  void host;
  return { parts: [], body: [] };
}
