/**
 * The engine and the run of one element: loading, errors, and one call at a time.
 *
 * Names that begin with an underscore are for the classes built on this one.
 */

import { engineModule } from "./api.js";
import { describeEnd } from "./describe.js";
import { DoneEvent, FaultEvent, LoadingEvent, ReadyEvent, faultOf } from "./events.js";
import { nameOf } from "./models.js";
import { defaults } from "./settings.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("../api/next-token.js").Engine} Engine */
/** @typedef {import("../api/next-token.js").Run} Run */
/** @typedef {import("../api/next-token.js").Progress} Progress */
/** @typedef {import("../api/next-token.js").ModelSource} ModelSource */
/** @typedef {import("./settings.js").RunSettings} RunSettings */
/** @typedef {import("./events.js").Fault} Fault */
/** @typedef {"idle" | "loading" | "ready" | "running" | "playing" | "paused" | "done" | "error"} Status */
/** @typedef {"load" | "prompt" | "run" | "settings"} Place */
/** @typedef {{ source: ModelSource, backend: "auto" | "webgpu" | "cpu", label: string }} Wanted */

export class Session extends EventTarget {
  /** @type {Status} */
  status = "idle";
  /** @type {Engine | null} */
  engine = null;
  /** @type {Run | null} */
  run = null;
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
  /** Ends the rest between two steps of Play. */
  _wake = () => {};

  _changed() {
    this.dispatchEvent(new Event("change"));
  }

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
      this._drop();
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

  // ---- loading ----

  /** @param {Wanted} wanted @param {{ fallBack?: boolean }} [options] if the file can't be had, run pocket, and if that can't either, the table @returns {Promise<"ran" | "failed" | "superseded">} */
  async load(wanted, { fallBack = false } = {}) {
    await this.unload();
    const epoch = this._epoch;
    this.wanted = wanted;
    this.status = "loading";
    this.progress = null;
    this.fault = null;
    this.notice = "";
    this.missing = null;
    const abort = (this._loading = new AbortController());
    this._changed();
    try {
      const { load } = await engineModule();
      const engine = await load({
        model: wanted.source,
        backend: wanted.backend,
        signal: abort.signal,
        onProgress: (progress) => {
          if (epoch !== this._epoch) return;
          this.progress = progress;
          if (progress.note && progress.phase !== "waiting") this.notice = progress.note;
          this.dispatchEvent(new LoadingEvent(progress));
          this._changed();
        },
      });
      if (epoch !== this._epoch) {
        engine.free();
        return "superseded";
      }
      this.engine = engine;
      this.former = wanted;
      this.status = "ready";
      if (!engine.info.chat) this.mode = "text";
      this._loading = null;
      this.dispatchEvent(new ReadyEvent(engine.info));
      this._say(`${this.modelName} is loaded and runs on the ${engine.info.backend === "cpu" ? "CPU" : "GPU"}.`);
      this._changed();
      return "ran";
    } catch (error) {
      if (epoch !== this._epoch) return "superseded";
      this._loading = null;
      const fault = faultOf(error);
      this.status = fault.code === "aborted" ? "idle" : "error";
      if (fallBack && fault.code === "download-failed" && wanted.source !== "table") {
        this.dispatchEvent(new FaultEvent(fault));
        const other = wanted.source === "pocket" ? "table" : "pocket";
        const outcome = await this.load({ source: other, backend: "auto", label: other }, { fallBack });
        // Somebody chose another model meanwhile, or cancelled: this load has no say any more.
        if (outcome === "superseded") return outcome;
        if (outcome === "ran") {
          this.missing = wanted;
          this.notice = `${nameOf(wanted)} is not here: ${fault.message} ${this.modelName} runs in its place; the loop is the same. ${fault.hint}`.trim();
        } else {
          // Then it isn't for want of a model: what was wanted first stays wanted.
          this.wanted = wanted;
          this.fault = { ...fault, place: "load" };
        }
        this._changed();
        return outcome;
      }
      if (this.status === "idle") {
        this._changed();
        return "superseded";
      }
      this._fail(error, "load");
      return "failed";
    }
  }

  cancelLoad() {
    this._loading?.abort();
  }

  _drop() {
    this.run?.free();
    this.engine?.free();
    this.run = null;
    this.engine = null;
    this.timeline = new Timeline();
  }

  /** Ends whatever runs, gives the memory back. */
  async unload() {
    this._loading?.abort();
    this._loading = null;
    await this._halt();
    this._drop();
    this.status = "idle";
  }

  // ---- the run ----

  _forget() {
    this.run?.free();
    this.run = null;
    this.started = null;
    this.timeline = new Timeline();
    this.fault = null;
    if (this.engine) this.status = "ready";
  }

  /** @param {Run} run @param {{ settings: RunSettings, prompt: string, mode: "text" | "chat" }} given */
  _adopt(run, { settings, prompt, mode }) {
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

  // ---- one call at a time ----

  /**
   * Work on the run.
   * @param {Status} status while it runs
   * @param {(run: Run, epoch: number) => Promise<void>} work
   * @param {Place} [place] where an error is shown
   */
  async _exclusive(status, work, place = "run") {
    const { run } = this;
    if (run) await this._alone(status, (epoch) => work(run, epoch), () => place);
  }

  /**
   * Does nothing while another call runs.
   * @param {Status} status while it runs
   * @param {(epoch: number) => Promise<void>} work
   * @param {(code: string) => Place} place where an error is shown
   */
  async _alone(status, work, place) {
    if (this._call) return;
    const epoch = this._epoch;
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
      this._call = null;
      settle();
      if (epoch === this._epoch) this._settled();
    }
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
    if (!this._call) return;
    await this.run?.cancel().catch(() => {});
    await this._call;
  }
}
