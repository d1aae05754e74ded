/**
 * One run, one clock: what was measured, at which pace it is replayed, and how far the replay is. The place
 * comes from performance.now() at every frame, so that it can't drift.
 */

import { arrived, paced, record } from "./recording.js";

/** @typedef {import("./recording.js").Recording} Recording */
/** @typedef {import("../../core/player.js").Player} Player */

/** A second on the clock takes so many. */
export const SLOWER = [1, 2, 5, 10, 30, 100, 300];

export class Race extends EventTarget {
  /** @type {Recording | null} */
  recording = null;
  /** When each token is there, at the pace that is set. @type {number[]} */
  arrivals = [];
  /** Null: as measured. @type {{ first: number | null, rate: number | null }} */
  pace = { first: null, rate: null };
  /** The slow motion that was chosen; null: what fits. @type {number | null} */
  chosen = null;
  /** Ms on the clock. */
  time = 0;
  playing = false;
  /** @type {import("../../api/next-token.js").Step | null} */
  #last = null;
  #anchor = { time: 0, now: 0 };
  #frame = 0;
  #hidden = () => document.hidden && this.pause();

  get total() {
    return this.arrivals.at(-1) ?? 0;
  }
  get first() {
    return this.arrivals[0] ?? 0;
  }
  /** Tokens that are there. */
  get there() {
    return arrived(this.arrivals, this.time);
  }
  get over() {
    return this.recording !== null && this.time >= this.total;
  }
  /** Whether there is any time to replay: a table computes in less than the clock can tell. */
  get plays() {
    return this.total > 0;
  }
  get slower() {
    if (this.chosen !== null) return this.chosen;
    if (this.pace.rate !== null || this.total >= 3000) return 1;
    return SLOWER.find((n) => this.total * n >= 5000) ?? /** @type {number} */ (SLOWER.at(-1));
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  /** Takes over what a run has computed. @param {Player} player @param {boolean} toEnd whether to show all of it at once */
  sync(player, toEnd) {
    const { timeline } = player;
    const steps = timeline.generated;
    const last = timeline.turns[steps - 1]?.step ?? null;
    if (player.playing || (last === this.#last && (this.recording?.tokens ?? 0) === steps)) return;
    const all = this.over || this.recording === null;
    this.#last = last;
    this.pause();
    this.recording = record(timeline);
    this.#retime();
    this.time = toEnd && all ? this.total : toEnd ? Math.min(this.time, this.total) : 0;
  }

  #retime() {
    this.arrivals = this.recording ? paced(this.recording, this.pace) : [];
  }

  /** Another pace; the share of the replay that is done stays. @param {Partial<Race["pace"]>} patch */
  setPace(patch) {
    const done = this.total > 0 ? this.time / this.total : 0;
    this.pace = { ...this.pace, ...patch };
    this.#retime();
    this.time = done * this.total;
    this.#hold();
    this.#tell();
  }

  /** @param {number | null} slower */
  setSlower(slower) {
    this.chosen = slower;
    this.#hold();
    this.#tell();
  }

  #hold() {
    this.#anchor = { time: this.time, now: performance.now() };
  }

  play() {
    if (this.playing || !this.plays) return;
    if (this.over) this.time = 0;
    this.playing = true;
    document.addEventListener("visibilitychange", this.#hidden);
    this.#hold();
    this.#frame = requestAnimationFrame(this.#tick);
    this.#tell();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    document.removeEventListener("visibilitychange", this.#hidden);
    this.#tell();
  }

  #tick = () => {
    const { time, now } = this.#anchor;
    this.time = Math.min(this.total, time + Math.max(0, performance.now() - now) / this.slower);
    if (this.over) {
      this.pause();
      this.dispatchEvent(new Event("over"));
    } else {
      this.#frame = requestAnimationFrame(this.#tick);
      this.dispatchEvent(new Event("tick"));
    }
  };

  /** @param {number} time ms on the clock */
  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.total);
    this.#hold();
    this.#tell();
  }

  /** To the moment of a token before or after this one. @param {number} by */
  token(by) {
    this.pause();
    const to = Math.min(this.there + by, this.arrivals.length);
    this.seek(to <= 0 ? 0 : /** @type {number} */ (this.arrivals[to - 1]));
  }
}
