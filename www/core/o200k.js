/**
 * Counting with o200k_base, the tokenizer of GPT-4o and later. It is two megabytes, mostly its list of tokens, and is
 * brought when somebody counts.
 */

import { tokenLabel } from "./format.js";

/** The counter isn't there. Typed as the API's errors are: a code, what happened, what to do. */
export class CounterError extends Error {
  code = /** @type {const} */ ("counter-unavailable");
  hint = "Try again with a connection. If the site is your own: install Node 20 or later and build it again with cargo xtask build.";

  /** @param {unknown} cause */
  constructor(cause) {
    super("The o200k token counter couldn’t be loaded.", { cause });
    this.name = "CounterError";
  }
}

/** @type {Promise<typeof import("../vendor/o200k.src.js")> | null} */
let asked = null;

function tokenizer() {
  asked ??= import("../pkg/vendor/o200k.js").catch((error) => {
    asked = null;
    throw new CounterError(error);
  });
  return asked;
}

/** How many tokens a text is; what looks like a control token counts as the text that it is. @param {string} text @returns {Promise<number>} */
export async function countO200k(text) {
  return (await tokenizer()).count(text);
}

/**
 * The tokens of a text. A token that is no whole character has its bytes as text, `⟨F0 9F⟩`.
 * @param {string} text @returns {Promise<{ id: number, text: string }[]>}
 */
export async function encodeO200k(text) {
  const { bytes, ids } = await tokenizer();
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  return ids(text).map((id) => {
    const raw = bytes(id);
    const whole = utf8.decode(Uint8Array.from(raw));
    return { id, text: whole.includes("\ufffd") ? tokenLabel({ text: whole, bytes: raw }) : whole };
  });
}
