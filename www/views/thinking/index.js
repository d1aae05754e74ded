/** The view of `<nt-thinking>`: the answer at once or after written steps; many of them; and a beginning put in the model’s mouth. */

import { h } from "../../elements/dom.js";
import { viewHead } from "../head.js";
import { Bench } from "./bench.js";
import { NtThinkingBeginning } from "./nt-thinking-beginning.js";
import { NtThinkingDuel } from "./nt-thinking-duel.js";
import { NtThinkingTrials } from "./nt-thinking-trials.js";
import { styles } from "./styles.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

const PARTS = { "nt-thinking-duel": NtThinkingDuel, "nt-thinking-trials": NtThinkingTrials, "nt-thinking-beginning": NtThinkingBeginning };

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of Object.entries(PARTS)) if (!customElements.get(tag)) customElements.define(tag, part);
  host.adopt(styles);
  const bench = new Bench(host);
  const duel = new NtThinkingDuel(bench);
  const trials = new NtThinkingTrials(bench, () => duel.scrollIntoView({ block: "start" }));
  const beginning = new NtThinkingBeginning(bench);
  const body = h("div", { class: "thinking" }, duel, trials, beginning);
  body.addEventListener("keydown", (event) => keys(event, bench, duel));
    const head = viewHead("Thinking out loud", "A token gets one pass of computation, whatever it is; what was written is read by every later pass. Run both, count the boxes, then compare the answers.");
  return { parts: [duel, trials, beginning], body: [head, body] };
}

/**
 * The keys of this view: they are for its lanes, not for the run of another element.
 * @param {KeyboardEvent} event @param {Bench} bench @param {NtThinkingDuel} duel
 */
function keys(event, bench, duel) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const target = event.composedPath()[0];
  const own = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || (target instanceof HTMLElement && /^(button|summary)$/.test(target.localName) && /^( |Enter)$/.test(event.key));
  if (event.key === "Escape" ? !bench.moving : own) return;
  const rtl = event.currentTarget instanceof Element && getComputedStyle(event.currentTarget).direction === "rtl";
  const act = event.key === "Escape" ? () => bench.stop() : event.key === " " ? () => duel.playOrPause() : event.key === (rtl ? "ArrowLeft" : "ArrowRight") ? () => duel.pass() : null;
  // Steps back and the like would reach the run of the element that this one stands beside.
  event.stopPropagation();
  if (!act) return;
  event.preventDefault();
  act();
}
