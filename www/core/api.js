/**
 * The one place that names the engine. It is imported when a model is asked for, not before, so a
 * page that only shows the element downloads nothing heavy, and importing these modules in Node works.
 */

/** @returns {Promise<typeof import("../api/next-token.js")>} */
export function engineModule() {
  return import("../pkg/next-token.js");
}
