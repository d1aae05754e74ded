// Files that aren't models, servers that fail, storage that throws, policies that forbid: each
// gives a typed error or works without, and the page goes on.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { value, writeGguf } from "./gguf.mjs";
import { ROOT, launch, serve, withPage } from "./harness.mjs";

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1
oid sha256:b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
size 98362432
`;
const MODEL = "/models/SmolLM2-135M-Instruct.Q4_1.gguf";

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
/** What the server answers for the published model; null: the real file. @type {import("./harness.mjs").Answer | null} */
let modelAnswer = null;
let modelRequests = 0;
/** A policy that every answer carries. @type {string | null} */
let policy = null;

before(async () => {
  site = await serve(async (url) => {
    if (url.pathname === MODEL) modelRequests += 1;
    if (url.pathname === MODEL && modelAnswer) return modelAnswer;
    if (url.pathname === "/empty.gguf") return { body: "" };
    if (url.pathname === "/broken.gguf") return { status: 500, body: "no" };
    if (url.pathname.startsWith("/worker-")) {
      // A worker whose browser lacks something: that is taken away before its script runs.
      const lack = url.pathname.slice("/worker-".length);
      const type = { "content-type": "text/javascript" };
      if (lack.startsWith("lack-")) return { headers: type, body: LACKS[lack.slice(5)] };
      return { headers: type, body: `import "/worker-lack-${lack}";\nimport "/pkg/worker.js";\n` };
    }
    if (policy && /^\/(policy|pkg\/worker\.js)$/.test(url.pathname)) {
      const script = url.pathname === "/policy" ? null : await readFile(path.join(ROOT, "pkg/worker.js"));
      const type = script ? "text/javascript" : "text/html";
      const page = '<!doctype html><title>policy</title><link rel="icon" href="data:,"><script type="module" src="/blank.js"></script>';
      return { headers: { "content-type": type, "content-security-policy": policy }, body: script ?? page };
    }
    return null;
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** @type {Record<string, string>} */
const LACKS = {
  gpu: 'Object.defineProperty(navigator, "gpu", { value: undefined });',
  storage: 'caches.open = () => Promise.reject(new DOMException("denied", "SecurityError"));',
  caches: 'Object.defineProperty(globalThis, "caches", { get() { throw new DOMException("denied", "SecurityError"); } });',
  none: "delete globalThis.caches; delete CacheStorage.prototype.open;",
};

/** @type {RegExp[]} */
const FAILED_LOADS = [/the server responded with a status of/];

/**
 * @param {string} name
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 * @param {{ url?: string, expected?: RegExp[] }} [options]
 */
const onPage = (name, body, { url = `/blank`, expected = [] } = {}) =>
  test(name, { timeout: 120_000 }, () => withPage(browser, site.origin + url, body, { expected: [...FAILED_LOADS, ...expected] }));

/**
 * Loads each file given as bytes, and gives the errors; then checks that the page still works.
 * @param {import("playwright-core").Page} page
 * @param {Uint8Array[]} files
 */
async function loadBytes(page, files) {
  const { errors, works } = await page.evaluate(async (encoded) => {
    const errors = [];
    for (const text of encoded) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const { code, message, hint } = await attempt(nextToken.load({ model: { gguf: bytes }, backend: "cpu" }).then((loaded) => loaded.info.model));
      errors.push({ code, message, hint });
    }
    const table = await nextToken.load({ model: "table" });
    return { errors, works: table.info.architecture };
  }, files.map((file) => Buffer.from(file).toString("base64")));
  assert.equal(works, "table");
  for (const { hint } of errors.filter(({ code }) => code)) assert.ok(hint, "an error without a hint");
  return errors;
}

onPage("text, a Git LFS pointer, HTML and nothing are not models", async (page) => {
  const encoder = new TextEncoder();
  const files = ["just text, no model", LFS_POINTER, "<!doctype html><title>404</title>", "", "GGUF"];
  const errors = await loadBytes(page, files.map((text) => encoder.encode(text)));
  for (const [index, { code, message }] of errors.entries()) {
    assert.equal(code, "bad-weights", `${JSON.stringify(files[index].slice(0, 20))}: ${message}`);
  }
  assert.match(`${errors[1].message} ${errors[1].hint}`, /LFS/);
});

onPage("a GGUF file that is cut at any place is refused", async (page) => {
  const whole = await readFile(path.join(ROOT, "tests/fixtures/tiny-q4.gguf"));
  const places = [4, 12, 24, 100, 1_000, 5_000, 10_000, 30_000, 60_000, whole.length - 1];
  const errors = await loadBytes(page, [...places.map((place) => whole.subarray(0, place)), whole]);
  for (const [index, place] of places.entries()) {
    const { code, message } = errors[index];
    assert.ok(code === "bad-weights" || code === "bad-tokenizer", `cut at ${place}: ${code} ${message}`);
  }
  assert.equal(errors[places.length].code, undefined, `the whole file: ${errors[places.length].message}`);
});

onPage("an unknown architecture, and unknown tensor types, are named", async (page) => {
  const whole = await readFile(path.join(ROOT, "tests/fixtures/tiny-q4.gguf"));
  const other = writeGguf({ metadata: { "general.architecture": value.string("mamba") }, tensors: [] });
  // The type of a tensor follows its name, the count of its dimensions and the dimensions.
  const strange = Buffer.from(whole);
  const name = strange.indexOf("blk.0.attn_q.weight");
  assert.ok(name > 0);
  const type = name + "blk.0.attn_q.weight".length + 4 + 2 * 8;
  assert.equal(strange.readUInt32LE(type), 3, "Q4_1 was expected here");
  strange.writeUInt32LE(99, type);
  const [architecture, tensor] = await loadBytes(page, [other, strange]);
  assert.equal(architecture.code, "bad-weights");
  assert.match(String(architecture.message), /mamba/);
  assert.equal(tensor.code, "bad-weights");
  assert.match(String(tensor.message), /blk\.0\.attn_q\.weight/);
  assert.match(String(tensor.message), /99/);
});

onPage("addresses that don't answer with a file", async (page) => {
  const errors = await page.evaluate(async () => {
    const out = [];
    for (const gguf of ["/nothing.gguf", "/empty.gguf", "/broken.gguf", "http://127.0.0.1:1/x.gguf", new URL("/blank", location.href)]) {
      out.push(await attempt(nextToken.load({ model: { gguf }, backend: "cpu" }).then(() => null)));
    }
    return out;
  });
  assert.deepEqual(errors.map(({ code }) => code), [...Array(4).fill("download-failed"), "bad-weights"]);
  assert.match(String(errors[0].message), /404/);
  assert.match(String(errors[0].message), /\/nothing\.gguf/);
  assert.match(String(errors[1].message), /empty/);
  assert.match(String(errors[2].message), /500/);
}, { expected: [/ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED/] });

onPage("the caller's bytes stay the caller's", async (page) => {
  const [before, after, name] = await page.evaluate(async () => {
    const buffer = await (await fetch("/fixtures/tiny-q4.gguf")).arrayBuffer();
    // A view into the middle of a larger buffer: the rest of it is not the model's business.
    const larger = new Uint8Array(buffer.byteLength + 20);
    larger.set(new Uint8Array(buffer), 10);
    const view = larger.subarray(10, 10 + buffer.byteLength);
    const own = await nextToken.load({ model: { gguf: view }, backend: "cpu" });
    return [buffer.byteLength, view.byteLength, own.info.architecture];
  });
  assert.deepEqual([before, name], [after, "llama"]);
});

onPage("another file in place of the published model", async (page) => {
  const wrong = Buffer.alloc(98_362_432);
  const answers = [{ body: LFS_POINTER }, { body: wrong }, { status: 404, body: "no" }];
  const codes = [];
  for (const answer of answers) {
    modelAnswer = answer;
    codes.push(await page.evaluate(() => attempt(nextToken.load({ model: "smollm2", backend: "cpu" }).then(() => null))));
  }
  modelAnswer = null;
  assert.deepEqual(codes.map(({ code }) => code), ["integrity", "integrity", "download-failed"]);
  assert.match(String(codes[0].message), /98362432/);
  assert.match(String(codes[1].message), /sha256/);
});

/**
 * Loads the published model in the page and gives its notes and whether it came from the store.
 * @param {import("playwright-core").Page} page
 * @param {string} [workerUrl]
 */
const loadPublished = (page, workerUrl) =>
  page.evaluate(async (workerUrl) => {
    /** @type {string[]} */
    const notes = [];
    let cached = false;
    const own = await nextToken.load({
      model: "smollm2",
      backend: "cpu",
      workerUrl,
      onProgress: (progress) => {
        if (progress.note) notes.push(progress.note);
        cached ||= progress.cached;
      },
    });
    const pieces = await own.encode("Hello");
    const reason = own.info.reason;
    own.free();
    return { notes, cached, reason, pieces: pieces.length };
  }, workerUrl);

onPage("the model is stored, read from the store, and fetched again when the store is damaged", async (page) => {
  const first = await loadPublished(page);
  assert.deepEqual([first.cached, first.notes], [false, []]);
  const requests = modelRequests;
  const second = await loadPublished(page);
  assert.deepEqual([second.cached, modelRequests], [true, requests]);
  await page.evaluate(async () => {
    const [name] = await caches.keys();
    const cache = await caches.open(name);
    const [key] = await cache.keys();
    await cache.put(key, new Response(new Uint8Array(98_362_432)));
  });
  const third = await loadPublished(page);
  assert.deepEqual([third.notes, third.pieces, modelRequests], [[], first.pieces, requests + 1]);
});

for (const lack of ["storage", "caches", "none"]) {
  onPage(`storage that fails (${lack}): the model runs from memory, and a note says so`, async (page) => {
    const { notes, pieces } = await loadPublished(page, `/worker-${lack}`);
    assert.equal(pieces, 1);
    assert.equal(notes.length, 1);
    assert.match(notes[0], /next visit downloads/);
  });
}

onPage("storage that is full: the model runs from memory, and a note says so", async (page) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: site.origin, quotaSize: 1_000_000 });
  const { notes, pieces } = await loadPublished(page);
  assert.equal(pieces, 1);
  assert.match(notes.join(), /full.*downloads it again/);
});

onPage("no WebGPU: auto takes the CPU and says why, webgpu is an error", async (page) => {
  const seen = await page.evaluate(async () => {
    const out = [];
    for (const workerUrl of [undefined, "/worker-gpu"]) {
      const own = await nextToken.load({ model: { gguf: "/fixtures/tiny-q4.gguf" }, workerUrl });
      const forced = await attempt(nextToken.load({ model: { gguf: "/fixtures/tiny-q4.gguf" }, backend: "webgpu", workerUrl }).then(() => null));
      out.push({ info: own.info, forced });
    }
    return out;
  });
  for (const { info, forced } of seen) {
    assert.equal(info.backend, "cpu");
    assert.match(info.reason, /WebGPU|adapter|graphics/i);
    assert.equal(forced.code, "no-webgpu");
    assert.ok(forced.hint);
  }
});

test("plain http on another host: no store, no checksum, and it works", { timeout: 120_000 }, async () => {
  const { port } = new URL(site.origin);
  const own = await launch({ args: ["--host-resolver-rules=MAP plain.test 127.0.0.1"] });
  try {
    await withPage(own, `http://plain.test:${port}/blank`, async (page) => {
      assert.equal(await page.evaluate(() => isSecureContext), false);
      const { notes, pieces } = await loadPublished(page);
      assert.equal(pieces, 1);
      assert.match(notes.join(), /checksum can't be verified/);
      assert.match(notes.join(), /next visit downloads/);
    });
  } finally {
    await own.close();
  }
});

for (const [name, rules] of [
  ["WebAssembly", "script-src 'self'"],
  ["workers", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'"],
]) {
  test(`a policy that forbids ${name} is named`, { timeout: 60_000 }, async () => {
    policy = rules;
    try {
      await withPage(browser, `${site.origin}/policy`, async (page) => {
        const tried = await page.evaluate(() => attempt(nextToken.load({ model: "table" }).then(() => null)));
        assert.equal(tried.code, "csp", JSON.stringify(tried));
        assert.match(String(tried.hint), /wasm-unsafe-eval/);
      }, { expected: [/Content Security Policy/] });
    } finally {
      policy = null;
    }
  });
}

onPage("a worker script that isn't there", async (page) => {
  const tried = await page.evaluate(() => attempt(nextToken.load({ model: "table", workerUrl: "/nowhere.js" }).then(() => null)));
  assert.equal(tried.code, "download-failed");
  assert.match(String(tried.message), /nowhere\.js/);
});
