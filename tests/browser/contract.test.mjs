// The records that really come have exactly the fields that next-token.d.ts promises.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { ROOT, launch, serve, withPage } from "./harness.mjs";

/**
 * The interfaces of a declaration file and their fields, inherited ones included.
 * @param {string} source
 */
function interfaces(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "");
  /** @type {Map<string, { required: string[], optional: string[] }>} */
  const found = new Map();
  for (const [, name, parent, body] of code.matchAll(/export interface (\w+)(?: extends (\w+))? \{\n([\s\S]*?)\n\}/g)) {
    const fields = [...body.matchAll(/^  (\w+)(\??): /gm)];
    const inherited = found.get(parent) ?? { required: [], optional: [] };
    found.set(name, {
      required: [...inherited.required, ...fields.filter(([, , mark]) => mark === "").map(([, field]) => field)],
      optional: [...inherited.optional, ...fields.filter(([, , mark]) => mark === "?").map(([, field]) => field)],
    });
  }
  return found;
}

test("records have the fields of the contract", { timeout: 120_000 }, async () => {
  const contract = interfaces(await readFile(path.join(ROOT, "www/api/next-token.d.ts"), "utf8"));
  const site = await serve();
  const browser = await launch();
  /** @type {[string, Record<string, unknown>][]} */
  let records = [];
  try {
    await withPage(browser, `${site.origin}/blank`, async (page) => {
      records = await page.evaluate(async () => {
        /** @type {unknown[]} */
        const progress = [];
        const own = await nextToken.load({ model: { gguf: "/fixtures/tiny-q4.gguf" }, backend: "cpu", onProgress: (part) => progress.push(part) });
        const run = await own.start({ prompt: "The cat", temperature: 1, top: 3, maxTokens: 4, stop: "zzz" });
        const prefill = await run.prefill();
        await run.forward();
        const distribution = await run.distribution();
        const choice = await run.sample();
        const step = await run.append();
        const last = [];
        for await (const next of run) last.push(next);
        const plain = (/** @type {object} */ record) => /** @type {Record<string, unknown>} */ ({ ...record });
        const { forward, logits, attention, kv } = await (async () => {
          const other = await own.start({ prompt: "The cat" });
          await other.prefill();
          await other.step();
          const forward = await other.forward();
          return { forward, logits: await other.logits(), attention: await other.attention({ layer: 1 }), kv: await other.kv({ layer: 1 }) };
        })();
        const draws = await run.draws(run.state.promptLength, { times: 20, temperature: 1 });
        const rendered = await own.render([{ role: "user", content: "Hi" }]);
        const stop = last.at(-1)?.stop;
        return /** @type {[string, Record<string, unknown>][]} */ ([
          ["Info", plain(own.info)], ...progress.map((part) => ["Progress", part]),
          ["Prefill", plain(prefill)], ["Piece", plain(prefill.pieces[0])], ["Forward", plain(forward)],
          ["Distribution", plain(distribution)], ["Candidate", plain(distribution.candidates[0])],
          ["Tail", plain(distribution.tail)], ["Settings", plain(distribution.settings)], ["Choice", plain(choice)],
          ["Step", plain(step)], ["Appended", plain(step.appended ?? {})], ["Stop", plain(stop ?? {})],
          ["RunState", plain(run.state)], ["Logits", plain(logits)], ["Attention", plain(attention)], ["Kv", plain(kv)],
          ["Draws", plain(draws)], ["Draw", plain(draws.draws[0])], ["Rendered", plain(rendered)],
        ]);
      });
    });
  } finally {
    await browser.close();
    await site.close();
  }
  assert.ok(records.length > 20, `${records.length} records`);
  for (const [name, record] of records) {
    const fields = contract.get(name);
    assert.ok(fields && fields.required.length > 0, `the contract has no ${name}`);
    assert.deepEqual(Object.keys(record).sort(), [...fields.required].sort(), `fields of ${name}`);
    assert.ok(!Object.values(record).includes(undefined), `${name} has a field that is undefined`);
  }
});
