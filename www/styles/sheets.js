/** The styles as constructable sheets: no style element, so no rule in a host's CSP for them. */

import { chance } from "./chance.js";
import { chart } from "./chart.js";
import { controls } from "./controls.js";
import { frame } from "./frame.js";
import { plot } from "./plot.js";
import { sequence } from "./sequence.js";
import { theme } from "./theme.js";

/** @type {CSSStyleSheet[] | null} */
let made = null;

/** One set for all elements of the page. */
export function sheets() {
  made ??= [theme, frame, sequence, chart, chance, controls, plot].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return made;
}
