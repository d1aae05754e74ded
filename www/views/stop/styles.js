/** The conveyor and what stands around it. */

export const styles = `
nt-stop-start, nt-stop-ways, nt-stop-lanes, nt-stop-end, nt-stop-stream { display: block; min-width: 0; }
.view-head:has(+ nt-stop-lanes) { padding-bottom: 16px; }
.note { color: var(--_soft); font-size: 13px; overflow-wrap: anywhere; }
h3 { margin: 0; font: 600 13px/1.4 var(--_font); color: var(--_soft); }

nt-stop-start { padding: 14px var(--_gap) 18px; }
nt-stop-start .row { display: flex; gap: 10px; align-items: baseline; }
nt-stop-start .label { color: var(--_soft); font-size: 13px; }
.presets { display: flex; flex-wrap: wrap; gap: 6px; }
.presets button { font: 14px/1.2 var(--_mono); min-height: 30px; padding: 2px 10px; }
.presets button[aria-pressed="true"] { border-color: var(--_ink); box-shadow: inset 0 0 0 1px var(--_ink); font-weight: 650; }
nt-stop-start .field { display: grid; gap: 4px; margin-top: 14px; }
nt-stop-start .field label { font-weight: 600; font-size: 13px; color: var(--_soft); }
nt-stop-start textarea { width: 100%; font: 17px/1.5 var(--_serif); padding: 7px 12px; resize: vertical; field-sizing: content; max-height: 11em; }
nt-stop-start .note { margin-top: 10px; font: 15px/1.5 var(--_serif); max-width: 72ch; text-wrap: pretty; }

nt-stop-ways { padding: 16px var(--_gap); border-top: 1px solid var(--_line); }
nt-stop-ways > h3 { margin-bottom: 10px; }
.ways { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0; }
.way { padding: 0 20px; border-inline-start: 1px solid var(--_line); font-size: 13px; }
.way:first-child { padding-inline-start: 0; border: 0; }
.way:last-child { padding-inline-end: 0; }
.way h4 { margin: 0 0 4px; font: 600 14px/1.4 var(--_font); }
.way h4 small { font: 12px var(--_font); color: var(--_soft); }
.way p { color: var(--_soft); overflow-wrap: anywhere; }
.way .error { color: var(--_error); }
.way textarea { width: 100%; font: 14px/1.4 var(--_mono); resize: vertical; }
.way .set { display: flex; gap: 12px; align-items: center; }
.way .set input { width: 84px; text-align: end; font-variant-numeric: tabular-nums; }
.meter { flex: 1; max-width: 150px; height: 8px; border: 1px solid var(--_edge); border-radius: 4px; overflow: hidden; }
.meter::before { content: ""; display: block; height: 100%; width: calc(100% * var(--at, 0)); background: var(--_kept); }
.way .reached { margin-top: 6px; font-variant-numeric: tabular-nums; }
.way .ended { color: var(--_ink); font-weight: 650; }
.way .ended:empty { display: none; }
.way .ended::before { content: "■ "; }
.way[data-ended] h4 { text-decoration: underline 2px; text-underline-offset: 4px; }

nt-stop-lanes { padding: 20px var(--_gap) 22px; border-top: 1px solid var(--_line); }
.lane { display: grid; grid-template-columns: minmax(130px, 1fr) minmax(190px, 1.5fr) minmax(0, 3.6fr); grid-template-rows: auto auto auto; }
.zone { display: grid; grid-row: 1 / span 3; grid-template-rows: subgrid; min-width: 0; align-content: start; }
.zone > h3 { padding: 0 14px 6px 0; }
.zone .box { min-height: 58px; padding: 6px 14px 10px 0; overflow-wrap: anywhere; }
.zone.gate > h3, .zone.out > h3, .zone.gate .box, .zone.out .box { padding-inline-start: 14px; }
.zone .scroll { font: 19px/1.5 var(--_serif); white-space: pre-wrap; max-height: 12em; overflow-y: auto; }
.zone .empty { font: italic 16px/1.5 var(--_serif); color: var(--_soft); }
/* The belt: a line with its rollers. */
.holding .box { border-bottom: 2px solid var(--_ink); position: relative; }
.holding .box::after { content: ""; position: absolute; inset: auto 0 -7px; height: 5px; background: repeating-linear-gradient(90deg, var(--_edge) 0 1.5px, transparent 1.5px 14px); }
.holding .gate .box { background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); border-inline-end: 2px dashed var(--_edge); }
.holding .gate[data-shut] .box { border-inline-end: 8px solid var(--_ink); }
.holding .gate[data-shut] > h3 { color: var(--_ink); }
.came { display: inline-block; font: 18px/1.3 var(--_mono); padding: 4px 8px; max-width: 100%; }
.came[data-special] { border-style: dotted; font-size: 14px; line-height: 23px; }
.in small { display: block; padding: 12px 14px 0 0; font-size: 12px; color: var(--_soft); font-variant-numeric: tabular-nums; }
.held { display: inline-block; font: 20px/1.4 var(--_mono); padding: 1px 8px; border: 1.5px dashed var(--_ink); border-radius: 4px; white-space: pre-wrap; }
.held:empty { display: none; }
.slots { padding: 12px 14px 0; display: flex; flex-wrap: wrap; gap: 6px 12px; }
.sequence { display: inline-flex; flex-wrap: wrap; gap: 2px; font: 14px/22px var(--_mono); }
.sequence i { font-style: normal; min-width: 18px; height: 24px; padding: 0 3px; text-align: center; border: 1px dashed var(--_edge); color: var(--_soft); white-space: pre; }
.sequence i[data-there] { background: var(--_ink); border: 1px solid var(--_ink); color: var(--_card); font-weight: 650; }

nt-stop-end .end { margin-inline-start: calc((100% - 0px) * 0.164); padding-top: 14px; }
.drop { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.dropped { font: 20px/1.4 var(--_mono); padding: 1px 8px; border: 1.5px dashed var(--_edge); border-radius: 4px; color: var(--_soft); text-decoration: line-through 2px var(--_ink); }
.tag { position: relative; display: inline-block; padding: 6px 14px 6px 26px; border: 1.5px solid var(--_ink); border-radius: 8px; font-weight: 650; }
.tag::before { content: ""; position: absolute; inset-inline-start: 10px; top: calc(50% - 4px); width: 8px; height: 8px; border: 1.5px solid var(--_ink); border-radius: 50%; }
.why { margin-top: 8px; font: 17px/1.5 var(--_serif); max-width: 62ch; text-wrap: pretty; }
.go-on { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin-top: 10px; }
.go-on .field { display: inline-flex; gap: 8px; align-items: center; }
.go-on input { width: 64px; text-align: end; }
.end details { margin-top: 6px; }
.end table { border-collapse: collapse; font-size: 13px; }
.end caption { text-align: start; color: var(--_soft); padding-bottom: 6px; }
.end th, .end td { text-align: start; font-weight: 400; padding: 4px 20px 4px 0; border-bottom: 1px solid var(--_line); height: auto; }
.card .end tbody tr { cursor: auto; background: none; }
.end thead th { color: var(--_soft); }
.end code { font: 13px var(--_mono); }
.continued { margin-top: 14px; font: 15px/1.5 var(--_serif); }
.passes { margin-top: 4px; }

.lane.naive { margin-top: 26px; }
.lane.naive .box { border-bottom: 1px solid var(--_line); min-height: 44px; }
.lane.naive .gate .box { border-inline-end: 1px dotted var(--_line); }
.lane.naive .text { font: inherit; }
.lane.naive .in .box { font: italic 15px/1.5 var(--_serif); color: var(--_soft); }
.naive .note { padding: 6px 14px 0; }
.naive .may { text-decoration: underline dotted 2px; text-underline-offset: 4px; }
.naive .may, .naive .soon { font: 17px/1.4 var(--_mono); }
.naive .soon { margin-inline-start: 3px; padding: 0 4px; border: 2px solid var(--_ink); border-radius: 3px; text-decoration: underline wavy 1.5px var(--_error); text-underline-offset: 4px; }
.naive .soon.last { border-style: dotted; }

nt-stop-stream { padding: 14px var(--_gap) 18px; border-top: 1px solid var(--_line); }
ol.tokens { display: flex; flex-wrap: wrap; gap: 6px 4px; list-style: none; margin: 8px 0 6px; padding: 3px; max-height: 190px; overflow-y: auto; scrollbar-width: thin; }
ol.tokens button { font: 16px/1.3 var(--_mono); min-height: 44px; min-width: 28px; padding: 3px 6px 2px; border: 1px solid transparent; border-bottom-color: var(--_edge); border-radius: 4px 4px 0 0; background: none; white-space: pre; }
ol.tokens small { display: block; font: 11px/1.3 var(--_font); color: var(--_soft); min-height: 14px; }
ol.tokens button[aria-current] { background: var(--_accent-soft); border-color: var(--_accent); color: var(--_accent); border-radius: 6px; }
ol.tokens [aria-current] small { color: inherit; }
ol.tokens li[data-fate="held"] button { border: 1.5px dashed var(--_ink); border-radius: 4px; }
ol.tokens li:is([data-fate="cut"], [data-fate="partly cut"]) bdi { text-decoration: line-through 2px; }
ol.tokens li[data-fate="later"] button { color: var(--_soft); border-bottom-style: dotted; }

nt-stop-bar { position: sticky; bottom: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 12px var(--_gap); border-top: 1px solid var(--_line); background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
nt-stop-bar .buttons { display: flex; flex-wrap: wrap; gap: 8px; }
nt-stop-bar .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
nt-stop-bar .row input { font-family: var(--_mono); }
nt-stop-bar .error { flex-basis: 100%; }

@container card (width < 760px) {
  .ways { grid-template-columns: minmax(0, 1fr); }
  .way, .way:last-child { padding: 12px 0 0; border: 0; }
  .way + .way { margin-top: 12px; border-top: 1px solid var(--_line); }
  .way:first-child { padding: 0; }
  .lane { grid-template-columns: minmax(92px, 2fr) minmax(0, 3fr); grid-template-rows: none; }
  .lane .out { grid-column: 1 / -1; grid-row: 4 / span 3; }
  .holding .out { padding-top: 18px; }
  .holding .out > h3, .holding .out .box, .naive .out > h3, .naive .out .box, .naive .note { padding-inline-start: 0; }
  .naive .in, .naive .gate { display: none; }
  nt-stop-end .end { margin-inline-start: 0; }
  .slots { padding-inline: 10px; }
}
@container card (width < 560px) {
  .view-head, nt-stop-start, nt-stop-ways, nt-stop-lanes, nt-stop-stream { padding-inline: 16px; }
  .end th, .end td { padding-inline-end: 8px; overflow-wrap: anywhere; }
  .end tbody th { white-space: nowrap; }
  nt-stop-bar { display: contents; }
  nt-stop-bar > * { margin: 0 16px 12px; }
  nt-stop-bar > .buttons { order: 9; position: sticky; bottom: 0; z-index: 2; flex-wrap: nowrap; gap: 5px; margin: 0; padding: 8px 12px; border-top: 1px solid var(--_line); background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
  nt-stop-bar .buttons button { flex: 1 1 auto; min-width: 0; min-height: 40px; padding: 0 4px; font-size: 13px; white-space: nowrap; }
}
@container card (width < 340px) {
  nt-stop-bar > .buttons { gap: 3px; padding-inline: 6px; }
  nt-stop-bar .buttons button { font-size: 12px; padding: 0 2px; }
  .end code { font-size: 11.5px; }
}
@media (prefers-reduced-motion: no-preference) {
  .arrive { display: inline-block; animation: arrive 200ms ease-out; }
  .dropped { animation: fall 240ms ease-in; }
  @keyframes arrive { from { transform: translateX(-18px); opacity: 0; } }
  @keyframes fall { from { transform: translateY(-34px); } }
}
@media (forced-colors: active) {
  .came[data-chosen], ol.tokens button[aria-current] { border: 2px solid Highlight; }
  .sequence i[data-there] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  .meter::before { background: CanvasText; forced-color-adjust: none; }
  .presets button[aria-pressed="true"] { border: 3px solid Highlight; }
  .holding .box::after { background: CanvasText; height: 1px; forced-color-adjust: none; }
}
@media print {
  nt-stop-bar, .presets, .go-on, .end details { display: none; }
  .sequence i[data-there] { print-color-adjust: exact; }
}
`;
