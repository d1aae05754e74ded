/** The view of `<nt-tree>`: all branches of a prompt. */

import { h } from "../../elements/dom.js";
import { NtSettings } from "../../elements/nt-settings.js";
import { viewHead } from "../head.js";
import { Look } from "./look.js";
import { NtTreeBranches } from "./nt-tree-branches.js";
import { NtTreeLook } from "./nt-tree-look.js";
import { NtTreeRiver } from "./nt-tree-river.js";
import { styles } from "./styles.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of /** @type {[string, CustomElementConstructor][]} */ ([["nt-tree-river", NtTreeRiver], ["nt-tree-look", NtTreeLook], ["nt-tree-branches", NtTreeBranches]])) {
    if (!customElements.get(tag)) customElements.define(tag, part);
  }
  host.adopt(styles);
  const look = new Look(() => host.redraw());
  const [river, panel, branches] = [new NtTreeRiver(), new NtTreeLook(), new NtTreeBranches()];
  for (const part of [river, panel]) part.look = look;
  const head = viewHead("One beginning, many ways on", "Take another token at any place: a second branch begins there, and the first one stays.");
  if (host.shared) return { parts: [river, panel, branches], body: [head, river, panel, branches] };
  const settings = new NtSettings();
  const folded = h("details", { class: "tree-settings" }, h("summary", {}, "Sampling: greedy, or drawn with which settings"), settings);
  return { parts: [river, panel, branches, settings], body: [head, river, panel, folded, branches] };
}
