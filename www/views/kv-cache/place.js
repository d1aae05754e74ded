/** What the cache holds at the place where the reader stands: which columns, and which the last pass computed. */

/** @typedef {import("../../elements/base.js").Player} Player */
/** @typedef {import("../../api/next-token.js").Piece} Piece */

/**
 * @typedef {object} Place
 * @property {Piece[]} pieces the sequence, the token that waits for its pass included
 * @property {number} prompt tokens of the prompt
 * @property {number} cached columns of the cache
 * @property {number} from the first column that the last pass computed
 * @property {number} to behind its last one; `from` where there was no pass yet
 * @property {"none" | "prefill" | "decode" | "again"} pass what kind of pass it was; `again`: without a cache
 * @property {boolean} borrowed the pass was made by the branch that this one left from
 * @property {number} chunk tokens of the prompt that were read at a time
 */

/** @param {Player} player @returns {Place} */
export function placeOf(player) {
  const { timeline } = player;
  const snap = timeline.snapshot;
  const prompt = timeline.prompt.length;
  const cached = snap?.cached ?? 0;
  const pieces = [...timeline.prompt];
  for (const turn of timeline.turns.slice(0, timeline.generated)) if (turn.step?.appended) pieces.push(turn.step.appended.piece);
  /** @type {Place} */
  const place = { pieces, prompt, cached, from: 0, to: 0, pass: "none", borrowed: false, chunk: timeline.chunk };
  if (cached === 0) return place;
  const turn = timeline.turnIndexAt(timeline.cursor);
  if (turn < 1) return { ...place, to: cached, pass: "prefill" };
  if (player.started?.cache === false) return { ...place, to: cached, pass: "again" };
  return { ...place, from: cached - 1, to: cached, pass: "decode", borrowed: timeline.turn?.forward?.passes === 0 && player.branch?.parent !== null && turn === player.branch?.at };
}

/** The place on show, if its model has a cache and something is in it. @param {Player} player */
export function filledPlace(player) {
  const info = player.engine?.info;
  const place = placeOf(player);
  return info && info.kvBytesPerToken > 0 && place.cached > 0 ? { info, place } : null;
}
