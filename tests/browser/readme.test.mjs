/** The README's code does what the README says. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { ROOT, setUp, withPage } from "./harness.mjs";

/** @import { Page } from "playwright-core" */

const site = setUp();
const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);

/**
 * Runs a module in the page and gives what it logged, argument by argument.
 * @param {Page} page
 * @param {string} code
 */
async function logged(page, code) {
  /** @type {unknown[][]} */
  const lines = [];
  const pending = /** @type {Promise<unknown>[]} */ ([]);
  page.on("console", (message) => {
    if (message.type() === "log") pending.push(Promise.all(message.args().map((arg) => arg.jsonValue())).then((line) => lines.push(line)));
  });
  const done = page.waitForEvent("console", { predicate: (message) => message.text() === "the end", timeout: 120_000 });
  await page.addScriptTag({ type: "module", content: `${code}\nconsole.log("the end");` });
  await done;
  await Promise.all(pending);
  return lines.slice(0, -1);
}

test("the first example writes what the README says", async () => {
  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const lines = await logged(page, blocks[0]);
    const [end] = lines.splice(-1);
    assert.ok(lines.length > 1 && lines.length <= 5);
    const said = /run\.finish\); \/\/ (".*"), (".*")\n/.exec(blocks[0]);
    assert.ok(said);
    assert.deepEqual(end, [JSON.parse(said[1]), JSON.parse(said[2])]);
    // The token that ends a run is no text of it.
    const tokens = end[1] === "eos" ? lines.slice(0, -1) : lines;
    assert.equal(tokens.map(([text]) => text).join(""), end[0]);
    for (const [, p] of lines) assert.ok(typeof p === "number" && p > 0 && p < 1);
  });
});

test("the second example goes stage by stage", async () => {
  await withPage(site.browser, `${site.origin}/blank`, async (page) => {
    const before = `import { load } from "/pkg/next-token.js";
      const engine = await load({ model: "table" });
      const run = await engine.start({ prompt: "The capital of France is", seed: 7 });
      await run.prefill();`;
    const after = "console.log(candidates.length, tail.count, id, lo <= coin && coin < hi, stop, step.choice.id);";
    const [[candidates, count, id, lands, stop, chosen]] = await logged(page, [before, blocks[1], after].join("\n"));
    assert.equal(Number(candidates) + Number(count), await page.evaluate(async () => {
      const engine = await globalThis.nextToken.load({ model: "table" });
      return engine.info.vocabulary;
    }));
    assert.deepEqual([lands, stop, chosen], [true, null, id]);
  });
});
