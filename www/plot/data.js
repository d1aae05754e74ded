/** The data of a plot: taken over as columns, compared, and laid out as one table for the page and for CSV. */

/** @import { AxisOptions, Columns, PlotOptions, Point } from "./types.js" */

/** @type {Columns} */
export const NOTHING = { length: 0, x: new Float64Array(0), y: new Float64Array(0), lo: new Float64Array(0), hi: new Float64Array(0), label: [] };

/** @param {readonly Point[] | undefined} points @returns {Columns} */
export function columnsOf(points) {
  if (!points || points.length === 0) return NOTHING;
  const [x, y, lo, hi] = [0, 0, 0, 0].map(() => new Float64Array(points.length));
  const label = [];
  let n = 0;
  for (const point of points) {
    if (!Number.isFinite(point.x)) continue;
    x[n] = point.x;
    y[n] = number(point.y);
    lo[n] = number(point.lo);
    hi[n] = number(point.hi);
    label.push(point.label ?? "");
    n += 1;
  }
  return { length: n, x, y, lo, hi, label };
}

/** @param {number | undefined} value */
const number = (value) => (value !== undefined && Number.isFinite(value) ? value : NaN);

/** @param {Columns} a @param {Columns} b */
export function same(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!Object.is(a.x[i], b.x[i]) || !Object.is(a.y[i], b.y[i]) || !Object.is(a.lo[i], b.lo[i])) return false;
    if (!Object.is(a.hi[i], b.hi[i]) || a.label[i] !== b.label[i]) return false;
  }
  return true;
}

/** Whether a point has a place: a number, and above zero where the axis is logarithmic. @param {AxisOptions} axis @param {number} value */
export const drawable = (axis, value) => value === value && (axis.scale !== "log" || value > 0);

/** @param {Columns} columns @param {PlotOptions} options @param {number} i */
export const shown = (columns, options, i) => drawable(options.x, columns.x[i]) && drawable(options.y, columns.y[i]);

/** The different places on the x axis, in order. @param {Columns[]} all */
export function places(all) {
  const found = new Set();
  for (const { x, length } of all) for (let i = 0; i < length; i++) found.add(x[i]);
  return Float64Array.from(found).sort();
}

/** @param {AxisOptions} axis */
export const withUnit = (axis) => (axis.unit ? `${axis.label} (${axis.unit})` : axis.label);

/**
 * A cell is a number on one of the axes, a text, or nothing.
 * @typedef {{ axis: "x" | "y", value: number } | string | null} Cell
 * @typedef {{ head: string[], rows: Cell[][] }} Grid
 */

/**
 * All points as a table: a row for each place on the x axis, or, where a series has two points at one place, a row
 * for each point.
 * @param {PlotOptions} options @param {Columns[]} all @returns {Grid}
 */
export function grid(options, all) {
  const { series, x, y } = options;
  const fields = all.map((columns) => {
    const has = (/** @type {Float64Array} */ column) => column.subarray(0, columns.length).some((value) => value === value);
    return { lo: has(columns.lo), hi: has(columns.hi), label: columns.label.some((text) => text !== "") };
  });
  /** @param {number} k @param {number} i @param {typeof fields[number]} f @returns {Cell[]} */
  const cells = (k, i, f) => {
    const { y, lo, hi, label } = all[k];
    const cell = (/** @type {number} */ value) => (value === value ? { axis: /** @type {const} */ ("y"), value } : null);
    return [cell(y[i]), ...(f.lo ? [cell(lo[i])] : []), ...(f.hi ? [cell(hi[i])] : []), ...(f.label ? [label[i] || null] : [])];
  };
  const ranges = (/** @type {typeof fields[number]} */ f, /** @type {string} */ name, /** @type {string} */ unit) =>
    [`${name}${unit}`, ...(f.lo ? [`${name}, low${unit}`] : []), ...(f.hi ? [`${name}, high${unit}`] : []), ...(f.label ? [`${name}, label`] : [])];
  const unit = y.unit ? ` (${y.unit})` : "";
  if (all.every(({ x, length }) => new Set(x.subarray(0, length)).size === length)) {
    const head = [withUnit(x), ...series.flatMap((one, k) => ranges(fields[k], series.length === 1 ? y.label : `${one.label}: ${y.label}`, unit))];
    const at = all.map(({ x, length }) => new Map(Array.from(x.subarray(0, length), (value, i) => [value, i])));
    const rows = Array.from(places(all), (value) => [{ axis: /** @type {const} */ ("x"), value }, ...all.flatMap((_, k) => {
      const i = at[k].get(value);
      return i === undefined ? cells(k, 0, fields[k]).map(() => null) : cells(k, i, fields[k]);
    })]);
    return { head, rows };
  }
  const f = { lo: fields.some((one) => one.lo), hi: fields.some((one) => one.hi), label: fields.some((one) => one.label) };
  const rows = all.flatMap((columns, k) => Array.from({ length: columns.length }, (_, i) => [series[k].label, { axis: /** @type {const} */ ("x"), value: columns.x[i] }, ...cells(k, i, f)]));
  return { head: ["series", withUnit(x), ...ranges(f, y.label, unit)], rows };
}

/** As RFC 4180 has it, with every digit. @param {Grid} grid */
export function csv({ head, rows }) {
  const quote = (/** @type {string} */ text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const text = (/** @type {Cell} */ cell) => (cell === null ? "" : typeof cell === "string" ? quote(cell) : String(cell.value));
  return [head.map(quote), ...rows.map((row) => row.map(text))].map((row) => `${row.join(",")}\r\n`).join("");
}
