/**
 * The settings a reader can turn: their names, what they accept, and how a refusal is worded.
 * Fields, attributes and properties all go through `readNumber`.
 */

import { count } from "./format.js";

/**
 * @typedef {{
 *   temperature: number, topK: number, topP: number, minP: number, repetitionPenalty: number,
 *   seed: number, maxTokens: number, stop: string[], cache: boolean, top: number,
 * }} RunSettings
 */
/** @typedef {"temperature" | "topK" | "topP" | "minP" | "repetitionPenalty" | "seed" | "maxTokens"} NumberName */

/**
 * @typedef {{
 *   name: NumberName, label: string, attribute: string, min: number, max: number, above?: number,
 *   whole: boolean, start: number, slider: [number, number, number] | null, short: string, help: string,
 * }} NumberSpec
 */

/** @type {NumberSpec[]} */
export const SAMPLING = [
  { name: "temperature", label: "Temperature", attribute: "temperature", min: 0, max: Infinity, whole: false, start: 0, slider: [0, 2, 0.05], short: "0 is greedy", help: "0 is greedy; otherwise the logits are divided by it" },
  { name: "topK", label: "Top-k", attribute: "top-k", min: 0, max: 1e9, whole: true, start: 0, slider: [0, 100, 1], short: "0 keeps all", help: "Keeps the k most likely tokens; 0 keeps all" },
  { name: "topP", label: "Top-p", attribute: "top-p", min: 0, max: 1, whole: false, start: 1, slider: [0, 1, 0.01], short: "1 keeps all", help: "Keeps the smallest set of most likely tokens that reaches p; 1 keeps all" },
  { name: "minP", label: "Min-p", attribute: "min-p", min: 0, max: 1, whole: false, start: 0, slider: [0, 1, 0.01], short: "0 keeps all", help: "Cuts tokens below this share of the highest probability; 0 keeps all" },
  { name: "repetitionPenalty", label: "Repetition penalty", attribute: "repetition-penalty", min: 0, above: 0, max: Infinity, whole: false, start: 1, slider: [0.5, 2, 0.05], short: "1 is off", help: "Weakens tokens that are already in the sequence; 1 is off" },
];

/** @type {NumberSpec[]} */
export const RUNNING = [
  { name: "seed", label: "Seed", attribute: "seed", min: 0, max: Number.MAX_SAFE_INTEGER, whole: true, start: 0, slider: null, short: "same seed, same coins", help: "The coins come from it: same seed, same coins" },
  { name: "maxTokens", label: "Max tokens", attribute: "max-tokens", min: 1, max: 1e9, whole: true, start: 256, slider: null, short: "then the run ends", help: "The run ends after so many generated tokens" },
];

export const NUMBERS = [...SAMPLING, ...RUNNING];

/** @returns {RunSettings} */
export function defaults() {
  return { temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, seed: 0, maxTokens: 256, stop: [], cache: true, top: 8 };
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads what a person typed. Either a value, or the reason why it is refused.
 * @param {NumberSpec} spec
 * @param {string} text
 * @returns {{ value: number } | { refused: string }}
 */
export function readNumber(spec, text) {
  const typed = text.trim().replace("−", "-");
  const least = spec.above !== undefined ? `above ${spec.above}` : `${spec.min} or more`;
  const range = spec.max === Infinity ? least : `from ${spec.min} to ${count(spec.max)}`;
  const want = `${spec.label} takes a ${spec.whole ? "whole " : ""}number, ${range}`;
  if (typed === "") return { refused: `Nothing was typed. ${want}.` };
  const value = Number(typed);
  if (!DECIMAL.test(typed) || !Number.isFinite(value)) return { refused: `“${typed}” is not a finite number. ${want}.` };
  if (spec.whole && !Number.isInteger(value)) return { refused: `${typed} is not a whole number. ${want}.` };
  if (value < spec.min || value > spec.max || (spec.above !== undefined && value <= spec.above)) return { refused: `${typed} is out of range. ${want}.` };
  return { value };
}

/**
 * The stop sequences a person typed: one a line, with \n, \t, \\ and \u{…} for what can't be typed.
 * Empty lines are no stop sequence (an empty one would match anywhere).
 * @param {string} text
 * @returns {{ value: string[] } | { refused: string }}
 */
export function readStops(text) {
  /** @type {string[]} */
  const value = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    let bad = "";
    const read = line.replace(/\\(u\{([0-9a-f]{1,6})\}|.|$)/gi, (all, what, code) => {
      if (code) {
        const point = Number.parseInt(code, 16);
        if (point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)) return String.fromCodePoint(point);
      } else if (what === "n") return "\n";
      else if (what === "t") return "\t";
      else if (what === "r") return "\r";
      else if (what === "\\") return "\\";
      bad ||= all;
      return all;
    });
    if (bad) return { refused: `“${bad}” is no escape that this field knows. Write \\n, \\t, \\r, \\\\ or \\u{1F534}.` };
    if (!value.includes(read)) value.push(read);
  }
  return { value };
}

/** The opposite of `readStops`. @param {string[]} stops */
export function writeStops(stops) {
  return stops.map((s) => s.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r")).join("\n");
}

/** What `run.distribution()` takes. @param {RunSettings} s */
export function samplingOf(s) {
  return { temperature: s.temperature, topK: s.topK, topP: s.topP, minP: s.minP, repetitionPenalty: s.repetitionPenalty, top: s.top };
}

/**
 * Settings in words, as the caption names them.
 * @param {import("../api/next-token.js").Settings} s
 */
export function settingsWords(s) {
  const words = [s.temperature === 0 ? "greedy (temperature 0)" : `temperature ${s.temperature}`];
  if (s.temperature !== 0) {
    if (s.topK > 0) words.push(`top-k ${s.topK}`);
    if (s.topP < 1) words.push(`top-p ${s.topP}`);
    if (s.minP > 0) words.push(`min-p ${s.minP}`);
    if (words.length === 1) words.push("no cuts");
  }
  if (s.repetitionPenalty !== 1) words.push(`repetition penalty ${s.repetitionPenalty}`);
  return words.join(", ");
}
