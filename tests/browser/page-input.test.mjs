// What people type wrongly, models that can't be had, elements that come and go.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, serve } from "./harness.mjs";
import { drawn, onPage, pages, press, run, setting, settled, shown, status } from "./page.mjs";

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
/** While set, the model's download waits. @type {Promise<void> | null} */
let hold = null;
before(async () => {
  site = await serve(async (url) => {
    if (hold && url.pathname.startsWith("/models/")) await hold;
    return pages(url);
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

test("what isn't a number is refused in words at the field; the former value stays", async () => {
  await onPage(browser, `${site.origin}/with?model=table&temperature=0.8`, async (page) => {
    await status(page, "ready");
    for (const bad of ["", "abc", "NaN", "-1", "Infinity", "1e999"]) {
      await setting(page, "temperature", bad);
      const field = page.locator('[data-setting="temperature"]');
      assert.equal(await field.inputValue(), "0.8", `after “${bad}”`);
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      const described = await field.getAttribute("aria-describedby");
      assert.match(await page.locator(`[id="${described}"]`).innerText(), /Temperature takes a number.*It stays 0\.8/, `after “${bad}”`);
      assert.equal(await page.evaluate(() => document.querySelector("next-token")?.temperature), 0.8);
    }
    for (const [name, bad] of /** @type {[string, string][]} */ ([["topP", "-0.1"], ["topP", "1.1"], ["topK", "2.5"], ["minP", "2"], ["repetitionPenalty", "0"], ["seed", "-1"], ["seed", "1.5"], ["maxTokens", "0"]])) {
      const before = await page.locator(`[data-setting="${name}"]`).inputValue();
      await setting(page, name, bad);
      assert.equal(await page.locator(`[data-setting="${name}"]`).inputValue(), before, `${name} ${bad}`);
      assert.notEqual(await page.locator(`[data-setting="${name}"]`).getAttribute("aria-invalid"), null, `${name} ${bad}`);
    }
    await setting(page, "topK", "5000000000");
    assert.match((await shown(page)).errors.join(), /5000000000 is out of range.*from 0 to 1,000,000,000/);
    await run(page, "Paris");
    assert.deepEqual((await shown(page)).errors, [], "a new run ends all refusals");
    await setting(page, "temperature", "abc");
    await setting(page, "topP", "2");
    await setting(page, "temperature", "1e-40");
    assert.deepEqual((await shown(page)).errors, [], "so does any good value");
    assert.equal(await page.locator('[data-setting="temperature"]').getAttribute("aria-invalid"), null, "a good value clears the refusal");
    assert.equal(await page.evaluate(() => document.querySelector("next-token")?.temperature), 1e-40);
  });
});

test("attributes are read with the same rules; a bad one is passed over", async () => {
  await onPage(browser, `${site.origin}/with?model=table&temperature=hot&top-p=0.5&seed=-3&max-tokens=9&backend=quantum&theme=neon`, async (page) => {
    await status(page, "ready");
    const read = await page.evaluate(() => {
      const e = document.querySelector("next-token");
      return e && { temperature: e.temperature, topP: e.topP, seed: e.seed, maxTokens: e.maxTokens, backend: e.backend, theme: e.theme };
    });
    assert.deepEqual(read, { temperature: 0, topP: 0.5, seed: 0, maxTokens: 9, backend: "auto", theme: "auto" });
  });
});

test("an empty prompt: an error at the field, and the next prompt runs", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "");
    assert.match((await shown(page)).errors.join(), /prompt is empty/);
    assert.equal(await page.locator("nt-prompt textarea").getAttribute("aria-invalid"), "true");
    await run(page, "Paris");
    await press(page, "token");
    const view = await shown(page);
    assert.deepEqual(view.errors, []);
    assert.equal(view.chips.at(-1)?.label, ".");
  });
});

