/** A share with its uncertainty, and what two shares can say about each other. */

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/** @typedef {{ right: number, of: number, share: number, low: number, high: number }} Share */

/**
 * Wilson's score interval, 95 % (Wilson 1927): unlike the usual ± it stays inside 0 to 1 and means something for
 * shares of exactly 0 and 1. Nothing is known of no trials.
 * @param {number} right @param {number} of @returns {Share}
 */
export function wilson(right, of) {
  if (of === 0) return { right, of, share: 0, low: 0, high: 1 };
  const p = right / of;
  const z2 = Z * Z;
  const centre = (p + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z / (1 + z2 / of)) * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of * of));
  // At the ends the interval reaches the end exactly, which rounding may miss by a hair.
  return { right, of, share: p, low: right === 0 ? 0 : Math.max(0, centre - half), high: right === of ? 1 : Math.min(1, centre + half) };
}

const whole = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en", { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} share */
export const percent = (share) => (Math.abs(100 * share - Math.round(100 * share)) < 1e-9 ? whole : tenth).format(share);

/** @param {Share} share */
export const inWords = ({ right, of, share, low, high }) => `${right} of ${of} (${percent(share)}; interval ${percent(low)} to ${percent(high)})`;

/** @param {Share} a @param {Share} b */
export const overlap = (a, b) => a.low <= b.high && b.low <= a.high;

/**
 * What the counts say, and no more than that.
 * @param {Share} bare @param {Share} steps @param {{ bare: number, steps: number }} written mean tokens
 */
export function verdict(bare, steps, written) {
  if (bare.of === 0) return "";
  const what = `Right at once: ${inWords(bare)}. In steps: ${inWords(steps)}.`;
  if (overlap(bare, steps)) return `${what} The two 95% intervals overlap: by them alone, ${bare.of} problems don’t tell the two ways apart.`;
  const more = steps.share > bare.share;
  const times = written.steps / written.bare;
  const price = times >= 1 ? `${times.toFixed(1)} times as many tokens written` : `${(1 / times).toFixed(1)} times fewer tokens written`;
  return `${what} The two 95% intervals are apart: ${more ? "the written steps make it right more often" : "the written steps make it wrong more often"}, with ${price}.`;
}
