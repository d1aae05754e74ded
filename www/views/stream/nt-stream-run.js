/** Generates and measures the run, and says how far it is; hands it over before the other parts draw it. */

import { count, plural } from "../../core/format.js";
import { Part } from "../../elements/base.js";
import { h, setText, show } from "../../elements/dom.js";

/** @typedef {import("../../core/player.js").Player} Player */
/** @typedef {import("../../api/next-token.js").Engine} Engine */

/** Tokens that are written before the first measurement, and for how long at most. */
const WARM = { tokens: 24, ms: 500 };
/** Engines that have written enough to be measured, and how many tokens that took. @type {WeakMap<Engine, number>} */
const warm = new WeakMap();

/** The first tokens of a page are slow: the browser is still compiling. They don't count. @param {Engine} engine */
async function warmUp(engine) {
  if (warm.has(engine)) return;
  const run = await engine.start({ prompt: [0, 0, 0, 0], maxTokens: WARM.tokens });
  const begun = performance.now();
  let written = 0;
  try {
    await run.prefill();
    while (run.finish === null && performance.now() - begun < WARM.ms) {
      await run.step();
      written += 1;
    }
  } finally {
    run.free();
  }
  warm.set(engine, written);
}

export class NtStreamRun extends Part {
  #words = h("p", { class: "measuring" });
  #stop = h("button", { type: "button", "data-do": "stop", "aria-keyshortcuts": "Escape" }, "Stop");
  /** The run that was played already. @type {unknown} */
  #played = null;
  #warming = false;
  /** @type {{ host: import("../../elements/host.js").Host, race: import("./race.js").Race } | null} */
  of = null;

  /** @override */
  build() {
    this.#stop.addEventListener("click", () => this.player.stop());
    this.append(this.#words, this.#stop);
  }

  /** Start is one thing here: read the prompt and write to the end. @param {Player} player @param {import("../../api/next-token.js").Run} run @param {Engine} engine */
  async #write(player, run, engine) {
    this.#played = run;
    this.#warming = true;
    // What goes wrong here goes wrong again at once, where it is told.
    await warmUp(engine).catch(() => {});
    this.#warming = false;
    if (player.run !== run || run.finish !== null || !this.isConnected) return;
    player.speed = "full";
    player.play();
  }

  /** @override @param {Player} player */
  update(player) {
    if (!this.of) return;
    const { host, race } = this.of;
    const { run, timeline, engine } = player;
    if (!host.shared && run && engine && run !== this.#played && !player.busy && !run.finish && timeline.stage === "tokenize") this.#write(player, run, engine);
    race.sync(player, host.shared);
    const writing = player.playing || player.busy || this.#warming;
    show(this.#stop, writing && !host.shared);
    setText(this.#words, this.#warming ? "Warming up: the first tokens are slow, while the browser compiles. They don’t count." : writing ? `The model writes and is measured: ${plural(timeline.generated, "token")} so far.` : race.recording ? partly(player) : host.shared ? "No token yet. This view replays what the run above has written." : "Start runs the model to the end and measures it. Then the run can be replayed here, at its own pace.");
    show(this, this.#words.textContent !== "");
  }
}

/** @param {Player} player */
function partly({ run, timeline }) {
  if (!timeline.live) return `Replayed up to token ${count(timeline.generated)} of ${count(timeline.turns.length)}, where the run is looked at.`;
  if (run?.finish === "cancelled") return `Stopped by you after ${plural(timeline.generated, "token")}: so much can be replayed.`;
  return run?.finish ? "" : `The run has not ended: what can be replayed is its first ${plural(timeline.generated, "token")}.`;
}
