/**
 * Asking "what if": another token, another coin, other settings, many draws. What was computed stays:
 * another way on is a branch of its own, and looking at an earlier place costs no pass.
 */

import { branchAlong, newBranch } from "./branch.js";
import { describeStage } from "./describe.js";
import { Loop } from "./loop.js";
import { samplingOf } from "./settings.js";
import { placeOf } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("../api/next-token.js").Draws} Draws */
/** @typedef {import("../api/next-token.js").Distribution} Distribution */
/** @typedef {import("../api/next-token.js").Settings} Settings */
/** @typedef {import("./branch.js").Branch} Branch */
/** @typedef {import("./settings.js").RunSettings} RunSettings */
/** @typedef {import("./timeline.js").Turn} Turn */

export class WhatIf extends Loop {
  /** The turn that somebody points at, shown in place of the cursor's. @type {number | null} */
  peeked = null;
  /** A turn's distribution under the present settings, where it was drawn under others. @type {{ turn: Turn, distribution: Distribution } | null} */
  whatIf = null;
  /** Many draws from one turn's distribution. @type {{ turn: Turn, record: Draws, again: number } | null} */
  drawn = null;
  #again = false;

  /** Player knows how. */
  pause() {}

  // ---- looking ----

  /** The turn whose distribution is on show: the one pointed at, or the cursor's. @returns {Turn | null} */
  get turnOnShow() {
    return (this.peeked === null ? null : this.timeline.turns[this.peeked]) ?? this.timeline.turn;
  }

  /** Shows the distribution that an emitted token was drawn from; null: the cursor's again. @param {number | null} index */
  peek(index) {
    if (index === this.peeked) return;
    this.peeked = index;
    this._changed();
    this.#reconsider();
  }

  /** The position that a turn's scores are for. @param {Turn} turn */
  positionOf(turn) {
    return this.timeline.prompt.length + turn.index;
  }

  /** Draws many tokens from the distribution on show, with the present settings; asked again, other coins. @param {number} [times] */
  async drawMany(times = 100) {
    const turn = this.turnOnShow;
    if (!turn?.distribution) return;
    const again = this.drawn?.turn === turn ? this.drawn.again + 1 : 0;
    const settings = samplingOf(this.settings);
    const seed = this.settings.seed + again;
    const record = await this.inspect((run) => run.draws(this.positionOf(turn), { ...settings, times, seed }));
    if (!record) return;
    this.drawn = { turn, record, again };
    this._changed();
  }

  forgetDraws() {
    this.drawn = null;
    this._changed();
  }

  // ---- branches ----

  /** Takes this token in place of the drawn one. Where one was appended already, a new branch begins. @param {number} id */
  async force(id) {
    const turn = this.turnOnShow;
    if (!turn?.distribution || !this.run || this._call) return;
    if (this.playing) this.pause();
    this.peeked = null;
    if (!turn.step && this.run.finish === null) {
      this.timeline.cursor = this.timeline.edge;
      return this._exclusive("running", (run, epoch) => this._finishTurn(run, epoch, () => run.force(id)));
    }
    const ids = this.timeline.steps.slice(0, turn.index).map((step) => step.choice.id);
    const known = branchAlong(this.branches, this.branch, [...ids, id]);
    if (known) return this.visit(known, placeOf(turn.index, "append"));
    await this.#fork(turn.index, this.branch?.seed ?? this.settings.seed, (run, epoch) => this._finishTurn(run, epoch, () => run.force(id)));
  }

