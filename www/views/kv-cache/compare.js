/** “Without a cache”: the same prompt written twice, measured side by side as it happens. */

import { count, duration, full } from "../../core/format.js";
import { settingsWords } from "../../core/settings.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { Plot } from "../../plot/plot.js";
import { paintRace } from "./paint-race.js";
import { difference, lastWords, passesWith, passesWithout, passesWords, resultWords, runningMedian, sameWords, timed } from "./race-words.js";
import { WARM_UP } from "./race.js";
import { CachePart } from "./shared.js";

/** @typedef {import("../../elements/base.js").Player} Player */

const LENGTHS = [20, 50, 100, 200];
/** Models of more weights than this start with a short race. */
const SMALL = 10_000_000;
/** How often the plots are drawn while it runs, in ms. */
const EVERY = 150;

const WALLS = /** @type {const} */ ({ cached: "With the cache", plain: "Without it" });
/** @typedef {keyof typeof WALLS} Name */

/** @param {string} title */
function wall(title) {
  const canvas = h("canvas", { role: "img" });
  const [passes, step] = [h("b"), h("span")];
  return { canvas, passes, step, element: h("div", { class: "side-wall" }, h("h3", {}, title), canvas, h("p", { class: "counter" }, passes, " token passes"), h("p", { class: "hint" }, step)) };
}

