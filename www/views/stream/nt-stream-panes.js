/** Two panes and one clock: the same run, token by token and all at once. */

import { count, duration, plural } from "../../core/format.js";
import { enable, freshId, h, setAttribute, setText, show } from "../../elements/dom.js";
import { RacePart, clock } from "./part.js";
import { sentence } from "./recording.js";

const SVG = "http://www.w3.org/2000/svg";
/** Positions of the slider. */
const STEPS = 400;

export class NtStreamPanes extends RacePart {
  #streaming = pane("Streaming", "The first token comes after TTFT, then one after the other.");
  #blocking = pane("Blocking", "Nothing before the last token is there.");
  #clock = h("output", { class: "clock", "aria-live": "off" });
  #motion = h("span", { class: "motion" });
  #later = marks("later");
  #there = marks("there");
  #bracket = h("div", { class: "bracket" }, h("span"));
  #end = h("span", { class: "last" });
  #head = h("div", { class: "playhead" });
  #newest = h("div", { class: "newest" });
  #line = h("div", { class: "timeline", role: "img" });
  #slider = h("input", { type: "range", min: "0", max: String(STEPS), step: "1" });
  #play = h("button", { type: "button", class: "primary", "aria-keyshortcuts": "Space", "data-do": "play" }, "Play");
  #again = h("button", { type: "button", "aria-keyshortcuts": "Home", "data-do": "again" }, "Restart");
  #drawn = /** @type {number[] | null} */ (null);

  /** @override */
  build() {
    const slider = freshId("time");
    this.#slider.id = slider;
    this.#slider.addEventListener("input", () => {
      this.race.pause();
      this.race.seek((Number(this.#slider.value) / STEPS) * this.race.total);
    });
    this.#play.addEventListener("click", () => (this.race.playing ? this.race.pause() : this.race.play()));
    this.#again.addEventListener("click", () => {
      this.race.pause();
      this.race.seek(0);
    });
    this.#line.append(this.#bracket, this.#later.svg, this.#there.svg, this.#newest, this.#head, this.#end);
    this.append(
      h("div", { class: "panes" }, this.#streaming.box, this.#blocking.box),
      h("div", { class: "time" },
        h("div", { class: "clock-row" }, h("span", { class: "label" }, "Time since the request"), this.#clock, this.#motion),
        this.#line,
        h("label", { class: "sr", for: slider }, "Time of the replay"), this.#slider,
        h("div", { class: "buttons", part: "controls" }, this.#play, this.#again, h("span", { class: "note" }, "Space plays and pauses, the arrow keys go token by token."))));
    // At every frame of a replay only this part draws.
    this.race.addEventListener("tick", () => this.#draw());
  }

  /** @override */
  update() {
    const { race } = this;
    show(this, race.recording !== null);
    if (!race.recording) return;
    if (this.#drawn !== race.arrivals) this.#drawLine();
    enable(this.#play, race.plays);
    setText(this.#play, race.playing ? "Pause" : race.over && race.plays ? "Play again" : "Play");
    enable(this.#again, race.time > 0);
    setText(this.#motion, !race.plays ? "computed in less than the clock can tell; set a rate to see it" : race.slower === 1 ? "in real time" : `slow motion: 1 s on this clock takes ${plural(race.slower, "second")}`);
    this.#draw();
  }

  /** The ticks, one a token, and the bracket of the first. */
  #drawLine() {
    const { race } = this;
    const { arrivals, total } = race;
    this.#drawn = arrivals;
    const x = (/** @type {number} */ at) => (total > 0 ? (at / total) * 1000 : 0).toFixed(2);
    const ended = race.recording?.ended ?? 0;
    const path = arrivals.map((at, i) => `M${x(at)} ${ended && i === arrivals.length - 1 ? 0 : 3}V10`).join("");
    for (const marks of [this.#later, this.#there]) marks.path.setAttribute("d", path);
    this.#bracket.style.setProperty("--to", String(total > 0 ? race.first / total : 0));
    setText(/** @type {HTMLElement} */ (this.#bracket.firstElementChild), `TTFT ${duration(race.first)}`);
    setText(this.#end, duration(total));
    this.#line.setAttribute("aria-label", `Time line: the first token after ${duration(race.first)}, then ${plural(arrivals.length - 1, "more token")} up to ${duration(total)}.${ended ? " The last one is the end-of-text token." : ""}`);
  }

  #draw() {
    const { race } = this;
    const { recording, time, total, there, playing } = race;
    if (!recording) return;
    const reduced = playing && matchMedia("(prefers-reduced-motion: reduce)").matches;
    const length = there > 0 ? recording.lengths[there - 1] ?? 0 : 0;
    write(this.#streaming.text, recording.text.slice(0, reduced ? sentence(recording.text, length) : length));
    write(this.#blocking.text, race.over ? recording.text : "");
    show(this.#streaming.wait, length === 0);
    show(this.#blocking.wait, !race.over);
    setText(this.#streaming.wait, there > 0 ? (race.over && recording.text === "" ? "The text is empty." : "No text is released yet.") : "Waiting for the first token.");
    setText(this.#blocking.wait, "Waiting for the last token.");
    const tokens = plural(race.arrivals.length, "token");
    setText(this.#streaming.state, there === 0 ? "nothing to read yet" : `first token after ${duration(race.first)}; ${count(there)} of ${tokens}`);
    setText(this.#blocking.state, race.over ? `everything after ${duration(total)}` : `${count(there)} of ${tokens} made, none shown`);
    for (const { box } of [this.#streaming, this.#blocking]) setAttribute(box, "aria-busy", playing ? "true" : null);
    setText(this.#clock, clock(time, total));
    const share = total > 0 ? time / total : 1;
    // Without motion the line goes on with the text, not at every frame.
    if (reduced && Math.abs(share - this.#share) < 0.05 && !race.over) return;
    this.#share = share;
    this.#line.style.setProperty("--at", share.toFixed(5));
    show(this.#newest, there > 0 && total > 0);
    this.#line.style.setProperty("--newest", (total > 0 ? (race.arrivals[there - 1] ?? 0) / total : 0).toFixed(5));
    this.#slider.value = String(Math.round(share * STEPS));
    setAttribute(this.#slider, "aria-valuetext", `${clock(time, total)} of ${clock(total, total)}, ${count(there)} of ${tokens}`);
  }

  #share = 0;
}

/** Ticks on the time line. @param {string} name */
function marks(name) {
  const [svg, path] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "path")];
  svg.classList.add(name);
  svg.setAttribute("viewBox", "0 0 1000 10");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return { svg, path };
}

/** @param {string} name @param {string} what */
function pane(name, what) {
  const [text, wait, state] = [h("bdi", { class: "text", translate: "no", dir: "auto" }), h("span", { class: "empty" }), h("p", { class: "reached" })];
  const title = h("h3", { id: freshId("pane") }, name);
  const reading = h("div", { class: "reading", role: "group", tabindex: "0", "aria-label": `${name}: the text` }, text, wait);
  const box = h("div", { class: `pane ${name.toLowerCase()}`, role: "group", "aria-labelledby": title.id }, title, h("p", { class: "note" }, what), reading, state);
  return { box, text, wait, state };
}

/** Text that mostly grows. @param {HTMLElement} node @param {string} text */
function write(node, text) {
  const { firstChild } = node;
  if (firstChild instanceof Text && text.startsWith(firstChild.data)) {
    if (text.length > firstChild.data.length) firstChild.appendData(text.slice(firstChild.data.length));
  } else setText(node, text);
}
