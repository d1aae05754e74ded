/** Buttons, fields, knobs, and the bar that stays in reach. */

export const controls = `
button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
button { min-height: 34px; padding: 0 14px; border-radius: 8px; border: 1px solid var(--_edge); background: var(--_card); color: var(--_ink); cursor: pointer; touch-action: manipulation; }
button:hover:not([aria-disabled]) { background: color-mix(in oklab, var(--_ink) 7%, var(--_card)); }
button:active:not([aria-disabled]) { background: color-mix(in oklab, var(--_ink) 14%, var(--_card)); }
button.primary { background: var(--_ink); color: var(--_card); border-color: var(--_ink); font-weight: 600; }
button.primary:hover:not([aria-disabled]) { background: color-mix(in oklab, var(--_ink) 84%, var(--_card)); }
button.quiet { border-color: transparent; background: none; color: var(--_soft); text-decoration: underline; text-decoration-color: var(--_line); text-underline-offset: 3px; padding: 0 8px; min-height: 28px; }
button.quiet:hover:not([aria-disabled]) { color: var(--_ink); background: none; text-decoration-color: currentcolor; }
button[aria-disabled] { cursor: default; color: color-mix(in oklab, var(--_ink) 42%, var(--_card)); border-color: var(--_line); }
button.quiet[aria-disabled] { border-color: transparent; text-decoration: none; }
button.primary[aria-disabled] { background: color-mix(in oklab, var(--_ink) 12%, var(--_card)); border-color: transparent; }
textarea, select, input[type="text"] { border: 1px solid var(--_edge); border-radius: 8px; background: var(--_card); color: var(--_ink); min-height: 32px; padding: 3px 8px; }
[aria-invalid="true"] { border-color: var(--_error) !important; }
input[type="range"] { accent-color: var(--_kept); min-height: 24px; margin: 0; min-width: 0; }
.field.small { display: inline-flex; align-items: center; gap: 6px; font-size: 13px; color: var(--_soft); }
.field.small select { min-height: 26px; padding-block: 0; color: var(--_ink); }

.knobs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 290px), 1fr)); gap: 8px 32px; margin-top: 10px; }
.knob { display: grid; grid-template-columns: minmax(min-content, 1fr) minmax(48px, 104px) 64px; gap: 0 10px; align-items: center; }
.knob.plain { grid-template-columns: minmax(0, 1fr) 120px; }
.knob label { font-weight: 550; line-height: 1.25; padding-block: 2px; }
.knob small { display: block; font: 12px/1.3 var(--_font); color: var(--_soft); }
.knob input[type="text"] { width: 100%; text-align: end; font-variant-numeric: tabular-nums; }
.knob .error { grid-column: 1 / -1; font-size: 13px; padding-block: 2px 4px; }
.knob.stop { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; }
.knob.stop textarea { width: 100%; font: 14px/1.4 var(--_mono); resize: vertical; }
.knob .stops { grid-column: 1 / -1; font: 13px var(--_mono); color: var(--_soft); overflow-wrap: anywhere; }
.knob .stops:empty { display: none; }
.knob.check { grid-template-columns: auto minmax(0, 1fr); align-items: start; }
.knob.check input { width: 24px; height: 24px; margin: 0; accent-color: var(--_kept); }
nt-settings details { margin-top: 14px; }
summary { cursor: pointer; color: var(--_soft); font-size: 13px; min-height: 28px; padding: 4px 0; width: fit-content; }
summary:hover { color: var(--_ink); }
.waits { font-size: 13px; margin-top: 8px; font-weight: 600; }
.waits:empty { display: none; }

nt-controls { position: sticky; bottom: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 12px var(--_gap); border-top: 1px solid var(--_line); background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
nt-controls .buttons { display: flex; flex-wrap: wrap; gap: 8px; }
nt-controls .second { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
nt-controls .next { flex: 1 1 20ch; color: var(--_soft); font-size: 13px; }
button[data-do="play"] { min-width: 66px; }
dialog { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_card); color: var(--_ink); padding: 22px 24px; width: min(460px, calc(100vw - 32px)); }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog p { color: var(--_soft); margin: 4px 0 12px; }
dialog dl { margin: 0 0 16px; }
dialog dl div { display: grid; grid-template-columns: 150px 1fr; gap: 12px; padding: 5px 0; border-top: 1px solid var(--_line); }
dialog dt { font-weight: 600; }
dialog dd { margin: 0; color: var(--_soft); }

nt-meters { padding: 10px var(--_gap) 14px; background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
.meters { display: flex; flex-wrap: wrap; gap: 6px 32px; margin: 0; font-variant-numeric: tabular-nums; }
.meters dt { color: var(--_soft); font-size: 12px; }
.meters dd { margin: 0; font-size: 12px; color: var(--_soft); }
.meters b { font: 600 15px/1.3 var(--_font); color: var(--_ink); }
.meters span { white-space: nowrap; }
.card[data-status="done"] [data-do="reset"] { border-color: var(--_edge); color: var(--_ink); text-decoration: none; padding-inline: 14px; min-height: 34px; }

@container card (width < 560px) {
  .nt-transport nt-meters { display: none; }
  nt-controls { display: contents; }
  nt-controls .buttons { position: sticky; bottom: 0; z-index: 2; flex-wrap: nowrap; gap: 6px; padding: 8px 16px; border-top: 1px solid var(--_line); background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
  nt-controls .buttons button { flex: 1 1 auto; padding: 0 4px; min-height: 40px; font-size: 13.5px; white-space: nowrap; min-width: 0; }
  nt-controls .next { display: none; }
  nt-controls .second { flex-wrap: nowrap; gap: 8px; padding: 10px 16px 0; background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
  nt-controls .second .field { flex: 1 1 auto; min-width: 0; white-space: nowrap; }
  nt-controls .second select { flex: 1 1 0; min-width: 0; max-width: 190px; padding-inline: 4px; }
  nt-controls .second .quiet { padding-inline: 4px; flex: none; }
  nt-meters { padding-inline: 16px; }
  .meters { display: grid; grid-template-columns: 1fr 1fr; gap: 10px 16px; }
  .meters span { display: block; white-space: normal; }
  .knob { grid-template-columns: minmax(0, 1fr) 90px 62px; gap: 0 10px; }
}
@container card (width < 340px) {
  nt-controls .buttons { gap: 4px; padding-inline: 12px; }
  nt-controls .buttons button { font-size: 12.5px; padding: 0 2px; }
  .knob:not(.check) { grid-template-columns: minmax(0, 1fr) 62px; }
  .knob:not(.check) label { grid-column: 1 / -1; }
  .knob.stop textarea { grid-column: 1 / -1; }
}
`;
