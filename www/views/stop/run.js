/** The run of a view that has its own: one token at a time, played, walked back through, continued. */

import { acquire } from "../../core/engines.js";
import { faultOf } from "../../core/events.js";
import { samplingOf } from "../../core/settings.js";
import { frameOf } from "./frames.js";
import { Walk } from "./walk.js";
import { PRESETS, SCRIPT, copyOf, differs, scriptSource } from "./presets.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Run} Run */
/** @typedef {import("../../api/next-token.js").Piece} Piece */
/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../core/events.js").Fault} Fault */
/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {import("./presets.js").Given} Given */

/** @typedef {import("./frames.js").Belt} Belt */

/** @implements {Belt} */
export class OwnRun extends Walk {
  /** @type {Piece[]} */
  prompt = [];
  continued = 0;
  /** @type {Fault | null} */
  fault = null;
  /** What the next run is started with. @type {Given} */
  given = copyOf(/** @type {Given} */ (PRESETS[0]));
  /** What the present one was started with. @type {Given | null} */
  started = null;
  /** @type {number | null} */
  #limit = null;
  /** @type {string[]} */
  #stops = [];
  /** @type {Run | null} */
  #run = null;
  /** @type {Engine | null} */
  #engine = null;
  /** @type {import("../../core/engines.js").Lease | null} */
  #lease = null;
  /** Passes of the runs that this one was forked from. */
  #before = 0;
  /** Ids to force, and the text they are of. */
  #queue = { text: "", ids: /** @type {number[]} */ ([]) };
  #busy = false;
  #player;

  /** @param {() => Player} player whose engine and sampling settings are used */
  constructor(player) {
    super();
    this.#player = player;
  }

  get begun() {
    return this.#run !== null;
  }
  get finish() {
    return this.live ? this.#run?.finish ?? null : this.frames[this.cursor - 1]?.finish ?? null;
  }
  get stops() {
    return this.#run ? this.#stops : this.given.stop;
  }
  get limit() {
    return this.#run ? this.#limit : this.given.maxTokens;
  }
  get scripted() {
    return (this.started ?? this.given).script;
  }
  /** @override */
  get idle() {
    return !this.#busy;
  }
  /** Whether the fields say something else than the run was started with. */
  get waiting() {
    return this.started !== null && differs(this.started, this.given);
  }
  /** Whether an engine is there for what is given. */
  get able() {
    return this.given.script || this.#player().engine !== null;
  }
  /** @override */
  get can() {
    const finish = this.#run?.finish ?? null;
    return !this.live || (this.able && (finish === null || finish === "cancelled"));
  }
  /** Tokens still to be forced by `force`. */
  get queued() {
    return this.#queue;
  }

  /** @param {Partial<Given>} patch */
  give(patch) {
    this.given = { ...this.given, ...patch };
    this.fault = null;
    this._changed();
  }

  /** Forgets the run; what is given stays. */
  reset() {
    this._epoch += 1;
    this.#busy = false;
    this.playing = false;
    this._wake();
    this.#run?.free();
    this.#run = null;
    this.#lease?.release();
    this.#lease = null;
    this.#engine = null;
    this.#before = 0;
    this.#queue = { text: "", ids: [] };
    this.frames = [];
    this.prompt = [];
    this.started = null;
    this.fault = null;
    [this.cursor, this.continued] = [0, 0];
    this._changed();
  }

  /** One call at a time; errors become `fault`. @param {(epoch: number) => Promise<void>} work */
  async #alone(work) {
    if (this.#busy) return;
    const epoch = this._epoch;
    this.#busy = true;
    this.fault = null;
    this._changed();
    try {
      await work(epoch);
    } catch (error) {
      if (epoch !== this._epoch) return;
      const fault = faultOf(error);
      if (fault.code !== "aborted") this.fault = fault;
      this.playing = false;
    } finally {
      if (epoch === this._epoch) {
        this.#busy = false;
        this._changed();
      }
    }
  }

  /** @param {number} epoch @returns {Promise<Run | null>} */
  async #begin(epoch) {
    const given = copyOf(this.given);
    const player = this.#player();
    if (given.script && !this.#lease) {
      const lease = await acquire({ source: scriptSource(), backend: "cpu" });
      if (epoch !== this._epoch) {
        lease.release();
        return null;
      }
      this.#lease = lease;
    }
    const engine = this.#lease?.engine ?? player.engine;
    if (!engine) throw Object.assign(new Error("No model is loaded."), { hint: "Load one above, or take the lesson’s stream, which needs none." });
    if (given.prompt === "") throw Object.assign(new Error("The prompt is empty."), { hint: "Write at least one character." });
    const { prompt, stop, maxTokens } = given;
    const run = await engine.start({ prompt, stop, maxTokens, seed: player.settings.seed, ...samplingOf(player.settings) });
    if (epoch !== this._epoch) {
      run.free();
      return null;
    }
    [this.#run, this.#engine, this.#stops, this.#limit, this.started] = [run, engine, stop, maxTokens, given];
    if (given.script) {
      const pieces = await Promise.all(SCRIPT.map((text) => engine.encode(text)));
      this.#queue = { text: "", ids: pieces.flat().map(({ id }) => id) };
    }
    const prefill = await run.prefill();
    if (epoch !== this._epoch) return null;
    this.prompt = prefill.pieces;
    return epoch === this._epoch ? run : null;
  }

