/** The look of the conversation. */

export const styles = `
.card.nt-chat { padding-bottom: 0; }
.chat-body { display: grid; grid-template-columns: minmax(0, 1fr); border-top: 1px solid var(--_line); }
.chat-body > * { min-width: 0; padding: 20px var(--_gap); }
.chat-body > :not([hidden]) ~ * { border-top: 1px solid var(--_line); }
nt-chat-gate, nt-chat-talk, nt-chat-settings, nt-chat-stack, nt-chat-table, nt-chat-growth, nt-chat-formula, nt-chat-ahead { display: block; min-width: 0; }
.card:not([data-engine]) .chat-body { display: none; }
.chat-talk:not(:has(nt-chat-talk:not([hidden]))), .chat-sent:not(:has(nt-chat-stack:not([hidden]))) { display: none; }
.chat-body .lead { font: 16px/1.5 var(--_serif); color: var(--_soft); margin: 2px 0 14px; max-width: 76ch; text-wrap: pretty; }
.chat-body .hint { margin-top: 6px; }
.chat-body .buttons { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }

.system { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 12px; align-items: baseline; padding-bottom: 12px; }
.system label { color: var(--_soft); font-size: 13px; }
.system textarea { font: 15px/1.45 var(--_serif); field-sizing: content; resize: vertical; width: 100%; }
.system .hint { grid-column: 1 / -1; margin: 0; }
.system .hint:empty { display: none; }
.turns { list-style: none; margin: 0; padding: 0; }
.turn { border-top: 1px solid var(--_line); padding: 10px 0 12px; }
.message { display: grid; grid-template-columns: 74px minmax(0, 1fr) auto; gap: 2px 12px; align-items: baseline; }
.message + .message, .edit + .message { margin-top: 6px; }
.message .who { color: var(--_soft); font-size: 12.5px; overflow: hidden; text-overflow: ellipsis; }
.said { font: 17px/1.5 var(--_serif); white-space: pre-wrap; overflow-wrap: anywhere; }
.message.user .said { font-style: italic; }
.message .quiet { min-height: 26px; }
.turn[data-writing] .said::after { content: ""; }
.turn[data-writing] .reply .said::after { content: ""; display: inline-block; width: 0.5em; height: 1em; vertical-align: -0.15em; margin-inline-start: 2px; background: var(--_accent); }
.turn .end, .turn .lost { margin: 6px 0 0 86px; font-size: 13px; color: var(--_soft); }
.turn .lost { color: var(--_ink); border-inline-start: 3px solid var(--_edge); padding-inline-start: 10px; }
.edit { display: grid; gap: 8px; margin: 4px 0 10px; }
.edit label { font-size: 13px; color: var(--_soft); }
.edit textarea, .compose textarea { font: 17px/1.5 var(--_serif); padding: 7px 12px; resize: vertical; width: 100%; }
.compose { display: grid; gap: 8px; border-top: 1px solid var(--_line); padding-top: 12px; }
.compose label { font-weight: 650; }
.compose .examples { margin-top: 0; display: flex; }

.stairs { list-style: none; margin: 0 -6px; padding: 0; display: grid; gap: 3px; }
.stairs li { display: grid; grid-template-columns: 20px minmax(0, 1fr) 116px; gap: 8px; align-items: center; padding: 2px 6px; border-radius: 6px; min-height: 30px; }
.stairs li:hover, .stairs li:focus-visible { background: color-mix(in oklab, var(--_ink) 5%, transparent); }
.stairs .nth { color: var(--_soft); font-size: 12.5px; text-align: end; font-variant-numeric: tabular-nums; }
.stairs .numbers { font-size: 12.5px; color: var(--_soft); font-variant-numeric: tabular-nums; white-space: nowrap; text-align: end; }
.strip-row { display: flex; height: 26px; }
.strip-row .seg { flex: 0 0 auto; width: calc(100% * var(--size, 0) / var(--most, 1)); height: 100%; min-width: 0; overflow: hidden; white-space: nowrap; font: 600 11.5px/26px var(--_font); text-align: center; box-shadow: inset -1px 0 var(--_card); }
.stairs[data-many] li { min-height: 24px; padding-block: 0; }
.stairs[data-many] .strip-row { height: 16px; }
.stairs[data-many] .seg { line-height: 16px; font-size: 10px; }
.seg { --tone: var(--_soft); background: var(--tone); color: var(--_card); }
.seg[data-who="user"] { --tone: var(--_kept); }
.seg[data-who="assistant"] { --tone: color-mix(in oklab, var(--_model) 62%, var(--_ink)); }
.seg[data-who="template"] { background: repeating-linear-gradient(135deg, var(--_cut) 0 2px, var(--_card) 2px 4.5px); }
.seg[data-cached] { background: color-mix(in oklab, var(--tone) 17%, var(--_card)); color: var(--_ink); }
.seg[data-who="template"][data-cached] { background: repeating-linear-gradient(135deg, color-mix(in oklab, var(--_cut) 35%, var(--_card)) 0 2px, var(--_card) 2px 4.5px); }
.strip-row .seg[data-cached] { box-shadow: inset -1px 0 var(--_card), inset 0 1px var(--_model), inset 0 -1px var(--_model); }
.seg[data-who="tip"] { background: var(--_accent-soft); color: var(--_accent); box-shadow: inset 0 0 0 1.5px var(--_accent); border-radius: 0 4px 4px 0; }
.stair-legend { display: flex; flex-wrap: wrap; gap: 4px 14px; margin-top: 12px; }
.stair-legend span { display: inline-flex; gap: 6px; align-items: center; }
.stair-legend i { width: 20px; height: 12px; border-radius: 2px; }
.stair-legend i.pale { box-shadow: inset 0 0 0 1px var(--_model); }
.chat-body .detail { margin-top: 10px; min-height: 2.9em; }
nt-chat-stack .head { align-items: center; }
.switch { display: inline-flex; gap: 6px; align-items: center; font-size: 13px; }
.switch input { width: 24px; height: 24px; margin: 0; accent-color: var(--_kept); }
.switch label { min-height: 24px; display: inline-flex; align-items: center; }
.tokens { font: 13.5px/2 var(--_mono); overflow-wrap: anywhere; margin-top: 4px; }
.tk { padding: 2px 1px; margin-inline-end: 2px; border-bottom: 3px solid var(--_soft); white-space: pre-wrap; }
.tk[data-who="user"] { border-color: var(--_kept); }
.tk[data-who="assistant"] { border-color: var(--_model); }
.tk[data-who="template"] { border-bottom: 3px dotted var(--_cut); color: var(--_soft); }
.tk[data-cached] { background: color-mix(in oklab, var(--_kept) 10%, transparent); }

.scroll { overflow-x: auto; margin-top: 12px; }
.scroll.tall { max-height: 360px; overflow-y: auto; }
.numbers-table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; width: 100%; }
.numbers-table caption { text-align: start; color: var(--_soft); padding-bottom: 8px; max-width: 70ch; }
.numbers-table caption span { display: block; max-width: calc(100cqi - 34px); }
.numbers-table th, .numbers-table td { padding: 5px 0 5px 14px; text-align: end; height: auto; font: inherit; border-top: 1px solid var(--_line); vertical-align: top; }
.numbers-table tr > :first-child { padding-inline-start: 0; text-align: start; color: var(--_soft); }
.numbers-table thead th { border-top: 0; font-weight: 600; vertical-align: bottom; }
.numbers-table thead small { display: block; color: var(--_soft); font: 11.5px/1.25 var(--_font); }
.numbers-table tfoot :is(th, td) { font-weight: 650; border-top: 1.5px solid var(--_edge); }
.card .numbers-table tbody tr { cursor: default; }
.two { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
.chat-body .words { max-width: 110ch; text-wrap: pretty; margin-top: 10px; }
.formula { font: italic 17px/1.6 var(--_serif); }
.small-fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 150px), 1fr)); gap: 10px 20px; margin: 12px 0; align-items: start; }
.small-field { display: grid; gap: 4px; }
.small-field label { font-size: 13px; }
.small-field input { width: 100%; text-align: end; font-variant-numeric: tabular-nums; }
.small-field .error { font-size: 13px; }
nt-chat-formula .numbers-table { width: auto; min-width: min(100%, 420px); }

.triangle svg { display: block; width: 100%; height: 190px; margin: 12px 0; }
.triangle .again { fill: color-mix(in oklab, var(--_kept) 24%, var(--_card)); }
.triangle .fresh { fill: var(--_kept); }
.verdict { font: 18px/1.5 var(--_serif); max-width: 90ch; text-wrap: pretty; margin-top: 10px; }
nt-chat-ahead progress { accent-color: var(--_kept); width: 140px; }
nt-chat-ahead .plot { margin-top: 20px; }
nt-chat-settings { margin-top: 14px; }

@container card (width >= 900px) {
  .chat-body { grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); }
  .chat-body > :not(.chat-talk, .chat-sent) { grid-column: 1 / -1; }
  /* The strips stay in sight beside a long conversation. */
  .chat-sent > div { position: sticky; top: 16px; }
  .chat-body > .chat-talk + .chat-sent { border-top: 0; border-inline-start: 1px solid var(--_line); }
  .chat-talk:has(+ .chat-sent nt-chat-stack[hidden]) { grid-column: 1 / -1; }
  .chat-talk > * { max-width: 84ch; }
  .two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 36px; }
}
@container card (width < 560px) {
  .chat-body > * { padding: 18px 16px; }
  .message { grid-template-columns: minmax(0, 1fr) auto; }
  .message .said, .message .reply { grid-column: 1 / -1; grid-row: 2; }
  .turn .end, .turn .lost { margin-inline-start: 0; }
  .system { grid-template-columns: minmax(0, 1fr); }
  .stairs li { grid-template-columns: 16px minmax(0, 1fr); row-gap: 0; }
  .stairs .numbers { grid-column: 2; text-align: start; }
  .numbers-table th, .numbers-table td { padding-inline-start: 10px; }
  .compose .examples { margin-inline: 0; padding-inline: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  .seg[data-who="tip"] { transition: width 160ms linear; }
}
@media (forced-colors: active) {
  .seg { border: 1px solid CanvasText; forced-color-adjust: none; background: CanvasText; color: Canvas; }
  .seg[data-cached] { background: Canvas; color: CanvasText; }
  .seg[data-who="tip"] { background: Highlight; color: HighlightText; }
  .triangle .again { fill: GrayText; }
  .triangle .fresh { fill: CanvasText; }
}
@media print {
  .compose, .message .quiet, .switch, nt-chat-ahead .buttons { display: none; }
  .seg, .triangle path { print-color-adjust: exact; }
}
`;
