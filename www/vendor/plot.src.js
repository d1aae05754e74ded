/** What `pkg/vendor/plot.js` holds: the parts of d3 that draw the plots. `xtask/vendor.mjs` bundles it. */

export { leastIndex } from "d3-array";
export { scaleLinear, scaleLog } from "d3-scale";
export { area, curveStepAfter, line } from "d3-shape";
