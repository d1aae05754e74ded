/** The view of `<nt-cost>`: what calls cost. */

import { h } from "../../elements/dom.js";
import { viewHead } from "../head.js";
import { Estimate } from "./estimate.js";
import { NtCostAnswers } from "./nt-cost-answers.js";
import { NtCostChat } from "./nt-cost-chat.js";
import { NtCostForm } from "./nt-cost-form.js";
import { NtCostResult } from "./nt-cost-result.js";
import { styles } from "./styles.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

const TAGS = { "nt-cost-form": NtCostForm, "nt-cost-result": NtCostResult, "nt-cost-answers": NtCostAnswers, "nt-cost-chat": NtCostChat };

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of Object.entries(TAGS)) if (!customElements.get(tag)) customElements.define(tag, part);
  host.adopt(styles);
  const estimate = new Estimate();
  const parts = [new NtCostForm(estimate), new NtCostResult(estimate), new NtCostAnswers(estimate), new NtCostChat(estimate, host)];
  const [form, result, answers, chat] = parts;
  estimate.addEventListener("change", () => host.redraw());
  const head = viewHead("What calls cost", "Look at the two sides of the bar: what is written costs several times what is read.");
  return { parts, body: [head, h("div", { class: "cost-body" }, .../** @type {Node[]} */ ([form, result, chat, answers]))] };
}
