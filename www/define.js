/** Registers the elements. Its only side effect; loading it twice, or in two versions, is harmless. */

import * as elements from "./index.js";

/** @type {[string, CustomElementConstructor][]} */
const TAGS = [
  ["nt-model", elements.NtModel],
  ["nt-loading", elements.NtLoading],
  ["nt-prompt", elements.NtPrompt],
  ["nt-stages", elements.NtStages],
  ["nt-tokens", elements.NtTokens],
  ["nt-candidates", elements.NtCandidates],
  ["nt-force", elements.NtForce],
  ["nt-draws", elements.NtDraws],
  ["nt-settings", elements.NtSettings],
  ["nt-coin", elements.NtCoin],
  ["nt-text", elements.NtText],
  ["nt-controls", elements.NtControls],
  ["nt-meters", elements.NtMeters],
  ["next-token", elements.NextToken],
  ["nt-run", elements.NtRun],
  ["nt-transport", elements.NtTransport],
  ["nt-distribution", elements.NtDistribution],
  ["nt-tree", elements.NtTree],
  ["nt-kv-cache", elements.NtKvCache],
  ["nt-stop", elements.NtStop],
  ["nt-stream", elements.NtStream],
  ["nt-thinking", elements.NtThinking],
  ["nt-chat", elements.NtChat],
  ["nt-cost", elements.NtCost],
];

if (typeof customElements !== "undefined") {
  if (customElements.get("next-token")) console.info("next-token is already defined on this page; the first one stays.");
  else for (const [tag, element] of TAGS) customElements.define(tag, element);
}
