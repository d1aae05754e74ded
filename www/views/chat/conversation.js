/**
 * A conversation with the model: the only owner of its runs. Each turn sends all messages again; with
 * the prefix cache on, K and V of what both begin with are copied from the run before.
 */

import { faultOf } from "../../core/events.js";
import { samplingOf } from "../../core/settings.js";
import { endWords, tooLong } from "./turn.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../core/events.js").Fault} Fault */
/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Run} Run */
/** @typedef {import("../../api/next-token.js").Message} Message */
/** @typedef {import("./turn.js").Turn} Turn */
/** @typedef {{ turns: Turn[], system: string, run: Run | null, what: string }} Former */

export class Conversation extends EventTarget {
  system = "You are a helpful assistant.";
  /** @type {Turn[]} */
  turns = [];
  /** @type {"idle" | "reading" | "writing"} */
  phase = "idle";
  /** The prefix cache. */
  cache = true;
  /** @type {Fault | null} */
  fault = null;
  notice = "";
  /** How far a long input is read. @type {{ done: number, total: number } | null} */
  reading = null;

  /** Changes when what is on its way is no longer wanted. */
  #epoch = 0;
  #stopping = false;
  /** The run of the newest turn. @type {Run | null} */
  #run = null;
  /** What an edit or a new conversation replaced. @type {Former | null} */
  #former = null;
  /** The engine that the turns were counted with. @type {Engine | null} */
  #engine = null;
  #player;

  /** @param {() => Player} player */
  constructor(player) {
    super();
    this.#player = player;
  }

  get busy() {
    return this.phase !== "idle";
  }

  get last() {
    return this.turns.at(-1) ?? null;
  }

  /** Whether the newest answer can go on from where it ended. */
  get canGoOn() {
    return !this.busy && this.#run !== null && (this.last?.finish === "length" || this.last?.finish === "cancelled");
  }

  /** What can be undone, in words. */
  get undoable() {
    return this.busy ? "" : this.#former?.what ?? "";
  }

  /** The newest run: for those who check. */
  get run() {
    return this.#run;
  }

  /** What the next turn sends. @param {string} text @returns {Message[]} */
  messages(text) {
    /** @type {Message[]} */
    const list = this.system.trim() === "" ? [] : [{ role: "system", content: this.system }];
    for (const { user, answer } of this.turns) list.push({ role: "user", content: user }, { role: "assistant", content: answer });
    return [...list, { role: "user", content: text }];
  }

  // ---- what the reader does ----

  /** @param {string} text @returns {Promise<boolean>} false: nothing was sent */
  async send(text) {
    const player = this.#player();
    if (this.busy || !player.engine) return false;
    if (text.trim() === "") {
      this.fault = { code: "bad-prompt", message: "The message is empty.", hint: "Write something, or take an example." };
      this.#changed();
      return false;
    }
    return this.#turn(text, null);
  }

  /** Asks again from this turn on, with another message. @param {number} index @param {string} text */
  async edit(index, text) {
    if (this.busy || !this.turns[index] || text.trim() === "") return false;
    const { turns, system } = this;
    const run = this.#run;
    const before = this.#former;
    this.#former = { turns, system, run, what: `the edit of message ${index + 1}` };
    this.turns = turns.slice(0, index);
    const held = run?.state.cached ?? 0;
    if (await this.#turn(text, { cached: this.cache ? held : 0, reused: 0 })) {
      if (before?.run !== run) before?.run?.free();
      return true;
    }
    if (this.#former?.turns === turns) {
      this.turns = turns;
      this.#former = before;
      this.#changed();
    }
    return false;
  }

