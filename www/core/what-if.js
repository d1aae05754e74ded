/**
 * Asking "what if": other settings, a coin of one's own, many draws. All of it comes from stored scores:
 * no pass, at the newest place as at past ones.
 */

import { reseed } from "./branch.js";
import { Branches } from "./branches.js";
import { describeStage } from "./describe.js";
import { samplingOf } from "./settings.js";

/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("../api/next-token.js").Draws} Draws */
/** @typedef {import("../api/next-token.js").Distribution} Distribution */
/** @typedef {import("../api/next-token.js").Candidate} Candidate */
/** @typedef {import("../api/next-token.js").Settings} Settings */
/** @typedef {import("./settings.js").RunSettings} RunSettings */
/** @typedef {import("./branch.js").Branch} Branch */
/** @typedef {import("./timeline.js").Turn} Turn */

/**
 * A turn's distribution under the present settings, where it was drawn under others.
 * @typedef {{ turn: Turn, distribution: Distribution, chosen: Candidate | null }} Supposed `chosen`: the token of that turn, under the present settings, where it is known
 */

/** A token further back than this is not looked for. */
const FAR = 2000;

export class WhatIf extends Branches {
  /** @type {Supposed | null} */
  whatIf = null;
  /** Many draws from one turn's distribution. @type {{ turn: Turn, record: Draws, again: number } | null} */
  drawn = null;
  #again = false;
  /** Whether the seed is among what changed meanwhile. */
  #reseeded = false;

  // ---- looking ----

  /** Shows the distribution that an emitted token was drawn from; null: the cursor's again. @param {number | null} index */
  peek(index) {
    if (index === this.peeked) return;
    this._point(index);
    this._changed();
    this._reconsider();
  }

  /** The position that a turn's scores are for. @param {Turn} turn */
  positionOf(turn) {
    return this.timeline.prompt.length + turn.index;
  }

  /** Draws many tokens from the distribution on show, with the present settings; asked again, other coins. @param {number} [times] */
  async drawMany(times = 100) {
    const turn = this.turnOnShow;
    if (!turn?.distribution) return;
    await this.#draws(turn, times, this.drawn?.turn === turn ? this.drawn.again + 1 : 0);
  }

