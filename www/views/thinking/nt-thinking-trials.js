/** Many problems, both ways: how often each is right, how sure that is, and what it costs. */

import { count } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { enable, freshId, h, setText, show } from "../../elements/dom.js";
import { Plot } from "../../plot/plot.js";
import { ProblemTable } from "./problem-table.js";
import { percent, verdict } from "./statistics.js";
import { BATCH, MOST } from "./trials.js";
import { WAYS, WAY_NAMES, formFor } from "./ways.js";

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("./bench.js").Bench} Bench */
/** @typedef {import("./ways.js").Way} Way */

const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** The plot is drawn so often while results come in, in ms. */
const REDRAW = 200;

export class NtThinkingTrials extends Part {
  #bench;
  #run = h("button", { type: "button", class: "primary", "data-do": "trials" });
  #cancel = h("button", { type: "button", "data-do": "cancel-trials" }, "Cancel");
  #anew = h("button", { type: "button", class: "quiet", "data-do": "anew-trials" }, "Begin anew");
  #progress = h("progress", { "aria-label": "Problems done" });
  #done = h("span", { class: "done" });
  #verdict = h("p", { class: "verdict" });
  #fault = h("p", { class: "error", role: "alert" });
  #work = h("div", { class: "trials" });
  #results = h("div", { class: "results" });
  #plot = new Plot({
    title: "Share of right answers, with its 95% interval (Wilson)",
    x: { label: "way of asking", format: (x) => (x === 0 ? WAY_NAMES.bare : x === 1 ? WAY_NAMES.steps : "") },
    y: { label: "right answers", min: 0, max: 1, format: percent },
    series: [{ key: "right", label: "right answers", kind: "bars", tone: "kept" }],
    height: 230,
    file: "written-steps",
  });
  #cells = /** @type {Record<Way, Record<"right" | "share" | "interval" | "written" | "passes", HTMLTableCellElement>>} */ (
    Object.fromEntries(WAYS.map((way) => [way, Object.fromEntries(["right", "share", "interval", "written", "passes"].map((name) => [name, h("td", { role: "cell", "data-figure": `${way} ${name}` })]))])));
  #table = new ProblemTable(({ problem }) => {
    this.#bench.duel.set(problem);
    this.#bench.host.say(`${problem.text} stands in the two lanes above.`);
    this.#show();
  });
  /** @type {() => void} */
  #show;
  #plotted = -1;
  #plottedAt = 0;
  #told = 0;
  #status = "";

  /** @param {Bench} bench @param {() => void} show brings the lanes into view */
  constructor(bench, show) {
    super();
    this.#bench = bench;
    this.#show = show;
  }

  /** @override */
  build() {
    const { trials } = this.#bench;
    this.#run.addEventListener("click", () => this.player.engine && trials.run(this.player.engine));
    this.#cancel.addEventListener("click", () => trials.cancel());
    this.#anew.addEventListener("click", () => trials.reset());
    const heads = ["Way", "Right", "Share", "95% interval", "Tokens written, mean", "Tokens computed, mean"];
    const figures = h("table", { class: "figures", role: "table" },
      h("caption", {}, "Measured here. Interval: Wilson’s, of a share. Computed: counted by the runs, the prompt’s tokens among them."),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...heads.map((head) => h("th", { scope: "col", role: "columnheader" }, head)))),
      h("tbody", { role: "rowgroup" }, ...WAYS.map((way) => h("tr", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, WAY_NAMES[way]), ...Object.entries(this.#cells[way]).map(([name, cell]) => {
        cell.dataset.label = heads[["right", "share", "interval", "written", "passes"].indexOf(name) + 1] ?? "";
        return cell;
      })))));
    this.#results.append(
      this.#verdict,
      h("div", { class: "both" }, this.#plot.element, figures),
      h("details", {}, h("summary", {}, "All problems with both answers"), this.#table.element));
    this.#work.append(
      h("div", { class: "buttons" }, this.#run, this.#cancel, h("span", { class: "progress" }, this.#progress, this.#done), this.#anew),
      this.#fault, this.#results);
    const id = freshId("trials");
    this.append(
      h("h2", { id }, "Does it pay?"),
      h("p", { class: "say" }, `${BATCH} held-out problems, each both ways, greedy, with runs of their own. Look at the whiskers: only where they are apart do so many problems tell the ways apart.`),
      this.#work);
  }

  /** @override @param {Player} player */
  update(player) {
    const { engine } = player;
    this.#bench.attend(engine);
    const { trials } = this.#bench;
    const can = engine !== null && formFor(engine.info, trials.kind) !== null;
    show(this, can);
    if (!can) return;
    const n = trials.rows.length;
    const full = n >= trials.wanted;
    const what = trials.kind === "sum" ? "sums" : "words";
    setText(this.#run, n === 0 ? `Run ${trials.wanted} ${what} both ways` : full ? (n >= MOST ? `All ${MOST} done` : `${BATCH} more ${what}`) : "Go on");
    enable(this.#run, !trials.running && n < MOST);
    enable(this.#cancel, trials.running);
    show(this.#anew, n > 0 && !trials.running);
    this.#progress.max = trials.wanted;
    this.#progress.value = n;
    setText(this.#done, `${count(n)} of ${count(trials.wanted)}${trials.status === "cancelled" ? ", cancelled" : ""}`);
    setText(this.#fault, trials.fault ? `${trials.fault.message} ${trials.fault.hint}`.trim() : "");
    show(this.#results, n > 0);
    this.#announce(n);
    if (n === 0) this.#plotted = -1;
    else this.#write(n);
  }

  /** @param {number} n */
  #write(n) {
    const { trials } = this.#bench;
    this.#table.update(trials.rows, trials.running);
    if (n === this.#plotted) return;
    const [bare, steps] = [trials.share("bare"), trials.share("steps")];
    for (const way of WAYS) {
      const share = way === "bare" ? bare : steps;
      const cells = this.#cells[way];
      setText(cells.right, `${share.right} of ${share.of}`);
      setText(cells.share, percent(share.share));
      cells.share.title = String(share.share);
      setText(cells.interval, `${percent(share.low)} to ${percent(share.high)}`);
      cells.interval.title = `${share.low} to ${share.high}`;
      for (const name of /** @type {const} */ (["written", "passes"])) {
        setText(cells[name], tenths.format(trials.mean(way, name)));
        cells[name].title = String(trials.mean(way, name));
      }
    }
    setText(this.#verdict, `${trials.running || n < trials.wanted ? `So far, ${count(n)} problems. ` : ""}${this.#words()}`);
    if (trials.running && performance.now() - this.#plottedAt < REDRAW) return;
    this.#plottedAt = performance.now();
    this.#plotted = trials.running ? -1 : n;
    this.#plot.update({ right: [bare, steps].map(({ share, low, high, right, of }, x) => ({ x, y: share, lo: low, hi: high, label: `${right} of ${of}` })) });
  }

  #words() {
    const { trials } = this.#bench;
    return verdict(trials.share("bare"), trials.share("steps"), { bare: trials.mean("bare", "written"), steps: trials.mean("steps", "written") });
  }

  /** @param {number} n */
  #announce(n) {
    const { trials, host } = this.#bench;
    const quarter = Math.floor((4 * n) / trials.wanted);
    if (trials.running && n > 0 && quarter !== this.#told && quarter < 4) host.say(`${count(n)} of ${count(trials.wanted)} problems.`);
    this.#told = quarter;
    if (trials.status === this.#status) return;
    if (trials.status === "done") host.say(this.#words());
    else if (trials.status === "cancelled" && this.#status === "running") host.say(`Cancelled after ${count(n)} problems.`);
    this.#status = trials.status;
  }
}
