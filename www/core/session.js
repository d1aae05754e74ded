/**
 * The engine and the branches of one element: loading, and what to run in place of what isn't there.
 */

import { Calls } from "./calls.js";
import { acquire } from "./engines.js";
import { FaultEvent, LoadingEvent, ReadyEvent, faultOf } from "./events.js";
import { nameOf } from "./models.js";

/** @typedef {import("./calls.js").Wanted} Wanted */

export class Session extends Calls {
  // ---- loading ----

  /** @param {Wanted} wanted @param {{ fallBack?: boolean }} [options] if the file can't be had, run pocket, and if that can't either, the table @returns {Promise<"ran" | "failed" | "superseded">} */
  async load(wanted, { fallBack = false } = {}) {
    // Of two loads that wait for the same pass to end, only the later one goes on.
    const unloaded = this.unload();
    const epoch = this._epoch;
    await unloaded;
    if (epoch !== this._epoch) return "superseded";
    this.wanted = wanted;
    this.status = "loading";
    this.progress = null;
    this.fault = null;
    this.notice = "";
    this.missing = null;
    const abort = (this._loading = new AbortController());
    this._changed();
    try {
      const lease = await acquire(wanted, {
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
        lease.release();
        return "superseded";
      }
      const { engine } = lease;
      this._lease = lease;
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
          this.fault = { ...fault, place: /** @type {const} */ ("load") };
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

  /** @override @param {boolean} [broken] */
  _drop(broken = false) {
    this._dropBranches();
    this._lease?.release(broken);
    this._lease = null;
    this.engine = null;
  }

  /** Ends whatever runs, gives the memory back. */
  async unload() {
    this._loading?.abort();
    this._loading = null;
    await this._halt();
    this._drop();
    this.status = "idle";
    this._changed();
  }
}
