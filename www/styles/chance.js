/** What stands around the distribution: where one looks, a token of one's own, many draws, loops. */

export const chance = `
nt-force, nt-draws { display: block; min-width: 0; contain: content; }
.looking { color: var(--_soft); font-size: 13px; margin: 2px 0 4px; min-height: 1.45em; }
.supposed { margin: 2px 0 8px; padding: 6px 12px; border-inline-start: 3px solid var(--_edge); font-size: 13px; font-weight: 600; }
.supposed .quiet { font-weight: 400; }
.card tbody tr:not(.rest) { cursor: pointer; }

nt-force label { display: block; font-weight: 550; }
nt-force .row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 6px; }
nt-force input { flex: 1 1 140px; max-width: 320px; min-width: 0; font: 15px/1.4 var(--_mono); }
.pieces { display: flex; flex-wrap: wrap; gap: 4px; list-style: none; margin: 8px 0 0; padding: 0; font: 15px/1.3 var(--_mono); }
.pieces li { border: 1.5px dashed var(--_edge); border-radius: 6px; padding: 2px 6px; white-space: pre; text-align: center; }
.pieces small { display: block; font: 11px/1.3 var(--_font); color: var(--_soft); font-variant-numeric: tabular-nums; }
nt-force .hint { margin-top: 6px; }

nt-draws .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; }
nt-draws table { width: 100%; table-layout: fixed; border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 10px; }
nt-draws caption { text-align: start; color: var(--_soft); font-size: 13px; padding-bottom: 8px; }
nt-draws thead th { font-weight: 500; font-size: 12px; color: var(--_soft); text-align: start; padding: 0 12px 5px 0; border-bottom: 1px solid var(--_line); }
nt-draws th.token { width: 22%; }
nt-draws :is(.count, .share, .expected) { width: 74px; text-align: end; }
nt-draws tbody td { cursor: default; }
nt-draws :is(td.count, td.share, td.expected) { text-align: end; padding-inline-end: 12px; font-size: 13px; }
nt-draws td.bar::before { inset-inline-start: 0; width: calc((100% - 10px) * var(--p, 0)); background: var(--_kept); }
nt-draws td.bar::after { content: ""; position: absolute; inset-block: 2px; inset-inline-start: calc((100% - 10px) * var(--at, 0) - 1px); border-inline-start: 2.5px solid var(--_ink); outline: 1px solid var(--_card); }
nt-draws .words { margin-top: 10px; color: var(--_soft); font-size: 13px; }
.card nt-draws tbody tr { cursor: default; }
.loops { margin-bottom: 8px; padding-inline-start: 12px; border-inline-start: 3px double var(--_ink); font-size: 13px; max-width: 90ch; }
.chip[data-loop] { border-top: 2.5px solid var(--_ink); border-top-left-radius: 0; border-top-right-radius: 0; }
.chip[data-loop="begins"] { border-inline-start: 2.5px solid var(--_ink); }

@container card (width < 560px) {
  nt-draws :is(.count, .share, .expected) { width: 58px; }
  nt-draws th.token { width: auto; }
  nt-draws .share { display: none; }
  nt-draws thead .bar { font-size: 0; }
  nt-draws thead .bar, nt-draws td.bar { width: 26%; }
  nt-draws td.bar::before { inset-block: 9px; height: auto; }
}
@media (forced-colors: active) {
  nt-draws td.bar::after { border-color: Highlight; forced-color-adjust: none; }
}
@media print {
  nt-force, nt-draws details:not([open]), .supposed button { display: none; }
}
`;
