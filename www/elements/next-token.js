/** `<next-token>`: a language model that writes one token at a time, with every stage on show. */

import { Host } from "./host.js";
import { h } from "./dom.js";
import { NtCandidates } from "./nt-candidates.js";
import { NtCoin } from "./nt-coin.js";
import { NtDraws } from "./nt-draws.js";
import { NtForce } from "./nt-force.js";
import { NtMeters } from "./nt-meters.js";
import { NtSettings } from "./nt-settings.js";
import { NtStages } from "./nt-stages.js";
import { NtText } from "./nt-text.js";
import { NtTokens } from "./nt-tokens.js";

export class NextToken extends Host {
  /** @override */
  static label = "next-token: a language model, stage by stage";

  /** @override */
  compose() {
    const [stages, tokens, candidates, settings, coin, text, meters] = [new NtStages(), new NtTokens(), new NtCandidates(), new NtSettings(), new NtCoin(), new NtText(), new NtMeters()];
    const [force, draws] = [new NtForce(), new NtDraws()];
    const work = h("div", { class: "work" }, h("div", { class: "left" }, candidates, force, coin, draws), h("div", { class: "right" }, text, settings));
    // Of a run that is shown elsewhere, what it costs stands beside its transport.
    const foot = this.shared ? [] : [meters];
    return { parts: [stages, tokens, candidates, force, settings, coin, draws, text, ...foot], body: [stages, tokens, work], foot };
  }
}
