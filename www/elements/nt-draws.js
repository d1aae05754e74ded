/** Many draws from one distribution, beside what the probabilities let expect. */

import { describeDraws } from "../core/draws.js";
import { count, full, plural, probability, tokenLabel, tokenSpoken } from "../core/format.js";
import { settingsWords } from "../core/settings.js";
import { Part } from "./base.js";
import { h, setAttribute, setStyle, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../core/draws.js").Row} Row */

export class NtDraws extends Part {
  #details = h("details");
  #buttons = [100, 1000].map((times) => ({ times, button: h("button", { type: "button", "data-times": String(times) }, `Draw ${count(times)} times`) }));
  #greedy = h("p", { class: "hint" });
  #caption = h("caption");
  #body = h("tbody", { role: "rowgroup" });
  #table = h("table", { role: "table" });
  #check = h("p", { class: "words" });
  /** @type {Player["drawn"]} */
  #shown = null;
  #top = 0;

  /** @override */
  build() {
    const column = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ title) => h("th", { class: name, scope: "col", role: "columnheader", title }, label);
    this.#table.append(this.#caption, h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
      column("token", "Token", "The token that was drawn"),
      column("count", "Drawn", "How often it was drawn"),
      column("share", "Share", "How often, of all draws"),
      column("expected", "Expected", "The probability it is drawn with, over the full vocabulary: the line across its bar"),
      column("bar", "Share, and what was expected", "The bar is the share of the draws, the line what was expected"))), this.#body);
    for (const { times, button } of this.#buttons) button.addEventListener("click", () => this.player.drawMany(times));
    this.#details.append(h("summary", {}, "Draw it many times"), h("div", { class: "buttons" }, ...this.#buttons.map((b) => b.button)), this.#greedy, this.#table, this.#check);
    this.#details.addEventListener("toggle", () => this.update(this.player));
    this.append(this.#details);
  }

  /** @override @param {Player} player */
  update(player) {
    const { drawn, timeline } = player;
    const turn = player.turnOnShow;
    const can = !!turn?.distribution && (player.peeked !== null || timeline.reached("distribution"));
    show(this, can);
    if (!can || !this.#details.open) return;
    const settings = player.whatIf?.turn === turn ? player.whatIf.distribution.settings : turn.distribution?.settings;
    const greedy = settings?.temperature === 0;
    setText(this.#greedy, greedy ? "Greedy takes the top token: every draw is the same. With a temperature above 0 they differ." : "The same probabilities, a new coin each time. Nothing is appended, and no pass is needed.");
    const mine = drawn?.turn === turn ? drawn : null;
    for (const { times, button } of this.#buttons) setText(button, mine && mine.record.times === times ? `Again, with other coins` : `Draw ${count(times)} times`);
    show(this.#table, mine !== null);
    show(this.#check, mine !== null);
    if (!mine || (mine === this.#shown && this.#top === player.settings.top)) return;
    this.#shown = mine;
    this.#top = player.settings.top;
    const { rows, words } = describeDraws(mine.record, player.whatIf?.turn === turn ? player.whatIf.distribution : turn.distribution);
    setText(this.#caption, `${plural(mine.record.times, "draw")} for step ${turn.index + 1}, ${settingsWords(mine.record.settings)}, seed ${mine.record.seed}.`);
    // The longest of all is as wide as the column.
    const most = Math.max(...rows.flatMap((r) => [r.count / mine.record.times, r.p]), 1e-9);
    this.#body.replaceChildren(...rows.map((row) => rowOf(row, mine.record.times, most)));
    setText(this.#check, words);
  }
}

/** @param {Row} row @param {number} times @param {number} most */
function rowOf({ token, others, count: n, p }, times, most) {
  const share = n / times;
  const cell = (/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ title) => h("td", { class: name, role: "cell", title }, text);
  const name = h("th", { class: "token", scope: "row", role: "rowheader" });
  if (token) name.append(h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, tokenLabel(token)), h("span", { class: "sr" }, tokenSpoken(token)));
  else name.append(others);
  const bar = h("td", { class: "bar", role: "cell" });
  setStyle(bar, "--p", String(share / most));
  setStyle(bar, "--at", String(p / most));
  setAttribute(bar, "data-zero", n === 0);
  const tr = h("tr", { role: "row", "data-count": String(n), "data-p": String(p) }, name, cell("count", count(n), `${n} of ${times}`), cell("share", probability(share), full(share)), cell("expected", probability(p), full(p)), bar);
  if (!token) tr.className = "rest";
  return tr;
}
