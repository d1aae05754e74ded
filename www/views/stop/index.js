/** The view of `<nt-stop>`: why a run ends, and what a stop sequence holds back. */

import { NtStopBar } from "./nt-stop-bar.js";
import { NtStopEnd } from "./nt-stop-end.js";
import { NtStopLanes } from "./nt-stop-lanes.js";
import { NtStopStart } from "./nt-stop-start.js";
import { NtStopStream } from "./nt-stop-stream.js";
import { NtStopWays } from "./nt-stop-ways.js";
import { copyOf, presetsFor } from "./presets.js";
import { OwnRun } from "./run.js";
import { SharedRun } from "./shared.js";
import { viewHead } from "../head.js";
import { styles } from "./styles.js";
import { spoken } from "./words.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

const TAGS = { "nt-stop-bar": NtStopBar, "nt-stop-end": NtStopEnd, "nt-stop-lanes": NtStopLanes, "nt-stop-start": NtStopStart, "nt-stop-stream": NtStopStream, "nt-stop-ways": NtStopWays };

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of Object.entries(TAGS)) if (!customElements.get(tag)) customElements.define(tag, part);
  host.adopt(styles);
  const own = host.shared ? null : new OwnRun(() => host.player);
  const belt = own ?? new SharedRun(() => host.player);
  const [ways, lanes, end, stream] = [new NtStopWays(), new NtStopLanes(), new NtStopEnd(), new NtStopStream()];
  const parts = [ways, lanes, end, stream];
  for (const part of parts) part.follow(host, belt, own);
  lanes.below = [end];
  const head = viewHead("When it stops", "Watch the gate: it holds back what may be the beginning of a stop sequence, until that is certain.");
  if (!own) return { parts, body: [head, lanes, stream, ways] };

  const [start, bar] = [new NtStopStart().follow(host, belt, own), new NtStopBar().follow(host, belt, own)];
  start.taken = () => ways.clear();
  begin(host, own);
  own.addEventListener("change", () => {
    host.redraw();
    tell();
  });
  let told = "";
  const tell = () => {
    const sentence = spoken(belt);
    if (sentence === told) return;
    told = sentence;
    if (sentence && (!own.playing || belt.finish)) host.say(sentence);
  };
  host.dropped = () => own.reset();
  host.addEventListener("keydown", (event) => keys(event, own), { capture: true });
  return { parts: [start, ...parts, bar], body: [head, start, lanes, stream, ways, bar] };
}

/** What the author set, or the first preset. @param {Host} host @param {OwnRun} own */
function begin(host, own) {
  const first = presetsFor(host.model)[0];
  if (first) own.give(copyOf(first));
  const prompt = host.getAttribute("prompt");
  if (prompt !== null) own.give({ prompt, stop: [], maxTokens: host.maxTokens });
  else if (host.hasAttribute("max-tokens")) own.give({ maxTokens: host.maxTokens });
}

/** The keys of the element: a step is a token here. Fields, buttons and lists keep their own. @param {KeyboardEvent} event @param {OwnRun} own */
function keys(event, own) {
  const target = event.composedPath()[0];
  if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return;
  if (event.key !== "Escape") {
    if (target.matches("textarea, select, input")) return;
    if ((event.key === " " || event.key === "Enter") && target.matches("button, summary")) return;
    if (!event.shiftKey && target.closest("ol.tokens")) return;
  }
  const rtl = getComputedStyle(target).direction === "rtl";
  /** @type {Record<string, () => void>} */
  const actions = {
    [rtl ? "ArrowLeft" : "ArrowRight"]: () => own.playing || (own.can && own.step()),
    [rtl ? "ArrowRight" : "ArrowLeft"]: () => {
      own.pause();
      own.go(own.cursor - 1);
    },
    " ": () => (own.playing ? own.pause() : own.can && own.step()),
    Home: () => own.go(0),
    End: () => own.go(own.frames.length),
  };
  // Only when there is something to stop: the host may want the key.
  if (own.playing || !own.idle) actions["Escape"] = () => own.cancel();
  const act = actions[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
