/** The distribution: a real table whose bars are its cells. A row can be taken in place of the draw. */

import { count, full, hex, logit, plural, probability, quoted, tokenLabel, tokenSpoken } from "../core/format.js";
import { settingsWords } from "../core/settings.js";
import { Part } from "./base.js";
import { freshId, h, oneTabStop, roving, setAttribute, setStyle, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */
/** @typedef {import("../api/next-token.js").Candidate} Candidate */
/** @typedef {import("../api/next-token.js").Distribution} Distribution */
/** @typedef {import("../api/next-token.js").Choice} Choice */
/** What a row shows. The logit of a chosen token that isn't among the candidates is in no record. */
/** @typedef {Omit<Candidate, "logit"> & { logit: number | null }} Shown */

/** @param {HTMLTableRowElement} tr */
function cellsOf(tr) {
  /** @param {string} name @param {Record<string, string>} [more] */
  const cell = (name, more = {}) => tr.appendChild(h("td", { class: name, role: "cell", ...more }));
  return { tr, rank: cell("rank"), token: tr.appendChild(h("th", { class: "token", scope: "row", role: "rowheader" })), logit: cell("logit"), model: cell("bar model", { part: "bar" }), draw: cell("bar draw", { part: "bar" }), state: cell("state") };
}
/** @typedef {ReturnType<typeof cellsOf> & { take: HTMLButtonElement, word: HTMLSpanElement, why: HTMLSpanElement, candidate: Shown | null }} Row */

export class NtCandidates extends Part {
  #caption = h("caption");
  #body = h("tbody", { role: "rowgroup" });
  #table = h("table", { role: "table" });
  #waiting = h("p", { class: "waiting" });
  #place = h("p", { class: "looking" });
  #supposed = h("p", { class: "supposed" });
  #supposing = h("span");
  #restore = h("button", { type: "button", class: "quiet" }, "Restore the settings it was drawn with");
  #detail = h("p", { class: "detail" });
  #rows = h("select");
  /** @type {Row[]} */
  #drawn = [];
  /** @type {ReturnType<typeof cellsOf> | null} */
  #rest = null;
  /** @type {Distribution | null} */
  #shown = null;
  /** @type {Shown | null} */
  #outside = null;
  #chosen = -1;
  #branches = false;

  /** @override @param {Player} player */
  build(player) {
    const id = freshId("rows");
    this.#rows.id = id;
    for (const n of [5, 8, 12, 20, 50]) this.#rows.append(h("option", { value: String(n) }, String(n)));
    this.#rows.value = String(player.settings.top);
    this.#rows.addEventListener("change", () => this.player.set({ top: Number(this.#rows.value) }));
    const column = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ title) => h("th", { class: name, scope: "col", role: "columnheader", title }, label);
    this.#table.append(
      this.#caption,
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
        column("rank", "#", "Rank, most likely to be drawn first"),
        column("token", "Token", "The candidate"),
        column("logit", "Logit", "The model’s raw score"),
        column("bar", "Model", "The model’s probability: softmax over the full vocabulary, before any setting"),
        column("bar", "Draw", "The probability it is drawn with: after penalty, temperature and cuts"),
        column("state", "State", "Kept in the draw, or cut, and by which setting"))),
      this.#body,
    );
    roving(this.#body, () => this.#drawn.map((r) => r.take), { vertical: true });
    const point = (/** @type {Event} */ event) => {
      const tr = event.target instanceof Element ? event.target.closest("tr") : null;
      this.#writeDetail(this.#drawn.find((r) => r.tr === tr)?.candidate ?? null);
    };
    this.#body.addEventListener("focusin", point);
    this.#body.addEventListener("pointerover", point);
    this.#body.addEventListener("pointerleave", () => this.#writeDetail(null));
    this.#writeDetail(null);
    this.#supposed.append(this.#supposing, " ", this.#restore);
    this.#restore.addEventListener("click", () => {
      const settings = this.player.turnOnShow?.distribution?.settings;
      if (!settings) return;
      const { top: _, ...sampling } = settings;
      this.player.set(sampling);
    });
    this.append(
      h("div", { class: "head" }, h("h2", {}, "Every token is a vote"), h("span", { class: "field small" }, h("label", { for: id }, "rows"), this.#rows)),
      this.#place, this.#supposed, this.#waiting, this.#table, this.#detail,
    );
  }

  /** @param {Shown | null} c */
  #writeDetail(c) {
    setText(this.#detail, c
      ? `${tokenLabel(c)}, id ${c.id}  ·  bytes ${hex(c.bytes)}${c.logit === null ? "" : `  ·  logit ${full(c.logit)}`}  ·  model probability ${full(c.pRaw)}  ·  drawn with ${full(c.p)}`
      : `Model: softmax over the full vocabulary. Draw: after the settings. Click a row, or press Enter on it, to take that token instead${this.#branches ? ": that makes a branch here, and the text there is stays" : ""}.`);
  }

  /** @override @param {Player} player */
  update(player) {
    const { timeline, engine } = player;
    show(this, timeline.cursor >= 0);
    const turn = player.turnOnShow;
    const pointed = player.peeked !== null && turn !== null && turn.index === player.peeked;
    const own = turn && (pointed || timeline.reached("distribution")) ? turn.distribution : null;
    const supposed = own && player.whatIf?.turn === turn ? player.whatIf : null;
    const shown = supposed?.distribution ?? own;
    for (const part of [this.#table, this.#detail, this.#place]) show(part, shown !== null);
    show(this.#waiting, shown === null);
    const then = own && supposed ? settingsWords(own.settings) : "";
    const other = supposed !== null && then !== settingsWords(supposed.distribution.settings);
    show(this.#supposed, other);
    if (other) setText(this.#supposing, `With the present settings. It was drawn with: ${then}.`);
    if (!turn || !shown) {
      this.#shown = null;
      setText(this.#waiting, timeline.stage === "forward" && turn && !turn.forward
        ? "This token was forced without a pass: it has no scores."
        : timeline.stage === "forward"
          ? `${engine ? count(engine.info.vocabulary) : ""} raw scores are in. The next stage turns them into probabilities.`
          : turn?.step && !turn.distribution ? "This token was forced without a pass: it has no probabilities." : "No scores yet. They follow the forward pass.");
      return;
    }
    const choice = pointed || timeline.reached("sample") ? turn.choice : null;
    setText(this.#place, placeWords(player, turn, choice, pointed));
    const position = timeline.prompt.length + turn.index;
    setText(this.#caption, `Step ${turn.index + 1}, position ${position}: ${settingsWords(shown.settings)}; ${count(shown.kept)} of ${count(engine?.info.vocabulary ?? 0)} kept, entropy ${shown.entropyBits.toFixed(2)} bits.`);
    setAttribute(this.#table, "aria-busy", player.status === "playing" ? "true" : null);
    if ((turn.step !== null) !== this.#branches) {
      this.#branches = turn.step !== null;
      this.#writeDetail(null);
    }
    const chosen = choice?.id ?? -1;
    const outside = choice && !shown.candidates.some((c) => c.id === choice.id) ? (supposed ? supposed.chosen : outsider(choice)) : null;
    if (shown === this.#shown && chosen === this.#chosen && outside?.id === this.#outside?.id) return;
    this.#shown = shown;
    this.#chosen = chosen;
    this.#outside = outside;
    /** @type {Shown[]} */
    const rows = outside ? [...shown.candidates, outside] : shown.candidates;
    this.#size(rows.length);
    rows.forEach((c, i) => this.#writeRow(/** @type {Row} */ (this.#drawn[i]), c, choice?.id === c.id ? (other ? `${methodWord(choice)} then` : methodWord(choice)) : null, outside === c));
    this.#writeRest(shown, outside);
    oneTabStop(this.#drawn.map((r) => r.take), this.#drawn[0]?.take);
  }

  /** @param {number} n */
  #size(n) {
    for (const row of this.#drawn.splice(n)) row.tr.remove();
    while (this.#drawn.length < n) {
      const cells = cellsOf(h("tr", { part: "row", role: "row" }));
      const take = h("button", { type: "button", class: "take", tabindex: "-1" }, h("span", {}, "take this one"));
      const word = h("span", { class: "word" });
      const why = h("span", { class: "why" });
      cells.state.append(h("span", {}, word, why), take);
      /** @type {Row} */
      const row = { ...cells, take, word, why, candidate: null };
      row.tr.addEventListener("click", () => row.candidate && this.player.force(row.candidate.id));
      this.#drawn.push(row);
      this.#body.append(row.tr);
    }
    if (!this.#rest) this.#rest = cellsOf(h("tr", { class: "rest", role: "row" }));
    if (this.#body.lastChild !== this.#rest.tr) this.#body.append(this.#rest.tr);
  }

  /** @param {Row} row @param {Shown} c @param {string | null} method how it was chosen, in words @param {boolean} far whether its row stands behind the first ones */
  #writeRow(row, c, method, far) {
    row.candidate = c;
    setText(row.rank, String(c.rank + 1));
    const label = tokenLabel(c);
    if (row.token.dataset.label !== label || row.token.dataset.id !== String(c.id)) {
      row.token.dataset.label = label;
      row.token.dataset.id = String(c.id);
      row.token.replaceChildren(h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" }, label), h("span", { class: "sr" }, tokenSpoken(c)));
    }
    setText(row.logit, c.logit === null ? "–" : logit(c.logit));
    setAttribute(row.logit, "title", c.logit === null ? "not in the record" : full(c.logit));
    bar(row.model, c.pRaw);
    bar(row.draw, c.p);
    setAttribute(row.tr, "data-kept", c.kept ? "true" : "false");
    setAttribute(row.tr, "data-chosen", method !== null);
    setText(row.word, method ?? (c.kept ? "kept" : "cut"));
    // Where the column of ranks has no room, a far one stands here.
    setAttribute(row.tr, "data-outside", far);
    setText(row.why, far ? ` #${c.rank + 1}` : !method && c.why && c.why !== "greedy" ? ` by ${c.why}` : "");
    setAttribute(row.take, "aria-label", `take ${tokenSpoken(c)} instead, rank ${c.rank + 1}${this.#branches ? ", makes a branch" : ""}`);
  }

  /** The others, without a chosen one that has its own row. @param {Distribution} d @param {Shown | null} outside */
  #writeRest(d, outside) {
    const row = this.#rest;
    if (!row) return;
    const others = d.tail.count - (outside ? 1 : 0);
    const kept = d.tail.kept - (outside?.kept ? 1 : 0);
    setText(row.token, plural(others, "other"));
    bar(row.model, Math.max(0, d.tail.massRaw - (outside?.pRaw ?? 0)));
    bar(row.draw, kept === 0 ? 0 : Math.max(0, d.tail.mass - (outside?.p ?? 0)));
    setText(row.state, kept === 0 ? "all cut" : kept === others ? "all kept" : `${count(kept)} kept`);
    setAttribute(row.tr, "data-kept", kept > 0 ? "true" : "false");
    show(row.tr, others > 0);
  }
}

/** @param {Choice} choice */
const methodWord = (choice) => (choice.method === "forced" ? "forced" : "chosen");

/** Where these probabilities stand in the text. @param {Player} player @param {import("../core/timeline.js").Turn} turn @param {Choice | null} choice @param {boolean} pointed */
function placeWords({ timeline }, turn, choice, pointed) {
  const token = choice ? quoted(choice) : "this token";
  if (pointed) return `You point at ${token}, step ${turn.index + 1}: this is what it was ${choice?.method === "forced" ? "taken from" : "drawn from"}, and what else was likely.`;
  if (!timeline.live) return `Looking back at step ${turn.index + 1} of ${timeline.turns.length}. Another row makes a branch here.`;
  if (turn.step) return `${token.charAt(0).toUpperCase()}${token.slice(1)} came of this. Another row makes a branch here.`;
  return "What the next token is drawn from. Any row can be taken instead.";
}

/** A chosen token that isn't among the candidates. @param {Choice} choice @returns {Shown} */
function outsider({ id, text, bytes, special, rank, p, pRaw }) {
  return { id, text, bytes, special, logit: null, rank: rank ?? -1, p: p ?? 0, pRaw: pRaw ?? 0, kept: (p ?? 0) > 0, why: null };
}

/** A cell that is a bar. @param {HTMLTableCellElement} cell @param {number} p */
function bar(cell, p) {
  setText(cell, probability(p));
  setStyle(cell, "--p", String(p));
  setAttribute(cell, "data-zero", p === 0);
  setAttribute(cell, "title", full(p));
}
