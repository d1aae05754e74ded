// What the test pages have: see harness.mjs.
import type { Engine } from "../../www/api/next-token.js";

/** What `attempt` gives: the value, or the error's fields. */
export interface Attempted<T> {
  ok?: T;
  code?: string;
  message?: string;
  hint?: string;
  name?: string;
}

declare global {
  /** The public module. */
  var nextToken: typeof import("../../www/api/next-token.js");
  /** Kept by a test between two of its visits to the page. */
  var engine: Engine;
  /** Errors lose their fields on the way from the page to the test; this keeps them. */
  function attempt<T>(work: Promise<T> | (() => Promise<T>)): Promise<Attempted<T>>;
}