  /** @param {Turn} turn @param {number} times @param {number} again */
  async #draws(turn, times, again) {
    const settings = samplingOf(this.settings);
    const seed = (this.settings.seed + again) % Number.MAX_SAFE_INTEGER;
    try {
      const record = await this.inspect((run) => run.draws(this.positionOf(turn), { ...settings, times, seed }));
      if (!record || !this.timeline.turns.includes(turn)) return;
      this.drawn = { turn, record, again };
      this._changed();
    } catch (error) {
      this._fail(error, "settings");
    }
  }

  /** @override */
  _dropBranches() {
    this.whatIf = null;
    this.drawn = null;
    super._dropBranches();
  }

  // ---- the coin ----

  /** Whether the reader can place a coin of their own now. */
  get canPlaceCoin() {
    const { timeline } = this;
    const stage = timeline.stage;
    return timeline.live && !this.run?.finish && (stage === "distribution" || stage === "sample") && (timeline.turn?.distribution?.settings.temperature ?? 0) > 0;
  }

  /** @param {number} value */
  async coin(value) {
    if (!this.canPlaceCoin) return;
    await this._exclusive("running", async (run, epoch) => {
      await this.#draw(run, epoch, value);
      if (epoch === this._epoch && this.timeline.last) this.timeline.last.placed = true;
      this._say(describeStage(this));
    });
  }

  /** @param {Run} run @param {number} epoch @param {number} [coin] */
  async #draw(run, epoch, coin) {
    const { timeline } = this;
    const choice = await run.sample(coin === undefined ? {} : { coin });
    if (epoch !== this._epoch || !timeline.last) return;
    timeline.last.choice = choice;
    if (timeline.stageAt(timeline.edge) === "distribution") timeline.advance(this._snapshot(run));
  }

  // ---- settings ----

  /**
   * Changes settings. The bars on show follow at once, with no forward pass; a coin that was already
   * thrown stays where it is, unless the seed changed.
   * @param {Partial<RunSettings>} patch
   */
  async set(patch) {
    if (this.fault?.place === "settings") this._dismiss();
    const { seed } = this.settings;
    this._patch(patch);
    const reseeded = this.settings.seed !== seed;
    if (reseeded && this.branch) await this.#reseed(this.branch, this.settings.seed);
    await this.#refresh(reseeded);
    await this._reconsider();
    // The draws follow: the same coins, or those of the seed just typed.
    const { drawn } = this;
    if (drawn && drawn.turn === this.turnOnShow && !this.playing) await this.#draws(drawn.turn, drawn.record.times, reseeded ? 0 : drawn.again);
  }

  /** In the gap between two passes, so that no token is drawn by one seed and labelled with another. @param {Branch} branch @param {number} seed */
  async #reseed(branch, seed) {
    const work = async () => {
      if (!this.branches.includes(branch)) return;
      await branch.run.reseed(seed);
      const { timeline } = branch;
      const stage = timeline.stageAt(timeline.edge);
      // A token that is decided keeps the coin that decided it.
      reseed(branch, seed, timeline.turns.length - (stage === "forward" || stage === "distribution" || stage === "sample" ? 1 : 0));
    };
    await this.inspect(work).catch((error) => this._fail(error, "settings"));
  }

  /** The place that is being computed, under the present settings. @param {boolean} reseeded */
  async #refresh(reseeded) {
    const { timeline } = this;
    const stage = timeline.stageAt(timeline.edge);
    if (this.playing || this.run?.finish || (stage !== "distribution" && stage !== "sample")) return;
    if (this._call) {
      this.#again = true;
      this.#reseeded ||= reseeded;
      return;
    }
    do {
      const fresh = reseeded || this.#reseeded;
      this.#again = false;
      this.#reseeded = false;
      const before = timeline.last?.distribution?.settings ?? null;
      await this._exclusive("running", async (run, epoch) => {
        const coin = fresh ? undefined : timeline.last?.choice?.coin ?? undefined;
        const distribution = await run.distribution(samplingOf(this.settings));
        if (epoch !== this._epoch || !timeline.last) return;
        timeline.last.distribution = distribution;
        if (fresh) timeline.last.placed = false;
        if (stage === "sample") await this.#draw(run, epoch, distribution.settings.temperature > 0 ? coin : undefined);
      }, "settings");
      if (this.fault?.place === "settings" && before) this._patch(before);
    } while (this.#again);
  }

  /** @override @param {number} place */
  _go(place) {
    super._go(place);
    this._reconsider();
  }

  /** @override */
  _settled() {
    super._settled();
    // Settings that changed while something else ran.
    if (this.#again) {
      this.#again = false;
      this.#refresh(false);
    }
    this._reconsider();
  }

  /** A place whose token is decided, under the present settings: what it would be drawn from now. @override */
  async _reconsider() {
    const turn = this.turnOnShow;
    const own = turn?.step || turn?.stop !== undefined ? turn?.distribution : null;
    const settings = samplingOf(this.settings);
    if (!turn || !own || this.playing || same(own.settings, settings)) return this.#suppose(null);
    if (this.whatIf?.turn === turn && same(this.whatIf.distribution.settings, settings)) return;
    try {
      const supposed = await this.inspect((run) => suppose(run, turn, this.positionOf(turn), settings));
      if (turn === this.turnOnShow && !this.playing && supposed && same(settings, samplingOf(this.settings))) this.#suppose(supposed);
    } catch {
      // Refused settings are told by #refresh or by the next step; scores that are gone leave the record.
      this.#suppose(null);
    }
  }

  /** @param {WhatIf["whatIf"]} whatIf */
  #suppose(whatIf) {
    if (this.whatIf === whatIf) return;
    this.whatIf = whatIf;
    this._changed();
  }
}

/**
 * @param {import("../api/next-token.js").Run} run @param {Turn} turn @param {number} position
 * @param {ReturnType<typeof samplingOf>} settings @returns {Promise<Supposed>}
 */
async function suppose(run, turn, position, settings) {
  const distribution = await run.distributionAt(position, settings);
  const { id, rank } = turn.choice ?? { id: -1, rank: null };
  const among = (/** @type {Distribution} */ d) => d.candidates.find((c) => c.id === id) ?? null;
  const chosen = among(distribution);
  if (chosen || rank === null || rank >= FAR) return { turn, distribution, chosen };
  return { turn, distribution, chosen: among(await run.distributionAt(position, { ...settings, top: Math.max(settings.top, rank + 1) })) };
}

/** @param {Settings} a @param {Settings} b */
function same(a, b) {
  return /** @type {(keyof Settings)[]} */ (["temperature", "topK", "topP", "minP", "repetitionPenalty", "top"]).every((name) => a[name] === b[name]);
}
