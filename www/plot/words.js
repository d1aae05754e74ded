/** A plot in words: values, the point that is looked at, the whole in a sentence. */

import { plural, power } from "../core/format.js";
import { shown } from "./data.js";

/** @import { AxisOptions, Columns, PlotOptions } from "./types.js" */

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 12 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });

/** @param {number} value @param {Intl.NumberFormat} format @returns {string} */
function write(value, format) {
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15)) {
    const exponent = Math.floor(Math.log10(Math.abs(value)));
    return `${write(value / 10 ** exponent, format)} × ${power(exponent)}`;
  }
  return format.format(value).replace("-", "−");
}

/** A value to twelve digits: all that was measured, without the dust of floats. @param {number} value */
export const exact = (value) => write(value, digits);

/** A value of a table. @param {number} value */
export const brief = (value) => write(value, short);

/** @param {AxisOptions} axis */
const unitOf = ({ unit }) => (!unit ? "" : unit.startsWith("%") ? unit : ` ${unit}`);

/** @param {AxisOptions} axis @param {number} value */
export const inWords = (axis, value) => (axis.format ? axis.format(value) : `${exact(value)}${unitOf(axis)}`);

/** What was measured at one point. @param {PlotOptions} options @param {number} k which series @param {Columns} columns @param {number} i */
export function pointWords({ x, y, series }, k, columns, i) {
  const written = y.format?.(columns.y[i]);
  const number = exact(columns.y[i]);
  const value = written === undefined ? `${number}${unitOf(y)}` : written === number ? written : `${written} (${number})`;
  const [lo, hi] = [columns.lo[i], columns.hi[i]];
  const range = lo === lo && hi === hi ? `, from ${inWords(y, lo)} to ${inWords(y, hi)}` : "";
  const label = columns.label[i] ? `, \u2068${columns.label[i]}\u2069` : "";
  return `${series.length > 1 ? `${series[k].label}: ` : ""}${x.label} ${inWords(x, columns.x[i])}, ${y.label} ${value}${range}${label}`;
}

/** The plot in a sentence, for who doesn't see it. @param {PlotOptions} options @param {Columns[]} all */
export function summary(options, all) {
  const parts = options.series.flatMap(({ label }, k) => {
    const columns = all[k];
    let [n, min, max, first, last] = [0, Infinity, -Infinity, -1, -1];
    for (let i = 0; i < columns.length; i++) {
      if (!shown(columns, options, i)) continue;
      n += 1;
      min = Math.min(min, columns.y[i]);
      max = Math.max(max, columns.y[i]);
      if (first < 0 || columns.x[i] < columns.x[first]) first = i;
      if (last < 0 || columns.x[i] >= columns.x[last]) last = i;
    }
    if (n === 0) return [];
    const where = n === 1 ? `at ${inWords(options.x, columns.x[first])}` : `from ${inWords(options.x, columns.x[first])} to ${inWords(options.x, columns.x[last])}`;
    const what = n === 1 ? inWords(options.y, min) : `between ${inWords(options.y, min)} and ${inWords(options.y, max)}, at the end ${inWords(options.y, columns.y[last])}`;
    return [`${label}, ${plural(n, "point")} ${where}: ${what}`];
  });
  const what = `${options.title}: ${options.y.label} over ${options.x.label}.`;
  return parts.length === 0 ? `${what} Nothing measured yet.` : `${what} ${parts.join("; ")}.`;
}
