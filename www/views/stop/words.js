/** Why a run ended: the field's names for it, and sentences. */

import { count, plural, quoted, quotedText } from "../../core/format.js";

/** @typedef {import("./frames.js").Belt} Belt */
/** @typedef {import("../../api/next-token.js").FinishReason} FinishReason */

/** Per reason: in words, and what two widely used APIs call it. @type {Record<FinishReason, { words: string, openai: string, anthropic: string }>} */
export const REASONS = {
  eos: { words: "end-of-text token", openai: "stop", anthropic: "end_turn" },
  length: { words: "max_tokens reached", openai: "length", anthropic: "max_tokens" },
  stop: { words: "stop sequence", openai: "stop", anthropic: "stop_sequence" },
  context: { words: "context full", openai: "length", anthropic: "–" },
  cancelled: { words: "stopped by you", openai: "–", anthropic: "–" },
};

/** Why it ended, in one or two sentences. @param {Belt} belt @returns {string} */
export function why(belt) {
  const frame = belt.frames[belt.cursor - 1];
  const made = plural(belt.frames.slice(0, belt.cursor).filter((f) => f.joined).length, "token");
  switch (belt.finish) {
    case "eos":
      return `Token ${count(belt.cursor)} is ${frame ? quoted(frame.choice) : "the end-of-text token"}, the end-of-text token. It joins nothing; the text has ${made}.`;
    case "length":
      return `Cut off by max_tokens: ${made} came, and none was the end-of-text token. How the text goes on isn’t known until it is continued.`;
    case "stop": {
      const [sequence, text] = [frame?.stop?.sequence ?? "", frame ? frame.naive.slice(frame.text.length) : ""];
      const trimmed = `Trimmed: ${quotedText(text)}, ${plural([...text].length, "character")} that the naive stream has and the final text hasn’t.`;
      return `The stop sequence ${quotedText(sequence)} was complete when token ${count(belt.cursor)} arrived. ${trimmed}`;
    }
    case "context":
      return `The context is full: prompt and text together are as long as a sequence may be here. ${made} came.`;
    case "cancelled":
      return `Stopped by you after ${made}. The next step goes on from there.`;
    default:
      return "";
  }
}

/** What a reader who listens should know after one token. @param {Belt} belt */
export function spoken(belt) {
  const frame = belt.frames[belt.cursor - 1];
  if (!frame) return "";
  if (belt.finish) return `Finish reason: ${belt.finish}, ${REASONS[belt.finish].words}. ${why(belt)}`;
  const came = `Token ${count(belt.cursor)}: ${quoted(frame.choice)}.`;
  return frame.held ? `${came} Held back: ${quotedText(frame.held)}.` : `${came} Nothing is held back.`;
}