test("a prompt longer than the context: both numbers are named, nothing is cut, the page goes on", async () => {
  await onPage(browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    const long = "one two three ".repeat(900);
    await run(page, long);
    const view = await shown(page);
    assert.match(view.errors.join(), /270\d.*2048|2048.*270\d/);
    assert.equal(await page.locator("nt-prompt textarea").inputValue(), long, "what was typed is still there");
    await run(page, "The capital of France is");
    await press(page, "token");
    assert.equal((await shown(page)).chips.at(-1)?.id, 7042);
  });
});

test("a file that is no model is refused before anything is given up; a broken one leaves a way back", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "Paris");
    await page.locator("nt-prompt textarea").fill("my own words");
    await page.getByRole("button", { name: "Change model" }).click();
    await page.locator("nt-model select").first().selectOption("file");
    const file = page.locator("nt-model input[type=file]");
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:b179\nsize 98362432\n";
    for (const [text, why] of /** @type {[string, RegExp][]} */ ([[pointer, /Git LFS pointer/], ["plain text", /no GGUF file/], ["", /no GGUF file/]])) {
      await file.setInputFiles({ name: "pointer.gguf", mimeType: "application/octet-stream", buffer: Buffer.from(text) });
      await page.locator("nt-model .panel .error:not(:empty)").waitFor();
      assert.match((await shown(page)).errors.join(), why);
      await page.locator("nt-model button[type=submit]").click({ force: true });
      assert.equal((await shown(page)).stage, "tokenize", "model and run are still there");
      assert.equal(await page.evaluate(() => document.querySelector("next-token")?.status), "paused");
    }
    await file.setInputFiles({ name: "broken.gguf", mimeType: "application/octet-stream", buffer: Buffer.from("GGUF and then nothing of the kind") });
    await page.locator("nt-model .what", { hasText: "broken.gguf" }).waitFor();
    await page.locator("nt-model button[type=submit]").click();
    await status(page, "error");
    const fault = page.locator("nt-loading .fault");
    assert.ok((await fault.locator(".message").innerText()).length > 10);
    assert.ok((await fault.locator(".hint").innerText()).length > 10);
    assert.ok(await page.getByRole("button", { name: "Retry" }).isVisible());
    await page.getByRole("button", { name: "Back to the lesson’s table" }).click();
    await status(page, "ready");
    assert.equal(await page.locator("nt-prompt textarea").inputValue(), "my own words");
    await run(page, "Paris");
    await press(page, "token");
    assert.equal((await shown(page)).chips.at(-1)?.label, ".");
    await page.getByRole("button", { name: "Change model" }).click();
    assert.equal(await page.locator("nt-model select").first().inputValue(), "table", "what runs is preselected");
  });
});

test("loading can be cancelled; started again, it loads", async () => {
  /** @type {() => void} */
  let go = () => {};
  hold = new Promise((resolve) => (go = resolve));
  await onPage(browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "loading");
    await page.getByRole("button", { name: "Cancel" }).click();
    await status(page, "idle");
    assert.deepEqual((await shown(page)).errors, [], "a cancelled load is no error");
    go();
    hold = null;
    await page.getByRole("button", { name: "Run it live (98 MB)" }).click();
    await status(page, "ready");
    await run(page, "The capital of France is");
    await press(page, "token");
    assert.equal((await shown(page)).chips.at(-1)?.id, 7042);
  });
});

