/** The card and how its parts are placed; they answer to the card's own width. */

export const frame = `
.card {
  container: card / inline-size;
  background: var(--_card);
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  overflow: clip;
  outline-offset: -2px;
}
nt-model, nt-loading, nt-prompt, nt-stages, nt-tokens, nt-candidates, nt-coin, nt-text, nt-settings, nt-controls, nt-meters { display: block; min-width: 0; }
nt-model, nt-loading, nt-prompt, nt-stages, nt-tokens { padding: 16px var(--_gap); }
.card > :not([hidden]) ~ :is(nt-loading, nt-prompt, nt-stages, nt-tokens, .work, .run-error) { border-top: 1px solid var(--_line); }
/* What changes per token is laid out and painted by itself. */
nt-stages, nt-tokens, nt-candidates, nt-coin, nt-text, nt-settings, nt-meters { contain: content; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 16px; }
.detail, .legend, .what, .hint, .phase, .words, .notes { color: var(--_soft); font-size: 13px; }
.run-error { padding: 12px var(--_gap); font-weight: 600; }

.work { display: grid; grid-template-columns: minmax(0, 1fr); }
.work > div { display: flex; flex-direction: column; min-width: 0; }
.work > div > * { padding: 18px var(--_gap); }
.work > div > :not([hidden]) ~ * { border-top: 1px solid var(--_line); }
.work > .right { border-top: 1px solid var(--_line); }
.card:not([data-engine]) .work { display: none; }
.card:not([data-run]) .work > .left { display: none; }
.card:not([data-run]) .work > .right { border-top: 0; }

nt-model { padding-block: 10px; color: var(--_soft); font-size: 13px; background: color-mix(in oklab, var(--_paper) 60%, var(--_card)); }
nt-model .line { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
nt-model strong { color: var(--_ink); font-weight: 650; }
nt-model .facts { flex: 1 1 24ch; }
nt-model .facts:empty { display: none; }
nt-model .line .quiet { margin-inline: -8px; }
nt-model .notice:not(:empty) { margin-top: 8px; padding: 8px 12px; border-inline-start: 3px solid var(--_edge); color: var(--_ink); background: var(--_card); }
nt-model .notice + button { margin-top: 8px; }
nt-model .error { margin-top: 10px; }
nt-model .panel { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--_line); }
.fields { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: end; }
.fields .field { display: grid; grid-template-columns: minmax(0, auto); gap: 4px; max-width: 100%; }
nt-model .what { margin-top: 10px; max-width: 75ch; }
nt-model .what:empty { display: none; }
nt-model .line + .what { margin-top: 2px; max-width: none; }

.view-head { padding: 20px var(--_gap) 10px; }
.card > :is(nt-model, nt-loading, nt-prompt):not([hidden]) ~ .view-head { border-top: 1px solid var(--_line); }
.card > .view-head + * { border-top: 0; }
.view-head h2 { font: 600 24px/1.25 var(--_serif); }
.view-head p { font: 17px/1.5 var(--_serif); color: var(--_soft); margin-top: 2px; max-width: 80ch; text-wrap: pretty; }

nt-loading { padding-block: 36px 40px; }
nt-loading h2 { font: 600 21px/1.3 var(--_serif); margin-bottom: 6px; }
nt-loading .what { max-width: 65ch; margin-bottom: 18px; font-size: 14px; }
nt-loading progress { display: block; width: 100%; max-width: 560px; height: 10px; margin: 6px 0 0; accent-color: var(--_kept); appearance: none; border: 1px solid var(--_edge); border-radius: 6px; background: var(--_card); overflow: hidden; }
nt-loading progress::-webkit-progress-bar { background: var(--_card); }
nt-loading progress::-webkit-progress-value { background: var(--_kept); }
nt-loading progress::-moz-progress-bar { background: var(--_kept); }
nt-loading .phase { font-variant-numeric: tabular-nums; }
nt-loading .buttons { margin-top: 18px; display: flex; flex-wrap: wrap; gap: 8px; }
nt-loading .fault { padding-inline-start: 14px; border-inline-start: 3px solid var(--_error); max-width: 70ch; }
nt-loading .message { font-weight: 600; color: var(--_error); }

@container card (width >= 860px) {
  .card[data-run] .work { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); }
  .card[data-run] .work > .right { border-top: 0; border-inline-start: 1px solid var(--_line); }
}
@container card (width < 560px) {
  nt-model, nt-loading, nt-prompt, nt-stages, nt-tokens, .run-error, .view-head { padding-inline: 16px; }
  .work > div > * { padding-inline: 16px; }
}

@media print {
  .card { border: 0; overflow: visible; }
  nt-controls, nt-settings, nt-loading, nt-model button, nt-prompt .examples, nt-prompt .primary, nt-prompt .modes, nt-coin .own, .field.small, .detail { display: none !important; }
  .card[data-run] .work { display: block; }
}
@media (forced-colors: active) {
  .card { border-color: CanvasText; }
}
`;
