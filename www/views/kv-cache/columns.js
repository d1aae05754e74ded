/**
 * What was read of one branch's cache: how strong every K and V is, the whole vectors of one layer, and what
 * the passes attended to. Columns never change once computed, so a reader who walks back needs no call.
 */

/** @typedef {import("../../api/next-token.js").Kv} Kv */
/** @typedef {import("../../api/next-token.js").Attention} Attention */
/** @typedef {{ layers: number, kvHeads: number, headDim: number }} Shape */
/** @typedef {"k" | "v"} Side */

export const SIDES = /** @type {const} */ (["k", "v"]);
/** All KV heads together. */
export const ALL = -1;

export class Columns {
  /** Columns read in all layers. */
  have = 0;
  /** Their tokens. @type {number[]} */
  ids = [];
  /** The layer whose vectors are kept, and of how many columns. */
  layer = -1;
  vectors = 0;
  /** Token passes of the run when this was read. */
  passes = -1;
  /** Mean of squares, `[column][layer][kvHead]`. @type {Record<Side, Float32Array>} */
  #squares = { k: new Float32Array(0), v: new Float32Array(0) };
  /** `[column][kvHead][headDim]` of one layer. @type {Record<Side, Float32Array>} */
  #vectors = { k: new Float32Array(0), v: new Float32Array(0) };
  /** @type {Map<string, { upTo: number, most: number }>} */
  #most = new Map();
  /** By layer and by columns attended to; null: the engine has none. @type {Map<string, Attention | null>} */
  #attention = new Map();

  /** @param {Shape} shape */
  constructor(shape) {
    this.shape = shape;
  }

  /** Columns `from` up to `to` of a layer. @param {Kv} kv */
  put(kv) {
    const { layers, kvHeads, headDim } = this.shape;
    for (const side of SIDES) {
      const all = (this.#squares[side] = room(this.#squares[side], (kv.from + kv.tokens) * layers * kvHeads));
      const values = kv[side];
      for (let t = 0, at = 0; t < kv.tokens; t++) {
        for (let head = 0; head < kvHeads; head++) {
          let sum = 0;
          for (const end = at + headDim; at < end; at++) sum += values[at] ** 2;
          all[((kv.from + t) * layers + kv.layer) * kvHeads + head] = sum / headDim;
        }
      }
    }
  }

  /** The vectors of the layer that is looked into. @param {Kv} kv */
  keep(kv) {
    const width = this.shape.kvHeads * this.shape.headDim;
    if (this.layer !== kv.layer) this.vectors = 0;
    this.layer = kv.layer;
    for (const side of SIDES) {
      const all = (this.#vectors[side] = room(this.#vectors[side], (kv.from + kv.tokens) * width));
      all.set(kv[side], kv.from * width);
    }
    this.vectors = kv.from + kv.tokens;
  }

  /** Root mean square of a column's K or V: of one KV head, or of all. @param {Side} side @param {number} column @param {number} layer @param {number} head */
  rms(side, column, layer, head) {
    const { layers, kvHeads } = this.shape;
    const at = (column * layers + layer) * kvHeads;
    const squares = this.#squares[side];
    if (head !== ALL) return Math.sqrt(squares[at + head] ?? NaN);
    let sum = 0;
    for (let i = 0; i < kvHeads; i++) sum += squares[at + i] ?? NaN;
    return Math.sqrt(sum / kvHeads);
  }

  /** The largest of them so far, over all layers and columns. @param {Side} side @param {number} head */
  most(side, head) {
    const key = `${side} ${head}`;
    let { upTo, most } = this.#most.get(key) ?? { upTo: 0, most: 0 };
    for (; upTo < this.have; upTo++) for (let layer = 0; layer < this.shape.layers; layer++) most = Math.max(most, this.rms(side, upTo, layer, head));
    this.#most.set(key, { upTo, most });
    return most;
  }

  /** The numbers themselves: one KV head's, or all heads' one after another. @param {Side} side @param {number} column @param {number} head */
  vector(side, column, head) {
    const { kvHeads, headDim } = this.shape;
    const at = column * kvHeads * headDim;
    return head === ALL ? this.#vectors[side].subarray(at, at + kvHeads * headDim) : this.#vectors[side].subarray(at + head * headDim, at + (head + 1) * headDim);
  }

  /** What the pass that made `tokens` columns full attended to; undefined: it wasn't read. @param {number} layer @param {number} tokens */
  attention(layer, tokens) {
    return this.#attention.get(`${layer} ${tokens}`);
  }

  /** @param {number} layer @param {number} tokens @param {Attention | null} attention */
  putAttention(layer, tokens, attention) {
    this.#attention.set(`${layer} ${tokens}`, attention);
  }

  /** Forgets the columns from `to` on. @param {number} to */
  cut(to) {
    this.#most.clear();
    this.have = Math.min(this.have, to);
    this.vectors = Math.min(this.vectors, to);
    this.ids.length = this.have;
    for (const key of this.#attention.keys()) if (Number(key.split(" ")[1]) > to) this.#attention.delete(key);
  }

  /** What another branch shares with this one: its first columns. @param {number} to */
  fork(to) {
    const copy = new Columns(this.shape);
    copy.have = this.have;
    copy.ids = [...this.ids];
    copy.layer = this.layer;
    copy.vectors = this.vectors;
    for (const side of SIDES) {
      copy.#squares[side] = this.#squares[side].slice();
      copy.#vectors[side] = this.#vectors[side].slice();
    }
    copy.#attention = new Map(this.#attention);
    copy.cut(to);
    return copy;
  }
}

/** The same numbers with room for `length`. @param {Float32Array} values @param {number} length */
function room(values, length) {
  if (length <= values.length) return values;
  const more = new Float32Array(Math.max(length, values.length * 2));
  more.set(values);
  return more;
}
