/** What the parts of one element share: what was read, what is looked at, the measurement. */

import { SPEEDS } from "../../core/player.js";
import { Part } from "../../elements/base.js";
import { Lanes } from "./lane.js";
import { Inks } from "./pixels.js";
import { Race } from "./race.js";
import { CacheReader } from "./reader.js";
import { Selection } from "./selection.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/base.js").Player} Player */

export class Shared {
  reader = new CacheReader();
  selection = new Selection();
  race = new Race();
  inks = new Inks();
  lanes;
  /** Shows the vectors. */
  open = () => {};

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.lanes = new Lanes(() => host.redraw());
    for (const source of [this.reader, this.selection, this.race]) source.addEventListener("change", () => host.redraw());
  }

  /** Whether the player goes on faster than anybody could look. @param {Player} player */
  fast(player) {
    return player.playing && SPEEDS[player.speed].rest === 0;
  }

  /** The type that tokens are set in. @param {Element} within */
  mono(within) {
    return getComputedStyle(within).getPropertyValue("--_mono") || "monospace";
  }
}

export class CachePart extends Part {
  /** @param {Shared} shared */
  constructor(shared) {
    super();
    this.shared = shared;
  }
}
