/** What the parts of this view have in common. */

import { Part } from "../../elements/base.js";

/** @typedef {import("./race.js").Race} Race */

export class RacePart extends Part {
  /** @type {Race | null} */
  #race = null;

  /** @param {Race} race */
  follow(race) {
    this.#race = race;
    return this;
  }

  get race() {
    if (!this.#race) throw new Error(`${this.localName} follows no run yet`);
    return this.#race;
  }
}

/** Seconds or ms with so many digits as a clock needs that ends at `total`. @param {number} ms @param {number} total */
export function clock(ms, total) {
  if (total >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (total >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms.toFixed(total >= 100 ? 0 : 1)} ms`;
}
