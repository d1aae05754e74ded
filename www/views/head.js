/** What every view begins with: its name, and one sentence that says what to look at. */

import { h } from "../elements/dom.js";

/** @param {string} title @param {string} sentence */
export const viewHead = (title, sentence) => h("header", { class: "view-head" }, h("h2", {}, title), h("p", {}, sentence));
