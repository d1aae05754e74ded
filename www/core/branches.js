/**
 * Branches: another token or another coin makes a way of its own, and the old one stays. To look at
 * what was computed, in any branch, costs no pass.
 */

import { branchAlong, idsOf, newBranch, seedAt } from "./branch.js";
import { describeStage } from "./describe.js";
import { Loop } from "./loop.js";
import { samplingOf } from "./settings.js";
import { placeOf } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("./branch.js").Branch} Branch */
/** @typedef {import("./timeline.js").Turn} Turn */
/** A branch that was taken away and can still be put back. @typedef {{ branch: Branch, place: number, children: { branch: Branch, at: number }[] }} Removed */

/** How long a removed branch can be put back, in ms. */
export const UNDO = 10_000;

export class Branches extends Loop {
  /** The turn that somebody points at, shown in place of the cursor's. @type {number | null} */
  peeked = null;
  /** @type {Removed | null} */
  removed = null;
  /** Token passes of runs that were given back. */
  #gone = 0;
  /** The number of the latest branch. */
  #last = 1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** Player knows how. */
  pause() {}

  /** Compares the place on show with the present settings. */
  _reconsider() {}

  /** The turn whose distribution is on show: the one pointed at, or the cursor's. @returns {Turn | null} */
  get turnOnShow() {
    return (this.peeked === null ? null : this.timeline.turns[this.peeked]) ?? this.timeline.turn;
  }

  /** Token passes of all branches of this prompt, removed ones included. */
  get passes() {
    return [...this.branches, ...(this.removed ? [this.removed.branch] : [])].reduce((sum, { run }) => sum + run.state.passes, this.#gone);
  }

  /** @override */
  _dropBranches() {
    this.forgetRemoved();
    this.#gone = 0;
    this.#last = 1;
    this.peeked = null;
    super._dropBranches();
  }

  /** @param {number | null} index */
  _point(index) {
    this.peeked = index;
  }

  /** @override */
  async stage() {
    this.peeked = null;
    await super.stage();
  }

  /** @override */
  async token() {
    this.peeked = null;
    await super.token();
  }

  /** @override @param {number} place */
  _go(place) {
    this.peeked = null;
    super._go(place);
  }

  /** Waits until nothing runs. */
  async #rest() {
    if (this.playing) this.pause();
    while (this._call) await this._call;
  }

  // ---- other ways ----

  /** Takes this token in place of the one of the turn on show. Where one was appended, a new branch begins. @param {number} id */
  async force(id) {
    const turn = this.turnOnShow;
    if (turn?.distribution) await this.forceAt(turn.index, id);
  }

  /** Takes these tokens, one after another, from the turn on show on. Each gets its pass, so each has its probability. @param {number[]} ids */
  async forceAll(ids) {
    const turn = this.turnOnShow;
    if (!turn?.distribution) return;
    let { index } = turn;
    for (const id of ids) {
      await this.forceAt(index, id);
      index += 1;
      // Refused, ended, or somebody went elsewhere.
      if (this.timeline.generated !== index || this.timeline.turns[index - 1]?.step?.choice.id !== id) return;
    }
  }

