/** Two reading panes, and the time line under them. */

export const styles = `
nt-stream-run, nt-stream-panes, nt-stream-pace, nt-stream-numbers { display: block; min-width: 0; }
.note { color: var(--_soft); font-size: 13px; overflow-wrap: anywhere; }
h3 { margin: 0; font: 600 15px/1.4 var(--_font); }

nt-stream-run { padding: 0 var(--_gap) 18px; }
nt-stream-run:not([hidden]) { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.measuring { font: 16px/1.5 var(--_serif); color: var(--_soft); font-variant-numeric: tabular-nums; max-width: 62ch; }

nt-stream-panes { padding: 4px var(--_gap) 20px; }
.panes { display: grid; grid-template-columns: 1fr 1fr; gap: 0; }
.pane { min-width: 0; display: flex; flex-direction: column; }
.pane.streaming { padding-inline-end: 24px; }
.pane.blocking { padding-inline-start: 24px; border-inline-start: 1px solid var(--_line); }
.reading { height: 11.5em; margin: 10px 0 8px; overflow-y: auto; overflow-wrap: anywhere; white-space: pre-wrap; font: 18px/1.55 var(--_serif); scrollbar-width: thin; }
.reading .text { display: inline; }
.reading .empty { font-style: italic; color: var(--_soft); }
.pane .reached { font-size: 13px; color: var(--_soft); font-variant-numeric: tabular-nums; }

.time { margin-top: 18px; padding-top: 16px; border-top: 1px solid var(--_line); }
.clock-row { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; }
.clock-row .label, .clock-row .motion { color: var(--_soft); font-size: 13px; }
.clock { font: 600 26px/1.2 var(--_font); font-variant-numeric: tabular-nums; min-width: 4.6em; }
.timeline { position: relative; height: 62px; margin-top: 8px; }
.timeline svg { position: absolute; inset: 26px 0 auto; width: 100%; height: 24px; overflow: visible; border-bottom: 1.5px solid var(--_ink); }
.timeline path { fill: none; stroke: var(--_edge); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.timeline .there { clip-path: inset(0 calc(100% - 100% * var(--at, 0) - 1px) 0 -2px); }
.timeline .there path { stroke: var(--_ink); stroke-width: 2px; }
.bracket { position: absolute; inset-inline-start: 0; top: 18px; height: 8px; width: max(3px, 100% * var(--to, 0)); border: 1.5px solid var(--_ink); border-bottom: 0; }
.bracket span { position: absolute; inset: auto auto 8px -1px; white-space: nowrap; font: 600 12.5px/1.3 var(--_font); font-variant-numeric: tabular-nums; }
.timeline .last { position: absolute; inset: auto 0 auto auto; top: 0; font: 600 12.5px/1.3 var(--_font); font-variant-numeric: tabular-nums; }
.newest { position: absolute; top: 28px; height: 23px; inset-inline-start: calc(100% * var(--newest, 0) - 1.5px); width: 3px; background: var(--_accent); }
.playhead { position: absolute; top: 20px; bottom: 4px; inset-inline-start: calc(100% * var(--at, 0)); border-inline-start: 1.5px solid var(--_ink); }
.playhead::after { content: ""; position: absolute; inset: auto auto -5px -6px; border: 5px solid transparent; border-bottom: 7px solid var(--_ink); border-top: 0; }
.time input[type="range"] { display: block; width: 100%; }
.time .buttons { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 10px; }
.time .buttons button { min-width: 92px; }
.time .buttons .note { margin-inline-start: 8px; }

.below { display: grid; grid-template-columns: 3fr 2fr; border-top: 1px solid var(--_line); }
.below:not(:has(> :not([hidden]))) { display: none; }
nt-stream-numbers, nt-stream-pace { padding: 18px var(--_gap) 20px; }
nt-stream-pace { border-inline-start: 1px solid var(--_line); }
.numbers { display: flex; flex-wrap: wrap; gap: 10px 28px; margin: 10px 0 0; }
.numbers > div { flex: 1 1 130px; }
.numbers dt { font-size: 12.5px; color: var(--_soft); }
.numbers dd { margin: 0; }
.numbers b { display: block; font: 600 21px/1.3 var(--_font); font-variant-numeric: tabular-nums; }
.numbers dd span { font-size: 12.5px; color: var(--_soft); }
.formula { margin: 16px 0 6px; font: italic 18px/1.4 var(--_serif); }
nt-stream-numbers table { width: 100%; border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; margin-bottom: 8px; }
nt-stream-numbers :is(th, td) { height: auto; font-weight: 400; font-size: 13.5px; text-align: start; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--_line); vertical-align: baseline; }
nt-stream-numbers thead th { color: var(--_soft); font-size: 12.5px; }
nt-stream-numbers td { white-space: nowrap; }
.card nt-stream-numbers tbody tr { cursor: auto; background: none; }
nt-stream-pace fieldset { border: 0; margin: 8px 0 0; padding: 0; display: grid; gap: 4px; }
.choice { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; min-height: 30px; }
.choice input[type="radio"] { width: 20px; height: 20px; margin: 2px; accent-color: var(--_kept); }
.choice input[type="range"] { flex: 1 1 110px; }
.choice .value { font-variant-numeric: tabular-nums; min-width: 6.2em; }
nt-stream-pace .more { display: flex; flex-wrap: wrap; gap: 8px 20px; margin-top: 8px; }
.example-words { margin-top: 14px; font: 15.5px/1.5 var(--_serif); text-wrap: pretty; }
details.settings { padding: 8px var(--_gap) 12px; border-top: 1px solid var(--_line); }
details.settings nt-settings { padding: 8px 0; }
.card:not([data-engine]) :is(.settings, nt-stream-run) { display: none; }

@container card (width < 760px) {
  .below { grid-template-columns: minmax(0, 1fr); }
  nt-stream-pace { border-inline-start: 0; border-top: 1px solid var(--_line); }
}
@container card (width < 560px) {
  .view-head, nt-stream-run, nt-stream-panes, nt-stream-numbers, nt-stream-pace, details.settings { padding-inline: 16px; }
  .panes { grid-template-columns: minmax(0, 1fr); }
  .pane.streaming { padding: 0 0 14px; }
  .pane.blocking { padding: 14px 0 0; border-inline-start: 0; border-top: 1px solid var(--_line); }
  .reading { height: 8em; font-size: 17px; }
  .clock { font-size: 22px; }
  .timeline path { stroke-width: 0.5px; }
  .timeline .there path { stroke-width: 1px; }
  nt-stream-numbers td:last-child { white-space: normal; }
}
@media (forced-colors: active) {
  .timeline path, .timeline .there path { stroke: CanvasText; forced-color-adjust: none; }
  .newest { background: Highlight; forced-color-adjust: none; }
}
@media print {
  .time input, .time .buttons, nt-stream-pace, details.settings { display: none; }
  .reading { height: auto; }
}
`;
