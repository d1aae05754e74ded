/** What the parts of this view have in common. */

import { Part } from "../../elements/base.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("./frames.js").Belt} Belt */
/** @typedef {import("./run.js").OwnRun} OwnRun */

export class BeltPart extends Part {
  /** @type {{ host: Host, belt: Belt, own: OwnRun | null } | null} */
  #given = null;

  /** @param {Host} host @param {Belt} belt @param {OwnRun | null} own null: another element's run */
  follow(host, belt, own) {
    this.#given = { host, belt, own };
    return this;
  }

  get #followed() {
    if (!this.#given) throw new Error(`${this.localName} follows no run yet`);
    return this.#given;
  }
  get host() {
    return this.#followed.host;
  }
  get belt() {
    return this.#followed.belt;
  }
  get own() {
    return this.#followed.own;
  }
}
