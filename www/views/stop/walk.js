/** Time: tokens that come one after another at a readable pace, and going back through those that came. */

/** @typedef {import("./frames.js").Frame} Frame */

/** Tokens a second that can be followed. */
export const PACES = [1, 2, 4, 10];

export class Walk extends EventTarget {
  /** @type {Frame[]} */
  frames = [];
  /** Tokens on show. */
  cursor = 0;
  playing = false;
  pace = 2;
  /** Changes whenever results still on their way are no longer wanted. */
  _epoch = 0;
  /** Ends the rest between two tokens. */
  _wake = () => {};

  _changed() {
    this.dispatchEvent(new Event("change"));
  }

  get live() {
    return this.cursor === this.frames.length;
  }
  /** Whether nothing is being computed. */
  get idle() {
    return true;
  }
  /** Whether another token can come, from the history or by computing. */
  get can() {
    return !this.live;
  }

  /** The next token. */
  async step() {
    this.go(this.cursor + 1);
  }

  /** Plays on; from the beginning again where nothing can come any more. */
  async play() {
    if (this.playing || !this.idle) return;
    if (!this.can) this.cursor = 0;
    if (!this.can) return;
    const epoch = this._epoch;
    this.playing = true;
    while (this.playing && epoch === this._epoch && this.can) {
      await this.step();
      if (!this.playing || epoch !== this._epoch || !this.can) break;
      /** @type {Promise<void>} */
      const rest = new Promise((resolve) => {
        const timer = setTimeout(resolve, 1000 / this.pace);
        this._wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      await rest;
    }
    if (epoch !== this._epoch) return;
    this.playing = false;
    this._changed();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this._wake();
    this._changed();
  }

  /** Shows an earlier moment, or a later one that was computed already. @param {number} cursor */
  go(cursor) {
    this.cursor = Math.min(Math.max(cursor, 0), this.frames.length);
    this._changed();
  }
}
