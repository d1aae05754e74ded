/** How the view of written steps is placed and drawn. */

export const styles = `
.card:not([data-engine]) .thinking > :not(nt-thinking-duel) { display: none; }
.thinking > * { display: block; padding: 22px var(--_gap) 24px; min-width: 0; }
.thinking > nt-thinking-duel { padding-top: 14px; }
.thinking > :not([hidden]) ~ * { border-top: 1px solid var(--_line); }
.thinking h2 { font: 600 21px/1.3 var(--_serif); margin-bottom: 4px; }
.thinking h3 { margin: 0; font: 600 17px/1.3 var(--_serif); }
.thinking .say { font: 17px/1.5 var(--_serif); color: var(--_soft); max-width: 74ch; text-wrap: pretty; margin-bottom: 14px; }
.thinking .cannot { font: italic 17px/1.5 var(--_serif); color: var(--_soft); max-width: 60ch; }
.thinking .buttons { display: flex; flex-wrap: wrap; gap: 8px 10px; align-items: center; margin-top: 12px; }
.thinking .modes { gap: 4px 8px; font-size: 14px; }
.thinking .modes label { min-height: 24px; display: inline-flex; align-items: center; margin-inline-end: 12px; }
.thinking .notes { max-width: 90ch; }
.thinking .outcome, .thinking .verdict { font: 17px/1.5 var(--_serif); max-width: 80ch; text-wrap: pretty; }
.thinking .outcome { margin-top: 14px; }

.kind { display: inline-flex; align-items: center; gap: 8px; }

.own-problem { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin-top: 10px; }
.numbers { font: 20px/1.3 var(--_mono); color: var(--_soft); white-space: pre; }
.own-problem input { font: 20px/1.3 var(--_mono); padding: 3px 6px; min-height: 38px; text-align: center; }
.numbers input { width: 3.1em; }
.own-problem .field > input { width: 10em; }
.known { color: var(--_soft); font-size: 13px; margin-top: 6px; max-width: 80ch; }

.lane { margin-top: 18px; padding-top: 14px; border-top: 1px solid var(--_line); }
.lane-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; }
.asked { font: 14px/1.4 var(--_mono); color: var(--_soft); overflow-wrap: anywhere; }
.count { margin-inline-start: auto; font-size: 13px; color: var(--_soft); font-variant-numeric: tabular-nums; }
.lane .row { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 8px; align-items: stretch; }
.read { width: 88px; padding: 5px 8px; border: 1.5px dashed var(--_edge); border-radius: 6px; font-size: 12px; line-height: 1.25; color: var(--_soft); display: grid; align-content: center; text-wrap: balance; }
.passes { display: contents; list-style: none; margin: 0; padding: 0; }
.passes[hidden] { display: none; }
.passes li { position: relative; width: 42px; min-height: 48px; padding: 3px 1px 16px; border: 1.5px solid var(--_edge); border-radius: 6px; background: var(--_card); font: 16px/1.3 var(--_mono); text-align: center; display: grid; align-content: center; overflow-wrap: anywhere; cursor: default; }
.passes li[data-long] { font-size: 14px; }
.passes li:is([data-long="more"], [data-long="very"]) { font-size: 10.5px; line-height: 1.15; letter-spacing: -0.02em; }
.passes li[data-long="very"] { width: 88px; }
.passes li i { font-style: normal; color: var(--_soft); }
.passes li small { position: absolute; inset: auto 0 1px; font: 10.5px/1.3 var(--_font); letter-spacing: 0; color: var(--_soft); font-variant-numeric: tabular-nums; }
.passes li.end { border-style: dotted; color: var(--_soft); }
.passes li[data-newest] { background: var(--_accent-soft); border-color: var(--_accent); color: var(--_accent); font-weight: 650; }
.passes li[data-newest] small, .passes li[data-newest] i { color: inherit; }
.passes li[data-answer] { border: 2.5px solid var(--_ink); font-weight: 650; }
.passes li:focus-visible { outline-offset: 1px; z-index: 1; }
.result { margin-top: 10px; font-size: 15px; font-variant-numeric: tabular-nums; }
.mark { font-weight: 650; white-space: nowrap; }
[data-right="false"] > .mark, [data-right="false"] .said > .mark { color: var(--_error); }
.lane .detail { min-height: 1.45em; margin-top: 4px; }
.outcome + .notes, .duel > .notes { margin-top: 12px; }

.thinking .progress { display: inline-flex; align-items: center; gap: 10px; flex: 1 1 180px; max-width: 360px; }
.thinking progress { flex: 1; min-width: 60px; height: 10px; appearance: none; border: 1px solid var(--_edge); border-radius: 6px; background: var(--_card); overflow: hidden; }
.thinking progress::-webkit-progress-bar { background: var(--_card); }
.thinking progress::-webkit-progress-value { background: var(--_kept); }
.thinking progress::-moz-progress-bar { background: var(--_kept); }
.done { font-size: 13px; color: var(--_soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { margin-top: 16px; min-height: 3em; }
.trials .both { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px 40px; margin-top: 14px; align-items: start; }
.trials .both > * { min-width: 0; }
.figures, .problems, .first { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.thinking caption { text-align: start; color: var(--_soft); font-size: 13px; padding: 0 0 8px; }
.figures th, .figures td, .problems th, .problems td { padding: 6px 12px 6px 0; text-align: start; vertical-align: top; height: auto; font: 400 14px/1.35 var(--_font); border-bottom: 1px solid var(--_line); }
.thinking thead th { font: 500 12px/1.3 var(--_font); color: var(--_soft); text-align: start; border-bottom: 1px solid var(--_line); padding: 0 12px 5px 0; }
.figures tbody th, .figures tbody td { white-space: nowrap; }
.figures tbody th { font-weight: 600; }
.thinking .results > details { margin-top: 14px; }
.filters { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 6px 0 10px; align-items: center; }
.filters .check input { width: 24px; height: 24px; margin: 0; accent-color: var(--_kept); }
.problem-table { max-height: 480px; overflow-y: auto; scrollbar-width: thin; padding-inline: 3px; }
.problems small { display: block; font-size: 12px; color: var(--_soft); }
.problems tbody th { font-family: var(--_mono); }
.problems th small { font-family: var(--_mono); padding-inline-start: 1px; }
.open { min-height: 26px; padding: 0 6px; margin: -2px 0 1px -7px; border-color: transparent; background: none; font: 14px/1.35 var(--_mono); text-align: start; text-decoration: underline; text-decoration-color: var(--_edge); text-underline-offset: 3px; }
.said bdi { font-family: var(--_mono); overflow-wrap: break-word; }
.thinking tbody tr { cursor: default; }

.ask { display: flex; flex-wrap: wrap; gap: 8px 10px; margin-top: 6px; }
.ask input { flex: 1 1 240px; min-width: 0; font: 17px/1.5 var(--_serif); padding: 5px 12px; min-height: 40px; }
.ask button { min-height: 40px; }
nt-thinking-beginning label { font-weight: 650; }
.questions { display: flex; flex-wrap: wrap; gap: 2px 4px; margin: 6px -8px 0; }
.questions .example { white-space: normal; text-align: start; }
.thinking .edited { color: var(--_soft); font-size: 13px; margin-top: 8px; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px 40px; margin-top: 18px; }
.beginning .notes { min-height: 2.9em; margin: 2px 0 12px; }
.beginning .json + .notes { min-height: 0; margin: 4px 0 0; }
.first { table-layout: fixed; }
.first caption { padding-bottom: 4px; }
.first .rank { width: 26px; color: var(--_soft); font-size: 12px; }
.thinking .first thead th.token, .first .token { width: 34%; }
.first tbody th, .first tbody td { height: 27px; }
.first td.bar::before { inset-inline-start: 74px; width: calc((100% - 86px) * var(--p, 0)); }
.wrote { margin-top: 12px; padding: 8px 12px; min-height: 42px; border-inline-start: 3px solid var(--_line); font: 15px/1.5 var(--_mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.wrote mark { background: none; color: inherit; border: 1.5px dashed var(--_edge); border-radius: 4px; padding: 0 4px; margin-inline-end: 1px; }
.json { margin-top: 8px; font-weight: 600; font-size: 14px; overflow-wrap: anywhere; }
.json[data-right="false"] { color: var(--_error); }

@container card (width >= 700px) {
  .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@container card (width >= 900px) {
  .trials .both { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
}
@container card (width < 560px) {
  .thinking > * { padding-inline: 16px; }
  .count { margin-inline-start: 0; flex-basis: 100%; }
  .figures thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .figures tr, .figures tbody, .figures { display: block; }
  .figures tbody th { display: block; border: 0; padding: 10px 0 2px; font-size: 15px; }
  .figures td { display: flex; justify-content: space-between; gap: 12px; padding: 3px 0; border: 0; }
  .figures td::before { content: attr(data-label); color: var(--_soft); }
  .problems th, .problems td { padding-inline-end: 8px; font-size: 13px; }
  .open { font-size: 13px; white-space: nowrap; padding-inline: 4px; margin-inline-start: -5px; }
  .first td.bar::before { inset-inline-start: 0; width: calc((100% - 8px) * var(--p, 0)); }
  .said .mark { display: block; }
  .figures caption { display: block; }
  .first tbody th, .first tbody td { height: 40px; padding-top: 5px; vertical-align: top; }
}
@media (prefers-reduced-motion: no-preference) {
  .passes li { animation: pass 160ms ease-out; }
  @keyframes pass { from { transform: translateY(-6px); opacity: 0; } }
}
@media (forced-colors: active) {
  .passes li[data-newest] { border: 3px solid Highlight; }
  .passes li[data-answer] { border-color: CanvasText; }
}
@media print {
  .thinking form, .thinking .buttons, .thinking .filters { display: none !important; }
  .problem-table { max-height: none; overflow: visible; }
}
`;
