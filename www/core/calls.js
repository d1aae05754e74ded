/**
 * The state that views read, and one call of the engine at a time.
 *
 * Names that begin with an underscore are for the classes built on this one.
 */

import { newBranch } from "./branch.js";
import { describeEnd } from "./describe.js";
import { DoneEvent, FaultEvent, faultOf } from "./events.js";
import { snapshot } from "./history.js";
import { nameOf } from "./models.js";
import { Reads } from "./reads.js";
import { defaults } from "./settings.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Engine} Engine */
/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("../api/next-token.js").Progress} Progress */
/** @typedef {import("../api/next-token.js").ModelSource} ModelSource */
/** @typedef {import("./settings.js").RunSettings} RunSettings */
/** @typedef {import("./events.js").Fault} Fault */
/** @typedef {import("./branch.js").Branch} Branch */
/** @typedef {"idle" | "loading" | "ready" | "running" | "playing" | "paused" | "done" | "error"} Status */
/** @typedef {"load" | "prompt" | "run" | "settings"} Place */
/** @typedef {{ source: ModelSource, backend: "auto" | "webgpu" | "cpu", label: string }} Wanted */

export class Calls extends EventTarget {
  /** @type {Status} */
  status = "idle";
  /** @type {Engine | null} */
  engine = null;
  /** @type {Run | null} */
  run = null;
  /** The branch on show: its run and timeline are `run` and `timeline`. @type {Branch | null} */
  branch = null;
  /** All branches of this prompt, oldest first. @type {Branch[]} */
  branches = [];
  timeline = new Timeline();
  /** @type {RunSettings} */
  settings = defaults();
  /** The settings the current run was started with. @type {RunSettings | null} */
  started = null;
  prompt = "The capital of France is";
  /** @type {"text" | "chat"} */
  mode = "text";
  /** What the current run was started with. */
  startedPrompt = "";
  /** @type {"text" | "chat"} */
  startedMode = "text";
  /** @type {Wanted} */
  wanted = { source: "pocket", backend: "auto", label: "pocket" };
  /** The last model that ran here: a way back if another can't be had. @type {Wanted | null} */
  former = null;
  /** A model in whose place another runs. @type {Wanted | null} */
  missing = null;
  /** @type {Progress | null} */
  progress = null;
  /** @type {(Fault & { place: Place }) | null} */
  fault = null;
  /** Something the reader should know that is no error. */
  notice = "";
  /** How far a long prefill is. @type {{ done: number, total: number } | null} */
  reading = null;

  /** Changes whenever results still on their way are no longer wanted. */
  _epoch = 0;
  /** The engine call in progress. @type {Promise<void> | null} */
  _call = null;
  /** @type {AbortController | null} */
  _loading = null;
  /** The share in an engine that other elements may use, too. @type {import("./engines.js").Lease | null} */
  _lease = null;
  _reads = new Reads();
  /** Ends the rest between two steps of Play. */
  _wake = () => {};

  _changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Gives everything back. @param {boolean} [_broken] the engine can't be used any more */
  _drop(_broken) {}

  /** A sentence for those who listen. @param {string} sentence @param {"now" | "text"} [kind] */
  _say(sentence, kind = "now") {
    this.dispatchEvent(new CustomEvent("say", { detail: { sentence, kind } }));
  }

  /** @param {unknown} error @param {Place} place */
  _fail(error, place) {
    const fault = faultOf(error);
    if (fault.code === "aborted") return;
    this.fault = { ...fault, place };
    if (fault.code === "panicked" || fault.code === "device-lost") {
      this._drop(true);
      this.status = "error";
      this.fault.place = "load";
    }
    this.dispatchEvent(new FaultEvent(fault));
    this._changed();
  }

  get playing() {
    return this.status === "playing";
  }

  get busy() {
    return this._call !== null;
  }

  /** The finish reason at the cursor: only at the live edge can a run have ended. */
  get finish() {
    return this.timeline.live ? this.run?.finish ?? null : null;
  }

  /** The name of the model as it is shown and said. */
  get modelName() {
    return typeof this.wanted.source === "string" ? nameOf(this.wanted) : this.engine?.info.model ?? nameOf(this.wanted);
  }

  // ---- the run ----

  _forget() {
    this._dropBranches();
    this.started = null;
    this.fault = null;
    if (this.engine) this.status = "ready";
  }

