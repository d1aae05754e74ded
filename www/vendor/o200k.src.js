/** What `pkg/vendor/o200k.js` holds: the tokenizer of GPT-4o and later. `xtask/vendor.mjs` bundles it. */

import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { countTokens, encode } from "gpt-tokenizer/encoding/o200k_base";

/** Text is text here: what looks like a control token is spelled out. */
const plain = { allowedSpecial: /** @type {Set<string>} */ (new Set()), disallowedSpecial: /** @type {Set<string>} */ (new Set()) };
const utf8 = new TextEncoder();

/** @param {string} text @returns {number} */
export const count = (text) => countTokens(text, plain);

/** @param {string} text @returns {number[]} */
export const ids = (text) => encode(text, plain);

/** The bytes of one token. @param {number} id @returns {number[]} */
export function bytes(id) {
  const entry = ranks[id];
  return typeof entry === "string" ? [...utf8.encode(entry)] : [...(entry ?? [])];
}
