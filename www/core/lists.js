/** What is asked of lists of numbers in more than one place. */

/** How many of their first entries are the same, such as token ids that both begin with. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function commonPrefix(a, b) {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  return same;
}

/** 0 for an empty list. @param {number[]} values */
export const mean = (values) => (values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length);