  /** @param {Run} run @param {{ settings: RunSettings, prompt: string, mode: "text" | "chat" }} given */
  _adopt(run, { settings, prompt, mode }) {
    this.branch = newBranch(run, this.timeline, settings.seed);
    this.branches = [this.branch];
    this.run = run;
    this.started = settings;
    this.startedPrompt = prompt;
    this.startedMode = mode;
  }

  /** @param {Partial<RunSettings>} patch */
  _patch(patch) {
    this.settings = { ...this.settings, ...patch };
    this._changed();
  }

  _dismiss() {
    this.fault = null;
  }

  /** @param {Status} status */
  _to(status) {
    this.status = status;
  }

  _dropBranches() {
    for (const branch of this.branches) branch.run.free();
    this.branches = [];
    this.branch = null;
    this.run = null;
    this.timeline = new Timeline();
    this.dispatchEvent(new Event("reset"));
  }

  /** The text and the counters now; passes count from the prompt on. @param {Run} run */
  _snapshot(run) {
    return snapshot(run.state, this.branch?.before ?? 0);
  }

  /** Shows this branch. @param {Branch} branch */
  _show(branch) {
    this.branch = branch;
    this.run = branch.run;
    this.timeline = branch.timeline;
  }

  /** @param {Branch[]} branches */
  _keep(branches) {
    this.branches = branches;
  }

  // ---- one call at a time ----

  /**
   * Work on the run.
   * @param {Status} status while it runs
   * @param {(run: Run, epoch: number) => Promise<void>} work
   * @param {Place} [place] where an error is shown
   */
  async _exclusive(status, work, place = "run") {
    const { run } = this;
    if (run) await this._alone(status, (epoch) => work(run, epoch), () => place, () => run === this.run);
  }

  /**
   * Does nothing while another call runs.
   * @param {Status} status while it runs
   * @param {(epoch: number) => Promise<void>} work
   * @param {(code: string) => Place} place where an error is shown
   * @param {() => boolean} [still] whether it is wanted after a wait for those who read
   */
  async _alone(status, work, place, still = () => true) {
    const epoch = this._epoch;
    while (this._reads.busy) await this._reads.drain();
    if (this._call || epoch !== this._epoch || !still()) return;
    // Paused meanwhile.
    if (status === "playing" && this.status !== "playing") return;
    const news = this.status !== status || this.fault !== null;
    this.status = status;
    this.fault = null;
    // Between two steps of Play there is nothing new to draw.
    if (news) this._changed();
    /** @type {() => void} */
    let settle = () => {};
    this._call = new Promise((resolve) => (settle = resolve));
    try {
      await work(epoch);
    } catch (error) {
      if (epoch === this._epoch) this._fail(error, place(faultOf(error).code));
    } finally {
      while (this._reads.busy) await this._reads.drain();
      this._call = null;
      settle();
      if (epoch === this._epoch) this._settled();
    }
  }

  /**
   * Reads from the run on show (`kv()`, `attention()`, `logits()`, …) in the gap between two passes; the
   * loop waits for it. Gives null if there is no run or if it was replaced meanwhile.
   * @template T
   * @param {(run: Run) => Promise<T>} work
   * @returns {Promise<T | null>}
   */
  inspect(work) {
    const read = this._reads.add(async () => {
      const { run } = this;
      if (!run) return null;
      try {
        const result = await work(run);
        return run === this.run ? result : null;
      } catch (error) {
        if (run === this.run) throw error;
        return null;
      }
    });
    if (!this._call) this._reads.drain();
    return read;
  }

  _settled() {
    const finish = this.run?.finish ?? null;
    this.reading = null;
    if (this.status === "error") return;
    if (finish) {
      const news = this.status !== "done";
      this.status = "done";
      if (news) {
        this.dispatchEvent(new DoneEvent(finish, this.run?.text ?? ""));
        this._say(describeEnd(this));
      }
    } else if (this.status === "running") this.status = this.run ? "paused" : "ready";
    this._changed();
  }

  /** Waits until no call runs, cutting the one in progress short; its result is not wanted. */
  async _halt() {
    this._epoch += 1;
    this._wake();
    // What waited for the same reads may begin before this goes on.
    while (this._call || this._reads.busy) {
      if (this._call) {
        await this.run?.cancel().catch(() => {});
        await this._call;
      } else await this._reads.drain();
    }
  }
}
