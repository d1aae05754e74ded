/** From values to pixels: the ends of an axis, its ticks and what stands at them. */

import { drawable, places } from "./data.js";
import { power } from "../core/format.js";
import { exact } from "./words.js";

/** @import { AxisOptions, Columns, Library, PlotOptions } from "./types.js" */

/** Up to so many different places, bars and intervals have a tick each. */
const CATEGORIES = 12;

/** @param {PlotOptions} options */
export const padded = ({ series }) => series.some(({ kind }) => kind === "bars" || kind === "interval");

/** The smallest and the largest of what has a place on the axis. @param {AxisOptions} axis @param {Columns[]} all @param {"x" | "y"} which */
function extent(axis, all, which) {
  let [min, max, whole] = [Infinity, -Infinity, true];
  for (const columns of all) {
    for (const column of which === "x" ? [columns.x] : [columns.y, columns.lo, columns.hi]) {
      for (let i = 0; i < columns.length; i++) {
        const value = column[i];
        if (!drawable(axis, value)) continue;
        if (value < min) min = value;
        if (value > max) max = value;
        if (whole && !Number.isInteger(value)) whole = false;
      }
    }
  }
  return { min, max, whole };
}

/** How far apart neighbours are at least; as a factor on a logarithmic axis. @param {Float64Array} at @param {boolean} log */
export function gap(at, log) {
  let least = Infinity;
  for (let i = 1; i < at.length; i++) least = Math.min(least, log ? at[i] / at[i - 1] : at[i] - at[i - 1]);
  return Number.isFinite(least) ? least : log ? 10 : 1;
}

/** @param {Library} d3 @param {PlotOptions} options @param {Columns[]} all @param {number} from @param {number} to in pixels */
export function xScale(d3, options, all, from, to) {
  const axis = options.x;
  const log = axis.scale === "log";
  let { min, max, whole } = extent(axis, all, "x");
  const empty = min > max;
  /** @type {number[] | null} */
  let categories = null;
  if (empty) [min, max] = log ? [1, 10] : [0, 1];
  else if (padded(options)) {
    const at = places(all).filter((value) => drawable(axis, value));
    const apart = gap(at, log);
    [min, max] = log ? [min / Math.sqrt(apart), max * Math.sqrt(apart)] : [min - apart / 2, max + apart / 2];
    if (at.length <= CATEGORIES) categories = [...at];
  } else if (min === max) [min, max] = log ? [min / 2, max * 2] : [min - 1, max + 1];
  const scale = (log ? d3.scaleLog() : d3.scaleLinear()).domain([axis.min ?? min, axis.max ?? max]).range([from, to]);
  return { scale, whole, empty, categories: categories?.filter((value) => value >= (axis.min ?? min) && value <= (axis.max ?? max)) ?? null };
}

/** @param {Library} d3 @param {PlotOptions} options @param {Columns[]} all @param {number} from @param {number} to in pixels */
export function yScale(d3, options, all, from, to) {
  const axis = options.y;
  const log = axis.scale === "log";
  let { min, max, whole } = extent(axis, all, "y");
  const empty = min > max;
  if (empty) [min, max] = log ? [1, 10] : [0, 1];
  else if (!log) {
    // Lengths and areas are read from zero; lines too, unless that would flatten them.
    const fromZero = options.series.some(({ kind }) => kind === "bars" || kind === "area");
    if (fromZero || (min > 0 && min < 0.6 * max)) min = Math.min(min, 0);
    if (fromZero || (max < 0 && max > 0.6 * min)) max = Math.max(max, 0);
    if (min === max) [min, max] = min === 0 ? [0, 1] : [min - Math.abs(min) / 2, max + Math.abs(max) / 2];
  }
  const scale = (log ? d3.scaleLog() : d3.scaleLinear()).domain([axis.min ?? min, axis.max ?? max]).nice(log ? undefined : 5);
  const [low, high] = scale.domain();
  scale.domain([axis.min ?? low, axis.max ?? high]).range([from, to]);
  return { scale, whole, empty };
}

/**
 * About `n` round values, and their texts.
 * @param {AxisOptions} axis @param {ReturnType<Library["scaleLinear"] | Library["scaleLog"]>} scale @param {number} n @param {boolean} whole only whole numbers
 * @returns {{ value: number, text: string }[]}
 */
export function ticks(axis, scale, n, whole) {
  const [low, high] = scale.domain();
  const inside = (/** @type {number} */ value) => value >= Math.min(low, high) && value <= Math.max(low, high);
  const log = axis.scale === "log";
  const format = axis.format ?? (log ? logText(low, high) : scale.tickFormat(n));
  const values = log ? logTicks(low, high, n) ?? scale.ticks(n) : scale.ticks(n);
  return values.filter((value) => inside(value) && (!whole || Number.isInteger(value))).map((value) => ({ value, text: format(value) }));
}

/** Powers of ten, every second or third where there are many; with 2 and 5 between where there are few. @param {number} low @param {number} high @param {number} n */
function logTicks(low, high, n) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const inside = (/** @type {number} */ value) => value >= low && value <= high;
  const step = Math.max(1, Math.ceil((last - first) / n));
  /** @param {number[]} mantissas @param {number} step */
  const values = (mantissas, step) => {
    const found = [];
    // 10 ** -3 isn't quite 0.001, what is written as 1e-3 is.
    for (let e = first; e <= last; e += step) for (const m of mantissas) found.push(Number(`${m}e${e}`));
    return found.filter(inside);
  };
  const powers = values([1], step);
  if (powers.length >= 3) return powers;
  const more = values([1, 2, 5], 1);
  return more.length >= 3 && more.length <= n + 2 ? more : powers.length >= 2 ? powers : null;
}

/** Far from one, all ticks are written as powers. @param {number} low @param {number} high @returns {(value: number) => string} */
function logText(low, high) {
  const far = low < 0.9e-3 || high > 1e6;
  return (value) => {
    const exponent = Math.round(Math.log10(value));
    return far && value !== 1 && Number(`1e${exponent}`) === value ? power(exponent) : exact(value);
  };
}
