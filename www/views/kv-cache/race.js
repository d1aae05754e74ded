/**
 * One prompt written twice, with the cache and without it, step by step in turn, so that both are measured
 * under the same conditions. Every number comes from the engine's records and counters.
 */

import { faultOf } from "../../core/events.js";
import { samplingOf } from "../../core/settings.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Run} Run */
/** @typedef {import("../../api/next-token.js").Candidate} Candidate */
/** @typedef {import("../../core/settings.js").RunSettings} RunSettings */
/** @typedef {import("../../core/events.js").Fault} Fault */
/** `ms`: the pass's own computing time. `computed`: tokens in this pass, `passes`: in all of them so far. */
/** @typedef {{ ms: number, computed: number, passes: number }} Cost */
/** @typedef {{ length: number, cached: Cost, plain: Cost, id: number, same: boolean, difference: number | null }} Turn */
/** @typedef {{ prompt: string | import("../../api/next-token.js").Message[], length: number, settings: RunSettings }} Order */
/** @typedef {"idle" | "warming" | "running" | "done" | "cancelled" | "failed"} RaceState */

/** Steps that each of the two makes beforehand, on runs of their own. */
export const WARM_UP = 4;

export class Race extends EventTarget {
  /** @type {RaceState} */
  state = "idle";
  /** @type {Turn[]} */
  turns = [];
  /** Tokens of the prompt. */
  prompt = 0;
  /** Tokens to be written. */
  length = 0;
  /** @type {RunSettings | null} */
  settings = null;
  /** Steps at which a control token was passed over. */
  passedOver = 0;
  /** Columns of the two caches now, and the bytes that a column takes. */
  columns = { cached: 0, plain: 0 };
  layers = 0;
  kvBytes = 0;
  /** The first turn at which the two wrote different tokens; -1: none. */
  parted = -1;
  /** @type {Fault | null} */
  fault = null;
  /** @type {Engine | null} */
  engine = null;
  /** @type {Run[]} */
  #runs = [];
  #round = 0;

  get busy() {
    return this.state === "warming" || this.state === "running";
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Ends it; what was measured stays on show. */
  cancel() {
    if (!this.busy) return;
    this.#round += 1;
    this.state = "cancelled";
    for (const run of this.#runs) run.cancel().catch(() => {});
    this.#changed();
  }

  /** @param {Engine} engine @param {Order} order */
  async start(engine, { prompt, length, settings }) {
    this.cancel();
    const round = (this.#round += 1);
    Object.assign(this, { state: "warming", turns: [], prompt: 0, length, settings, passedOver: 0, parted: -1, fault: null, engine, columns: { cached: 0, plain: 0 }, layers: engine.info.layers, kvBytes: engine.info.kvBytesPerToken });
    this.#changed();
    const given = typeof prompt === "string" ? { prompt } : { messages: prompt };
    const wanted = () => round === this.#round;
    /** @type {Run[]} */
    const own = [];
    const begin = async (/** @type {boolean} */ cache, /** @type {number} */ maxTokens) => {
      const run = await engine.start({ ...given, ...samplingOf(settings), top: 12, seed: settings.seed, maxTokens, cache });
      own.push(run);
      return run;
    };
    try {
      this.#runs = own;
      for (const cache of [true, false]) {
        const run = await begin(cache, WARM_UP + 1);
        if (!wanted()) return;
        await run.prefill();
        for (let i = 0; i < WARM_UP && wanted() && run.finish === null; i++) {
          await run.forward();
          await this.#take(run, null);
        }
      }
      if (!wanted()) return;
      const [cached, plain] = [await begin(true, length), await begin(false, length)];
      if (!wanted()) return;
      this.state = "running";
      await this.#race(cached, plain, wanted);
      if (wanted()) this.state = "done";
    } catch (error) {
      if (!wanted()) return;
      this.fault = faultOf(error);
      this.state = "failed";
    } finally {
      for (const run of own) run.free();
      if (wanted()) this.#changed();
    }
  }

  /** @param {Run} cached @param {Run} plain @param {() => boolean} wanted */
  async #race(cached, plain, wanted) {
    const pair = { cached, plain };
    const prefill = { cached: await cached.prefill(), plain: await plain.prefill() };
    this.prompt = prefill.cached.pieces.length;
    for (let i = 0; i < this.length && wanted(); i++) {
      /** @type {Partial<Record<"cached" | "plain", Cost>>} */
      const cost = {};
      // Now the one goes first, now the other.
      for (const name of i % 2 === 0 ? /** @type {const} */ (["cached", "plain"]) : /** @type {const} */ (["plain", "cached"])) {
        const run = pair[name];
        const forward = await run.forward();
        const { ms, passes } = i === 0 ? prefill[name] : forward;
        cost[name] = { ms, computed: passes, passes: run.state.passes };
        if (!wanted()) return;
      }
      const difference = this.parted < 0 ? await apart(cached, plain) : null;
      const ids = [await this.#take(cached, () => (this.passedOver += 1)), await this.#take(plain, null)];
      if (!wanted()) return;
      const same = ids[0] === ids[1];
      if (!same && this.parted < 0) this.parted = i;
      this.columns = { cached: cached.state.cached, plain: plain.state.cached };
      this.turns.push({ length: this.prompt + i, cached: /** @type {Cost} */ (cost.cached), plain: /** @type {Cost} */ (cost.plain), id: /** @type {number} */ (ids[0]), same, difference });
      this.#changed();
      // The context is full before the length is reached.
      if (cached.finish !== null && cached.finish !== "length") break;
    }
  }

  /**
   * Draws and appends, under the settings. Control tokens, such as the end of the text, are passed over: both
   * runs are to reach the same length.
   * @param {Run} run @param {(() => void) | null} passOver
   */
  async #take(run, passOver) {
    const { candidates } = await run.distribution();
    const choice = await run.sample();
    if (!choice.special) return (await run.append()).choice.id;
    const other = candidates.find((c) => !c.special);
    if (!other) throw Object.assign(new Error("Only control tokens are likely here."), { code: "page", hint: "Take another prompt." });
    passOver?.();
    return (await run.force(other.id)).choice.id;
  }
}

/** The largest difference between any two scores. @param {Run} a @param {Run} b */
async function apart(a, b) {
  const [x, y] = [(await a.logits()).values, (await b.logits()).values];
  let most = 0;
  for (let i = 0; i < x.length; i++) most = Math.max(most, Math.abs(/** @type {number} */ (x[i]) - /** @type {number} */ (y[i])));
  return most;
}
