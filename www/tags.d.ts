// Tag names and what they are: `document.querySelector("next-token")` is typed.
import type * as elements from "./index.js";

declare global {
  interface HTMLElementTagNameMap {
    "next-token": elements.NextToken;
    "nt-model": elements.NtModel;
    "nt-loading": elements.NtLoading;
    "nt-prompt": elements.NtPrompt;
    "nt-stages": elements.NtStages;
    "nt-tokens": elements.NtTokens;
    "nt-candidates": elements.NtCandidates;
    "nt-force": elements.NtForce;
    "nt-draws": elements.NtDraws;
    "nt-run": elements.NtRun;
    "nt-transport": elements.NtTransport;
    "nt-distribution": elements.NtDistribution;
    "nt-tree": elements.NtTree;
    "nt-kv-cache": elements.NtKvCache;
    "nt-stop": elements.NtStop;
    "nt-stream": elements.NtStream;
    "nt-thinking": elements.NtThinking;
    "nt-chat": elements.NtChat;
    "nt-cost": elements.NtCost;
    "nt-settings": elements.NtSettings;
    "nt-coin": elements.NtCoin;
    "nt-text": elements.NtText;
    "nt-controls": elements.NtControls;
    "nt-meters": elements.NtMeters;
  }
}