  undo() {
    const former = this.#former;
    if (!former || this.busy) return;
    if (this.#run !== former.run) this.#run?.free();
    this.#former = null;
    Object.assign(this, { turns: former.turns, system: former.system, fault: null, notice: `Undone: ${former.what}.` });
    this.#run = former.run;
    this.#say(this.notice);
    this.#changed();
  }

  /** A new conversation; the former one can be had back. */
  clear() {
    if (this.busy || this.turns.length === 0) return;
    if (this.#former?.run !== this.#run) this.#former?.run?.free();
    this.#former = { turns: this.turns, system: this.system, run: this.#run, what: "the new conversation" };
    this.#run = null;
    Object.assign(this, { turns: [], fault: null, notice: "A new conversation: the model knows nothing of the former one." });
    this.#say(this.notice);
    this.#changed();
  }

  /** Ends the answer; what was written stays. */
  async stop() {
    if (!this.busy) return;
    this.#stopping = true;
    await this.#run?.cancel().catch(() => {});
  }

  /** Goes on where max tokens or Stop ended the answer; nothing is computed again. */
  async goOn() {
    const turn = this.last;
    const before = this.#run;
    if (!this.canGoOn || !turn || !before) return;
    const { maxTokens } = this.#player().settings;
    await this.#alone("writing", async (epoch) => {
      let run = before;
      if (run.finish === "cancelled") await run.rewind(run.tokens.length);
      if (run.finish === "length") {
        const fork = await run.fork({ maxTokens: turn.output + maxTokens });
        if (epoch !== this.#epoch) return fork.free();
        run.free();
        this.#run = run = fork;
      }
      turn.finish = null;
      await this.#write(run, turn, epoch);
    });
  }

  /** Another model, or none: what was counted with the former one says nothing about it. @param {Engine | null} engine */
  meet(engine) {
    if (engine === this.#engine || (!engine && !this.#engine)) return;
    const had = this.turns.length > 0 && engine !== null;
    this.end();
    this.#engine = engine;
    Object.assign(this, { turns: [], fault: null, notice: had ? "Another model: a new conversation begins." : "" });
    this.#changed();
  }

  /** Gives everything back; what was said stays. */
  end() {
    this.#epoch += 1;
    const run = this.#run;
    if (this.busy) run?.cancel().catch(() => {});
    if (this.#former?.run !== run) this.#former?.run?.free();
    run?.free();
    this.#run = null;
    this.#former = null;
    this.phase = "idle";
    this.reading = null;
  }

  // ---- a turn ----

  /** @param {string} text @param {Turn["edited"]} edited @returns {Promise<boolean>} */
  async #turn(text, edited) {
    const { engine, settings } = this.#player();
    if (!engine) return false;
    let sent = false;
    await this.#alone("reading", async (epoch) => {
      const messages = this.messages(text);
      const { pieces, parts } = await engine.render(messages);
      if (epoch !== this.#epoch || this.#stopping) return;
      const { context } = engine.info;
      if (pieces.length >= context) throw tooLong(pieces.length, context);
      const before = this.#run;
      const reuse = this.cache && before ? { reuse: before } : {};
      const { seed, maxTokens, stop } = settings;
      const run = await engine.start({ messages, ...samplingOf(settings), seed, maxTokens, stop, ...reuse });
      if (epoch !== this.#epoch || this.#stopping) return run.free();
      this.#run = run;
      // An edit that can be undone keeps the run that it came from.
      const drop = () => void (before !== this.#former?.run && before?.free());
      /** @type {Turn} */
      const turn = { user: text, answer: "", messages, pieces, parts, input: pieces.length, reused: 0, computed: 0, output: 0, finish: null, cache: this.cache, edited: null, pending: 0 };
      this.turns = [...this.turns, turn];
      this.#changed();
      try {
        const prefill = await run.prefill({ onProgress: (done, total) => this.#progress(epoch, done, total) });
        if (epoch !== this.#epoch) return drop();
        turn.reused = run.state.reused;
        turn.computed = prefill.passes;
      } catch (error) {
        if (epoch !== this.#epoch) return drop();
        // Nothing was written: as if it hadn't been sent.
        this.turns = this.turns.filter((other) => other !== turn);
        this.#run = before;
        run.free();
        if (run.finish === "cancelled") return;
        throw error;
      }
      sent = true;
      drop();
      if (edited) turn.edited = { cached: edited.cached, reused: turn.reused };
      this.reading = null;
      this.phase = "writing";
      this.#changed();
      await this.#write(run, turn, epoch);
    });
    if (!sent && this.#stopping) {
      this.notice = "Stopped before anything was written: the message is back in the field.";
      this.#changed();
    }
    return sent;
  }

  /** @param {Run} run @param {Turn} turn @param {number} epoch */
  async #write(run, turn, epoch) {
    const { settings } = this.#player();
    try {
      if (this.#stopping) await run.cancel();
      while (run.finish === null) {
        const step = await run.step(samplingOf(settings));
        if (epoch !== this.#epoch) return;
        this.#take(run, turn);
        this.#say(step.appended?.text ?? "", "text");
        this.#changed();
      }
    } catch (error) {
      if (epoch !== this.#epoch) return;
      if (run.finish !== "cancelled") throw error;
    } finally {
      if (epoch === this.#epoch) {
        this.#take(run, turn);
        turn.finish = run.finish;
        this.#say("", "text");
        this.#say(endWords(turn, this.#player().engine?.info.context ?? 0));
      }
    }
  }

  /** @param {Run} run @param {Turn} turn */
  #take(run, turn) {
    turn.answer = run.text;
    turn.output = run.tokens.length - turn.input;
    turn.pending = run.state.pending.length;
  }

  /** @param {number} epoch @param {number} done @param {number} total */
  #progress(epoch, done, total) {
    if (epoch !== this.#epoch || done >= total) return;
    this.reading = { done, total };
    this.#changed();
  }

  /** @param {"reading" | "writing"} phase @param {(epoch: number) => Promise<void>} work */
  async #alone(phase, work) {
    const epoch = ++this.#epoch;
    Object.assign(this, { phase, fault: null, notice: "" });
    this.#stopping = false;
    this.#changed();
    try {
      await work(epoch);
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.fault = faultOf(error);
      this.#say(`${this.fault.message} ${this.fault.hint}`);
    } finally {
      if (epoch === this.#epoch) {
        this.phase = "idle";
        this.reading = null;
        this.#changed();
        this.dispatchEvent(new Event("turn"));
      }
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string} sentence @param {"now" | "text"} [kind] */
  #say(sentence, kind = "now") {
    this.dispatchEvent(new CustomEvent("say", { detail: { sentence, kind } }));
  }
}
