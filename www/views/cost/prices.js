/** Prices that a source states, with its date. Nothing is guessed: what isn't stated is unknown. */

/** @typedef {{ id: string, label: string, date: string, note: string, input: string, cached: string, output: string }} Preset dollars per million tokens, as they are typed; "" is unknown */

/** @type {Preset[]} */
export const PRESETS = [
  {
    id: "gpt-4o",
    label: "GPT-4o (the article’s)",
    date: "2026, article undated",
    note: "The article “Token-by-Token” prints these two prices; it bears no date, its example asks about 2026, and it states no price for cached input. Look up today’s.",
    input: "2.50", cached: "", output: "10.00",
  },
  { id: "own", label: "Your own price", date: "", note: "Write what your provider states, and when it did. An empty field is an unknown price.", input: "", cached: "", output: "" },
];

/** @type {{ name: import("./estimate.js").PriceName, label: string }[]} */
export const PRICES = [
  { name: "input", label: "Input" },
  { name: "cached", label: "Cached input" },
  { name: "output", label: "Output" },
];
