// What a plot is told, and what it is made of.
import type * as plotLibrary from "../vendor/plot.src.js";

export type Library = typeof plotLibrary;

export interface AxisOptions {
  label: string;
  unit?: string;
  /** "linear" unless it says otherwise. What isn't above zero has no place on a logarithmic axis, and a note says so. */
  scale?: "linear" | "log";
  /** A fixed end; without it the data decide. */
  min?: number;
  max?: number;
  /** Writes a value: at the ticks without the unit's help, and in words. */
  format?: (value: number) => string;
}

export type Tone = "model" | "kept" | "accent" | "k" | "v" | "soft";
export type Kind = "line" | "dots" | "step" | "area" | "bars" | "interval";

export interface SeriesOptions {
  key: string;
  label: string;
  kind: Kind;
  /** "accent" means the chosen token, everywhere. */
  tone: Tone;
  dash?: boolean;
}

export interface PlotOptions {
  title: string;
  x: AxisOptions;
  y: AxisOptions;
  series: SeriesOptions[];
  /** Of the drawing, in CSS pixels; 240 unless it says otherwise. */
  height?: number;
  /** The name that the downloads have, without ending. */
  file: string;
}

/**
 * `lo` and `hi` are drawn as a band of a line, and as whiskers of anything else. A `y` that is no number leaves a
 * gap. A point whose `x` is none is left out.
 */
export interface Point {
  x: number;
  y: number;
  lo?: number;
  hi?: number;
  label?: string;
}

export type PlotData = Record<string, readonly Point[] | undefined>;

/** One series as it is drawn: columns of numbers, NaN where there is none. */
export interface Columns {
  length: number;
  x: Float64Array;
  y: Float64Array;
  lo: Float64Array;
  hi: Float64Array;
  label: string[];
}

export interface Scale {
  (value: number): number;
  domain(): number[];
}

/** Where everything lies, in pixels of the drawing. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: Scale;
  y: Scale;
}

/** Where a series' points were drawn. */
export interface Placed {
  x: Float64Array;
  y: Float64Array;
}
