/** One lane: what was asked, a box for every token and the pass that gave it, the answer against the truth. */

import { count, full, plural, probability, quotedText, tokenLabel, tokenSpoken, visible } from "../../core/format.js";
import { h, oneTabStop, roving, setAttribute, setText, show } from "../../elements/dom.js";
import { WAY_NAMES } from "./ways.js";

/** @typedef {import("./attempt.js").Attempt} Attempt */
/** @typedef {import("./problems.js").Problem} Problem */
/** @typedef {import("./ways.js").Form} Form */
/** @typedef {import("./ways.js").Way} Way */

export class Lane {
  #asked = h("bdi", { class: "asked", translate: "no", dir: "auto" });
  #count = h("p", { class: "count" });
  #prompt = h("p", { class: "read" });
  #list = h("ol", { class: "passes" });
  #mark = h("strong", { class: "mark" });
  #says = h("span");
  #result = h("p", { class: "result" }, this.#mark, " ", this.#says);
  #detail = h("p", { class: "detail" });
  /** @type {HTMLLIElement[]} */
  #boxes = [];
  /** @type {Attempt | null} */
  #attempt = null;
  #pointed = -1;
  #marked = false;

  /** @param {Way} way */
  constructor(way) {
    this.way = way;
    this.#list.setAttribute("aria-label", `Tokens written, ${WAY_NAMES[way].toLowerCase()}: one box a token`);
    this.element = h("section", { class: `lane ${way}`, "aria-label": WAY_NAMES[way] },
      h("div", { class: "lane-head" }, h("h3", {}, WAY_NAMES[way]), this.#asked, this.#count),
      h("div", { class: "row" }, this.#prompt, this.#list),
      this.#result, this.#detail);
    roving(this.#list, () => this.#boxes);
    for (const type of ["focusin", "pointerover"]) {
      this.#list.addEventListener(type, (event) => {
        const box = event.target instanceof Element ? event.target.closest("li") : null;
        this.#point(box instanceof HTMLLIElement ? this.#boxes.indexOf(box) : -1);
      });
    }
    for (const type of ["focusout", "pointerleave"]) this.#list.addEventListener(type, () => this.#point(this.#boxes.findIndex((box) => box.matches(":focus"))));
  }

  /** @param {number} index */
  #point(index) {
    this.#pointed = index;
    this.#writeDetail();
  }

  #writeDetail() {
    const written = this.#attempt?.written[this.#pointed];
    if (!this.#attempt || !written) return setText(this.#detail, "");
    const { piece, p, passes, joined } = written;
    const from = this.#pointed === 0
      ? `from reading the prompt’s ${count(this.#attempt.prompt.length)} tokens`
      : `from decode pass ${count(this.#pointed)}, which computed one token more`;
    setText(this.#detail, `${quotedText(tokenLabel(piece))}, id ${piece.id}: token ${count(this.#pointed + 1)}, ${from} (${count(passes)} computed by then, counted)  ·  model probability ${probability(p)} (${full(p)})${joined ? "" : "  ·  it ended the text and joined nothing"}`);
  }

  /** @param {Attempt | null} attempt @param {Problem} problem @param {Form} form @param {boolean} moving */
  update(attempt, problem, form, moving) {
    setText(this.#asked, visible(form.shown(problem, this.way)).replaceAll("·", " "));
    if (attempt !== this.#attempt) {
      this.#attempt = attempt;
      this.#list.replaceChildren();
      this.#boxes = [];
      this.#pointed = -1;
      this.#marked = false;
      this.#writeDetail();
    }
    const written = attempt?.written ?? [];
    const fresh = written.slice(this.#boxes.length).map((one, i) => boxOf(one, this.#boxes.length + i));
    if (fresh.length > 0) {
      this.#boxes.push(...fresh);
      this.#list.append(...fresh);
      oneTabStop(this.#boxes, this.#boxes[0]);
    }
    this.#boxes.forEach((box, i) => setAttribute(box, "data-newest", i === this.#boxes.length - 1 && !attempt?.done));
    setAttribute(this.#list, "aria-busy", moving && !attempt?.done ? "true" : null);
    show(this.#list, written.length > 0);
    const read = attempt?.prompt.length ?? 0;
    show(this.#prompt, read > 0);
    setText(this.#prompt, `${plural(read, "prompt token")}, read together`);
    setText(this.#count, attempt && written.length > 0
      ? `${plural(written.length, "token")} written: ${read > 0 ? "1 from reading the prompt" : ""}${written.length > 1 ? ` + ${plural(written.length - 1, "decode pass", "decode passes")}` : ""}. ${count(attempt.passes)} tokens computed.`
      : "Nothing written yet.");
    this.#writeResult(attempt, problem);
    if (attempt?.done && !this.#marked) {
      this.#marked = true;
      for (const i of answerTokens(attempt)) setAttribute(/** @type {HTMLLIElement} */ (this.#boxes[i]), "data-answer", true);
    }
  }

  /** @param {Attempt | null} attempt @param {Problem} problem */
  #writeResult(attempt, problem) {
    const over = attempt?.done === true;
    show(this.#result, over);
    if (!over) return;
    setAttribute(this.#result, "data-right", attempt.right ? "true" : "false");
    setText(this.#mark, attempt.right ? "✓ right" : "✗ wrong");
    setText(this.#says, says(attempt, problem));
  }
}

/** What it answered, beside the truth. @param {Attempt} attempt @param {Problem} problem */
export function says(attempt, problem) {
  const { answer, finish } = attempt;
  const truth = problem.kind === "sum" ? `${problem.text} = ${problem.answer}` : `${quotedText(problem.text)} backwards is ${problem.answer}`;
  const gave = answer ? `It answers ${quotedText(answer.text.length > 60 ? `${answer.text.slice(0, 59)}…` : answer.text)}` : "It gives no answer";
  return `${gave}${finish === "eos" ? "" : `, and was cut at ${plural(attempt.written.length, "token")}`}. ${truth}, ${problem.kind === "sum" ? "by this page’s arithmetic" : "turned round by this page"}.`;
}

/** @param {import("./attempt.js").Written} written @param {number} index */
function boxOf({ piece, joined }, index) {
  const label = tokenLabel(piece);
  const box = h("li", { tabindex: "-1", class: joined ? "" : "end" });
  if (label.length > 3) box.dataset.long = label.length > 6 ? "very" : label.length > 4 ? "more" : "";
  const glyphs = h("bdi", { translate: "no", dir: "auto", "aria-hidden": "true" });
  for (const run of label.match(/[·⏎]+|[^·⏎]+/gu) ?? []) glyphs.append(/^[·⏎]/u.test(run) && label !== "·" ? h("i", {}, run) : run);
  box.append(glyphs, h("span", { class: "sr" }, `${tokenSpoken(piece)}, token `), h("small", {}, String(index + 1)));
  return box;
}

/** The boxes in which the answer stands. @param {Attempt} attempt @returns {number[]} */
function answerTokens({ answer, text, written }) {
  const joined = written.filter((one) => one.joined);
  if (!answer || joined.map((one) => one.piece.text).join("") !== text) return [];
  const to = answer.from + answer.text.length;
  let at = 0;
  return joined.flatMap(({ piece }, i) => {
    const from = at;
    at += piece.text.length;
    return from < to && at > answer.from ? [i] : [];
  });
}
