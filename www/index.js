/** Everything the page is made of, without registering anything; `define.js` registers. */

export { NextToken } from "./elements/next-token.js";
export { Host } from "./elements/host.js";
export { NtCandidates } from "./elements/nt-candidates.js";
export { NtCoin } from "./elements/nt-coin.js";
export { NtControls } from "./elements/nt-controls.js";
export { NtDraws } from "./elements/nt-draws.js";
export { NtForce } from "./elements/nt-force.js";
export { NtLoading } from "./elements/nt-loading.js";
export { NtMeters } from "./elements/nt-meters.js";
export { NtModel } from "./elements/nt-model.js";
export { NtPrompt } from "./elements/nt-prompt.js";
export { NtSettings } from "./elements/nt-settings.js";
export { NtStages } from "./elements/nt-stages.js";
export { NtText } from "./elements/nt-text.js";
export { NtTokens } from "./elements/nt-tokens.js";
export { NtChat, NtCost, NtDistribution, NtKvCache, NtRun, NtStop, NtStream, NtThinking, NtTransport, NtTree } from "./views/index.js";
export { Player } from "./core/player.js";
export { DoneEvent, FaultEvent, LoadingEvent, ReadyEvent, StepEvent } from "./core/events.js";
