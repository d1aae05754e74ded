/** The run of another element, as this view follows it. */

import { placeOf } from "../../core/timeline.js";
import { SharedFrames } from "./frames.js";

/** @typedef {import("../../core/player.js").Player} Player */

/** @typedef {import("./frames.js").Belt} Belt */

/** @implements {Belt} */
export class SharedRun {
  #shared = new SharedFrames();
  #player;

  /** @param {() => Player} player */
  constructor(player) {
    this.#player = player;
  }

  get frames() {
    const player = this.#player();
    return this.#shared.sync(player.timeline, player.started?.stop ?? [], player.run?.finish ?? null);
  }
  get cursor() {
    return this.#player().timeline.generated;
  }
  get live() {
    return this.#player().timeline.live;
  }
  get begun() {
    return this.#player().run !== null;
  }
  get finish() {
    return this.#player().finish;
  }
  get prompt() {
    return this.#player().timeline.prompt;
  }
  get stops() {
    const player = this.#player();
    return (player.run ? player.started : player.settings)?.stop ?? [];
  }
  get limit() {
    const player = this.#player();
    return player.run ? player.run.state.maxTokens : player.settings.maxTokens;
  }
  get continued() {
    return this.#player().branch?.continuedAt ?? 0;
  }
  get scripted() {
    return false;
  }
  get idle() {
    const player = this.#player();
    return !player.busy && !player.playing;
  }

  /** @param {number} cursor */
  go(cursor) {
    const player = this.#player();
    if (player.branch) player.visit(player.branch, cursor > 0 ? placeOf(cursor - 1, "append") : 1);
  }

  /** @param {number} more */
  goOn(more) {
    this.#player().goOn(more);
  }
}
