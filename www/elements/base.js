/** What every part element is: built once, drawn from the player whenever something changed. */

/** @typedef {import("../core/player.js").Player} Player */

/** Importing this outside a browser, as a static site builder does, must not throw. */
export const ElementBase = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * Parts draw into themselves, inside the one shadow tree of their host: a label and its control,
 * a table and its caption, share one tree, and `::part()` reaches all of them.
 */
export class Part extends ElementBase {
  /** @type {Player | null} */
  #player = null;

  /** @param {Player} player */
  attach(player) {
    const first = this.#player === null;
    this.#player = player;
    if (first) this.build(player);
    this.update(player);
  }

  get player() {
    if (!this.#player) throw new Error(`${this.localName} has no player yet`);
    return this.#player;
  }

  /** Builds the DOM once. @param {Player} _player */
  build(_player) {}

  /** Writes what differs. @param {Player} _player */
  update(_player) {}
}
