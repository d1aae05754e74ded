/**
 * Colours, type and measures. A host sets `--nt-*`; the element reads `--_*`.
 * The tests hold text to 4.5:1 and bars, borders of controls and focus to 3:1, in both schemes.
 */

/** @type {Record<string, [light: string, dark: string]>} */
export const COLOURS = {
  paper: ["#fbfaf7", "#14161a"],
  card: ["#ffffff", "#1b1e24"],
  ink: ["#1c1f24", "#e9e6df"],
  soft: ["#59606b", "#a7adb8"],
  line: ["#e6e2d9", "#30353e"],
  edge: ["#8a8780", "#737b88"],
  accent: ["#b4460f", "#ff9d5c"],
  "accent-soft": ["#fdeadd", "#3a2414"],
  model: ["#788ca9", "#6a7f9c"],
  kept: ["#3f5f8a", "#9dbbe2"],
  k: ["#0a62a3", "#6db7f2"],
  v: ["#00785a", "#4fd1a5"],
  cut: ["#8f8b83", "#7f848d"],
  error: ["#a3161f", "#ff9a94"],
  focus: ["#0a62a3", "#7cc0f5"],
};

const values = Object.entries(COLOURS)
  .map(([name, [light, dark]]) => `--_${name}: var(--nt-${name}, light-dark(${light}, ${dark}));`)
  .join("\n  ");

export const theme = `
:host {
  ${values}
  --_font: var(--nt-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
  --_serif: var(--nt-font-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif);
  --_mono: var(--nt-font-mono, ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
  --_radius: var(--nt-radius, 14px);
  --_gap: var(--nt-gap, 24px);
  display: block;
  contain: layout style;
  color: var(--_ink);
  font: 400 14px/1.45 var(--_font);
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
  word-spacing: normal;
}
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
h2 { margin: 0; font: 650 15px/1.3 var(--_font); color: var(--_ink); }
p { margin: 0; }
:focus-visible { outline: 2px solid var(--_focus); outline-offset: 2px; }
:focus { scroll-margin-block: 80px 110px; }
.error { color: var(--_error); }
.error:empty { display: none; }
`;
