/** The look of the calculator. */

export const styles = `
nt-cost-form, nt-cost-result, nt-cost-answers, nt-cost-chat { display: block; min-width: 0; }
.cost-body { display: grid; grid-template-columns: minmax(0, 1fr); }
.cost-body > * { padding: 20px var(--_gap); }
.cost-body > :not([hidden]) ~ * { border-top: 1px solid var(--_line); }
.cost-body .hint { margin-top: 4px; }
.cost-body h2 + * { margin-top: 10px; }
nt-cost-form > h2 ~ h2 { margin-top: 22px; }
.wide-field { display: grid; gap: 4px; }
.wide-field label, .small-field label { font-size: 13px; color: var(--_soft); }
.wide-field textarea { font: 17px/1.5 var(--_serif); padding: 7px 12px; resize: vertical; width: 100%; }
.count-line { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; justify-content: space-between; font-variant-numeric: tabular-nums; }
.count-line .hint { margin: 0; color: var(--_ink); }
.count-line button { font-size: 13px; }
.small-fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 150px), 1fr)); gap: 12px 16px; margin: 12px 0 0; align-items: start; }
.small-field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; }
.small-field input, .small-field select { width: 100%; }
.small-field input[inputmode] { text-align: end; font-variant-numeric: tabular-nums; }
.small-field input::placeholder { color: var(--_soft); font-style: italic; }
nt-cost-form .prices { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.prices .small-field:has(.error:not(:empty)) { grid-column: 1 / -1; }
.small-field .error { font-size: 13px; }
.beside { display: flex; gap: 6px; }
.beside > input:not(:only-child) { min-width: 7ch; }
.beside select { width: auto; }

.totals { display: flex; flex-wrap: wrap; gap: 14px 44px; margin: 10px 0 18px; }
.totals dt { color: var(--_soft); font-size: 13px; }
.totals dd { margin: 0; }
.totals b { display: block; font: 600 34px/1.2 var(--_serif); font-variant-numeric: tabular-nums lining-nums; }
.totals span { color: var(--_soft); font-size: 13px; }
.scroll { overflow-x: auto; }
.numbers-table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; width: 100%; }
.numbers-table caption { text-align: start; color: var(--_soft); font-size: 13px; padding-bottom: 8px; }
.numbers-table :is(th, td) { padding: 6px 0 6px 14px; text-align: end; height: auto; font: inherit; border-top: 1px solid var(--_line); vertical-align: baseline; }
.numbers-table tr > :first-child { padding-inline-start: 0; text-align: start; }
.numbers-table thead :is(th, td) { border-top: 0; font-size: 12.5px; color: var(--_soft); }
.card .numbers-table tbody tr { cursor: default; }
.key { display: inline-block; width: 12px; height: 12px; margin-inline-end: 8px; border-radius: 2px; vertical-align: -1px; }
.share { display: flex; height: 34px; margin-top: 18px; border-radius: 6px; overflow: hidden; }
.share span { width: calc(100% * var(--share, 0)); }
[data-part="input"]:is(span, i) { background: var(--_kept); }
[data-part="cached"]:is(span, i) { background: repeating-linear-gradient(135deg, var(--_kept) 0 2px, color-mix(in oklab, var(--_kept) 25%, var(--_card)) 2px 6px); }
[data-part="output"]:is(span, i) { background: var(--_accent); }
.cost-body .words { margin-top: 8px; font-size: 14px; color: var(--_ink); }
.verdict { font: 18px/1.5 var(--_serif); max-width: 80ch; text-wrap: pretty; margin-top: 14px; }
.paid { position: relative; }
.paid::before { content: ""; position: absolute; inset: auto 0 2px auto; height: 4px; width: calc((100% - 14px) * var(--share, 0)); background: var(--_model); border-radius: 2px; }
.numbers-table td.paid { padding-bottom: 10px; width: 30%; }
.texts { margin: 10px 0 14px; padding-inline-start: 18px; color: var(--_soft); max-width: 92ch; }
.texts li { padding: 1px 0; }
.texts bdi { color: var(--_ink); font: italic 16px/1.5 var(--_serif); }

@container card (width >= 900px) {
  .cost-body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .cost-body > :not(nt-cost-form, nt-cost-result) { grid-column: 1 / -1; }
  .cost-body > nt-cost-form:not([hidden]) ~ nt-cost-result { border-inline-start: 1px solid var(--_line); border-top: 0; }
}
@container card (width < 560px) {
  .cost-body > * { padding: 18px 16px; }
  .totals b { font-size: 28px; }
  .numbers-table :is(th, td) { padding-inline-start: 8px; font-size: 13px; }
}
@media (forced-colors: active) {
  .share { border: 1px solid CanvasText; }
  .share span, .key { forced-color-adjust: none; border-inline-end: 1px solid CanvasText; }
  .paid::before { background: CanvasText; forced-color-adjust: none; }
  [data-part="input"]:is(span, i) { background: CanvasText; }
  [data-part="cached"]:is(span, i) { background: GrayText; }
  [data-part="output"]:is(span, i) { background: Highlight; }
}
@media print {
  .count-line button { display: none; }
  .share span, .key { print-color-adjust: exact; }
}
`;
