/**
 * The only owner of time: playing, pausing, going back, and asking "what if".
 * Views read its fields and draw; they never call the engine themselves.
 *
 * idle → loading → ready → paused ⇄ running / playing → done; error when there is no engine.
 */

import { describeStage } from "./describe.js";
import { snapshot } from "./history.js";
import { Loop } from "./loop.js";
import { samplingOf } from "./settings.js";
import { placeOf } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("./settings.js").RunSettings} RunSettings */

/** How long Play rests after each stage or token, in ms. */
export const SPEEDS = /** @type {const} */ ({
  stages: { label: "a stage every 1.5 s", rest: 1500, whole: false },
  slow: { label: "a token a second", rest: 1000, whole: true },
  quick: { label: "4 tokens a second", rest: 250, whole: true },
  full: { label: "as fast as it can", rest: 0, whole: true },
});
/** @typedef {keyof typeof SPEEDS} Speed */

export class Player extends Loop {
  /** @type {Speed} */
  speed = "slow";
  #again = false;

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

  // ---- what if ----

  /** Takes this token in place of the drawn one; what came after it is given up. @param {number} id */
  async force(id) {
    const { timeline } = this;
    const turn = timeline.turn;
    if (!turn || !turn.distribution || !this.run || this._call) return;
    if (this.playing) this.pause();
    await this._exclusive("running", async (run, epoch) => {
      if (turn.step || run.finish !== null) {
        timeline.cursor = timeline.edge;
        await run.rewind(run.state.promptLength + turn.index);
        if (epoch !== this._epoch) return;
        timeline.cutTo(turn.index);
        timeline.begin(await run.forward());
        await run.distribution(samplingOf(this.settings));
        if (epoch !== this._epoch) return;
      }
      await this._finishTurn(run, epoch, () => run.force(id));
    });
  }

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
    if (timeline.stageAt(timeline.edge) === "distribution") timeline.advance(snapshot(run.state));
  }

  /**
   * Changes settings. At the distribution or the sample the bars follow at once, with no forward
   * pass; a coin that was already thrown stays where it is.
   * @param {Partial<RunSettings>} patch
   */
  async set(patch) {
    if (this.fault?.place === "settings") this._dismiss();
    this._patch(patch);
    await this.#refresh();
  }

  async #refresh() {
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
        const coin = timeline.last?.choice?.coin ?? undefined;
        const distribution = await run.distribution(samplingOf(this.settings));
        if (epoch !== this._epoch || !timeline.last) return;
        timeline.last.distribution = distribution;
        if (stage === "sample") await this.#draw(run, epoch, distribution.settings.temperature > 0 ? coin : undefined);
      }, "settings");
      if (this.fault?.place === "settings" && before) this._patch(before);
    } while (this.#again);
  }
}
