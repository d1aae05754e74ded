/** What the reader looks at: a layer, a KV head, a column. Shared by the parts of one element. */

import { ALL } from "./columns.js";

export class Selection extends EventTarget {
  layer = 0;
  /** A KV head, or all of them. */
  head = ALL;
  /** A column; null: the newest. @type {number | null} */
  column = null;
  /** The row of the attention that is drawn large: a head, or the mean over all. */
  row = ALL;

  /** @param {Partial<Pick<Selection, "layer" | "head" | "column" | "row">>} to */
  set(to) {
    Object.assign(this, to);
    this.dispatchEvent(new Event("change"));
  }

  /** The column on show. @param {number} cached */
  at(cached) {
    return this.column === null || this.column >= cached ? cached - 1 : this.column;
  }
}
