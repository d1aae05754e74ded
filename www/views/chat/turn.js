/** One turn of a conversation, as it was measured, and how its end is worded. */

import { count, plural } from "../../core/format.js";

/** @typedef {import("../../api/next-token.js").Message} Message */
/** @typedef {import("../../api/next-token.js").Piece} Piece */
/** @typedef {import("../../api/next-token.js").FinishReason} FinishReason */

/**
 * @typedef {object} Turn
 * @property {string} user
 * @property {string} answer
 * @property {Message[]} messages what was sent
 * @property {Piece[]} pieces its tokens
 * @property {import("../../api/next-token.js").Rendered["parts"]} parts
 * @property {number} input tokens sent
 * @property {number} reused of them copied from the run before, as the engine counted them
 * @property {number} computed of them computed: the passes of the prefill
 * @property {number} output tokens written
 * @property {FinishReason | null} finish
 * @property {boolean} cache whether the prefix cache was on
 * @property {{ cached: number, reused: number } | null} edited after an edit: what the cache held, and what of it still fits
 * @property {number} pending bytes of a character that was never finished; they aren't sent again
 */

/** @param {number} tokens @param {number} context */
export function tooLong(tokens, context) {
  const message = `This turn would send ${plural(tokens, "token")}; the context holds ${count(context)}, one of them for the answer. Nothing was sent, and nothing was cut.`;
  return Object.assign(new Error(message), { code: "context-full", hint: "Begin a new conversation, or edit an earlier message: what comes after it is dropped." });
}

/** Why an answer ended. @param {Turn} turn @param {number} context */
export function endWords({ finish, input, output, pending }, context) {
  const made = plural(output, "token");
  const torn = pending > 0 ? ` ${plural(pending, "byte")} of an unfinished character are not sent again.` : "";
  switch (finish) {
    case "eos": return `Ended by itself after ${made}.`;
    case "length": return `Cut after ${made}: max tokens is reached.${torn}`;
    case "stop": return `Ended after ${made} by a stop sequence.`;
    case "context": return `Cut after ${made}: the context is full, ${count(input)} sent and ${count(output)} written of ${count(context)}.${torn}`;
    case "cancelled": return `Stopped by you after ${made}; what was written stays.${torn}`;
    default: return "";
  }
}
