/** Many held-out problems, each both ways: counted, cancelled at once, gone on with. */

import { faultOf } from "../../core/events.js";
import { Attempt } from "./attempt.js";
import { heldOutProblems } from "./problems.js";
import { mean } from "../../core/lists.js";
import { wilson } from "./statistics.js";
import { WAYS, formFor } from "./ways.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("./problems.js").Problem} Problem */
/** @typedef {import("./problems.js").Kind} Kind */
/** @typedef {import("./ways.js").Way} Way */
/** @typedef {import("./statistics.js").Share} Share */
/**
 * @typedef {object} Result
 * @property {string} text all that was written
 * @property {string | null} answer as it is read from the text
 * @property {boolean} right
 * @property {boolean} cut the limit ended it
 * @property {number} written tokens, the one that ended the text among them
 * @property {number} passes tokens computed, by the run’s counter
 */
/** @typedef {{ problem: Problem, results: Record<Way, Result> }} Row */

/** So many at a time, and so many in all. */
export const BATCH = 50;
export const MOST = 200;

/** Tells `change` after every problem. */
export class Trials extends EventTarget {
  /** @type {Kind} */
  kind = "sum";
  /** @type {Row[]} */
  rows = [];
  wanted = BATCH;
  /** @type {"ready" | "running" | "cancelled" | "done"} */
  status = "ready";
  fault = /** @type {import("../../core/events.js").Fault | null} */ (null);
  /** @type {Attempt | null} */
  #attempt = null;
  #epoch = 0;

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  get running() {
    return this.status === "running";
  }

  /** @param {Way} way @returns {Share} */
  share(way) {
    return wilson(this.rows.filter(({ results }) => results[way].right).length, this.rows.length);
  }

  /** @param {Way} way @param {"written" | "passes"} what */
  mean(way, what) {
    return mean(this.rows.map(({ results }) => results[way][what]));
  }

  /** Forgets all results. @param {Kind} [kind] */
  reset(kind = this.kind) {
    this.#end();
    this.kind = kind;
    this.rows = [];
    this.wanted = BATCH;
    this.status = "ready";
    this.fault = null;
    this.#changed();
  }

  #end() {
    this.#epoch += 1;
    this.#attempt?.free();
    this.#attempt = null;
  }

  /** At once: the pass in progress is given up, what was counted stays. */
  cancel() {
    if (!this.running) return;
    this.#end();
    this.status = "cancelled";
    this.#changed();
  }

  /** Begins, goes on after a cancel, or takes more problems. @param {Engine} engine */
  async run(engine) {
    const form = formFor(engine.info, this.kind);
    if (this.running || !form) return;
    if (this.rows.length >= this.wanted) this.wanted = Math.min(MOST, this.wanted + BATCH);
    const epoch = ++this.#epoch;
    const problems = heldOutProblems(this.kind, this.wanted);
    this.status = "running";
    this.fault = null;
    this.#changed();
    try {
      for (const problem of problems.slice(this.rows.length)) {
        /** @type {Partial<Record<Way, Result>>} */
        const results = {};
        for (const way of WAYS) {
          const attempt = (this.#attempt = new Attempt(engine, form, problem, way));
          try {
            while (!attempt.done && epoch === this.#epoch) await attempt.pass();
          } finally {
            attempt.free();
          }
          if (epoch !== this.#epoch) return;
          results[way] = resultOf(attempt);
        }
        const { bare, steps } = results;
        if (!bare || !steps) return;
        this.rows.push({ problem, results: { bare, steps } });
        this.#changed();
      }
      this.status = "done";
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.#end();
      this.status = "cancelled";
      this.fault = faultOf(error);
    }
    this.#changed();
  }
}

/** @param {Attempt} attempt @returns {Result} */
function resultOf({ text, answer, right, finish, written, passes }) {
  return { text, answer: answer?.text ?? null, right: right === true, cut: finish !== "eos", written: written.length, passes };
}
