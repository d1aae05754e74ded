/** What this view runs beside the player’s own run: all of it on the player’s engine, none of it in its run. */

import { Beginning } from "./beginning.js";
import { Duel } from "./duel.js";
import { Trials } from "./trials.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../elements/host.js").Host} Host */

export class Bench {
  duel = new Duel();
  trials = new Trials();
  beginning = new Beginning();
  /** @type {Engine | null} */
  #engine = null;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    for (const work of [this.duel, this.trials, this.beginning]) work.addEventListener("change", () => host.redraw());
    host.dropped = () => {
      // A run of the player’s that is over doesn’t concern this one; a model or an element that is gone does.
      queueMicrotask(() => {
        if (!host.isConnected || host.player.engine !== this.#engine) this.#give();
      });
    };
  }

  #give() {
    this.#engine = null;
    this.duel.drop();
    this.trials.reset();
    this.beginning.reset();
  }

  /** Another model: what the former one wrote doesn’t stand any more. @param {Engine | null} engine */
  attend(engine) {
    if (engine === this.#engine) return;
    if (this.#engine) this.#give();
    this.#engine = engine;
  }

  get moving() {
    return this.duel.moving || this.trials.running || this.beginning.running;
  }

  /** Ends whatever runs; what is computed stays. */
  stop() {
    this.duel.pause();
    this.trials.cancel();
    this.beginning.cancel();
  }
}