  /** The run, begun or resumed if need be. @param {number} epoch @returns {Promise<Run | null>} */
  async #ready(epoch) {
    const run = this.#run ?? (await this.#begin(epoch));
    if (!run || epoch !== this._epoch) return null;
    if (run.finish === "cancelled") {
      await run.rewind(run.tokens.length);
      if (epoch !== this._epoch) return null;
      this.#refresh(run, null);
    }
    // Stopped while it read the prompt: what was read stays.
    if (run.state.stage === "prompt") this.prompt = (await run.prefill()).pieces;
    return run.finish === null && epoch === this._epoch ? run : null;
  }

  /** The last token's frame, after the run changed under it. @param {Run} run @param {Frame["finish"]} finish */
  #refresh(run, finish) {
    const last = this.frames.at(-1);
    if (last) this.frames[this.frames.length - 1] = { ...last, ...this.#texts(run), stops: this.#stops, finish };
  }

  /** @param {Run} run */
  #texts(run) {
    const { text, held, naive, pending, passes } = run.state;
    return { text, held, naive, pending, passes: this.#before + passes };
  }

  /** The next token: from the history, of the script, or chosen by the model. @override */
  async step() {
    if (!this.live) return this.go(this.cursor + 1);
    await this.#alone(async (epoch) => {
      const run = await this.#ready(epoch);
      if (!run) return;
      const id = this.scripted ? this.#queue.ids.shift() : undefined;
      // Behind the script the table ends the text: none of its rows says what follows.
      if (!this.scripted) this.#queue = { text: "", ids: [] };
      this.#add(epoch, run, await (id === undefined ? run.step(samplingOf(this.#player().settings)) : run.force(id)));
    });
  }

  /** Puts the next token of this text in place of what the model would choose. @param {string} text */
  async force(text) {
    if (text === "" || this.scripted) return;
    this.playing = false;
    this.cursor = this.frames.length;
    await this.#alone(async (epoch) => {
      const run = await this.#ready(epoch);
      if (!run || !this.#engine) return;
      if (this.#queue.text !== text || this.#queue.ids.length === 0) {
        const pieces = await this.#engine.encode(text);
        if (epoch !== this._epoch) return;
        this.#queue = { text, ids: pieces.map(({ id }) => id) };
      }
      const id = this.#queue.ids.shift();
      if (id !== undefined) this.#add(epoch, run, await run.force(id));
    });
  }

  /** @param {number} epoch @param {Run} run @param {import("../../api/next-token.js").Step} step */
  #add(epoch, run, step) {
    if (epoch !== this._epoch) return;
    this.frames.push(frameOf(step, this.#texts(run), this.#stops));
    this.cursor = this.frames.length;
    this.dispatchEvent(new Event("token"));
  }

  /** Ends the run; all that was computed stays. */
  async cancel() {
    const run = this.#run;
    this.pause();
    if (!run || run.finish !== null) return;
    const epoch = this._epoch;
    await run.cancel().catch(() => {});
    if (epoch !== this._epoch) return;
    this.cursor = this.frames.length;
    if (run.finish === "cancelled") this.#refresh(run, "cancelled");
    this._changed();
  }

  /** After `length`: for so many tokens more, from the same cache. @param {number} more */
  async goOn(more) {
    if (this.#run?.finish !== "length") return;
    await this.#fork({ maxTokens: this.frames.length + more });
    if (this.#run?.finish === null) await this.play();
  }

  /** After `stop`: goes on as if there had been no stop sequence. Nothing is computed again. */
  async withoutStop() {
    if (this.#run?.finish !== "stop") return;
    await this.#fork({ stop: [] });
    this.give({ stop: [] });
    await this.play();
  }

  /** @param {{ maxTokens?: number, stop?: string[] }} otherwise */
  async #fork(otherwise) {
    await this.#alone(async (epoch) => {
      const run = this.#run;
      const fork = await run?.fork(otherwise);
      if (!run || !fork) return;
      if (epoch !== this._epoch) return fork.free();
      this.#before += run.state.passes;
      run.free();
      this.#run = fork;
      if (otherwise.stop) this.#stops = otherwise.stop;
      if (otherwise.maxTokens) [this.#limit, this.continued] = [otherwise.maxTokens, this.frames.length];
      if (this.started) this.started = { ...this.started, stop: this.#stops };
      this.cursor = this.frames.length;
      this.#refresh(fork, null);
    });
  }
}
