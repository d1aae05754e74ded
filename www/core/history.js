/**
 * The text and the counters at every place of the timeline. Only what changed from one place to the
 * next is kept: whole texts at every stage would take memory with the square of the length.
 */

/** @typedef {import("../api/next-token.js").RunState} RunState */
/** @typedef {import("../api/next-token.js").Segment} Segment */

/**
 * The text and the counters at one place, as the engine gave them.
 * @typedef {Pick<RunState, "text" | "held" | "pending" | "segments" | "naive" | "cached" | "passes"> & { length: number }} Snapshot
 */

/**
 * How a text comes from the one before it: so much of its beginning stays, then this.
 * @typedef {{ keep: number, then: string }} Edit
 */
/**
 * Segments before `keep` stay, `grown` is what the one at `keep` grew by, `then` follows.
 * @typedef {{ keep: number, grown: string, then: Segment[] }} SegmentsEdit
 */
/** @typedef {Pick<Snapshot, "held" | "pending" | "cached" | "passes" | "length"> & { text: Edit, naive: Edit, segments: SegmentsEdit }} Change */

/** @param {RunState} s @param {number} [before] passes of the run that this one was forked from, up to there @returns {Snapshot} */
export function snapshot(s, before = 0) {
  return { text: s.text, held: s.held, pending: s.pending, segments: s.segments, naive: s.naive, cached: s.cached, passes: before + s.passes, length: s.tokens.length };
}

/** @type {Snapshot} */
const EMPTY = { text: "", held: "", pending: [], segments: [], naive: "", cached: 0, passes: 0, length: 0 };

export class History {
  /** @type {Change[]} one a place */
  #changes = [];
  /** The newest place, whole. @type {Snapshot} */
  #newest = EMPTY;
  /** The place that was last rebuilt. */
  #rebuilt = { place: -1, snap: EMPTY };

  /** The next place. @param {Snapshot} snap */
  push(snap) {
    this.#changes.push(changeOf(this.#newest, snap));
    this.#newest = snap;
  }

  copy() {
    const copy = new History();
    copy.#changes = [...this.#changes];
    copy.#newest = this.#newest;
    return copy;
  }

  /** Keeps the first `length` places. @param {number} length */
  cut(length) {
    if (length >= this.#changes.length) return;
    const newest = length > 0 ? this.at(length - 1) ?? EMPTY : EMPTY;
    this.#changes.length = Math.max(0, length);
    this.#newest = newest;
    this.#rebuilt = { place: -1, snap: EMPTY };
  }

  /** @param {number} place @returns {Snapshot | null} */
  at(place) {
    if (place < 0 || place >= this.#changes.length) return null;
    if (place === this.#changes.length - 1) return this.#newest;
    if (place === this.#rebuilt.place) return this.#rebuilt.snap;
    const near = this.#rebuilt.place >= 0 && this.#rebuilt.place < place;
    let snap = near ? this.#rebuilt.snap : EMPTY;
    for (const change of this.#changes.slice(near ? this.#rebuilt.place + 1 : 0, place + 1)) snap = apply(snap, change);
    this.#rebuilt = { place, snap };
    return snap;
  }

  /** Characters kept, all places together. */
  get size() {
    return this.#changes.reduce((sum, c) => sum + c.held.length + c.text.then.length + c.naive.then.length + c.segments.grown.length + c.segments.then.reduce((n, s) => n + ("text" in s ? s.text.length : s.bytes.length), 0), 0);
  }
}

/** @param {Snapshot} a @param {Snapshot} b @returns {Change} */
function changeOf(a, b) {
  const { held, pending, cached, passes, length } = b;
  return { held, pending, cached, passes, length, text: edit(a.text, b.text), naive: edit(a.naive, b.naive), segments: segmentsEdit(a.segments, b.segments) };
}

/** @param {Snapshot} a @param {Change} change @returns {Snapshot} */
function apply(a, { text, naive, segments, ...rest }) {
  return { ...rest, text: edited(a.text, text), naive: edited(a.naive, naive), segments: segmentsEdited(a.segments, segments) };
}

/** @param {string} a @param {string} b @returns {Edit} */
function edit(a, b) {
  if (b.startsWith(a)) return { keep: a.length, then: b.slice(a.length) };
  let keep = 0;
  while (keep < a.length && a[keep] === b[keep]) keep += 1;
  return { keep, then: b.slice(keep) };
}

/** @param {string} a @param {Edit} e */
const edited = (a, { keep, then }) => (keep === a.length ? a : a.slice(0, keep)) + then;

/** @param {Segment} a @param {Segment} b */
const same = (a, b) => ("text" in a ? "text" in b && a.text === b.text : "bytes" in b && String(a.bytes) === String(b.bytes));

/** @param {Segment[]} a @param {Segment[]} b @returns {SegmentsEdit} */
function segmentsEdit(a, b) {
  let keep = 0;
  while (keep < a.length && keep < b.length && same(/** @type {Segment} */ (a[keep]), /** @type {Segment} */ (b[keep]))) keep += 1;
  const [was, is] = [a[keep], b[keep]];
  const grows = was && is && "text" in was && "text" in is && is.text.startsWith(was.text);
  return { keep, grown: grows ? is.text.slice(was.text.length) : "", then: b.slice(grows ? keep + 1 : keep) };
}

/** @param {Segment[]} a @param {SegmentsEdit} e @returns {Segment[]} */
function segmentsEdited(a, { keep, grown, then }) {
  const was = a[keep];
  if (grown && was && "text" in was) return [...a.slice(0, keep), { text: was.text + grown }, ...then];
  return [...a.slice(0, keep), ...then];
}
