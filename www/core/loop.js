/**
 * The loop over the engine, a stage or a token at a time, and the record of what was computed.
 */

import { describeStage, describeStep } from "./describe.js";
import { StepEvent } from "./events.js";
import { Session } from "./session.js";
import { samplingOf } from "./settings.js";
import { placeOf } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("../api/next-token.js").Step} Step */

const START_ONLY = /** @type {const} */ (["maxTokens", "stop", "cache"]);

/** Errors that are told at the prompt. */
const PROMPT_FAULTS = ["bad-prompt", "context-full", "bad-template"];

export class Loop extends Session {
  /** Forgets the run, keeps prompt and settings. */
  async reset() {
    await this._halt();
    this._forget();
    this._changed();
  }

  /** Starts a run on the prompt and tokenizes it: the first stage. */
  async start() {
    await this.reset();
    const { engine } = this;
    if (!engine) return;
    const { prompt, mode } = this;
    const settings = { ...this.settings, stop: [...this.settings.stop] };
    const { seed, maxTokens, stop, cache } = settings;
    const given = mode === "chat" ? { messages: [{ role: /** @type {const} */ ("user"), content: prompt }] } : { prompt };
    await this._alone("running", async (epoch) => {
      if (prompt === "") throw Object.assign(new Error("The prompt is empty."), { code: "bad-prompt", hint: "Write at least one character, or take an example." });
      const run = await engine.start({ ...given, ...samplingOf(settings), seed, maxTokens, stop, cache });
      if (epoch !== this._epoch) return run.free();
      this._adopt(run, { settings, prompt, mode });
      const pieces = await run.pieces();
      if (epoch !== this._epoch) return;
      this.timeline.prompt = pieces;
      this.timeline.advance(this._snapshot(run));
      this._say(describeStage(this));
    }, (code) => (PROMPT_FAULTS.includes(code) ? "prompt" : "settings"));
  }

  // ---- the loop ----

  /** The next stage: through the history first, then by computing. */
  async stage() {
    const { timeline } = this;
    if (!this.engine || this._call) return;
    if (!timeline.live) return this._go(timeline.cursor + 1);
    if (!this.run) return this.start();
    if (!(await this._resume())) return;
    await this._exclusive("running", (run, epoch) => this._computeStage(run, epoch));
  }

  /** @param {Run} run @param {number} epoch */
  async _computeStage(run, epoch) {
    const { timeline } = this;
    const { last } = timeline;
    switch (timeline.stageAt(timeline.edge)) {
      case "tokenize":
        return this._computePrefill(run, epoch);
      case "prefill":
      case "append": {
        const forward = await run.forward();
        if (epoch !== this._epoch) return;
        timeline.begin(forward);
        break;
      }
      case "forward": {
        const distribution = await run.distribution(samplingOf(this.settings));
        if (epoch !== this._epoch || !last) return;
        last.distribution = distribution;
        break;
      }
      case "distribution": {
        const choice = await run.sample();
        if (epoch !== this._epoch || !last) return;
        last.choice = choice;
        break;
      }
      case "sample": {
        const stop = await run.stop();
        if (epoch !== this._epoch || !last) return;
        last.stop = stop;
        break;
      }
      case "stop":
        return this._finishTurn(run, epoch, () => run.append());
    }
    timeline.advance(this._snapshot(run));
    this._say(describeStage(this));
  }

  /** @param {Run} run @param {number} epoch */
  async _computePrefill(run, epoch) {
    const { timeline } = this;
    let read = run.state.cached;
    const chunk = (/** @type {number} */ done) => {
      timeline.chunk = Math.max(timeline.chunk, done - read);
      read = done;
    };
    const prefill = await run.prefill({
      onProgress: (done, total) => {
        chunk(done);
        if (epoch !== this._epoch || done >= total) return;
        this.reading = { done, total };
        this._changed();
      },
    });
    chunk(prefill.pieces.length);
    if (epoch !== this._epoch) return;
    timeline.prefill = prefill;
    timeline.prompt = prefill.pieces;
    timeline.advance(this._snapshot(run));
    if (this.status !== "playing") this._say(describeStage(this));
  }

  /** @param {Run} run @param {number} epoch @param {() => Promise<Step>} end */
  async _finishTurn(run, epoch, end) {
    const before = this._snapshot(run);
    const step = await end();
    if (epoch !== this._epoch) return;
    this.timeline.finish(step, before, this._snapshot(run));
    this.dispatchEvent(new StepEvent(step));
    if (this.status === "playing") this._say(step.appended?.text ?? "", "text");
    else this._say(describeStep(step));
  }

  /** The rest of the turn, or a whole one. */
  async token() {
    const { timeline } = this;
    if (!this.engine || this._call) return;
    if (!timeline.live) {
      const next = placeOf(timeline.turnIndexAt(timeline.cursor) + (timeline.stage === "append" ? 1 : 0), "append");
      return this._go(Math.min(timeline.edge, timeline.cursor < 2 ? placeOf(0, "append") : next));
    }
    if (!this.run) await this.start();
    if (!this.run || !(await this._resume())) return;
    await this._exclusive("running", (run, epoch) => this._computeToken(run, epoch));
  }

  /** @param {Run} run @param {number} epoch */
  async _computeToken(run, epoch) {
    const { timeline } = this;
    if (timeline.stageAt(timeline.edge) === "tokenize") await this._computePrefill(run, epoch);
    if (epoch !== this._epoch) return;
    // Stages already done keep the settings they were done with; otherwise those of now.
    const begun = ["distribution", "sample", "stop"].includes(timeline.stageAt(timeline.edge) ?? "");
    await this._finishTurn(run, epoch, () => run.step(begun ? undefined : samplingOf(this.settings)));
  }

  /** After Stop: goes on from the last whole token, or the prompt. False if there is nothing to go on from. */
  async _resume() {
    const { run, timeline } = this;
    if (!run) return false;
    if (run.finish === null) return true;
    if (run.finish !== "cancelled") return false;
    timeline.cutTo(timeline.steps.length);
    await this._exclusive("running", () => run.rewind(run.tokens.length));
    return run.finish === null;
  }

  /** Whether a step would do anything. */
  get canStep() {
    if (!this.engine) return false;
    const finish = this.run?.finish ?? null;
    return !this.timeline.live || finish === null || finish === "cancelled";
  }

  /** Settings that wait for the next start. */
  get waiting() {
    const { started, settings } = this;
    if (!started || !this.run) return [];
    return START_ONLY.filter((name) => JSON.stringify(started[name]) !== JSON.stringify(settings[name]));
  }

  /** Shows another place of what was computed. @param {number} place */
  _go(place) {
    const { timeline } = this;
    const to = Math.max(Math.min(place, timeline.edge), Math.min(0, timeline.edge));
    if (to === timeline.cursor) return;
    timeline.cursor = to;
    this._say(timeline.stage === "append" && timeline.turn?.step ? describeStep(timeline.turn.step) : describeStage(this));
    this._changed();
  }
}
