/** What is on show after each token, and what can be read off it. No number here is made up: all come from the engine's state. */

import { placeOf } from "../../core/timeline.js";

/** @typedef {import("../../api/next-token.js").Step} Step */
/** @typedef {import("../../api/next-token.js").Choice} Choice */
/** @typedef {import("../../api/next-token.js").Stop} Stop */
/** @typedef {import("../../api/next-token.js").Piece} Piece */
/** @typedef {import("../../api/next-token.js").FinishReason} FinishReason */
/** @typedef {import("../../core/timeline.js").Timeline} Timeline */

/** @typedef {Pick<import("../../api/next-token.js").RunState, "text" | "held" | "naive" | "pending" | "passes">} Texts */
/**
 * After one token. `stops`: the stop sequences in force; `finish`: whether the run ended with it.
 * @typedef {Texts & { choice: Choice, stop: Stop | null, joined: boolean, stops: string[], finish: FinishReason | null }} Frame
 */

/**
 * What a view of the stop check follows: the tokens that came in, and where the reader stands.
 * @typedef {object} Belt
 * @property {Frame[]} frames
 * @property {number} cursor tokens on show
 * @property {FinishReason | null} finish at the cursor
 * @property {boolean} live whether the cursor is at the last token
 * @property {boolean} begun whether there is a run
 * @property {Piece[]} prompt
 * @property {string[]} stops of the run, or of the next one
 * @property {number | null} limit the run's max_tokens, or the next one's
 * @property {number} continued tokens after which the limit was raised last; 0 if never
 * @property {boolean} scripted
 * @property {boolean} idle whether nothing is being computed
 * @property {(cursor: number) => void} go
 * @property {(more: number) => void} goOn
 */

/** @param {Step} step @param {Texts} texts @param {string[]} stops @returns {Frame} */
export function frameOf(step, { text, held, naive, pending, passes }, stops) {
  return { choice: step.choice, stop: step.stop, joined: step.appended !== null, text, held, naive, pending, passes, stops, finish: step.stop?.reason ?? null };
}

/** The characters that a stream without hold-back shows and the final text hasn't. @param {Frame | null} frame */
export const beyond = (frame) => (frame ? frame.naive.slice(frame.text.length) : "");

/**
 * What was on show too soon when a stop sequence became complete: what had been shown by then, and what
 * a loop adds that shows a token before it checks.
 * @param {Frame[]} frames @param {number} cursor
 */
export function tooSoon(frames, cursor) {
  const frame = frames[cursor - 1];
  if (frame?.finish !== "stop") return null;
  const before = frames[cursor - 2]?.naive ?? "";
  return { shown: before.slice(frame.text.length), last: frame.naive.slice(Math.max(before.length, frame.text.length)) };
}

/**
 * How many characters of a stop sequence are there.
 * @param {string} sequence @param {Frame | null} frame
 */
export function matched(sequence, frame) {
  if (!frame) return 0;
  if (frame.finish === "stop" && frame.stop?.sequence === sequence) return sequence.length;
  for (let k = Math.min(sequence.length, frame.held.length); k > 0; k--) if (frame.held.endsWith(sequence.slice(0, k))) return k;
  return 0;
}

/** @typedef {"released" | "held" | "cut" | "partly cut" | "partly held" | "joins nothing"} Fate */

/**
 * What became of a token's text, as the frame on show knows it.
 * @param {Frame[]} frames @param {number} index @param {Frame} now @returns {Fate}
 */
export function fateOf(frames, index, now) {
  const frame = /** @type {Frame} */ (frames[index]);
  if (!frame.joined) return "joins nothing";
  const from = index > 0 ? /** @type {Frame} */ (frames[index - 1]).naive.length : 0;
  const to = frame.naive.length;
  const edge = now.text.length;
  if (to <= edge && to > from) return "released";
  const word = now.finish === "stop" ? "cut" : "held";
  if (from < edge) return to <= edge ? "released" : `partly ${word}`;
  // A token of unfinished bytes has shown nothing yet.
  return to === from && edge >= to && now.held === "" && now.finish !== "stop" ? "released" : word;
}

/** Another element's run, as frames. */
export class SharedFrames {
  /** @type {Frame[]} */
  frames = [];
  /** @type {(Step | null)[]} */
  #steps = [];

  /** Takes over what is new; steps that are still the same stay. @param {Timeline} timeline @param {string[]} stops @param {FinishReason | null} finish */
  sync(timeline, stops, finish) {
    const { turns } = timeline;
    let same = 0;
    while (same < this.#steps.length && same < turns.length && turns[same]?.step === this.#steps[same]) same += 1;
    // The last one may have ended otherwise: cancelled, or gone on with.
    same = Math.min(same, Math.max(0, turns.length - 2));
    this.frames.length = same;
    this.#steps.length = same;
    for (const turn of turns.slice(same)) {
      const snap = turn.step ? timeline.history.at(placeOf(turn.index, "append")) : null;
      if (!turn.step || !snap) break;
      this.frames.push(frameOf(turn.step, snap, stops));
      this.#steps.push(turn.step);
    }
    const last = this.frames.at(-1);
    if (last) last.finish = finish;
    return this.frames;
  }
}
