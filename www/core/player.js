/**
 * The only owner of time: playing, pausing, going back.
 * Views read its fields and draw; they never call the engine themselves.
 *
 * idle → loading → ready → paused ⇄ running / playing → done; error when there is no engine.
 */

import { placeOf } from "./timeline.js";
import { WhatIf } from "./what-if.js";

/** How long Play rests after each stage or token, in ms. */
export const SPEEDS = /** @type {const} */ ({
  stages: { label: "a stage every 1.5 s", rest: 1500, whole: false },
  slow: { label: "a token a second", rest: 1000, whole: true },
  quick: { label: "4 tokens a second", rest: 250, whole: true },
  full: { label: "as fast as it can", rest: 0, whole: true },
});
/** @typedef {keyof typeof SPEEDS} Speed */

export class Player extends WhatIf {
  /** @type {Speed} */
  speed = "slow";

  // ---- time ----

  async play() {
    if (!this.engine || this._call || this.playing) return;
    this.timeline.cursor = this.timeline.edge;
    if (!this.run) await this.start();
    if (!this.run || !(await this._resume())) return;
    const epoch = this._epoch;
    this._to("playing");
    while (this.playing && epoch === this._epoch) {
      const { whole } = SPEEDS[this.speed];
      await this._exclusive("playing", (run, e) => (whole ? this._computeToken(run, e) : this._computeStage(run, e)));
      if (this.fault && this.playing) this.pause();
      const { rest } = SPEEDS[this.speed];
      if (rest > 0 && this.playing && epoch === this._epoch) await this.#rest(rest);
    }
  }

  /** @override */
  pause() {
    if (!this.playing) return;
    this._to(this._call ? "running" : "paused");
    this._wake();
    this._say("", "text");
    this._changed();
  }

  /** Ends generation; everything computed stays. */
  async stop() {
    const { run } = this;
    if (!run || run.finish !== null || this.timeline.edge < 0) return;
    const playing = this.playing;
    if (playing) this._to("running");
    await run.cancel().catch(() => {});
    this._wake();
    if (this._call) await this._call;
    else {
      if (playing) this._say("", "text");
      this._settled();
    }
  }

  /** @param {number} ms @returns {Promise<void>} */
  #rest(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this._wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  // ---- history ----

  /** @override @param {number} place */
  _go(place) {
    if (this.playing) this.pause();
    super._go(place);
  }

  back() {
    this._go(this.timeline.cursor - 1);
  }

  backToken() {
    const { timeline } = this;
    const index = timeline.turnIndexAt(timeline.cursor);
    this._go(index > 0 ? placeOf(index - 1, "append") : index === 0 ? 1 : 0);
  }

  first() {
    this._go(0);
  }

  latest() {
    this._go(this.timeline.edge);
  }
}
