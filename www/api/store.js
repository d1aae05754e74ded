/**
 * Model files in this browser's Cache Storage, each under its sha256. Storage is a convenience:
 * it may be missing (plain http), forbidden (a sandboxed frame), or full, and every such case
 * means "not stored", never an error.
 */

const STORE = "next-token-models";

/** @param {string} sha256 */
const key = (sha256) => new URL(`../models/sha256-${sha256}`, import.meta.url).href;

/** @returns {Promise<Cache | null>} */
async function open() {
  try {
    return await caches.open(STORE);
  } catch {
    return null;
  }
}

/**
 * The stored file, or null. Its content is not checked here.
 * @param {string} sha256
 * @returns {Promise<Response | null>}
 */
export async function readStored(sha256) {
  try {
    return (await (await open())?.match(key(sha256))) ?? null;
  } catch {
    return null;
  }
}

/**
 * Stores a file that was verified.
 * @param {string} sha256
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string | null>} null, or in words for the reader why nothing was stored
 */
export async function store(sha256, bytes) {
  const cache = await open();
  if (!cache) return "This browser stores nothing for this page: the next visit downloads the model again.";
  try {
    const headers = { "content-type": "application/octet-stream", "content-length": String(bytes.length) };
    await cache.put(key(sha256), new Response(bytes, { headers }));
    return null;
  } catch (error) {
    const full = error instanceof DOMException && error.name === "QuotaExceededError";
    const why = full ? "This browser's storage for the page is full" : "This browser couldn't store the model";
    return `${why}: the next visit downloads it again.`;
  }
}

/**
 * Forgets a file, for example one that no longer is what it was.
 * @param {string} sha256
 */
export async function forget(sha256) {
  try {
    await (await open())?.delete(key(sha256));
  } catch {
    // Then it can't be read either.
  }
}