export class NtCacheCompare extends CachePart {
  #length = h("select");
  #run = h("button", { type: "button", class: "primary", "data-do": "race" }, "Write it twice");
  #cancel = h("button", { type: "button", "data-do": "cancel-race" }, "Cancel");
  #progress = h("progress", { "aria-label": "Tokens written" });
  #where = h("p", { class: "where" });
  #error = h("p", { class: "error", role: "alert" });
  #walls = { cached: wall(WALLS.cached), plain: wall(WALLS.plain) };
  #shown = h("div", { class: "race" });
  #verdicts = { result: h("p", { class: "result" }), passes: h("p"), same: h("p"), last: h("p"), how: h("p", { class: "hint" }) };
  /** The end of the scale of times; single steps that took far longer don't stretch it. @type {number | undefined} */
  #most = undefined;
  #timeAxis = this.#axis();
  #time = new Plot({
    title: "Computing time of a step, measured", file: "time-per-step", height: 230,
    x: { label: "tokens in the sequence" }, y: this.#timeAxis,
    series: [
      { key: "plain", label: "without a cache, each step", kind: "dots", tone: "model" },
      { key: "cached", label: "with the cache, each step", kind: "dots", tone: "kept" },
      { key: "plainMiddle", label: "without, running median of 9 steps", kind: "line", tone: "model", dash: true },
      { key: "cachedMiddle", label: "with, running median of 9 steps", kind: "line", tone: "kept" },
    ],
  });
  #passes = new Plot({
    title: "Token passes so far, counted, and what the formulas say", file: "token-passes", height: 230,
    x: { label: "tokens written", min: 0 }, y: { label: "token passes", min: 0 },
    series: [
      { key: "plain", label: "without a cache, counted", kind: "dots", tone: "model" },
      { key: "cached", label: "with the cache, counted", kind: "dots", tone: "kept" },
      { key: "plainFormula", label: "formula: p + (p + 1) + … + (p + n − 1)", kind: "line", tone: "model", dash: true },
      { key: "cachedFormula", label: "formula: p + n − 1", kind: "line", tone: "kept" },
    ],
  });
  #above = h("p", { class: "hint" });
  #chosen = false;
  #plotted = { at: 0, turns: -1, state: "" };
  #drawn = "";

  /** @override */
  build() {
    const { race, host } = this.shared;
    this.#length.id = freshId("length");
    for (const n of LENGTHS) this.#length.append(h("option", { value: String(n) }, `${n} tokens`));
    this.#length.addEventListener("change", () => (this.#chosen = true));
    this.#run.addEventListener("click", () => this.#start());
    this.#cancel.addEventListener("click", () => race.cancel());
    new ResizeObserver(() => host.redraw()).observe(this.#shown);
    const { result, passes, same, last, how } = this.#verdicts;
    this.#shown.append(
      h("div", { class: "side-walls" }, this.#walls.cached.element, this.#walls.plain.element),
      h("p", { class: "hint" }, "Accent: columns that the last pass computed. Pale: kept from before. Every column is one token in all layers."),
      result, h("div", { class: "plots" }, this.#time.element, this.#passes.element), this.#above, passes, same, last, how,
    );
    this.append(
      h("div", { class: "head" }, h("h2", {}, "Without a cache")),
      h("p", { class: "look" }, "The same prompt is written twice, once with the cache and once without, a step of each in turn. Watch the right wall: without a cache every step computes every column again."),
      h("div", { class: "choices" }, h("span", { class: "field small" }, h("label", { for: this.#length.id }, "Length"), this.#length), this.#run, this.#cancel, this.#progress, this.#where),
      this.#error, this.#shown,
    );
  }

  #axis() {
    const most = () => this.#most;
    return { label: "time", unit: "ms", min: 0, get max() { return most(); } };
  }

  async #start() {
    const { player } = this;
    const { race, host } = this.shared;
    if (!player.engine || race.busy) return;
    const prompt = player.mode === "chat" ? [{ role: /** @type {const} */ ("user"), content: player.prompt }] : player.prompt;
    const length = Number(this.#length.value);
    this.#plotted = { at: 0, turns: -1, state: "" };
    host.say(`Writing ${length} tokens twice, with and without the cache.`);
    await race.start(player.engine, { prompt, length, settings: { ...player.settings, stop: [] } });
    if (race.state === "done") host.say(resultWords(race) || "Both runs are done.");
  }

  /** @override @param {Player} player */
  update(player) {
    const info = player.engine?.info;
    show(this, info !== undefined && info.kvBytesPerToken > 0);
    if (!info || info.kvBytesPerToken === 0) return;
    const { race } = this.shared;
    if (!this.#chosen) this.#length.value = info.parameters > SMALL ? "20" : "100";
    const { busy, state, turns } = race;
    enable(this.#run, !busy);
    setAttribute(this.#length, "disabled", busy);
    show(this.#cancel, busy);
    show(this.#progress, busy);
    this.#progress.max = race.length || 1;
    this.#progress.value = turns.length;
    setText(this.#where, state === "warming" ? "warming up …" : busy ? `${count(turns.length)} of ${count(race.length)}` : state === "cancelled" ? `cancelled after ${count(turns.length)}` : "");
    setText(this.#error, race.fault ? `${race.fault.message} ${race.fault.hint}`.trim() : "");
    show(this.#shown, turns.length > 0);
    if (turns.length === 0) return;
    this.#drawWalls();
    this.#drawPlots();
    this.#write(info.vocabulary);
  }

  #drawWalls() {
    const { race, inks } = this.shared;
    const last = race.turns.at(-1);
    if (!last) return;
    inks.read();
    const room = race.prompt + race.length - 1;
    const width = Math.floor(this.#walls.cached.element.clientWidth);
    const key = [race.turns.length, last.length, width, inks.key, race.state].join();
    if (key === this.#drawn || width === 0) return;
    this.#drawn = key;
    for (const name of /** @type {Name[]} */ (Object.keys(WALLS))) {
      const { canvas, passes, step } = this.#walls[name];
      const { ms, computed, passes: all } = last[name];
      paintRace(canvas, inks, { width, layers: race.layers, room, tokens: last.length, computed });
      setAttribute(canvas, "aria-label", `${WALLS[name]}: of ${count(last.length)} columns the last pass computed ${count(computed)}.`);
      setText(passes, count(all));
      setText(step, `last step: ${count(computed)} computed in ${duration(ms)}`);
      setAttribute(step, "title", `${full(ms)} ms`);
    }
  }

  #drawPlots() {
    const { race } = this.shared;
    const { turns, prompt, state, busy } = race;
    const drawn = this.#plotted;
    if (drawn.turns === turns.length && drawn.state === state) return;
    if (busy && performance.now() - drawn.at < EVERY) return;
    this.#plotted = { at: performance.now(), turns: turns.length, state };
    const steps = timed(race);
    /** @param {Name} name */
    const times = (name) => steps.map((t) => ({ x: t.length, y: t[name].ms }));
    /** @param {Name} name */
    const middle = (name) => runningMedian(steps.map((t) => t[name].ms)).map((y, i) => ({ x: Number(steps[i]?.length), y }));
    this.#reach(steps);
    this.#time.update({ cached: times("cached"), plain: times("plain"), cachedMiddle: middle("cached"), plainMiddle: middle("plain") });
    /** @param {Name} name */
    const counted = (name) => turns.map((t, i) => ({ x: i + 1, y: t[name].passes }));
    const formula = (/** @type {(p: number, n: number) => number} */ f) => Array.from({ length: race.length }, (_, i) => ({ x: i + 1, y: f(prompt, i + 1) }));
    this.#passes.update({ cached: counted("cached"), plain: counted("plain"), cachedFormula: formula(passesWith), plainFormula: formula(passesWithout) });
  }

  /** @param {import("./race.js").Turn[]} steps */
  #reach(steps) {
    const all = steps.flatMap((t) => [t.cached.ms, t.plain.ms]);
    const usual = Math.max(0, ...runningMedian(steps.map((t) => t.plain.ms)), ...runningMedian(steps.map((t) => t.cached.ms)));
    const above = all.filter((ms) => ms > 2 * usual);
    this.#most = above.length > 0 ? 2 * usual : undefined;
    setText(this.#above, above.length > 0 ? `${above.length === 1 ? "One step" : `${count(above.length)} steps`} took longer than the picture is high, up to ${duration(Math.max(...above))}. The data table has them all.` : "");
  }

  /** @param {number} vocabulary */
  #write(vocabulary) {
    const { race } = this.shared;
    const { result, passes, same, last, how } = this.#verdicts;
    const ended = !race.busy;
    setText(result, ended ? resultWords(race) : "");
    setText(passes, passesWords(race));
    setText(same, sameWords(race, vocabulary));
    setAttribute(same, "title", full(difference(race) ?? 0));
    setText(last, lastWords(race));
    const over = race.passedOver > 0 ? ` At ${race.passedOver === 1 ? "one step" : `${count(race.passedOver)} steps`} a control token, such as the end of the text, was drawn; the likeliest other token was taken in its place in both runs, so that they go on.` : "";
    setText(how, ended && race.settings ? `Settings: ${settingsWords(race.settings)}. Times are the forward passes’ own computing time; ${WARM_UP} steps of each kind beforehand, on runs of their own, are left out, and so is the first step, whose scores come from the prefill.${over}` : "");
  }
}
