/** The library that draws, brought by the first plot of a page. */

/** @import { Library } from "./types.js" */

/** @type {Promise<Library> | null} */
let asked = null;

/** Rejects if it isn't there: a site built without Node, or no network. Then the next plot asks again. @returns {Promise<Library>} */
export function library() {
  asked ??= import("../pkg/vendor/plot.js").catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}
