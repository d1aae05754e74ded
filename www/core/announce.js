/**
 * What a screen reader hears while the model writes. Steps are told at once. Played text is
 * gathered into sentences and told at most every second and a half.
 */

const PAUSE = 1500;
const SENTENCE_END = /[.!?…。！？][)"”’\]]*\s|\n/g;
const KEEP = 30;

export class Announcer {
  #log;
  #waiting = "";
  #last = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {HTMLElement} log an element with role="log" that is already in the page */
  constructor(log) {
    this.#log = log;
  }

  /** @param {string} sentence */
  now(sentence) {
    this.flush();
    this.#write(sentence);
  }

  /** Text as it comes; an empty one means that no more comes for now. @param {string} text */
  text(text) {
    if (text === "") return this.flush();
    this.#waiting += text;
    if (this.#timer === undefined && this.#cut() > 0) this.#schedule();
  }

  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rest = this.#waiting.trim();
    this.#waiting = "";
    if (rest) this.#write(rest);
  }

  #schedule() {
    const wait = Math.max(0, this.#last + PAUSE - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const cut = this.#cut();
      const ready = this.#waiting.slice(0, cut).trim();
      this.#waiting = this.#waiting.slice(cut);
      if (ready) this.#write(ready);
    }, wait);
  }

  /** Where the last whole sentence of what waits ends. */
  #cut() {
    let end = 0;
    for (const m of this.#waiting.matchAll(SENTENCE_END)) end = m.index + m[0].length;
    return end;
  }

  /** @param {string} sentence */
  #write(sentence) {
    if (!sentence) return;
    this.#last = Date.now();
    const line = document.createElement("p");
    line.textContent = sentence;
    this.#log.append(line);
    while (this.#log.childElementCount > KEEP) this.#log.firstElementChild?.remove();
  }
}