test("two elements: one is moved, taken out and put back while the other goes on", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    await page.evaluate(() => {
      const second = document.createElement("next-token");
      second.id = "second";
      second.setAttribute("model", "table");
      second.setAttribute("autoload", "");
      document.querySelector("main")?.append(second);
    });
    // Nothing is loaded before it can be seen.
    assert.equal(await page.evaluate(() => /** @type {import("../../www/index.js").NextToken | null} */ (document.querySelector("#second"))?.status), "idle");
    await page.locator("#second").scrollIntoViewIfNeeded();
    const ready = () => page.waitForFunction(() => /** @type {import("../../www/index.js").NextToken | null} */ (document.querySelector("#second"))?.status === "ready");
    await ready();
    await page.locator('#second [data-do="token"]').click();
    const moved = await page.evaluate(async () => {
      const second = /** @type {import("../../www/index.js").NextToken} */ (document.querySelector("#second"));
      const main = document.querySelector("main");
      const { engine } = second;
      // Moved within one task: nothing is given up.
      main?.prepend(second);
      await new Promise((done) => setTimeout(done, 50));
      const kept = second.engine === engine && engine !== null;
      // Taken out for good, with a call on its way: engine and run are freed.
      second.player.token();
      second.remove();
      await new Promise((done) => setTimeout(done, 200));
      const freed = second.engine === null && second.run === null;
      main?.append(second);
      return { kept, freed };
    });
    assert.deepEqual(moved, { kept: true, freed: true });
    await page.locator("#second").scrollIntoViewIfNeeded();
    await ready();
    await page.locator('#second [data-do="token"]').click();
    await page.waitForFunction(() => /** @type {import("../../www/index.js").NextToken | null} */ (document.querySelector("#second"))?.steps.length === 1);
    await page.locator('next-token:not(#second) [data-do="token"]').click();
    await page.waitForFunction(() => document.querySelector("next-token")?.steps.length === 1);
    assert.equal(await page.evaluate(() => document.querySelector("next-token")?.run?.text), " Paris");
  });
});

test("properties set before the element is defined are taken up; defining twice is harmless", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    const read = await page.evaluate(async () => {
      const frame = document.createElement("iframe");
      frame.srcdoc = "<!doctype html><body></body>";
      document.body.append(frame);
      await new Promise((done) => (frame.onload = done));
      const inner = frame.contentDocument;
      if (!inner) throw new Error("no document");
      const element = inner.createElement("next-token");
      Object.assign(element, { temperature: 0.6, seed: 11, prompt: "Paris" });
      inner.body.append(element);
      for (const query of ["", "?again"]) {
        const script = inner.createElement("script");
        script.type = "module";
        script.src = `/define.js${query}`;
        inner.body.append(script);
        await new Promise((done) => (script.onload = done));
      }
      return { temperature: element.temperature, seed: element.seed, prompt: element.prompt };
    });
    assert.deepEqual(read, { temperature: 0.6, seed: 11, prompt: "Paris" });
  });
});

test("events bubble out of the element with their fields", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await page.evaluate(() => {
      /** @type {unknown[]} */
      const seen = [];
      Object.assign(globalThis, { seen });
      document.addEventListener("nt-step", (e) => seen.push(["step", "step" in e && /** @type {{ choice: { text: string } }} */ (e.step).choice.text]));
      document.addEventListener("nt-done", (e) => seen.push(["done", "reason" in e && e.reason]));
    });
    await run(page, "The capital of France is");
    for (let i = 0; i < 3; i++) await press(page, "token");
    await settled(page);
    await drawn(page);
    assert.deepEqual(await page.evaluate(() => /** @type {{ seen: unknown[] }} */ (/** @type {unknown} */ (globalThis)).seen), [["step", "Paris"], ["step", "."], ["step", "<END>"], ["done", "eos"]]);
  });
});

test("keys are left to fields and to the host; only those we handle are kept", async () => {
  await onPage(browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await page.evaluate(() => {
      /** @type {string[]} */
      const host = [];
      Object.assign(globalThis, { host });
      document.addEventListener("keydown", (e) => host.push(e.key));
    });
    await page.locator("nt-prompt textarea").fill("is");
    await page.locator("nt-prompt textarea").press("ArrowRight");
    assert.equal((await shown(page)).stage, null, "an arrow in a field is the field's");
    await page.locator('[data-do="step"]').focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    await page.keyboard.press("x");
    assert.equal((await shown(page)).stage, "tokenize");
    assert.deepEqual(await page.evaluate(() => /** @type {{ host: string[] }} */ (/** @type {unknown} */ (globalThis)).host), ["ArrowRight", "x"], "the host hears the field's arrow and x, not ours");
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog").isVisible());
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("dialog").isVisible()));
  });
});
