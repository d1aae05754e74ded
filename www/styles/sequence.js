/** Prompt, stages, tokens and text: the reading column. */

export const sequence = `
nt-prompt label { font-weight: 650; font-size: 15px; }
nt-prompt .row { display: flex; gap: 10px; align-items: start; margin-top: 8px; }
nt-prompt textarea { flex: 1; font: 17px/1.5 var(--_serif); padding: 7px 12px; resize: vertical; min-height: 40px; }
nt-prompt .primary { min-height: 40px; padding-inline: 22px; }
nt-prompt .error, nt-prompt .edited { margin-top: 6px; }
nt-prompt .edited { color: var(--_soft); font-size: 13px; }
.modes { display: flex; flex-wrap: wrap; gap: 4px 6px; align-items: center; border: 0; margin: 0; padding: 0; font-size: 13px; }
nt-prompt .modes label { font: inherit; margin-inline-end: 8px; min-height: 24px; display: inline-flex; align-items: center; }
.modes input { width: 24px; height: 24px; margin: 0; accent-color: var(--_kept); }
.examples { display: flex; flex-wrap: wrap; gap: 2px 4px; margin: 8px -8px 0; }
.example { border-color: transparent; background: none; color: var(--_soft); font: italic 15px/1.3 var(--_serif); min-height: 28px; padding: 2px 8px; white-space: pre; overflow: hidden; text-overflow: ellipsis; max-width: 100%; }
.examples .label { color: var(--_soft); font-size: 13px; padding: 0 4px 0 8px; align-self: center; flex: none; }
.card[data-run] .examples { display: none; }
.example:hover { color: var(--_ink); border-color: var(--_line); background: none; }

nt-stages { padding-block: 18px 16px; }
.strip { counter-reset: stage; display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); list-style: none; margin: 0; padding: 0; }
.strip li { counter-increment: stage; position: relative; text-align: center; color: var(--_soft); font-size: 13px; }
.strip .dot { position: relative; z-index: 1; display: grid; place-items: center; width: 26px; height: 26px; margin: 0 auto 5px; border-radius: 50%; border: 1.5px solid var(--_edge); background: var(--_card); color: var(--_soft); font: 600 12px/1 var(--_font); font-variant-numeric: tabular-nums; }
.strip .dot::before { content: counter(stage); }
.strip li + li::before { content: ""; position: absolute; top: 12.5px; inset-inline-start: -50%; width: 100%; height: 1.5px; background: var(--_line); }
.strip li[data-done]::before, .strip li[aria-current]::before { background: var(--_edge); }
.strip li[data-done] .dot { background: var(--_line); color: var(--_ink); }
.strip li[aria-current] { color: var(--_ink); font-weight: 650; }
.strip li[aria-current] .dot { background: var(--_ink); border-color: var(--_ink); color: var(--_card); outline: 4px solid color-mix(in oklab, var(--_ink) 14%, var(--_card)); }
.loop { position: relative; height: 13px; margin: 5px calc(100% / 14) 0 calc(100% / 14 * 5); border: 1.5px solid var(--_edge); border-top: 0; border-radius: 0 0 12px 12px; }
.loop::before { content: ""; position: absolute; inset-inline-start: -5.5px; top: -3px; border: 5px solid transparent; border-bottom: 7px solid var(--_edge); border-top: 0; }
.loop span { position: absolute; inset: auto 0 -8px; width: max-content; max-width: 100%; margin: auto; padding: 0 10px; background: var(--_card); color: var(--_soft); font-size: 12px; line-height: 15px; }
.sentence { margin-top: 20px; font: 17px/1.5 var(--_serif); text-wrap: pretty; }
.sentence strong { font-weight: 600; }

.chips { display: flex; flex-wrap: wrap; gap: 8px 4px; list-style: none; margin: 12px 0 8px; padding: 3px; max-height: 224px; overflow-y: auto; font: 18px/1.3 var(--_mono); scrollbar-width: thin; }
.chip { position: relative; min-width: 28px; padding: 3px 5px 18px; border: 1.5px solid transparent; border-bottom-color: var(--_edge); white-space: pre; text-align: center; max-width: 100%; overflow: hidden; text-overflow: ellipsis; border-radius: 4px 4px 0 0; cursor: default; }
.chip:focus-visible { outline-offset: -2px; }
.chip i { font-style: normal; color: var(--_soft); }
.chip small { position: absolute; inset: auto 0 2px; text-align: center; font: 11px/1.3 var(--_font); color: var(--_soft); font-variant-numeric: tabular-nums; }
.chip.generated { border-color: var(--_edge); border-radius: 6px; }
.chip.special { border-style: dotted; border-color: var(--_edge); font-size: 14px; line-height: 23px; }
.chip[data-chosen] { background: var(--_accent-soft); border-color: var(--_accent); color: var(--_accent); font-weight: 650; border-radius: 6px; }
.chip[data-chosen] i, .chip[data-chosen] small { color: inherit; }
.chip.next { border: 1.5px dashed var(--_edge); border-radius: 6px; min-width: 58px; color: var(--_soft); padding-inline: 8px; }
.chip.next[data-chosen] { border-style: dashed; border-color: var(--_accent); color: var(--_accent); background: none; }
.chip.next[data-ended] { min-width: 92px; }
.chip small { white-space: nowrap; }
.detail { min-height: 1.45em; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

.answer { font: 19px/1.6 var(--_serif); white-space: pre-wrap; overflow-wrap: anywhere; margin-top: 8px; max-height: 14em; overflow-y: auto; }
.answer .prompt { color: var(--_soft); }
.answer .held { color: var(--_soft); text-decoration: underline dashed 1.5px; text-underline-offset: 4px; }
.answer .pending, .answer .stray { font: 15px var(--_mono); color: var(--_soft); border: 1px dashed var(--_edge); border-radius: 4px; padding: 0 3px; }
.answer .pending:empty { display: none; }
nt-text .notes, nt-text .naive { margin-top: 8px; font-size: 13px; }
nt-text .naive { color: var(--_soft); overflow-wrap: anywhere; }
.naive bdi { font-family: var(--_mono); }
.finish { margin-top: 12px; padding: 8px 12px; border: 1.5px solid var(--_ink); border-radius: 8px; font-size: 14px; }
.finish strong { display: block; font-weight: 650; }

@container card (width < 560px) {
  .strip .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .strip .dot { margin-bottom: 2px; }
  .chips { font-size: 17px; }
  .answer { font-size: 18px; }
  nt-prompt .row { flex-wrap: wrap; }
  nt-prompt textarea { flex-basis: 100%; }
  nt-prompt .primary { flex: 1; }
  .examples { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; margin-inline: -16px; padding-inline: 8px; }
  .example { flex: none; }
}
@container card (width < 340px) {
  .loop span { padding: 0 4px; font-size: 11px; white-space: nowrap; }
}
@media (forced-colors: active) {
  .strip li[aria-current] .dot { outline: 3px solid Highlight; }
  .chip.prompt { border-color: Canvas Canvas CanvasText; }
  .chip[data-chosen] { border: 3px solid Highlight; }
  .loop::before { border-color: Canvas Canvas CanvasText; forced-color-adjust: none; }
}
`;
