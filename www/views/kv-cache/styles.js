/** How the view of the cache looks. */

export const css = `
nt-cache-none, nt-cache-bytes, nt-cache-wall, nt-cache-attention, nt-cache-vectors, nt-cache-compare { display: block; min-width: 0; padding: 18px var(--_gap); border-top: 1px solid var(--_line); }
.ink-k { color: var(--_k, light-dark(#1f5fbf, #7fb0ff)); forced-color-adjust: none; }
.ink-v { color: var(--_v, light-dark(#0f7a4d, #62c99a)); forced-color-adjust: none; }
.ink-accent { color: var(--_accent); forced-color-adjust: none; }
.ink-ink { color: var(--_ink); forced-color-adjust: none; }
.ink-soft { color: var(--_soft); forced-color-adjust: none; }
.ink-line { color: var(--_line); forced-color-adjust: none; }
.ink-edge { color: var(--_edge); forced-color-adjust: none; }
.ink-card { color: var(--_card); forced-color-adjust: none; }

nt-cache-wall, nt-cache-none { border-top: 0; padding-top: 4px; }
nt-cache-attention { border-top: 0; padding-top: 4px; }
nt-cache-vectors { padding-block: 8px; }
.look { margin-top: 4px; max-width: 72ch; font: 17px/1.5 var(--_serif); color: var(--_soft); text-wrap: pretty; }
.pass { margin-top: 10px; font-size: 14px; max-width: 90ch; min-height: 1.45em; overflow-wrap: anywhere; }
.strip-grid { display: grid; grid-template-columns: 46px minmax(0, 1fr); margin-top: 12px; }
.gutter { color: var(--_soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.gutter span { display: block; overflow: hidden; white-space: nowrap; }
.lane { overflow-x: auto; overflow-y: hidden; scrollbar-width: thin; min-width: 0; }
.spacer { min-width: 100%; }
.lane canvas { position: sticky; inset-inline-start: 0; display: block; cursor: crosshair; background: var(--_card); forced-color-adjust: none; }
.choices { display: flex; flex-wrap: wrap; gap: 10px 20px; align-items: center; margin-top: 12px; }
.choices .wide { flex: 1 1 200px; max-width: 420px; }
.choices .wide input { flex: 1; }
.choices .tick { display: inline-flex; gap: 8px; align-items: center; font-size: 13px; color: var(--_soft); }
.choices .tick input { width: 24px; height: 24px; margin: 0; accent-color: var(--_kept); }
.choices .where { font-size: 13px; color: var(--_soft); font-variant-numeric: tabular-nums; }
.choices progress { width: 160px; height: 10px; accent-color: var(--_kept); }
nt-cache-wall .detail, nt-cache-attention .detail, nt-cache-vectors .detail { margin-top: 8px; }

.scale, .two { display: flex; flex-wrap: wrap; gap: 4px 28px; margin-top: 12px; font-size: 13px; color: var(--_soft); font-variant-numeric: tabular-nums; }
.side { display: inline-flex; gap: 6px; align-items: center; }
.side.k b, .map-title.k::first-letter { color: var(--_k, light-dark(#1f5fbf, #7fb0ff)); }
.side.v b, .map-title.v::first-letter { color: var(--_v, light-dark(#0f7a4d, #62c99a)); }
.ramp { display: inline-block; width: 120px; height: 12px; border: 1px solid var(--_line); forced-color-adjust: none; }
.side.k .ramp { background: linear-gradient(in srgb to right, color-mix(in srgb, var(--_k, light-dark(#1f5fbf, #7fb0ff)) 10%, var(--_card)), var(--_k, light-dark(#1f5fbf, #7fb0ff))); }
.side.v .ramp { background: linear-gradient(in srgb to right, color-mix(in srgb, var(--_v, light-dark(#0f7a4d, #62c99a)) 10%, var(--_card)), var(--_v, light-dark(#0f7a4d, #62c99a))); }
.strips { margin-top: 10px; }
.strips canvas { display: block; background: var(--_card); forced-color-adjust: none; }
.map-title { margin-top: 16px; font-size: 13px; color: var(--_soft); max-width: 90ch; }
.map-title::first-letter { font-weight: 700; }
nt-cache-attention > button { margin-top: 10px; }

.as-table { margin-top: 8px; }
.as-table .rows { max-height: 300px; overflow: auto; margin-top: 4px; }
.as-table table { min-width: min(100%, 46ch); border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
.as-table caption { text-align: start; color: var(--_soft); padding-bottom: 6px; }
.as-table :is(th, td) { padding: 2px 16px 2px 0; height: auto; font: 13px/1.4 var(--_font); text-align: end; white-space: pre; border-bottom: 1px solid var(--_line); }
.as-table .token { font-family: var(--_mono); text-align: start; }
.as-table thead th { color: var(--_soft); position: sticky; top: 0; background: var(--_card); }

nt-cache-bytes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 14px 32px; }
.sizes { margin: 0; display: grid; gap: 4px; font-variant-numeric: tabular-nums; }
.sizes div { display: grid; grid-template-columns: 108px minmax(0, 1fr); gap: 8px; }
.sizes dt { color: var(--_soft); }
.sizes dd { margin: 0; font-weight: 600; }
.formula { font: 15px/1.5 var(--_mono); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.names, .room { color: var(--_soft); font-size: 13px; }

.race { margin-top: 18px; }
.side-walls { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px 32px; }
.side-wall h3 { margin: 0 0 8px; font: 600 14px/1.3 var(--_font); }
.side-wall canvas { display: block; max-width: 100%; background: var(--_card); forced-color-adjust: none; }
.counter { margin-top: 6px; font-variant-numeric: tabular-nums; }
.counter b { font: 600 26px/1.2 var(--_serif); font-variant-numeric: tabular-nums lining-nums; }
.side-walls + .hint { margin-top: 6px; }
.race > p { max-width: 90ch; }
.plots { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px 40px; margin-top: 18px; }
.race > p:empty { display: none; }
.race .result { margin: 18px 0; font: 19px/1.5 var(--_serif); text-wrap: pretty; }
.race > p:not(.hint, .result) { margin-top: 10px; font-size: 14px; }
.race > .hint:last-child { margin-top: 10px; }

@container card (width >= 900px) {
  .plots { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@container card (width < 560px) {
  nt-cache-none, nt-cache-bytes, nt-cache-wall, nt-cache-attention, nt-cache-vectors, nt-cache-compare { padding-inline: 16px; }
  .side-walls { grid-template-columns: minmax(0, 1fr); gap: 18px; }
  .look { font-size: 16px; }
  .strip-grid { grid-template-columns: 46px minmax(0, 1fr); }
}
@media print {
  nt-cache-compare .choices, nt-cache-wall .choices, nt-cache-attention > button { display: none; }
  .ramp, canvas { print-color-adjust: exact; }
}
`;
