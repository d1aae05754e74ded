/**
 * Chance as the small world has it (pocket/world/src/random.rs): the same number gives the same problem there
 * and here. Whole numbers of 64 bits, so BigInt.
 */

const MASK = (1n << 64n) - 1n;

/** Scrambles a number so that neighbours have nothing in common. @param {bigint} number */
export function mix(number) {
  let bits = number & MASK;
  bits = ((bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  bits = ((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return bits ^ (bits >> 31n);
}

/** SplitMix64. */
export class Chance {
  #state;

  /** @param {bigint} stream @param {number} index the same two, the same row of numbers */
  constructor(stream, index) {
    this.#state = mix((mix(stream) ^ BigInt(index)) ^ 0x005eed0fac0ffee5n);
  }

  #next() {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & MASK;
    return mix(this.#state);
  }

  /** A whole number from 0 up to, and without, `end`. @param {number} end */
  below(end) {
    return Number((this.#next() * BigInt(end)) >> 64n);
  }

  /** A whole number from `first` to `last`, both included. @param {number} first @param {number} last */
  between(first, last) {
    return first + this.below(last + 1 - first);
  }

  /** True `percent` times in a hundred. @param {number} percent */
  percent(percent) {
    return this.below(100) < percent;
  }

  /** One of a non-empty list. @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }
}
