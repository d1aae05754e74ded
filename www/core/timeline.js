/**
 * What was computed, in the order of the loop, and where the reader stands in it.
 *
 * A place is a whole number: 0 tokenize, 1 prefill, then five a turn (forward, distribution,
 * sample, stop check, append). `edge` is the last place that was computed, `cursor` the one on
 * show; going back moves the cursor and computes nothing.
 */

import { History } from "./history.js";

/** @typedef {import("./history.js").Snapshot} Snapshot */
/** @typedef {import("../api/next-token.js").Step} Step */
/** @typedef {import("../api/next-token.js").Stop} Stop */
/** @typedef {import("../api/next-token.js").Piece} Piece */
/** @typedef {import("../api/next-token.js").Choice} Choice */
/** @typedef {import("../api/next-token.js").Forward} Forward */
/** @typedef {import("../api/next-token.js").Prefill} Prefill */
/** @typedef {import("../api/next-token.js").Distribution} Distribution */
/** @typedef {"tokenize" | "prefill" | "forward" | "distribution" | "sample" | "stop" | "append"} StageName */

/** @type {StageName[]} */
export const STAGES = ["tokenize", "prefill", "forward", "distribution", "sample", "stop", "append"];
export const IN_A_TURN = 5;
const FIRST_TURN = 2;

/**
 * One turn of the loop, filled stage by stage. `stop` is undefined before the stop check; `placed`: the reader placed the coin.
 * @typedef {{
 *   index: number, forward: Forward | Step["logits"], distribution: Distribution | null,
 *   choice: Choice | null, stop: Stop | null | undefined, step: Step | null, placed?: boolean,
 * }} Turn
 */

/** @param {number} turn @param {StageName} stage */
export function placeOf(turn, stage) {
  return FIRST_TURN + turn * IN_A_TURN + STAGES.indexOf(stage) - FIRST_TURN;
}

export class Timeline {
  constructor() {
    /** @type {Piece[]} */
    this.prompt = [];
    /** @type {Prefill | null} */
    this.prefill = null;
    /** @type {Turn[]} */
    this.turns = [];
    /** The most tokens of the prompt that were read at a time. */
    this.chunk = 0;
    this.history = new History();
    this.edge = -1;
    this.cursor = -1;
  }

  get live() {
    return this.cursor === this.edge;
  }

  /** The stage on show; null before the first. */
  get stage() {
    return this.stageAt(this.cursor);
  }

  /** @param {number} place @returns {StageName | null} */
  stageAt(place) {
    if (place < 0) return null;
    return STAGES[place < FIRST_TURN ? place : FIRST_TURN + ((place - FIRST_TURN) % IN_A_TURN)] ?? null;
  }

  /** @param {number} place */
  turnIndexAt(place) {
    return place < FIRST_TURN ? -1 : Math.floor((place - FIRST_TURN) / IN_A_TURN);
  }

  /** The turn on show, if the cursor is in one. @returns {Turn | null} */
  get turn() {
    return this.turns[this.turnIndexAt(this.cursor)] ?? null;
  }

  /** The last turn begun. @returns {Turn | null} */
  get last() {
    return this.turns.at(-1) ?? null;
  }

  /** Whether the turn on show has reached this stage. @param {StageName} stage */
  reached(stage) {
    const now = this.stage;
    return now !== null && STAGES.indexOf(now) >= STAGES.indexOf(stage);
  }

  /** @returns {Snapshot | null} */
  get snapshot() {
    return this.history.at(this.cursor);
  }

  /** Tokens generated at the cursor, the chosen one included once it is appended. */
  get generated() {
    const index = this.turnIndexAt(this.cursor);
    return index < 0 ? 0 : this.stage === "append" ? index + 1 : index;
  }

  /** Adds a place at the edge; a reader who stood at the edge goes along. @param {Snapshot} snap */
  advance(snap) {
    const follow = this.live;
    this.edge += 1;
    this.history.push(snap);
    if (follow) this.cursor = this.edge;
  }

  /** A turn begins. @param {Turn["forward"]} forward */
  begin(forward) {
    this.turns.push({ index: this.turns.length, forward, distribution: null, choice: null, stop: undefined, step: null });
  }

  /**
   * A whole turn ends with its record; fills what was not reached stage by stage.
   * @param {Step} step
   * @param {Snapshot} before what the text was before the turn's token joined
   * @param {Snapshot} after
   */
  finish(step, before, after) {
    if (!this.last || this.last.step) this.begin(step.logits);
    const turn = /** @type {Turn} */ (this.last);
    const { settings, candidates, tail, kept, entropyBits } = step;
    turn.forward = step.logits ?? turn.forward;
    // A token that was forced without a forward pass has no distribution.
    turn.distribution = tail === null || kept === null || entropyBits === null ? null : { settings, candidates, tail, kept, entropyBits };
    turn.choice = step.choice;
    turn.stop = step.stop;
    turn.step = step;
    const follow = this.live;
    const end = placeOf(turn.index, "append");
    const between = { ...before, cached: after.cached, passes: after.passes };
    for (; this.edge < end - 1; this.edge += 1) this.history.push(between);
    this.edge = end;
    this.history.push(after);
    if (follow) this.cursor = end;
  }

  /** Another timeline that begins with the same turns, up to turn `index`. @param {number} index */
  fork(index) {
    const fork = new Timeline();
    fork.prompt = this.prompt;
    fork.prefill = this.prefill;
    fork.chunk = this.chunk;
    fork.turns = this.turns.slice(0, index);
    fork.history = this.history.copy();
    fork.edge = this.edge;
    fork.cursor = this.cursor;
    fork.cutTo(index);
    fork.cursor = fork.edge;
    return fork;
  }

  /** Forgets every turn from `index` on. @param {number} index */
  cutTo(index) {
    this.turns.length = Math.min(this.turns.length, index);
    this.edge = Math.min(this.edge, FIRST_TURN + index * IN_A_TURN - 1);
    this.history.cut(this.edge + 1);
    this.cursor = Math.min(this.cursor, this.edge);
  }

  /** Whole steps, in order. */
  get steps() {
    return /** @type {Step[]} */ (this.turns.map((t) => t.step).filter((s) => s !== null));
  }

  /**
   * The two numbers of a stream up to the cursor, from the engine's own times, so that pauses don't
   * count. The first token has its own number. A later one whose scores were there already, as after
   * a rewind, or that needed none, tells nothing about the speed and is left out of the rate.
   * @returns {{ first: number | null, rate: number | null, over: number }}
   */
  timing() {
    const [head, ...later] = this.turns.slice(0, this.generated).map((t) => t.step);
    const first = this.prefill && head ? this.prefill.ms + head.ms : null;
    const computed = later.filter((s) => s !== null && s.logits !== null && s.logits.passes > 0);
    const ms = computed.reduce((sum, s) => sum + (s?.ms ?? 0), 0);
    return { first, rate: ms > 0 ? (computed.length * 1000) / ms : null, over: computed.length };
  }
}
