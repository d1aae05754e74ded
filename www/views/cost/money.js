/** Money without rounding: whole units of a power of ten. Rounded only when it is written. */

/** `units` / 10^`scale` dollars. @typedef {{ units: bigint, scale: number }} Money */

const PRICE = /^(\d{0,9})(?:\.(\d{0,9}))?$/;

/** @type {Money} */
export const NOTHING = { units: 0n, scale: 0 };

/**
 * A price as a person types it. null: nothing was typed, so the price is unknown.
 * @param {string} text @param {string} label @returns {{ value: Money | null } | { refused: string }}
 */
export function readPrice(text, label) {
  const typed = text.trim().replace(/^\$\s*/, "");
  if (typed === "") return { value: null };
  const [, whole = "", part = ""] = PRICE.exec(typed) ?? [];
  if (whole === "" && part === "") return { refused: `“${text.trim()}” is no price. ${label} takes dollars per million tokens, such as 2.50, or nothing if it is unknown.` };
  return { value: { units: BigInt(whole + part), scale: part.length } };
}

/** @param {Money} price @param {number} n a whole number */
export const times = ({ units, scale }, n) => ({ units: units * BigInt(n), scale });

/** What so many tokens cost. @param {Money} price per million @param {number} tokens */
export const costOf = (price, tokens) => ({ ...times(price, tokens), scale: price.scale + 6 });

/** @param {...Money} list @returns {Money} */
export function sum(...list) {
  const scale = Math.max(0, ...list.map((m) => m.scale));
  return { units: list.reduce((total, m) => total + m.units * 10n ** BigInt(scale - m.scale), 0n), scale };
}

/** @param {Money} a @param {Money} b */
export const less = (a, b) => sum(a, { ...b, units: -b.units });

/** For bars and ratios only, where the last digit doesn't count. @param {Money} a @param {Money} b */
export function ratio(a, b) {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [a, b].map((m) => m.units * 10n ** BigInt(scale - m.scale));
  return y === 0n ? null : Number((/** @type {bigint} */ (x) * 1_000_000_000n) / /** @type {bigint} */ (y)) / 1e9;
}

/** The full value, two decimals at least: $0.0026925. @param {Money} money */
export function exact({ units, scale }) {
  const minus = units < 0n ? "−" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const part = digits.slice(digits.length - scale).replace(/0+$/, "").padEnd(2, "0");
  return `${minus}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${part}`;
}

/** To the cent, or to three digits where a cent is too coarse: never $0.00 for what isn't zero. @param {Money} money */
export function rounded(money) {
  const { units, scale } = money;
  const size = (units < 0n ? -units : units).toString().length;
  // The place of the first digit behind the point; from ten cents on, cents are fine enough.
  const first = scale - size + 1;
  return exact(roundTo(money, first <= 1 ? 2 : first + 2));
}

/** Half away from zero. @param {Money} money @param {number} places @returns {Money} */
function roundTo({ units, scale }, places) {
  if (scale <= places) return { units, scale };
  const step = 10n ** BigInt(scale - places);
  const half = units < 0n ? -step / 2n : step / 2n;
  return { units: (units + half) / step, scale: places };
}

/** In words: “0.26925 US cents”, “2.69 US dollars”. @param {Money} money */
export function words(money) {
  const dollar = 10n ** BigInt(money.scale);
  const small = money.units !== 0n && money.units < dollar && money.units > -dollar;
  const number = exact(small ? { units: money.units * 100n, scale: money.scale } : money).replace("$", "");
  return small ? `${number.replace(/\.?0+$/, "")} US cents` : `${number} US dollars`;
}
