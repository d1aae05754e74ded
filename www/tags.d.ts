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
    "nt-distribution": elements.NtDistribution;
    "nt-settings": elements.NtSettings;
    "nt-coin": elements.NtCoin;
    "nt-text": elements.NtText;
    "nt-controls": elements.NtControls;
    "nt-meters": elements.NtMeters;
  }
}
