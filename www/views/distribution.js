/** The view of `<nt-distribution>`: the candidates, the coin, many draws, the settings, and the tokens that came of them. */

import { h } from "../elements/dom.js";
import { NtCandidates } from "../elements/nt-candidates.js";
import { NtCoin } from "../elements/nt-coin.js";
import { NtDraws } from "../elements/nt-draws.js";
import { NtForce } from "../elements/nt-force.js";
import { NtSettings } from "../elements/nt-settings.js";
import { NtTokens } from "../elements/nt-tokens.js";

/** @typedef {import("../elements/host.js").Composition} Composition */

/** @param {import("../elements/host.js").Host} _host @returns {Composition} */
export function compose(_host) {
  const [tokens, candidates, coin, settings] = [new NtTokens(), new NtCandidates(), new NtCoin(), new NtSettings()];
  const [force, draws] = [new NtForce(), new NtDraws()];
  const work = h("div", { class: "work" }, h("div", { class: "left" }, candidates, force, coin, draws), h("div", { class: "right" }, settings));
  return { parts: [tokens, candidates, force, coin, draws, settings], body: [tokens, work] };
}
