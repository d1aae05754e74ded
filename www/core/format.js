/** How tokens and numbers are written, everywhere on the page. */

/** @typedef {import("../api/next-token.js").Segment} Segment */
/** @typedef {{ text: string, bytes: number[], special?: boolean }} TokenText */

const GLYPHS = new Map([
  [" ", "·"],
  ["\n", "⏎"],
  ["\t", "⇥"],
  ["\r", "␍"],
  ["\u00a0", "⍽"],
  ["\u200b", "⟨ZWSP⟩"],
  ["\u200d", "⟨ZWJ⟩"],
]);

const NAMES = new Map([
  [" ", "space"],
  ["\n", "newline"],
  ["\t", "tab"],
  ["\r", "carriage return"],
  ["\u00a0", "no-break space"],
]);

const strict = new TextDecoder("utf-8", { fatal: true });

/**
 * Bytes as they are: `⟨F0 9F⟩`.
 * @param {ArrayLike<number>} bytes
 */
export function hex(bytes) {
  return `⟨${Array.from(bytes, (b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ")}⟩`;
}

/**
 * Text with its white space visible.
 * @param {string} text
 */
export function visible(text) {
  let out = "";
  for (const ch of text) {
    const glyph = GLYPHS.get(ch);
    if (glyph) out += glyph;
    else if (/\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}/u.test(ch)) out += `⟨U+${(ch.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
    else out += ch;
  }
  return out;
}

/** Whether these bytes are whole characters. @param {number[]} bytes */
function whole(bytes) {
  try {
    strict.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * A token as it is drawn. Bytes that are no whole character are shown as bytes, never as U+FFFD.
 * @param {TokenText} token
 */
export function tokenLabel(token) {
  if (token.bytes.length > 0 && !whole(token.bytes)) return hex(token.bytes);
  return visible(token.text) || "∅";
}

/**
 * A token in words, for those who hear it.
 * @param {TokenText} token
 */
export function tokenSpoken(token) {
  if (token.bytes.length > 0 && !whole(token.bytes)) return `bytes ${hex(token.bytes).slice(1, -1)}`;
  /** @type {string[]} */
  const parts = [];
  let run = "";
  for (const ch of token.text) {
    const name = NAMES.get(ch);
    if (!name) {
      run += ch;
      continue;
    }
    if (run) parts.push(run);
    run = "";
    if (name === "space" && parts.length === 0 && ch !== token.text) continue; // a leading space is the rule, not news
    parts.push(name);
  }
  if (run) parts.push(run);
  const words = parts.join(" ") || "empty token";
  return token.special ? `control token ${words}` : words;
}

/** A token inside a sentence, kept apart from the sentence's direction. @param {TokenText} token */
export function quoted(token) {
  return `“\u2068${tokenLabel(token)}\u2069”`;
}

/** Text inside a sentence. @param {string} text */
export function quotedText(text) {
  return `“\u2068${visible(text)}\u2069”`;
}

/** @param {Segment} segment */
export function segmentText(segment) {
  return "text" in segment ? segment.text : hex(segment.bytes);
}

const LANG = "en";
const integer = new Intl.NumberFormat(LANG, { maximumFractionDigits: 0 });
const signed = new Intl.NumberFormat(LANG, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(LANG, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percentSmall = new Intl.NumberFormat(LANG, { style: "percent", maximumSignificantDigits: 2 });

/** @param {number} n */
export const count = (n) => integer.format(n);

/** @param {number} n @param {string} one @param {string} [many] */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** A logit, with a real minus. @param {number} x */
export function logit(x) {
  if (x === -Infinity) return "−∞";
  return signed.format(x).replace("-", "−");
}

/**
 * A probability: one decimal, two digits below 0.1 %, and neither 0 nor 100 % unless it is exactly that.
 * @param {number} p
 */
export function probability(p) {
  if (p === 0) return "0%";
  if (p === 1) return "100%";
  if (p < 1e-5) return "<0.001%";
  if (p < 9.995e-4) return percentSmall.format(p);
  if (p >= 0.9995) return ">99.9%";
  return percent.format(p);
}

/** A number between 0 and 1 on the cumulative bar. @param {number} x */
export function position(x) {
  if (x > 0 && x < 0.00005) return "<0.0001";
  if (x < 1 && x > 0.99995) return ">0.9999";
  return String(Math.round(x * 1e4) / 1e4);
}

/**
 * An interval and what lies in it, with as many digits as it takes to tell them apart.
 * @param {number} lo @param {number} at @param {number} hi
 * @returns {[lo: string, at: string, hi: string]}
 */
export function interval(lo, at, hi) {
  for (let digits = 4; digits < 16; digits++) {
    const [a, b, c] = [lo, at, hi].map((x) => x.toFixed(digits));
    if (Number(a) > Number(b) || Number(b) >= Number(c)) continue;
    if (digits === 4) return [position(lo), position(at), position(hi)];
    return [lo === 0 ? "0" : String(a), String(b), hi === 1 ? "1" : String(c)];
  }
  return [full(lo), full(at), full(hi)];
}

/** The full value, for hover and focus. @param {number} x */
export const full = (x) => String(x);

/** Computing time. @param {number} ms */
export function duration(ms) {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10) return `${Math.round(ms)} ms`;
  if (ms >= 0.1) return `${ms.toFixed(1)} ms`;
  return ms === 0 ? "0 ms" : "<0.1 ms";
}

/** Tokens a second. @param {number} rate */
export const rate = (rate) => (rate >= 1000 ? count(Math.round(rate / 100) * 100) : rate >= 20 ? count(rate) : rate.toFixed(1));

/** Bytes, in decimal units as downloads are named. @param {number} n */
export function size(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(2)} GB`;
  if (n >= 1e7) return `${Math.round(n / 1e6)} MB`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} MB`;
  if (n >= 1e3) return `${Math.round(n / 1e3)} kB`;
  return `${n} bytes`;
}

/** A number of weights: 135 million. @param {number} n */
export function weights(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} billion weights`;
  if (n >= 1e6) return `${Math.round(n / 1e6)} million weights`;
  return plural(n, "weight");
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A power of ten, with a raised exponent. @param {number} exponent */
export const power = (exponent) => `10${exponent < 0 ? "⁻" : ""}${[...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join("")}`;
