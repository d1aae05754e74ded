/** @import { ErrorCode } from "./next-token.js" */

/**
 * An error as it travels between the worker and the page.
 * @typedef {{ code: ErrorCode, message: string, hint: string }} PlainError
 */

/** Every error of this module. `code` is from a fixed list, `hint` says what to do. */
export class NextTokenError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {string} hint
   */
  constructor(code, message, hint) {
    super(message);
    this.name = "NextTokenError";
    this.code = code;
    this.hint = hint;
  }
}

/**
 * @param {PlainError} plain
 * @returns {NextTokenError}
 */
export const fromPlain = (plain) => new NextTokenError(plain.code, plain.message, plain.hint);

export const CSP_HINT =
  "The page's Content-Security-Policy must allow: script-src with this module's origin and "
  + "'wasm-unsafe-eval'; worker-src blob: (or pass workerUrl); connect-src with the origins of "
  + "this module and of the model file.";

export const PANIC_HINT =
  "This is a bug in the engine, please report it. This engine can't be used any more: load() again.";

/**
 * Anything that was thrown, as a typed error. The engine's own errors bring code and hint.
 * @param {unknown} thrown
 * @returns {PlainError}
 */
export function toPlain(thrown) {
  if (!(thrown instanceof Error)) {
    return { code: "panicked", message: String(thrown), hint: PANIC_HINT };
  }
  const message = thrown.message || thrown.name;
  if ("code" in thrown && "hint" in thrown && typeof thrown.code === "string") {
    return { code: /** @type {ErrorCode} */ (thrown.code), message, hint: String(thrown.hint) };
  }
  if (thrown instanceof WebAssembly.CompileError || /content security policy/i.test(message)) {
    return { code: "csp", message: `WebAssembly can't be compiled here: ${message}`, hint: CSP_HINT };
  }
  if (thrown instanceof RangeError) {
    return {
      code: "out-of-memory",
      message: `Not enough memory: ${message}`,
      hint: "Close other tabs, or use a smaller model.",
    };
  }
  return { code: "panicked", message: `The engine failed: ${message}`, hint: PANIC_HINT };
}
