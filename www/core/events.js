/**
 * What the player tells, and what `<next-token>` tells the page around it. The same classes serve
 * both: the element dispatches a new instance of what its player dispatched, bubbling and composed.
 */

/** @typedef {import("../api/next-token.js").Step} Step */
/** @typedef {import("../api/next-token.js").Info} Info */
/** @typedef {import("../api/next-token.js").Progress} Progress */
/** @typedef {import("../api/next-token.js").FinishReason} FinishReason */
/** @typedef {{ code: string, message: string, hint: string }} Fault */

const OUT = { bubbles: true, composed: true };

/** The model is loaded. */
export class ReadyEvent extends Event {
  /** @param {Info} info */
  constructor(info) {
    super("nt-ready", OUT);
    this.info = info;
  }
}

/** One whole turn of the loop was computed. */
export class StepEvent extends Event {
  /** @param {Step} step */
  constructor(step) {
    super("nt-step", OUT);
    this.step = step;
  }
}

/** The run ended. */
export class DoneEvent extends Event {
  /** @param {FinishReason} reason @param {string} text */
  constructor(reason, text) {
    super("nt-done", OUT);
    this.reason = reason;
    this.text = text;
  }
}

/** Something was refused or failed. */
export class FaultEvent extends Event {
  /** @param {Fault} fault */
  constructor(fault) {
    super("nt-error", OUT);
    this.code = fault.code;
    this.message = fault.message;
    this.hint = fault.hint;
  }
}

/** A model is loading. */
export class LoadingEvent extends Event {
  /** @param {Progress} progress */
  constructor(progress) {
    super("nt-progress", OUT);
    this.progress = progress;
  }
}

/**
 * Any error as code, message and hint. The engine's errors have all three; anything else is a
 * fault of the page itself, and says so.
 * @param {unknown} error
 * @returns {Fault}
 */
export function faultOf(error) {
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "page";
    const hint = "hint" in error && typeof error.hint === "string" ? error.hint : "";
    return { code, message: error.message || code, hint };
  }
  return { code: "page", message: String(error), hint: "" };
}
