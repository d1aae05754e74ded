/** The distribution table, whose bars are its cells, and the cumulative bar with its coin. */

export const chart = `
nt-candidates table { width: 100%; table-layout: fixed; border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 2px; }
nt-candidates .detail { margin-top: 10px; }
nt-candidates caption { text-align: start; color: var(--_soft); font-size: 13px; padding: 0 0 12px; }
nt-candidates .waiting { min-height: 290px; display: grid; place-content: center; text-align: center; color: var(--_soft); font: italic 17px/1.5 var(--_serif); max-width: 34ch; margin: 0 auto; }
nt-candidates thead th { font-weight: 500; font-size: 12px; color: var(--_soft); text-align: start; padding: 0 8px 5px 0; border-bottom: 1px solid var(--_line); }
nt-candidates td, tbody th { padding: 4px 8px 0 0; height: 27px; line-height: 19px; font-size: 14px; font-weight: 400; text-align: start; vertical-align: baseline; }
nt-candidates .rank { width: 42px; color: var(--_soft); font-size: 12px; }
nt-candidates .logit { width: 58px; text-align: end; padding-inline-end: 14px; white-space: nowrap; }
thead th.token { width: 20%; }
nt-candidates thead th.state { font-size: 12px; }
tbody th.token { font: 15px/19px var(--_mono); white-space: pre; overflow: hidden; text-overflow: ellipsis; padding-inline-end: 12px; }
.state { width: 84px; position: relative; font-size: 12.5px; color: var(--_soft); white-space: nowrap; }
td.bar { position: relative; white-space: nowrap; padding-inline-start: 0; }
td.bar::before { content: ""; position: absolute; inset-block: 6px; inset-inline-start: 66px; width: calc((100% - 78px) * var(--p, 0)); min-width: 2px; border-radius: 0 3px 3px 0; background: var(--_model); }
td.draw::before { background: var(--_kept); }
td.bar[data-zero]::before { display: none; }
tr[data-kept="false"] td, tr[data-kept="false"] th { color: var(--_soft); }
tr[data-kept="false"] td.model::before { background: repeating-linear-gradient(135deg, var(--_cut) 0 2.5px, transparent 2.5px 5.5px); border: 1px solid var(--_cut); }
tr[data-chosen] th.token, tr[data-chosen] td.bar, tr[data-chosen] .state { color: var(--_accent); font-weight: 650; }
tr[data-chosen] td.draw::before { background: var(--_accent); }
tr[data-chosen] td.model::before { background: var(--_model); }
tr[data-chosen] th.token::before { content: "▸ "; }
tr[data-outside] .why { display: none; }
nt-candidates tr[data-outside] td.bar { font-size: 12.5px; }
tr.rest th.token, tr.rest td { border-top: 1px solid var(--_line); }
tr.rest td.rank { border-top: 1px solid var(--_line); }
tr.rest th.token { font: 14px/19px var(--_font); }
.card:not([data-past]) tbody tr:not(.rest) { cursor: pointer; }
tbody tr:not(.rest):hover, tbody tr:not(.rest):focus-within { background: color-mix(in oklab, var(--_ink) 5%, transparent); }
button.take { position: absolute; inset: 1px 0 1px auto; min-height: 24px; padding: 0 9px; font-size: 12px; border-radius: 6px; opacity: 0; color: var(--_ink); }
tr:hover > .state .take, .take:focus { opacity: 1; }
.words { margin-top: 4px; font-variant-numeric: tabular-nums; }

.track { position: relative; margin: 30px 0 0; padding: 0 10px; }
.cumulative { display: flex; height: 30px; border-radius: 6px; overflow: hidden; }
.segment { display: block; line-height: 30px; text-align: center; text-overflow: ellipsis; flex: 0 0 auto; width: calc(100% * var(--p, 0)); min-width: 0; overflow: hidden; background: var(--_kept); color: var(--_card); font: 12.5px/30px var(--_mono); white-space: pre; box-shadow: inset -1.5px 0 var(--_card); }
.segment:last-child { box-shadow: none; }
.segment[data-rest] { background: repeating-linear-gradient(135deg, var(--_kept) 0 3px, var(--_model) 3px 6px); color: transparent; }
.segment[data-narrow] { color: transparent; }
.segment[data-chosen] { background: var(--_accent); }
/* However narrow, the chosen one can be seen. */
.segment[data-chosen][data-narrow] { position: relative; z-index: 1; box-shadow: 0 0 0 1.5px var(--_accent); }
.coin { position: absolute; inset-inline-start: calc(10px + (100% - 20px) * var(--at, 0)); top: -21px; width: 18px; height: 18px; margin-inline-start: -9px; border-radius: 50%; background: var(--_ink); border: 2px solid var(--_card); }
.coin::after { content: ""; position: absolute; inset-inline-start: 6px; top: 14px; height: 40px; border-inline-start: 2px solid var(--_ink); outline: 1px solid var(--_card); }
.coin[data-preview] { background: var(--_card); border-color: var(--_ink); }
nt-coin .words { margin-top: 12px; }
.own { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; margin-top: 8px; font-size: 13px; }
.own .field { display: flex; gap: 8px; align-items: center; }
.own .wide { flex: 1 1 220px; }
.own .wide input { flex: 1; min-width: 90px; }
.own .error { flex-basis: 100%; }

@container card (width < 560px) {
  nt-candidates .rank { display: none; }
  nt-candidates td, tbody th { height: 40px; padding-inline-end: 6px; font-size: 12.5px; vertical-align: top; padding-top: 5px; }
  nt-candidates .logit { width: 46px; padding-inline-end: 8px; }
  thead th.token { width: 28%; }
  tbody th.token { font-size: 14px; padding-inline-end: 8px; }
  td.bar::before { inset-block: auto 5px; inset-inline-start: 0; height: 9px; width: calc((100% - 8px) * var(--p, 0)); }
  .state { width: 56px; white-space: normal; font-size: 12px; line-height: 1.2; }
  nt-candidates tr[data-outside] td.bar { font-size: 10.5px; }
  .state .why, tr[data-outside] .why { display: block; white-space: nowrap; }
  tr.rest th.token { white-space: normal; line-height: 1.2; }
  button.take { inset: 4px 0 auto auto; padding: 0 6px; }
  button.take span { display: inline-block; width: 4ch; overflow: clip; white-space: nowrap; }
}
@container card (width < 340px) {
  nt-candidates .logit { display: none; }
  thead th.token { width: 36%; }
}
@media (hover: none) {
  td.state > span { display: block; }
  button.take { opacity: 1; position: static; margin: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  /* At full speed the next token comes before a move could rest: then nothing moves. */
  .card:not([data-fast]) .segment { transition: width 200ms ease-out; }
  .card:not([data-fast]) td.bar::before { transition: width 200ms ease-out; }
  .card:not([data-fast]) .coin:not([data-preview]) { animation: drop 220ms ease-in; transition: inset-inline-start 200ms ease-out; }
  .card:not([data-fast]) .chip[data-chosen] { animation: land 200ms ease-out; }
  @keyframes drop { from { transform: translateY(-16px); opacity: 0; } }
  @keyframes land { from { transform: translateY(10px); opacity: 0; } }
}
@media (forced-colors: active) {
  td.bar::before { border: 1px solid CanvasText; background: CanvasText; forced-color-adjust: none; }
  tr[data-kept="false"] td.model::before { background: Canvas; border-style: dashed; }
  tr[data-chosen] td.model::before { background: CanvasText; }
  tr[data-chosen] td.draw::before { background: Highlight; }
  .segment { outline: 1px solid CanvasText; outline-offset: -1px; }
  .segment[data-chosen] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  .segment[data-chosen][data-narrow] { outline: 2px solid Highlight; outline-offset: 0; }
  .coin { background: CanvasText; forced-color-adjust: none; }
}
@media print {
  button.take { display: none; }
  td.bar::before, .segment { print-color-adjust: exact; }
}
`;
