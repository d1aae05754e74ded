/** The view of `<nt-kv-cache>`: the KV cache, with it and without it. */

import { Part } from "../../elements/base.js";
import { h, show } from "../../elements/dom.js";
import { NtCacheAttention } from "./attention.js";
import { NtCacheBytes } from "./bytes.js";
import { NtCacheCompare } from "./compare.js";
import { Shared } from "./shared.js";
import { css } from "./styles.js";
import { NtCacheVectors } from "./vectors.js";
import { viewHead } from "../head.js";
import { NtCacheWall } from "./wall.js";

/** @typedef {import("../../elements/host.js").Host} Host */
/** @typedef {import("../../elements/host.js").Composition} Composition */
/** @typedef {import("../../elements/base.js").Player} Player */

/** In place of all this where a model has no cache. */
class NtCacheNone extends Part {
  /** @override */
  build() {
    this.append(h("p", { class: "look" }, "This table has no K and V; it looks at the last token only. Choose pocket or SmolLM2 to see a cache."));
  }

  /** @override @param {Player} player */
  update(player) {
    show(this, player.engine?.info.kvBytesPerToken === 0);
  }
}

const PARTS = /** @type {const} */ ([
  ["nt-cache-none", NtCacheNone], ["nt-cache-bytes", NtCacheBytes], ["nt-cache-wall", NtCacheWall],
  ["nt-cache-attention", NtCacheAttention], ["nt-cache-vectors", NtCacheVectors], ["nt-cache-compare", NtCacheCompare],
]);

/** @param {Host} host @returns {Composition} */
export function compose(host) {
  for (const [tag, part] of PARTS) if (!customElements.get(tag)) customElements.define(tag, part);
  host.adopt(css);
  const shared = new Shared(host);
  const [none, wall, bytes] = [new NtCacheNone(), new NtCacheWall(shared), new NtCacheBytes()];
  const [attention, vectors, compare] = [new NtCacheAttention(shared), new NtCacheVectors(shared), new NtCacheCompare(shared)];
  shared.open = () => vectors.open();
  new IntersectionObserver((entries) => {
    shared.reader.visible = entries.some((entry) => entry.isIntersecting);
    if (shared.reader.visible) host.redraw();
  }).observe(host);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) matchMedia(query).addEventListener("change", () => host.redraw());
  // A race has runs of its own: it ends when their engine goes, not when another prompt is tried beside it.
  host.dropped = () => queueMicrotask(() => {
    if (!host.isConnected || host.player.engine !== shared.race.engine) shared.race.cancel();
  });
  return { parts: [none, wall, attention, vectors, bytes, compare], body: [viewHead("The KV cache: layers up, tokens across", "Watch the right end: a pass computes the outlined columns and adds them; all that stands to their left is kept and only read."), shared.inks.element, none, wall, attention, vectors, bytes], foot: [compare] };
}
