/** The same problem, its answer asked for at once and after written steps: two lanes of passes. */

import { plural } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { PACES } from "./duel.js";
import { Lane } from "./lane.js";
import { KINDS, readProblem, trainedOn } from "./problems.js";
import { WAYS, WAY_NAMES, formFor } from "./ways.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("./bench.js").Bench} Bench */
/** @typedef {import("./problems.js").Kind} Kind */

export class NtThinkingDuel extends Part {
  #bench;
  #fields = [0, 1, 2].map((i) => h("input", { type: "text", inputmode: "numeric", maxlength: "2", autocomplete: "off", "aria-label": ["First number", "Second number", "Third number"][i] ?? "" }));
  #word = h("input", { type: "text", maxlength: "12", autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-label": "Word" });
  #numbers = h("span", { class: "numbers" });
  #error = h("p", { class: "error", role: "alert" });
  #known = h("p", { class: "known" });
  #play = h("button", { type: "submit", class: "primary", "data-do": "play-both" }, "Run both");
  #pass = h("button", { type: "button", "data-do": "pass" }, "One pass");
  #again = h("button", { type: "button", class: "quiet", "data-do": "again" }, "Begin anew");
  #draw = h("button", { type: "button", "data-do": "draw" }, "Another held-out problem");
  #pace = h("select", {});
  #radios = /** @type {Record<Kind, HTMLInputElement>} */ ({ sum: h("input", { type: "radio", value: "sum" }), word: h("input", { type: "radio", value: "word" }) });
  #kinds = h("fieldset", { class: "modes" });
  #lanes = { bare: new Lane("bare"), steps: new Lane("steps") };
  #outcome = h("p", { class: "outcome" });
  #fault = h("p", { class: "error", role: "alert" });
  #note = h("p", { class: "notes" });
  #work = h("div", { class: "duel" });
  #cannot = h("p", { class: "cannot" });
  /** The problem that the fields show. @type {import("./problems.js").Problem | null} */
  #drawn = null;
  #told = false;

  /** @param {Bench} bench */
  constructor(bench) {
    super();
    this.#bench = bench;
  }

