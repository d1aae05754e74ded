/** At which pace the run is replayed: as measured, or as another model would be. */

import { duration, plural, rate as rateWords } from "../../core/format.js";
import { freshId, h, setText, show } from "../../elements/dom.js";
import { RacePart } from "./part.js";
import { SLOWER } from "./race.js";

const [SLOWEST, FASTEST, EXAMPLE] = [50, 150, 500];
const FIRSTS = [200, 500, 1000, 2000];
const seconds = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export class NtStreamPace extends RacePart {
  #measured = h("input", { type: "radio", value: "measured" });
  #set = h("input", { type: "radio", value: "set" });
  #measuredWords = h("span");
  #slider = h("input", { type: "range", min: String(SLOWEST), max: String(FASTEST), step: "1", value: "100" });
  #value = h("output", { class: "value", "aria-live": "off" });
  #first = h("select");
  #slow = h("select");
  #example = h("p", { class: "example-words" });
  #own = h("option", { value: "" });
  #fit = h("option", { value: "" });

  /** @override */
  build() {
    const name = freshId("pace");
    const [measured, set, slider, first, slow] = [this.#measured, this.#set, this.#slider, this.#first, this.#slow].map((control) => (control.id = freshId("pace")));
    for (const radio of [this.#measured, this.#set]) {
      radio.name = name;
      radio.addEventListener("change", () => this.#take());
    }
    this.#slider.addEventListener("input", () => {
      this.#set.checked = true;
      this.#take();
    });
    this.#first.append(this.#own, ...FIRSTS.map((ms) => h("option", { value: String(ms) }, `set: ${seconds.format(ms / 1000)} s`)));
    this.#first.addEventListener("change", () => this.race.setPace({ first: this.#first.value === "" ? null : Number(this.#first.value) }));
    this.#slow.append(this.#fit, ...SLOWER.map((n) => h("option", { value: String(n) }, n === 1 ? "real time, ×1" : `slow motion, ×1/${n}`)));
    this.#slow.addEventListener("change", () => this.race.setSlower(this.#slow.value === "" ? null : Number(this.#slow.value)));
    this.append(
      h("h3", {}, "The pace of the replay"),
      h("fieldset", {}, h("legend", { class: "sr" }, "Rate after the first token"),
        h("span", { class: "choice" }, this.#measured, h("label", { for: measured ?? "" }, this.#measuredWords)),
        h("span", { class: "choice" }, this.#set, h("label", { for: set ?? "" }, "another rate"),
          h("label", { class: "sr", for: slider ?? "" }, "Tokens a second"), this.#slider, this.#value)),
      h("div", { class: "more" },
        h("span", { class: "field small" }, h("label", { for: first ?? "" }, "TTFT"), this.#first),
        h("span", { class: "field small" }, h("label", { for: slow ?? "" }, "Clock"), this.#slow)),
      this.#example);
  }

  #take() {
    this.race.setPace({ rate: this.#set.checked ? Number(this.#slider.value) : null });
  }

  /** @override */
  update() {
    const { race } = this;
    const { recording, pace } = race;
    show(this, recording !== null);
    if (!recording) return;
    this.#measured.checked = pace.rate === null;
    this.#set.checked = pace.rate !== null;
    if (pace.rate !== null) this.#slider.value = String(pace.rate);
    const rate = Number(this.#slider.value);
    setText(this.#measuredWords, recording.rate === null ? "as measured" : `as measured, ${rateWords(recording.rate)} tokens/s`);
    setText(this.#value, `${rate} tokens/s`);
    this.#slider.setAttribute("aria-valuetext", `${rate} tokens a second`);
    setText(this.#own, `as measured, ${duration(recording.arrivals[0] ?? 0)}`);
    this.#first.value = pace.first === null ? "" : String(pace.first);
    const fitting = race.chosen === null ? race.slower : null;
    setText(this.#fit, fitting === null ? "what fits" : fitting === 1 ? "what fits: ×1" : `what fits: ×1/${fitting}`);
    this.#slow.value = race.chosen === null ? "" : String(race.chosen);
    const takes = (/** @type {number} */ r) => seconds.format(EXAMPLE / r);
    setText(this.#example, `Formula: ${plural(EXAMPLE, "token")} at ${SLOWEST} to ${FASTEST} tokens a second take ${takes(FASTEST)} to ${takes(SLOWEST)} seconds after the first token; at ${rate}, ${takes(rate)} seconds.`);
  }
}
