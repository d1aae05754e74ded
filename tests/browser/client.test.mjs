// What the page's side does when the engine misbehaves. The engine here is a stand-in that
// traps on request, which the real one doesn't.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, serve, withPage } from "./harness.mjs";

/** Chooses WebGPU unless told otherwise, and traps at the place that the file names. */
const STAND_IN = `
const trap = () => { throw new WebAssembly.RuntimeError("unreachable"); };
/** As in the real engine, a trap in an asynchronous call leaves its promise pending for ever. */
const trapLater = () => { queueMicrotask(trap); return new Promise(() => {}); };
let backend = "cpu";
let place = "";
export default async function init() { return { memory: new WebAssembly.Memory({ initial: 1 }) }; }
export async function open_device(asked) {
  backend = asked === "cpu" ? "cpu" : "webgpu";
  return { backend, adapter: "stand-in", reason: "stand-in" };
}
export class GgufLoader {
  static parse(prefix) { place = new TextDecoder().decode(prefix); return new GgufLoader(); }
  tensors() { return []; }
  async finish() { return place === "gpu" && backend === "webgpu" ? trapLater() : new Core(); }
}
class Core {
  info() { return { backend, adapter: null, reason: "asked for" }; }
  encode() { return place === "encode" ? trap() : []; }
  start() { return new RunCore(); }
  free() {}
}
class RunCore {
  async prefill_chunk() { return place === "prefill" ? trapLater() : { done: 1, total: 1, prefill: {} }; }
  async step() { return place === "step" ? trapLater() : {}; }
  state() { return { stage: "prompt", tokens: [], text: "", finish: null }; }
  cancel() {}
  interrupt() {}
  free() {}
}
`;

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;

before(async () => {
  site = await serve(async (url) => {
    const headers = { "content-type": "text/javascript", "access-control-allow-origin": "*" };
    if (url.pathname === "/pkg/engine.js") return { headers, body: STAND_IN };
    return url.pathname === "/pkg/engine_bg.wasm" ? { headers, body: "-" } : null;
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * @param {string} name
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 */
const onPage = (name, body) => test(name, { timeout: 30_000 }, () => withPage(browser, `${site.origin}/blank`, body));

onPage("a trap settles what is pending, on every run, and ends the engine", async (page) => {
  const codes = await page.evaluate(async () => {
    const out = [];
    for (const place of ["encode", "prefill", "step"]) {
      const own = await nextToken.load({ model: { gguf: new Blob([place]) } });
      const one = await own.start({ prompt: "x" });
      const two = await own.start({ prompt: "x" });
      const calls = place === "encode" ? [own.encode("x"), two.step()] : [place === "step" ? one.step() : one.prefill(), two.step()];
      const pending = calls.map((call) => attempt(/** @type {Promise<unknown>} */ (call)));
      const settled = await Promise.all(pending);
      const later = [await attempt(one.step()), await attempt(own.encode("x")), await attempt(own.start({ prompt: "x" }))];
      out.push([...settled, ...later].map(({ code }) => code));
    }
    const next = await nextToken.load({ model: { gguf: new Blob(["fine"]) } });
    return { out, next: next.info.backend };
  });
  for (const list of codes.out) assert.deepEqual(list, Array(5).fill("panicked"));
  assert.equal(codes.next, "webgpu");
});

onPage("a trap on the GPU while loading: auto starts over on the CPU, webgpu says it failed", async (page) => {
  const seen = await page.evaluate(async () => {
    const auto = await nextToken.load({ model: { gguf: new Blob(["gpu"]) } });
    const forced = await attempt(nextToken.load({ model: { gguf: new Blob(["gpu"]) }, backend: "webgpu" }).then(() => null));
    return { info: auto.info, forced: forced.code };
  });
  assert.equal(seen.info.backend, "cpu");
  assert.match(seen.info.reason, /WebGPU failed here .*unreachable/);
  assert.equal(seen.forced, "panicked");
});

onPage("a callback of the caller's that throws harms nothing but itself", async (page) => {
  const seen = await page.evaluate(async () => {
    /** @type {string[]} */
    const reported = [];
    addEventListener("error", (event) => {
      event.preventDefault();
      reported.push(event.message);
    });
    const own = await nextToken.load({ model: { gguf: new Blob(["fine"]) }, onProgress: () => { throw new Error("mine"); } });
    return { reported, backend: own.info.backend };
  });
  assert.equal(seen.backend, "webgpu");
  assert.ok(seen.reported.length > 0 && seen.reported.every((message) => message.includes("mine")));
});

test("the module from another origin starts its worker all the same", { timeout: 30_000 }, async () => {
  const cors = await serve(async (url) => {
    if (!url.pathname.startsWith("/pkg/")) return null;
    const response = await fetch(site.origin + url.pathname);
    const headers = { "content-type": response.headers.get("content-type") ?? "", "access-control-allow-origin": "*" };
    return { headers, body: new Uint8Array(await response.arrayBuffer()) };
  });
  try {
    await withPage(browser, `${site.origin}/blank`, async (page) => {
      const backend = await page.evaluate(async (from) => {
        /** @type {typeof nextToken} */
        const other = await import(`${from}/pkg/next-token.js`);
        return (await other.load({ model: { gguf: new Blob(["fine"]) } })).info.backend;
      }, cors.origin);
      assert.equal(backend, "webgpu");
    });
  } finally {
    await cors.close();
  }
});

test("the module can be imported where there is no browser", async () => {
  // As a static site builder does.
  const { load } = await import(new URL("../../www/api/next-token.js", import.meta.url).href);
  await assert.rejects(load({ model: "table" }), { code: "unsupported" });
});
