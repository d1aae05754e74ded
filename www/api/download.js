/**
 * Model files: from the network, from the browser's store, or from the caller's hands.
 *
 * @import { PublishedModel } from "./models.js"
 * @import { Progress } from "./next-token.js"
 */
import { NextTokenError } from "./errors.js";
import { forget, readStored, store } from "./store.js";

/**
 * @typedef {(progress: Progress) => void} Report
 * @typedef {Uint8Array<ArrayBuffer>} Bytes
 */

/** Progress is reported at most once for so many bytes. */
const REPORT_EVERY = 1 << 19;

/**
 * A published model, from the store or the network, its size and sha256 verified.
 * @param {PublishedModel} model
 * @param {Report} report
 * @returns {Promise<Bytes>}
 */
export async function fetchPublished(model, report) {
  const stored = await readStored(model.sha256);
  if (stored) {
    const bytes = await readAll(stored, model.bytes, true, report).catch(() => null);
    if (bytes && (await isIntact(bytes, model, true, report)) === null) return bytes;
    await forget(model.sha256);
  }
  const bytes = await readAll(await whenThere(model, report), model.bytes, false, report);
  const fault = await isIntact(bytes, model, false, report);
  if (fault) {
    throw new NextTokenError(
      "integrity",
      `${model.url.href} isn't ${model.name}: ${fault}.`,
      "The file on the server is another one, or the download was damaged. Fetch the model again.",
    );
  }
  const note = await store(model.sha256, bytes);
  report({ phase: "verify", loaded: bytes.length, total: bytes.length, cached: false, note });
  return bytes;
}

/**
 * A development server has the file fetched when it's first asked for. Until it has it, it answers
 * 202 with a sentence, which is shown.
 * @param {PublishedModel} model
 * @param {Report} report
 */
async function whenThere({ url, bytes }, report) {
  for (;;) {
    const response = await get(url);
    if (response.status !== 202) return response;
    report({ phase: "waiting", loaded: 0, total: bytes, cached: false, note: await words(response) });
    const seconds = Number(response.headers.get("retry-after")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

/**
 * @param {Blob} blob
 * @param {Report} report
 * @returns {Promise<Bytes>}
 */
export async function readBlob(blob, report) {
  try {
    return await readAll(new Response(blob), blob.size, false, report);
  } catch (error) {
    // A File whose content changed on the disk since it was chosen can't be read any more.
    throw failed("The file can't be read", error, "Choose the file again.");
  }
}

/**
 * A successful response, or a typed error.
 * @param {URL} url
 */
export async function get(url) {
  const hint = "Check the address and the connection, then load again.";
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw failed(
      `${url.href} can't be fetched`,
      error,
      "Check the connection. A file on another site needs CORS headers there, and this page's "
        + "Content-Security-Policy must list that site under connect-src.",
    );
  }
  if (!response.ok) {
    const status = `${response.status} ${response.statusText}`.trim();
    const why = response.status >= 500 ? await words(response) : null;
    const told = `${url.href} can't be fetched: the server answered ${status}${why ? `: ${why}` : ""}`;
    const again = "Load again, and the server tries anew.";
    throw new NextTokenError("download-failed", told.replace(/\.?$/, "."), why ? again : hint);
  }
  return response;
}

/** What a server says for people, if it's plain text. @param {Response} response */
async function words(response) {
  const plain = response.headers.get("content-type")?.startsWith("text/plain");
  const text = plain ? await response.text().catch(() => "") : "";
  return text.trim().slice(0, 400) || null;
}

/**
 * Reads a body into one buffer, reporting on the way.
 * @param {Response} response
 * @param {number} expected its size; 0 if unknown
 * @param {boolean} cached
 * @param {Report} report
 * @returns {Promise<Bytes>}
 */
export async function readAll(response, expected, cached, report) {
  // Under compression content-length counts other bytes, so it only guides, and never limits.
  const announced = Number(response.headers.get("content-length") ?? 0) || 0;
  const total = expected || announced;
  let buffer = new Uint8Array(total || 1 << 20);
  let loaded = 0;
  let reported = 0;
  const tell = () => report({ phase: "download", loaded, total: Math.max(total, loaded), cached, note: null });
  tell();
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch((error) => {
      throw failed(
        `The download of ${response.url || "the file"} broke off after ${loaded} of ${total || "?"} bytes`,
        error,
        "Check the connection, then load again.",
      );
    });
    if (done) break;
    if (loaded + value.length > buffer.length) {
      const larger = new Uint8Array(Math.max(loaded + value.length, 2 * buffer.length));
      larger.set(buffer.subarray(0, loaded));
      buffer = larger;
    }
    buffer.set(value, loaded);
    loaded += value.length;
    if (loaded - reported >= REPORT_EVERY) {
      reported = loaded;
      tell();
    }
  }
  tell();
  if (loaded === 0) {
    throw new NextTokenError(
      "download-failed",
      `${response.url || "The file"} is empty.`,
      "The file on the server or the disk has no content. Fetch it again.",
    );
  }
  return loaded === buffer.length ? buffer : buffer.slice(0, loaded);
}

/**
 * @param {Bytes} bytes
 * @param {PublishedModel} model
 * @param {boolean} cached
 * @param {Report} report
 * @returns {Promise<string | null>} null, or what is wrong
 */
async function isIntact(bytes, model, cached, report) {
  if (bytes.length !== model.bytes) {
    return `it has ${bytes.length} bytes, not ${model.bytes}`;
  }
  const total = bytes.length;
  // Browsers offer hashes on https and localhost only.
  if (!globalThis.crypto?.subtle) {
    const note = "This page isn't served over https, so the model's checksum can't be verified.";
    report({ phase: "verify", loaded: total, total, cached, note });
    return null;
  }
  report({ phase: "verify", loaded: 0, total, cached, note: null });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  report({ phase: "verify", loaded: total, total, cached, note: null });
  return hex === model.sha256 ? null : `its sha256 is ${hex}, not ${model.sha256}`;
}

/**
 * @param {string} what
 * @param {unknown} cause
 * @param {string} hint
 */
function failed(what, cause, hint) {
  if (cause instanceof NextTokenError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new NextTokenError("download-failed", `${what}: ${why}.`, hint);
}
