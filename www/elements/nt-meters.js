/** What it cost: two times, token passes, cache. All from the engine's records, pauses don't count. */

import { count, duration, plural, rate, size } from "../core/format.js";
import { Part } from "./base.js";
import { h, setText, show } from "./dom.js";

/** @typedef {import("../core/player.js").Player} Player */

const value = () => {
  const number = h("b");
  const note = h("span");
  return { dd: h("dd", {}, number, " ", note), number, note };
};
/** @typedef {ReturnType<typeof value>} Value */

export class NtMeters extends Part {
  #first = value();
  #rate = value();
  #passes = value();
  #cache = value();

  /** @override */
  build() {
    /** @param {string} term @param {string} title @param {Value} value */
    const row = (term, title, value) => h("div", { title }, h("dt", {}, term), value.dd);
    this.append(h("dl", { class: "meters", part: "meters" },
      row("Time to first token", "Computing time of the prefill and of the first step", this.#first),
      row("Tokens a second", "Tokens after the first over their computing time; pauses, drawing and tokens that needed no pass don’t count", this.#rate),
      row("Token passes", "Tokens that went through the network up to the stage on show, all passes together", this.#passes),
      row("KV cache", "Tokens whose K and V are kept, and the bytes they take; the newest token joins at the next forward pass", this.#cache)));
  }

  /** @override @param {Player} player */
  update(player) {
    const { timeline, engine } = player;
    const snap = timeline.snapshot;
    show(this, snap !== null);
    if (!snap || !engine) return;
    const { first, rate: speed, over } = timeline.timing();
    write(this.#first, first === null ? "–" : duration(first), first === null ? "known after the first token" : "prefill and first step");
    write(this.#rate, speed === null ? "–" : rate(speed), speed === null ? (over > 0 ? "too quick to measure" : timeline.generated > 1 ? "no token after the first needed a pass" : "known after the second token") : `computing time of ${plural(over, "token")}`);
    write(this.#passes, count(snap.passes), "through the network so far");
    const per = engine.info.kvBytesPerToken;
    const off = player.started?.cache === false;
    write(this.#cache, per === 0 ? "none" : off ? "off" : size(snap.cached * per), per === 0 ? "a table keeps nothing" : off ? "all is computed at each pass" : `${plural(snap.cached, "token")} kept`);
  }
}

/** @param {Value} value @param {string} number @param {string} note */
function write(value, number, note) {
  setText(value.number, number);
  setText(value.note, note);
}
