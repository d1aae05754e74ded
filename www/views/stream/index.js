/** The view of `<nt-stream>`: one run, streamed and all at once. */

import { duration } from "../../core/format.js";
import { h } from "../../elements/dom.js";
import { NtSettings } from "../../elements/nt-settings.js";
import { NtStreamNumbers } from "./nt-stream-numbers.js";
import { NtStreamPace } from "./nt-stream-pace.js";
import { NtStreamPanes } from "./nt-stream-panes.js";
import { NtStreamRun } from "./nt-stream-run.js";
import { Race } from "./race.js";
import { viewHead } from "../head.js";
import { styles } from "./styles.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

const TAGS = { "nt-stream-run": NtStreamRun, "nt-stream-panes": NtStreamPanes, "nt-stream-pace": NtStreamPace, "nt-stream-numbers": NtStreamNumbers };

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of Object.entries(TAGS)) if (!customElements.get(tag)) customElements.define(tag, part);
  host.adopt(styles);
  const race = new Race();
  const run = new NtStreamRun();
  run.of = { host, race };
  const [panes, pace, numbers] = [new NtStreamPanes().follow(race), new NtStreamPace().follow(race), new NtStreamNumbers().follow(race)];
  race.addEventListener("change", () => host.redraw());
  race.addEventListener("over", () => host.say(`The streaming pane had its first token after ${duration(race.first)}, the blocking pane everything after ${duration(race.total)}.`));
  host.dropped = () => race.pause();
  host.addEventListener("keydown", (event) => keys(event, race), { capture: true });
  const head = viewHead("Streaming is free", "The same run on one clock: watch when each pane gives you something to read.");
  const body = [head, run, panes, h("div", { class: "below" }, numbers, pace)];
  if (host.shared) return { parts: [run, panes, pace, numbers], body };

  const { player } = host;
  if (!host.hasAttribute("prompt") && host.model !== "table" && !player.run) player.prompt = "Once upon a time";
  const settings = new NtSettings();
  const folded = h("details", { class: "settings" }, h("summary", {}, "Settings of the next run"), settings);
  const start = host.shadowRoot?.querySelector("nt-prompt .primary");
  start?.setAttribute("title", "Runs the model on this prompt to the end, as fast as it can, and measures it");
  return { parts: [run, panes, pace, numbers, settings], body: [...body, folded] };
}

/** The keys of the element move the replay. Fields and buttons keep their own. @param {KeyboardEvent} event @param {Race} race */
function keys(event, race) {
  const target = event.composedPath()[0];
  if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement) || target.closest("dialog")) return;
  if (target.matches("textarea, select, input")) return;
  if (event.key === " " && target.matches("button, summary")) return;
  const rtl = getComputedStyle(target).direction === "rtl";
  /** @type {Record<string, () => void>} */
  const actions = {
    " ": () => (race.playing ? race.pause() : race.play()),
    [rtl ? "ArrowLeft" : "ArrowRight"]: () => race.token(1),
    [rtl ? "ArrowRight" : "ArrowLeft"]: () => race.token(-1),
    Home: () => race.seek(0),
    End: () => race.seek(race.total),
  };
  const act = actions[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
