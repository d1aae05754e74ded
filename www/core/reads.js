/** Work that waits for the gap between two passes of a run, one after another. */

export class Reads {
  /** @type {(() => Promise<void>)[]} */
  #waiting = [];
  /** @type {Promise<void> | null} */
  #draining = null;

  get busy() {
    return this.#draining !== null || this.#waiting.length > 0;
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  add(work) {
    return new Promise((resolve, reject) => this.#waiting.push(() => work().then(resolve, reject)));
  }

  /** Settles when nothing waits any more. @returns {Promise<void>} */
  drain() {
    if (this.#waiting.length > 0) this.#draining ??= this.#all();
    return this.#draining ?? Promise.resolve();
  }

  async #all() {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await next();
    this.#draining = null;
  }
}
