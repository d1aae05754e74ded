/**
 * What all browser tests share: a server for the site, one Chromium, pages whose errors fail the
 * test, screenshots.
 *
 * The server is this file's own, not `cargo xtask start`'s: tests need answers that a good server
 * never gives (a 404 for the model, other headers, files that are cut). What the real one answers
 * is tested in xtask/src/serve_tests.rs.
 */
import { readFile, mkdir, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".wasm": "application/wasm",
};

/**
 * A page with nothing on it but the public module as `nextToken`, and `attempt(promise)`, which
 * gives `{ ok }` or the fields of the error.
 */
const BLANK = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>test</title>
<link rel="icon" href="data:,">
<script type="module" src="/blank.js"></script>
`;
const BLANK_SCRIPT = `
import * as nextToken from "/pkg/next-token.js";
globalThis.nextToken = nextToken;
globalThis.attempt = async (work) => {
  try {
    return { ok: await (typeof work === "function" ? work() : work) };
  } catch (error) {
    const { code, message, hint, name } = error;
    return { code, message, hint, name };
  }
};
`;

/**
 * An answer of a test's own: returned by a route, or null to go on to the files.
 * @typedef {{ status?: number, headers?: Record<string, string>, body?: string | Uint8Array }} Answer
 * @typedef {(url: URL) => Answer | null | Promise<Answer | null>} Route
 */

/**
 * `/` is `www/`, `/pkg/` and `/models/` are those folders, `/fixtures/` is `tests/fixtures/`,
 * `/node_modules/` serves the benchmark, `/blank` is an empty page.
 * @param {Route} [route]
 */
export async function serve(route) {
  /** What was asked for, and how it was answered. @type {{ path: string, status: number }[]} */
  const requests = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const answer = (await route?.(url)) ?? (await fileAnswer(url));
    const since = request.headers["if-modified-since"];
    const status = since !== undefined && since === answer.headers?.["last-modified"] ? 304 : answer.status ?? 200;
    requests.push({ path: url.pathname, status });
    response.writeHead(status, { "cache-control": "no-cache", ...answer.headers });
    response.end(status === 304 ? "" : answer.body ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  // A test that fails before it closes this server must not keep the process alive.
  server.unref();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the test server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** @param {URL} url @returns {Promise<Answer>} */
async function fileAnswer(url) {
  const name = decodeURIComponent(url.pathname);
  if (name === "/blank") return { headers: { "content-type": TYPES[".html"] }, body: BLANK };
  if (name === "/blank.js") return { headers: { "content-type": TYPES[".js"] }, body: BLANK_SCRIPT };
  const [, first] = name.split("/");
  const folders = { pkg: ".", models: ".", node_modules: ".", fixtures: "tests" };
  const folder = first in folders ? folders[/** @type {keyof typeof folders} */ (first)] : "www";
  const file = path.join(ROOT, folder, name.endsWith("/") ? `${name}index.html` : name);
  if (!file.startsWith(ROOT)) return { status: 400 };
  try {
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    const modified = (await stat(file)).mtime.toUTCString();
    return { headers: { "content-type": type, "last-modified": modified }, body: await readFile(file) };
  } catch {
    return { status: 404, headers: { "content-type": "text/plain" }, body: `404: ${name}\n` };
  }
}

const QUIET = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
/** WebGPU in software: slow, exact, and on every machine. */
const SOFTWARE_GPU = [
  "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan",
];

/**
 * @typedef {{ gpu?: boolean, args?: string[] }} LaunchOptions gpu: WebGPU on the software adapter
 * @param {LaunchOptions} options
 */
function chromiumOptions({ gpu = false, args = [] }) {
  const executablePath = process.env.CHROME;
  if (!executablePath) throw new Error("CHROME must name a Chromium; `cargo xtask test` finds one");
  const graphics = gpu ? SOFTWARE_GPU : ["--disable-gpu"];
  return { executablePath, headless: true, args: [...QUIET, ...graphics, ...args] };
}

/** @param {LaunchOptions} [options] */
export async function launch(options = {}) {
  return chromium.launch(chromiumOptions(options));
}

/**
 * One Chromium that keeps its caches in a folder, as a reader's does.
 * @param {string} folder
 */
export async function launchWithProfile(folder) {
  return chromium.launchPersistentContext(folder, chromiumOptions({}));
}

/**
 * A server and a browser for all tests of the calling file, there when the first test begins.
 * @param {Route} [route]
 */
export function setUp(route) {
  const site = {
    origin: "",
    /** @type {import("playwright-core").Browser} */
    browser: /** @type {never} */ (null),
  };
  /** @type {Awaited<ReturnType<typeof serve>> | undefined} */
  let server;
  before(async () => {
    server = await serve(route);
    site.origin = server.origin;
    site.browser = await launch();
  });
  after(async () => {
    await site.browser?.close();
    await server?.close();
  });
  return site;
}

/**
 * Opens a page in a context of its own, runs the test on it, and fails if the page reported an
 * error that the test doesn't expect.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {(page: import("playwright-core").Page) => Promise<void>} test
 * @param {object} [options]
 * @param {RegExp[]} [options.expected] console messages that belong to the test
 * @param {string} [options.init] a script that runs before the page's own
 * @param {import("playwright-core").BrowserContextOptions} [options.context]
 */
export async function withPage(browser, url, test, { expected = [], init, context: settings } = {}) {
  const context = await browser.newContext(settings);
  try {
    const page = await context.newPage();
    /** @type {string[]} */
    const errors = [];
    const note = (/** @type {string} */ text) => {
      if (!expected.some((pattern) => pattern.test(text))) errors.push(text);
    };
    page.on("pageerror", (error) => note(`page error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") note(`console: ${message.text()} (${message.location().url})`);
    });
    if (init) await page.addInitScript(init);
    await page.goto(url);
    await test(page);
    if (errors.length > 0) throw new Error(`the page reported:\n  ${errors.join("\n  ")}`);
  } finally {
    await context.close();
  }
}

/**
 * The processor time of each task of the page's main thread meanwhile, in ms. Unlike the time on the clock, it
 * doesn't count what other programs do on a busy machine.
 * @param {import("playwright-core").Browser} browser @param {import("playwright-core").Page} page @param {() => Promise<unknown>} work
 */
export async function tasks(browser, page, work) {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await work();
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, tdur?: number, args: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = traceEvents.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((e) => `${e.pid} ${e.tid}`);
  // The task in which the tracing itself begins or ends has no time.
  return traceEvents.filter((e) => e.name === "RunTask" && mains.includes(`${e.pid} ${e.tid}`)).flatMap((e) => (e.tdur === undefined ? [] : [e.tdur / 1000]));
}

/**
 * A picture in target/screenshots, for people to look at.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function screenshot(page, name) {
  const folder = path.join(ROOT, "target/screenshots");
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

/**
 * A fixture's JSON.
 * @param {string} name
 */
export async function fixture(name) {
  return JSON.parse(await readFile(path.join(ROOT, "tests/fixtures", name), "utf8"));
}

/**
 * Tests on a page with the table model loaded as `engine`.
 * @param {ReturnType<typeof setUp>} site
 */
export const tableTests = (site) =>
  /** @param {string} name @param {(page: import("playwright-core").Page) => Promise<void>} body */
  (name, body) =>
    test(name, { timeout: 60_000 }, () =>
      withPage(site.browser, `${site.origin}/blank`, async (page) => {
        await page.evaluate(async () => {
          globalThis.engine = await nextToken.load({ model: "table" });
        });
        await body(page);
      }));