  /** @param {number} index the turn that this token becomes @param {number} id */
  async forceAt(index, id) {
    const { branch } = this;
    await this.#rest();
    if (!branch || branch !== this.branch) return;
    this.peeked = null;
    const ids = idsOf(branch);
    if (index > ids.length) return;
    const known = branchAlong(this.branches, branch, [...ids.slice(0, index), id]);
    if (known) return this.visit(known, placeOf(index, "append"));
    const force = (/** @type {Run} */ run, /** @type {number} */ epoch) => this._finishTurn(run, epoch, () => run.force(id));
    if (index < ids.length) return this.#fork(index, seedAt(branch, index), force);
    if (!(await this._resume())) return;
    this.timeline.cursor = this.timeline.edge;
    await this._exclusive("running", async (run, epoch) => {
      if (await this.#score(run, epoch)) await force(run, epoch);
    });
  }

  /**
   * Draws this turn's token again, on a branch of its own: with the coins of the present seed if no
   * branch was drawn by it, otherwise with those of the next.
   */
  async redraw() {
    const { branch, turnOnShow: turn } = this;
    if (!branch || !turn?.distribution || !turn.step || this.settings.temperature === 0) return;
    await this.#rest();
    if (branch !== this.branch) return;
    this.peeked = null;
    await this.#fork(turn.index, this.#freshSeed(), async (run, epoch) => {
      const choice = await run.sample();
      if (epoch !== this._epoch || !this.timeline.last) return;
      this.timeline.last.choice = choice;
      this.timeline.advance(this._snapshot(run));
      this._say(describeStage(this));
    });
  }

  /** A seed by which no branch was drawn yet: the present one, or the next. */
  #freshSeed() {
    const drawn = this.branches.filter((b) => b.timeline.turns.some((t) => t.choice?.method === "sampled"));
    const used = new Set(drawn.flatMap((b) => b.seeds.map((s) => s.seed)));
    let { seed } = this.settings;
    while (used.has(seed)) seed = seed === Number.MAX_SAFE_INTEGER ? 0 : seed + 1;
    return seed;
  }

  /** @param {number} index @param {number} seed @param {(run: Run, epoch: number) => Promise<void>} then */
  async #fork(index, seed, then) {
    this.forgetRemoved();
    await this._exclusive("running", async (run, epoch) => {
      const { branch, timeline } = this;
      const fork = await run.fork({ position: run.state.promptLength + index, seed });
      if (epoch !== this._epoch) return fork.free();
      const grown = newBranch(fork, timeline.fork(index), seed, branch, index, ++this.#last);
      // The pass that this turn's scores came from was made by the other run.
      grown.before = timeline.history.at(placeOf(index, "forward"))?.passes ?? 0;
      this._keep([...this.branches, grown]);
      this.#show(grown);
      // The scores of this place are stored, unless the run is very long: then this is a pass.
      if (await this.#score(fork, epoch)) await then(fork, epoch);
    });
    this._reconsider();
  }

  /** Up to the distribution of the turn that is being computed. False if it isn't wanted any more. @param {Run} run @param {number} epoch */
  async #score(run, epoch) {
    const { timeline } = this;
    const stage = () => timeline.stageAt(timeline.edge);
    if (stage() === "prefill" || stage() === "append") {
      const forward = await run.forward();
      if (epoch !== this._epoch) return false;
      timeline.begin(forward);
      timeline.advance(this._snapshot(run));
    }
    if (stage() === "forward" && timeline.last) {
      const distribution = await run.distribution(samplingOf(this.settings));
      if (epoch !== this._epoch) return false;
      timeline.last.distribution = distribution;
      timeline.advance(this._snapshot(run));
    }
    return epoch === this._epoch;
  }

  // ---- going from one to another ----

  /** The seed on show is the one that the next coins come from. @param {Branch} branch */
  #show(branch) {
    this._show(branch);
    this.peeked = null;
    if (this.settings.seed !== branch.seed) this._patch({ seed: branch.seed });
  }

  /** Shows a branch, at a place or where it was left. Nothing is computed. @param {Branch} branch @param {number} [place] */
  async visit(branch, place) {
    await this.#rest();
    if (!this.branches.includes(branch)) return;
    const news = branch !== this.branch;
    this.#show(branch);
    this._to(branch.run.finish && branch.run.finish !== "cancelled" ? "done" : "paused");
    if (place !== undefined && place !== branch.timeline.cursor) this._go(place);
    else {
      if (news) this._say(describeStage(this));
      this._changed();
    }
    this._reconsider();
  }

  /** Takes a branch away; the last one stays. It can be put back until the next branch, or for ten seconds. @param {Branch} branch */
  async removeBranch(branch) {
    await this.#rest();
    const place = this.branches.indexOf(branch);
    const rest = this.branches.filter((other) => other !== branch);
    const [first] = rest;
    if (place < 0 || !first) return;
    this.forgetRemoved();
    if (this.branch === branch) await this.visit(branch.parent && rest.includes(branch.parent) ? branch.parent : first);
    const children = rest.filter((other) => other.parent === branch).map((other) => ({ branch: other, at: other.at }));
    for (const child of children) Object.assign(child.branch, { parent: branch.parent, at: Math.min(child.at, branch.at) });
    this._keep(rest);
    this.removed = { branch, place, children };
    this.#timer = setTimeout(() => {
      this.forgetRemoved();
      this._changed();
    }, UNDO);
    this._say(`Branch ${branch.id} is removed.`);
    this._changed();
  }

  /** Puts the branch back that was taken away last. */
  async restoreBranch() {
    await this.#rest();
    const { removed } = this;
    if (!removed) return;
    clearTimeout(this.#timer);
    this.removed = null;
    const { branch, place, children } = removed;
    for (const child of children) Object.assign(child.branch, { parent: branch, at: child.at });
    this._keep([...this.branches.slice(0, place), branch, ...this.branches.slice(place)]);
    this._say(`Branch ${branch.id} is back.`);
    await this.visit(branch);
  }

  /** A removed branch can't be put back any more. */
  forgetRemoved() {
    clearTimeout(this.#timer);
    if (this.removed) this.#free(this.removed.branch.run);
    this.removed = null;
  }

  /** @param {Run} run */
  #free(run) {
    this.#gone += run.state.passes;
    run.free();
  }

  /** After `length`: goes on for so many tokens more; K and V stay. @param {number} [more] */
  async goOn(more = this.settings.maxTokens) {
    const { branch } = this;
    if (!branch || this.run?.finish !== "length" || this._call) return;
    await this._exclusive("running", async (run, epoch) => {
      const generated = run.tokens.length - run.state.promptLength;
      const fork = await run.fork({ maxTokens: generated + more, seed: branch.seed });
      if (epoch !== this._epoch) return fork.free();
      branch.before += run.state.passes;
      this.#free(run);
      branch.run = fork;
      branch.continuedAt = generated;
      this.#show(branch);
      this.timeline.cursor = this.timeline.edge;
      this._say(`The limit is ${generated + more} tokens now; the run can go on.`);
    });
  }
}