  /** @override */
  build() {
    const group = freshId("kind");
    this.#kinds.append(h("legend", { class: "sr" }, "Kind of problem"));
    for (const kind of /** @type {Kind[]} */ (["sum", "word"])) {
      const radio = this.#radios[kind];
      radio.name = group;
      radio.id = freshId("kind");
      radio.addEventListener("change", () => {
        this.#refuse("", -1);
        this.#bench.duel.draw(kind);
        if (this.#bench.trials.kind !== kind) this.#bench.trials.reset(kind);
      });
      this.#kinds.append(h("span", { class: "kind" }, radio, h("label", { for: radio.id }, KINDS[kind].name)));
    }
    this.#error.id = freshId("problem-error");
    this.#fields.forEach((field, i) => this.#numbers.append(...(i > 0 ? [" + "] : []), field));
    for (const field of [...this.#fields, this.#word]) {
      field.setAttribute("aria-describedby", this.#error.id);
      field.addEventListener("change", () => this.#commit());
    }
    this.#pace.id = freshId("pace");
    for (const [name, { label }] of Object.entries(PACES)) this.#pace.append(h("option", { value: name }, label));
    if (!matchMedia("(prefers-reduced-motion: no-preference)").matches) this.#bench.duel.pace = "full";
    this.#pace.value = this.#bench.duel.pace;
    this.#pace.addEventListener("change", () => (this.#bench.duel.pace = /** @type {import("./duel.js").Pace} */ (this.#pace.value)));
    this.#pass.addEventListener("click", () => this.pass());
    this.#again.addEventListener("click", () => this.#bench.duel.drop());
    this.#draw.addEventListener("click", () => {
      this.#refuse("", -1);
      this.#bench.duel.draw();
    });
    const form = h("form", { novalidate: true },
      this.#kinds,
      h("div", { class: "own-problem" }, h("span", { class: "field" }, this.#numbers, this.#word), this.#draw),
      this.#error, this.#known,
      h("div", { class: "buttons" }, this.#play, this.#pass, this.#again, h("span", { class: "field small" }, h("label", { for: this.#pace.id }, "pace"), this.#pace)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.playOrPause();
    });
    this.#work.append(form, this.#fault, this.#lanes.bare.element, this.#lanes.steps.element, this.#outcome, this.#note);
    this.append(
      this.#cannot, this.#work);
  }

  /** @param {string} message @param {number} field */
  #refuse(message, field) {
    setText(this.#error, message);
    [...this.#fields, this.#word].forEach((input, i) => {
      const bad = message !== "" && (this.#bench.duel.kind === "sum" ? i === field : i === 3);
      setAttribute(input, "aria-invalid", bad ? "true" : null);
    });
  }

  /** Takes the reader’s own problem, if it is one and another one. */
  #commit() {
    const { duel } = this.#bench;
    const read = readProblem(duel.kind, duel.kind === "sum" ? this.#fields.map((f) => f.value) : [this.#word.value.toLowerCase()]);
    if ("refused" in read) {
      this.#refuse(read.refused, read.field);
      return false;
    }
    this.#refuse("", -1);
    if (read.value.text === duel.problem.text) return true;
    // The fields say so already, and somebody may be typing in them.
    this.#drawn = read.value;
    duel.set(read.value);
    return true;
  }

  /** One pass in each lane. */
  pass() {
    const { engine } = this.player;
    if (engine && !this.#bench.duel.moving && this.#commit()) this.#bench.duel.pass(engine);
  }

  playOrPause() {
    const { duel } = this.#bench;
    const { engine } = this.player;
    if (duel.playing) duel.pause();
    else if (engine && this.#commit()) duel.play(engine);
  }

  /** @override @param {Player} player */
  update(player) {
    const { engine } = player;
    this.#bench.attend(engine);
    const { duel } = this.#bench;
    const form = engine ? formFor(engine.info, duel.kind) : null;
    show(this.#work, form !== null);
    show(this.#cannot, form === null);
    setText(this.#cannot, engine
      ? "The lesson’s table can’t do this: it only knows what follows three words, so it has nothing to compute with, at once or in steps. Take pocket or SmolLM2."
      : "The two lanes start when a model is loaded.");
    if (!form) return;
    const { problem, kind } = duel;
    this.#writeProblem();
    show(this.#numbers, kind === "sum");
    show(this.#word, kind === "word");
    this.#radios[kind].checked = true;
    const own = problem.index === null;
    const number = (problem.index ?? 0) + 1;
    setText(this.#known, form.name === "trained"
      ? `${own ? "Your own." : `Held-out problem ${number}.`} ${trainedOn(problem)}`
      : own ? "Your own." : `Problem ${number} of those that were held out of pocket’s training; what this model has read isn’t known.`);
    setText(this.#play, duel.playing ? "Pause" : duel.status === "paused" ? "Go on" : "Run both");
    enable(this.#pass, !duel.moving && duel.status !== "done");
    show(this.#again, duel.begun);
    setText(this.#note, `${form.note} ${form.rule} Greedy, with runs of its own; at most ${form.name === "chat" ? "32 and 160" : `${KINDS[kind].most.bare} and ${KINDS[kind].most.steps}`} tokens.`);
    setText(this.#fault, duel.fault ? `${duel.fault.message} ${duel.fault.hint}`.trim() : "");
    for (const way of WAYS) this.#lanes[way].update(duel.lanes[way], problem, form, duel.moving);
    this.#writeOutcome();
  }

  #writeProblem() {
    const { problem } = this.#bench.duel;
    if (problem === this.#drawn) return;
    this.#drawn = problem;
    this.#fields.forEach((field, i) => (field.value = String(problem.numbers[i] ?? "")));
    this.#word.value = problem.kind === "word" ? problem.text : "";
  }

  #writeOutcome() {
    const { duel, host } = this.#bench;
    const { bare, steps } = duel.lanes;
    const over = duel.status === "done" && bare !== null && steps !== null;
    const words = over
      ? `${WAY_NAMES.bare}: ${plural(bare.written.length, "token")}, ${bare.right ? "right" : "wrong"}. ${WAY_NAMES.steps}: ${plural(steps.written.length, "token")}, ${steps.right ? "right" : "wrong"}.`
      : "";
    setText(this.#outcome, over ? `${words} One problem proves nothing: count many of them below.` : "");
    show(this.#outcome, over);
    if (over && !this.#told) host.say(words);
    this.#told = over;
  }
}
