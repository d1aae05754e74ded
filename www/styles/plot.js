/** Plots: a textbook's figures, hairlines and no box. They answer to their own width, not to the window's. */

export const plot = `
.plot { container: plot / inline-size; margin: 0; min-width: 0; color: var(--_ink); font: 400 14px/1.45 var(--_font); font-variant-numeric: tabular-nums; }
.plot figcaption { font: 650 15px/1.3 var(--_font); text-wrap: balance; margin-bottom: 4px; }
.plot .tone-model { --_tone: var(--_model); }
.plot .tone-kept { --_tone: var(--_kept); }
.plot .tone-accent { --_tone: var(--_accent); }
.plot .tone-k { --_tone: var(--_k); }
.plot .tone-v { --_tone: var(--_v); }
.plot .tone-soft { --_tone: var(--_soft); }

.plot-legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 0 0 8px; padding: 0; font-size: 13px; }
.plot-legend li { display: inline-flex; align-items: center; gap: 6px; }
.plot-legend .sign { flex: none; overflow: visible; }

.plot-canvas { position: relative; touch-action: pan-y; border-radius: 2px; overflow: clip; }
.plot-canvas:focus-visible { outline-offset: 2px; }
.plot-canvas svg { display: block; overflow: visible; background: var(--_card); color: var(--_ink); font: 400 12px/1 var(--_font); font-variant-numeric: tabular-nums; }
.plot svg text { fill: var(--_soft); stroke: none; }
.plot .label text { fill: var(--_ink); }
.plot .empty { font: italic 16px var(--_serif); }
.plot .grid path { fill: none; stroke: var(--_line); stroke-width: 1px; }
.plot .baseline, .plot .ticks { fill: none; stroke: var(--_edge); stroke-width: 1px; }

.plot .series path { fill: none; stroke: none; }
.plot .series .line { stroke: var(--_tone); stroke-width: 1.75px; stroke-linejoin: round; stroke-linecap: round; }
.plot .dash .line { stroke-dasharray: 5 4; stroke-linecap: butt; }
.plot .series .whiskers { stroke: var(--_tone); stroke-width: 1.5px; }
.plot .bars .whiskers { stroke: var(--_ink); }
.plot .series .markers { fill: var(--_tone); stroke: var(--_card); stroke-width: 1px; paint-order: stroke; }
.plot .series .fill { fill: var(--_tone); fill-opacity: 0.18; }
.plot .bars .fill { fill-opacity: 1; }
.plot .bars.hatched .fill { fill: revert-layer; stroke: var(--_tone); stroke-width: 1px; }
.plot .series .hatch { stroke: var(--_tone); stroke-width: 1.4px; }

.plot .hair { fill: none; stroke: var(--_edge); stroke-width: 1px; stroke-dasharray: 1 3; }
.plot .ring { fill: none; stroke: var(--_ink); stroke-width: 1.5px; }
.plot-readout { margin-top: 4px; min-height: 1.45em; font-size: 13px; color: var(--_ink); }
.plot-note { font-size: 13px; color: var(--_soft); max-width: 75ch; }
.plot-note:empty { display: none; }

.plot-foot { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; align-items: start; font-size: 13px; color: var(--_soft); }
.plot-foot details { grid-area: 1 / 1 / 2 / -1; min-width: 0; }
.plot-foot button { grid-row: 1; position: relative; font-size: 13px; }
.plot-foot button:nth-of-type(1) { grid-column: 2; }
.plot-foot button:nth-of-type(2) { grid-column: 3; margin-inline-end: -8px; }
.plot-scroll { max-height: 260px; overflow: auto; margin-top: 4px; border-block: 1px solid var(--_line); }
.plot table { border-collapse: collapse; font-size: 13px; color: var(--_ink); }
.plot thead th { position: sticky; top: 0; background: var(--_card); color: var(--_soft); font-weight: 500; font-size: 12px; text-align: end; vertical-align: bottom; padding: 5px 18px 5px 0; }
.plot tbody th, .plot tbody td { height: auto; padding: 2px 18px 2px 0; font: inherit; text-align: end; white-space: nowrap; }
.plot tbody tr, .plot tbody tr:hover { background: none; cursor: auto; }

.plot[data-bare] :is(.plot-canvas, .plot-legend, .plot-readout) { display: none; }
.plot[data-bare] .plot-foot > button:first-of-type { display: none; }

@container plot (width < 480px) {
  .plot-readout { min-height: 2.9em; }
}
@media (forced-colors: active) {
  .plot .series, .plot .ring { --_tone: CanvasText; }
  .plot svg { forced-color-adjust: none; background: Canvas; color: CanvasText; }
  .plot svg text, .plot .label text { fill: CanvasText; }
  .plot .grid path { stroke: GrayText; stroke-opacity: 0.45; }
  .plot .bars:not(.hatched) .fill { fill-opacity: 0.4; stroke: CanvasText; stroke-width: 1px; }
  .plot .baseline, .plot .ticks, .plot .hair, .plot .ring, .plot .bars .whiskers { stroke: CanvasText; }
  .plot .series .markers { stroke: Canvas; }
}
@media print {
  .plot { break-inside: avoid; }
  .plot svg { print-color-adjust: exact; background: none; }
  .plot-foot button, .plot-readout, .plot-foot:not(:has(details[open])) { display: none; }
  .plot-scroll { max-height: none; overflow: visible; }
}
`;