  /** Draws this turn's token again, with the coins of another seed, on a branch of its own. */
  async redraw() {
    const turn = this.turnOnShow;
    if (!turn?.distribution || !turn.step || !this.run || this._call) return;
    this.peeked = null;
    const seed = Math.max(this.settings.seed, ...this.branches.map((b) => b.seed)) + 1;
    await this.#fork(turn.index, seed, async (run, epoch) => {
      await this.#draw(run, epoch);
      this._say(describeStage(this));
    });
  }

  /** @param {number} index @param {number} seed @param {(run: Run, epoch: number) => Promise<void>} then */
  async #fork(index, seed, then) {
    await this._exclusive("running", async (run, epoch) => {
      const { branch, timeline } = this;
      const fork = await run.fork({ position: run.state.promptLength + index, seed });
      if (epoch !== this._epoch) return fork.free();
      const grown = newBranch(fork, timeline.fork(index), seed, branch, index);
      // The pass that this turn's scores came from was made by the other run.
      grown.before = timeline.history.at(placeOf(index, "forward"))?.passes ?? 0;
      this._keep([...this.branches, grown]);
      this.#show(grown);
      // The scores of this place are stored, unless the run is very long: then this is a pass.
      const forward = await fork.forward();
      if (epoch !== this._epoch) return;
      grown.timeline.begin(forward);
      grown.timeline.advance(this._snapshot(fork));
      const distribution = await fork.distribution(samplingOf(this.settings));
      if (epoch !== this._epoch || !grown.timeline.last) return;
      grown.timeline.last.distribution = distribution;
      grown.timeline.advance(this._snapshot(fork));
      await then(fork, epoch);
    });
  }

  /** @param {Branch} branch */
  #show(branch) {
    this._show(branch);
    this.peeked = null;
  }

  /** Shows a branch, at a place or where it was left. Nothing is computed. @param {Branch} branch @param {number} [place] */
  visit(branch, place) {
    if (this._call || !this.branches.includes(branch)) return;
    if (this.playing) this.pause();
    this.#show(branch);
    this._to(branch.run.finish && branch.run.finish !== "cancelled" ? "done" : "paused");
    if (place !== undefined && place !== branch.timeline.cursor) this._go(place);
    else this._changed();
  }

  /** Gives up a branch; the last one stays. @param {Branch} branch */
  removeBranch(branch) {
    const rest = this.branches.filter((other) => other !== branch);
    const [first] = rest;
    if (this._call || !first || rest.length === this.branches.length) return;
    if (this.branch === branch) this.visit(branch.parent && rest.includes(branch.parent) ? branch.parent : first);
    for (const other of rest) if (other.parent === branch) Object.assign(other, { parent: branch.parent, at: Math.min(other.at, branch.at) });
    this._keep(rest);
    branch.run.free();
    this._changed();
  }

  /** After `length`: goes on for so many tokens more; K and V stay. @param {number} [more] */
  async goOn(more = this.settings.maxTokens) {
    const { branch } = this;
    if (!branch || this.run?.finish !== "length" || this._call) return;
    await this._exclusive("running", async (run, epoch) => {
      const generated = run.tokens.length - run.state.promptLength;
      const fork = await run.fork({ maxTokens: generated + more });
      if (epoch !== this._epoch) return fork.free();
      branch.before += run.state.passes;
      run.free();
      branch.run = fork;
      this.#show(branch);
      this.timeline.cursor = this.timeline.edge;
      this._say(`The limit is ${generated + more} tokens now; the run can go on.`);
    });
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
    if (reseeded && this.branch && this.run) {
      const branch = this.branch;
      branch.seed = this.settings.seed;
      await this.inspect((run) => run.reseed(branch.seed)).catch((error) => this._fail(error, "settings"));
    }
    await this.#refresh(reseeded);
    await this.#reconsider();
  }

  /** The place that is being computed, under the present settings. @param {boolean} reseeded */
  async #refresh(reseeded) {
    const { timeline } = this;
    const stage = timeline.stageAt(timeline.edge);
    if (this.playing || this.run?.finish || (stage !== "distribution" && stage !== "sample")) return;
    if (this._call) {
      this.#again = true;
      return;
    }
    do {
      this.#again = false;
      const before = timeline.last?.distribution?.settings ?? null;
      await this._exclusive("running", async (run, epoch) => {
        const coin = reseeded ? undefined : timeline.last?.choice?.coin ?? undefined;
        const distribution = await run.distribution(samplingOf(this.settings));
        if (epoch !== this._epoch || !timeline.last) return;
        timeline.last.distribution = distribution;
        if (stage === "sample") await this.#draw(run, epoch, distribution.settings.temperature > 0 ? coin : undefined);
      }, "settings");
      if (this.fault?.place === "settings" && before) this._patch(before);
    } while (this.#again);
  }

  /** @override @param {number} place */
  _go(place) {
    super._go(place);
    this.#reconsider();
  }

  /** A place that was left behind, under the present settings: what it would be drawn from now. */
  async #reconsider() {
    const turn = this.turnOnShow;
    const own = turn?.step ? turn.distribution : null;
    const settings = samplingOf(this.settings);
    if (!turn || !own || this.playing || same(own.settings, settings)) return this.#suppose(null);
    if (this.whatIf?.turn === turn && same(this.whatIf.distribution.settings, settings)) return;
    try {
      const distribution = await this.inspect((run) => run.distributionAt(this.positionOf(turn), settings));
      if (turn === this.turnOnShow && !this.playing && distribution) this.#suppose({ turn, distribution });
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

/** @param {Settings} a @param {Settings} b */
function same(a, b) {
  return /** @type {(keyof Settings)[]} */ (["temperature", "topK", "topP", "minP", "repetitionPenalty", "top"]).every((name) => a[name] === b[name]);
}
