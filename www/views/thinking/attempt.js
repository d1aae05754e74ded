/** One problem put to the model in one way: a run of its own, token by token, freed when it is over. */

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Run} Run */
/** @typedef {import("../../api/next-token.js").Piece} Piece */
/** @typedef {import("../../api/next-token.js").FinishReason} FinishReason */
/** @typedef {import("./problems.js").Problem} Problem */
/** @typedef {import("./ways.js").Form} Form */
/** @typedef {import("./ways.js").Way} Way */
/**
 * @typedef {object} Written one token, and the pass that gave it
 * @property {Piece} piece
 * @property {number} p the model’s probability of it
 * @property {boolean} joined false: it ended the text
 * @property {number} passes tokens computed up to it, by the run’s counter
 */

export class Attempt {
  #engine;
  /** @type {Run | null} */
  #run = null;
  #given = false;
  /** The prompt’s tokens, once they were read. @type {Piece[]} */
  prompt = [];
  /** @type {Written[]} */
  written = [];
  text = "";
  /** `run.state.passes`: tokens computed, those of the prompt among them. */
  passes = 0;
  /** @type {FinishReason | null} */
  finish = null;

  /** @param {Engine} engine @param {Form} form @param {Problem} problem @param {Way} way */
  constructor(engine, form, problem, way) {
    this.#engine = engine;
    this.form = form;
    this.problem = problem;
    this.way = way;
  }

  get done() {
    return this.finish !== null;
  }

  /** What is read as the answer, and where in the text it stands. */
  get answer() {
    return this.text === "" ? null : this.form.read(this.text, this.problem);
  }

  /** null while it writes. */
  get right() {
    return this.finish === null ? null : this.finish === "eos" && this.answer?.text === this.problem.answer;
  }

  /** The next token; the first one comes from the pass over the prompt. */
  async pass() {
    if (this.done || this.#given) return;
    if (!this.#run) {
      const run = await this.#engine.start(this.form.start(this.problem, this.way));
      if (this.#given) return run.free();
      this.#run = run;
      this.prompt = (await run.prefill()).pieces;
    }
    const run = this.#run;
    const { choice, appended } = await run.step();
    if (this.#given) return;
    const { state } = run;
    const { id, text, bytes, special } = choice;
    this.passes = state.passes;
    this.text = state.text;
    this.written.push({ piece: { id, text, bytes, special }, p: choice.pRaw ?? 0, joined: appended !== null, passes: state.passes });
    if (state.finish !== null) {
      this.finish = state.finish;
      this.free();
    }
  }

  /** Gives the run back; a pass in progress is given up. */
  free() {
    this.#given = true;
    this.#run?.free();
    this.#run = null;
  }
}
