/** The same problem both ways, pass by pass. */

import { faultOf } from "../../core/events.js";
import { Attempt } from "./attempt.js";
import { heldOutProblem } from "./problems.js";
import { WAYS, formFor } from "./ways.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("./problems.js").Problem} Problem */
/** @typedef {import("./problems.js").Kind} Kind */
/** @typedef {import("./ways.js").Way} Way */

/** How long Play rests after each pass, in ms. */
export const PACES = /** @type {const} */ ({
  slow: { label: "2 passes a second", rest: 500 },
  quick: { label: "12 passes a second", rest: 80 },
  full: { label: "as fast as it can", rest: 0 },
});
/** @typedef {keyof typeof PACES} Pace */

/** Tells `change`. */
export class Duel extends EventTarget {
  /** @type {Problem} */
  problem = heldOutProblem("sum", 0);
  /** @type {Record<Way, Attempt | null>} */
  lanes = { bare: null, steps: null };
  /** @type {"ready" | "pass" | "playing" | "paused" | "done"} */
  status = "ready";
  /** @type {Pace} */
  pace = "quick";
  fault = /** @type {import("../../core/events.js").Fault | null} */ (null);
  /** The held-out problem that comes next, of each kind. @type {Record<Kind, number>} */
  next = { sum: 1, word: 0 };
  /** Changes whenever results still on their way are no longer wanted. */
  #epoch = 0;
  #wake = () => {};

  get kind() {
    return this.problem.kind;
  }

  get begun() {
    return this.lanes.bare !== null;
  }

  get moving() {
    return this.status === "playing" || this.status === "pass";
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Another problem; what ran is given up. @param {Problem} problem */
  set(problem) {
    this.problem = problem;
    this.drop();
  }

  /** The next held-out problem of this kind. @param {Kind} [kind] */
  draw(kind = this.kind) {
    this.set(heldOutProblem(kind, this.next[kind]++));
  }

  /** Gives the runs back and begins anew. */
  drop() {
    this.#epoch += 1;
    this.#wake();
    for (const way of WAYS) this.lanes[way]?.free();
    this.lanes = { bare: null, steps: null };
    this.status = "ready";
    this.fault = null;
    this.#changed();
  }

  /** One pass in each lane that isn’t over. @param {Engine} engine */
  async pass(engine) {
    if (this.moving) return;
    await this.#go(engine, "pass");
  }

  /** Pass after pass, to the end of both lanes or to `pause()`. @param {Engine} engine */
  async play(engine) {
    if (this.moving) return;
    await this.#go(engine, "playing");
  }

  pause() {
    if (this.status !== "playing") return;
    this.status = "pass";
    this.#wake();
    this.#changed();
  }

  /** @param {Engine} engine @param {"pass" | "playing"} status */
  async #go(engine, status) {
    const form = formFor(engine.info, this.kind);
    if (!form) return;
    if (this.status === "done") this.drop();
    const epoch = this.#epoch;
    for (const way of WAYS) this.lanes[way] ??= new Attempt(engine, form, this.problem, way);
    const lanes = WAYS.flatMap((way) => this.lanes[way] ?? []);
    this.status = status;
    this.fault = null;
    this.#changed();
    try {
      do {
        for (const lane of lanes) await lane.pass();
        if (epoch !== this.#epoch) return;
        if (lanes.every((lane) => lane.done)) break;
        this.#changed();
        // In the microtasks of the pass's answer nothing would be drawn.
        if (this.playing) await this.#rest(PACES[this.pace].rest);
        if (epoch !== this.#epoch) return;
      } while (this.playing);
      this.status = lanes.every((lane) => lane.done) ? "done" : "paused";
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.drop();
      this.fault = faultOf(error);
    }
    this.#changed();
  }

  /** A getter: the status changes while a pass is waited for. */
  get playing() {
    return this.status === "playing";
  }

  /** @param {number} ms @returns {Promise<void>} */
  #rest(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
