/** The river, the place looked at, the branches side by side. */

import { LANE } from "./geometry.js";

export const styles = `
nt-tree-river, nt-tree-look, nt-tree-branches, .tree-settings { display: block; min-width: 0; padding: 18px var(--_gap); border-top: 1px solid var(--_line); }
nt-tree-river, nt-tree-branches { contain: content; }
.card:not([data-engine]) :is(nt-tree-river, .tree-settings) { display: none; }
.card:not([data-run]) .tree-settings { display: none; }
nt-tree-river .hint { max-width: 82ch; margin-top: 2px; }
nt-tree-river .waiting { padding: 48px 0 40px; text-align: center; color: var(--_soft); font: italic 17px/1.5 var(--_serif); }
nt-tree-river .passes { font-variant-numeric: tabular-nums; }

.river { position: relative; overflow: auto; margin-top: 14px; padding-bottom: 6px; scrollbar-width: thin; scroll-padding-inline: 24px; }
/* It paints beyond its box: the list is what has a size. */
.river svg { position: absolute; top: 0; left: 0; display: block; width: 1px; height: 1px; overflow: visible; pointer-events: none; }
.river .probe { position: absolute; visibility: hidden; font: 15px/20px var(--_mono); top: 0; left: 0; }
.river path { fill: none; stroke: var(--_model); }
.river path[data-way="on"] { stroke: var(--_accent); }
.river path[data-way="ahead"] { stroke: color-mix(in oklab, var(--_accent) 62%, var(--_card)); }
.nodes { position: relative; list-style: none; margin: 0; padding: 0; direction: ltr; }
.nodes li { position: absolute; contain: strict; content-visibility: auto; }
.nodes li:first-child { left: 0; top: 0; contain: none; content-visibility: visible; }
.nodes button { position: absolute; inset: 0; min-height: 0; border: 1.5px solid transparent; border-radius: 6px; background: none; padding: 0; text-align: start; overflow: hidden; font-variant-numeric: tabular-nums; }
.nodes .node { padding-inline-start: 20px; }
.nodes .node bdi { position: absolute; top: 4px; inset-inline: 18px 2px; font: 15px/20px var(--_mono); white-space: pre; overflow: hidden; text-overflow: ellipsis; }
.nodes .p { position: absolute; top: var(--at); inset-inline-start: 18px; font: 11.5px/14px var(--_font); color: var(--_soft); white-space: nowrap; }
.nodes .mark { position: absolute; top: calc(var(--at) + 14px); inset-inline-start: 18px; font: 600 11.5px/14px var(--_font); color: var(--_ink); white-space: nowrap; }
.nodes button:hover:not([aria-disabled]) { background: color-mix(in oklab, var(--_ink) 7%, transparent); }
.nodes [data-way="on"] bdi { color: var(--_accent); font-weight: 650; }
.nodes [data-way="other"] bdi { color: var(--_soft); }
.nodes [data-looked] button { border-color: var(--_edge); }
.nodes button[aria-current] { border-color: var(--_accent); }
.nodes .source { position: relative; inset: auto; }
.nodes .source bdi { position: absolute; top: 4px; inset-inline: 6px; font: 16px/20px var(--_serif); white-space: pre; overflow: hidden; text-overflow: ellipsis; color: var(--_ink); }
.nodes .source small { position: absolute; top: ${LANE.label + LANE.band + 3}px; inset-inline-start: 6px; font: 11.5px/14px var(--_font); color: var(--_soft); }

nt-tree-look { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px 32px; }
nt-tree-look h2 bdi { font: 18px/1.3 var(--_mono); white-space: pre; }
nt-tree-look h2 span { color: var(--_soft); font-weight: 400; font-size: 13px; }
:is(nt-tree-look, nt-tree-branches) h3 { margin: 0; font: 600 13px/1.4 var(--_font); }
.facts { margin: 8px 0 0; display: grid; gap: 6px; font-variant-numeric: tabular-nums; }
.facts dt { font-size: 12px; color: var(--_soft); }
.facts dd { margin: 0; font-size: 14px; }
.ways { list-style: none; margin: 6px 0 0; padding: 0; }
.way { display: grid; grid-template-columns: minmax(70px, 1.2fr) 60px minmax(30px, 1fr) 104px; gap: 8px; align-items: center; width: 100%; min-height: 28px; padding: 2px 8px; border: 0; border-radius: 6px; background: none; text-align: start; font-variant-numeric: tabular-nums; font-size: 13px; }
button.way:hover { background: color-mix(in oklab, var(--_ink) 7%, var(--_card)); }
.way bdi { font: 15px/20px var(--_mono); white-space: pre; overflow: hidden; text-overflow: ellipsis; }
.way .p { text-align: end; }
.way .bar { height: 10px; border-radius: 0 3px 3px 0; width: max(2px, calc(100% * var(--p, 0))); background: var(--_model); }
.way .says { font-size: 12px; color: var(--_soft); white-space: nowrap; text-decoration: underline; text-decoration-color: var(--_line); text-underline-offset: 3px; }
[data-own] .way { color: var(--_accent); font-weight: 650; }
[data-own] .bar { background: var(--_accent); }
[data-own] .says { text-decoration: none; }
.more { display: grid; gap: 14px; align-content: start; }
.again .hint { margin-top: 6px; }

.branches { list-style: none; margin: 12px 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 290px), 1fr)); gap: 14px; }
.branches li { display: flex; flex-direction: column; border: 1px solid var(--_line); border-radius: 10px; padding: 12px 14px; min-width: 0; }
.branches li[data-here] { border-color: var(--_accent); }
.branches .text { font: 16px/1.5 var(--_serif); margin: 6px 0 auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.branches :is(.prompt, .common, .held) { color: var(--_soft); }
.branches .mine { box-shadow: inset 0 -1.5px var(--_edge); }
.branches [data-here] .mine { box-shadow: inset 0 -1.5px var(--_accent); }
.branches .held { text-decoration: underline dashed 1.5px; }
.branches .buttons { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 10px; }
.branches .buttons button { min-height: 30px; padding: 0 10px; font-size: 13px; }
.undo { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; margin-top: 8px; font-size: 13px; }
.tree-settings nt-settings { padding: 8px 0 0; }

@container card (width >= 760px) {
  nt-tree-look { grid-template-columns: minmax(0, 1fr) minmax(0, 1.5fr) minmax(0, 1.2fr); }
}
@container card (width < 560px) {
  nt-tree-river, nt-tree-look, nt-tree-branches, .tree-settings { padding-inline: 16px; }
  .way { grid-template-columns: minmax(60px, 1fr) 58px minmax(20px, 0.6fr) 96px; gap: 6px; padding-inline: 4px; }
}
@media (forced-colors: active) {
  .river path { stroke: CanvasText; forced-color-adjust: none; }
  .river path[data-way="on"] { stroke: Highlight; }
  .nodes button[aria-current] { border: 3px solid Highlight; }
  .way .bar { background: CanvasText; forced-color-adjust: none; }
}
@media print {
  .river { overflow: visible; }
  .nodes li { content-visibility: visible; }
  nt-tree-look .more, .branches .buttons, .undo { display: none; }
  .river path { print-color-adjust: exact; }
}
`;
