/**
 * Reads the cache of the run on show as it grows: new columns only, in the gap between two passes, and only
 * while somebody can see it. What branches share is read once.
 */

import { faultOf } from "../../core/events.js";
import { commonPrefix } from "../../core/lists.js";
import { Columns } from "./columns.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("../../core/branch.js").Branch} Branch */
/** @typedef {import("../../api/next-token.js").Run} Run */
/** @typedef {import("../../core/events.js").Fault} Fault */

export class CacheReader extends EventTarget {
  /** Whether the element can be seen. */
  visible = false;
  /** The layer that is looked into. */
  layer = 0;
  /** @type {Fault | null} */
  fault = null;
  /** Calls made of the engine so far. */
  calls = 0;
  /** @type {WeakMap<Branch, Columns>} */
  #read = new WeakMap();
  #busy = false;
  #again = false;

  /** What was read of the branch on show. @param {Player} player */
  columns(player) {
    return (player.branch && this.#read.get(player.branch)) ?? null;
  }

  /** Reads what is missing. @param {Player} player @param {{ fast: boolean }} how `fast`: without what would be gone before it could be seen */
  sync(player, { fast }) {
    const { branch, run, engine } = player;
    if (!this.visible || !branch || !run || !engine || engine.info.kvBytesPerToken === 0) return;
    const { layers } = engine.info;
    if (this.layer >= layers) this.layer = layers - 1;
    const columns = this.#of(player, branch, run);
    if (!this.#lacks(player, run, columns, fast)) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#fetch(player, fast);
  }

  /** @param {Player} player @param {Branch} branch @param {Run} run */
  #of(player, branch, run) {
    const known = this.#read.get(branch);
    if (known) {
      const same = commonPrefix(known.ids, run.tokens);
      if (same < known.ids.length) known.cut(same);
      return known;
    }
    const { layers, kvHeads, headDim } = /** @type {import("../../api/next-token.js").Engine} */ (player.engine).info;
    // The branch that goes the same way for longest lends its columns.
    let [most, lender] = [0, /** @type {Columns | null} */ (null)];
    for (const other of player.branches) {
      const columns = this.#read.get(other);
      const same = columns ? Math.min(commonPrefix(columns.ids, run.tokens), run.state.cached) : 0;
      if (columns && same > most) [most, lender] = [same, columns];
    }
    const columns = lender ? lender.fork(most) : new Columns({ layers, kvHeads, headDim });
    columns.passes = lender ? run.state.passes : -1;
    this.#read.set(branch, columns);
    return columns;
  }

  /** @param {Player} player @param {Run} run @param {Columns} columns @param {boolean} fast */
  #lacks(player, run, columns, fast) {
    const { cached, passes } = run.state;
    if (cached === 0 || player.timeline.prefill === null) return false;
    if (player.started?.cache === false && columns.passes !== passes) return true;
    if (columns.have < cached || columns.layer !== this.layer || columns.vectors < columns.have) return true;
    return !fast && columns.attention(this.layer, cached) === undefined;
  }

  /** @param {Player} player @param {boolean} fast */
  async #fetch(player, fast) {
    this.#busy = true;
    this.#again = false;
    try {
      await player.inspect((run) => this.#read1(player, run, fast));
      this.fault = null;
    } catch (error) {
      const fault = faultOf(error);
      this.fault = fault.code === "freed" || fault.code === "aborted" ? null : fault;
    } finally {
      this.#busy = false;
    }
    if (this.fault === null && this.#again) this.sync(player, { fast });
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Player} player @param {Run} run @param {boolean} fast */
  async #read1(player, run, fast) {
    const { branch } = player;
    if (!branch || branch.run !== run) return;
    const columns = this.#of(player, branch, run);
    const { cached, passes } = run.state;
    if (cached === 0) return;
    // Without a cache every pass computes all of it again.
    if (player.started?.cache === false && columns.passes !== passes) columns.cut(0);
    const { layer } = this;
    const from = columns.have;
    const call = (/** @type {number} */ of, /** @type {number} */ begin) => {
      this.calls += 1;
      return run.kv({ layer: of, from: begin, to: cached });
    };
    if (columns.layer !== layer || columns.vectors < from) columns.keep(await call(layer, 0));
    if (from < cached) {
      const ids = run.tokens.slice(0, cached);
      for (let i = 0; i < columns.shape.layers; i++) {
        const kv = await call(i, from);
        columns.put(kv);
        if (i === layer && columns.vectors < cached) columns.keep(kv);
      }
      columns.have = cached;
      columns.ids = ids;
    }
    columns.passes = passes;
    if (fast || columns.attention(layer, cached) !== undefined) return;
    this.calls += 1;
    const attention = await run.attention({ layer }).catch((/** @type {unknown} */ error) => {
      if (faultOf(error).code === "out-of-order") return null;
      throw error;
    });
    columns.putAttention(layer, cached, attention?.tokens === cached ? attention : null);
  }

  /**
   * The attention of an earlier pass that nobody looked at then: its token goes through the network again, on
   * a run of its own. Costs one token pass, or the prompt's.
   * @param {Player} player @param {number} tokens columns after that pass
   */
  async recall(player, tokens) {
    const { branch, engine } = player;
    const columns = this.columns(player);
    if (!branch || !engine || !columns) return;
    const { layer } = this;
    const ids = branch.run.tokens.slice(0, tokens);
    const prompt = branch.run.state.promptLength;
    /** @type {Run | null} */
    let own = null;
    try {
      this.calls += 1;
      if (tokens <= prompt) {
        own = await engine.start({ prompt: ids, maxTokens: 1 });
        await own.prefill();
      } else {
        await player.inspect(async (run) => {
          // Kept here, so that it is freed even if the run on show is replaced meanwhile.
          if (run === branch.run) own = await run.fork({ position: tokens - 1, maxTokens: run.tokens.length });
        });
        own = /** @type {Run | null} */ (own);
        if (!own) return;
        await own.force(/** @type {number} */ (ids.at(-1)));
        await own.forward();
      }
      columns.putAttention(layer, tokens, await own.attention({ layer }));
      this.fault = null;
    } catch (error) {
      this.fault = faultOf(error);
    } finally {
      own?.free();
    }
    this.dispatchEvent(new Event("change"));
  }
}
