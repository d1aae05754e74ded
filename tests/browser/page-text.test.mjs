// What is written and how: stop sequences held back, bytes that are no character yet, text that
// looks like HTML, the settings that were really used, stopping and going on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "./harness.mjs";
import { key, onPage, pages, press, run, setting, settled, shown, status, stops } from "./page.mjs";

const site = setUp(pages);

test("a stop sequence is drawn as held while it may come, and never as final", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    await stops(page, " Nova Haven was");
    await run(page, "Once upon a time");
    /** @type {string[]} */
    const held = [];
    for (let i = 0; i < 7; i++) {
      await press(page, "token");
      const { text } = await shown(page);
      assert.doesNotMatch(text.final, /Nova|Haven/, "no letter of the stop is ever final");
      if (text.held) held.push(text.held);
      if (text.held) assert.match(text.notes, /Held back/);
    }
    assert.deepEqual(held, [" Nova", " Nova Haven"]);
    const view = await shown(page);
    assert.equal(view.text.final, ", the city of");
    assert.equal(view.text.held, "");
    assert.match(view.finish ?? "", /stop.*“\u2068·Nova·Haven·was\u2069”.*7 tokens/);
    assert.match(view.text.naive ?? "", /,·the·city·of·Nova·Haven·was/, "what a server without hold-back shows is labelled as such");
    assert.match(view.log.at(-1) ?? "", /stop sequence/);
  });
});

test("escapes in the stop field: a newline is written \\n, and what isn't understood is refused", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    await stops(page, "\\nUser:");
    assert.match(await page.locator("nt-settings .stops").innerText(), /⏎User:/);
    await run(page, "User: What is 2+2?\nAssistant: 4\nUser: What is 3+5?\nAssistant:");
    for (let i = 0; i < 5; i++) await press(page, "token");
    const view = await shown(page);
    assert.equal(view.text.final, " 8");
    assert.match(view.finish ?? "", /^Finish reason: stop/);
    await stops(page, "\\q");
    assert.match((await shown(page)).errors.join(), /“\\q” is no escape/);
  });
});

test("an emoji of three tokens is bytes until it is whole; cut short, it is marked incomplete", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2&max-tokens=3`, async (page) => {
    await status(page, "ready");
    await run(page, "🙂🙂");
    assert.equal((await shown(page)).chips[0]?.label, "⟨F0 9F⟩");
    await press(page, "token");
    let view = await shown(page);
    assert.equal(view.text.pending, "⟨F0 9F⟩");
    assert.match(view.text.notes, /Incomplete/);
    await press(page, "token");
    assert.equal((await shown(page)).text.pending, "⟨F0 9F 94⟩");
    await press(page, "token");
    view = await shown(page);
    assert.equal(view.text.pending, "");
    assert.equal(view.text.final, "🔴");
    assert.match(view.finish ?? "", /length/);

    await setting(page, "maxTokens", "2");
    await run(page, "🙂🙂");
    await press(page, "token");
    await press(page, "token");
    view = await shown(page);
    assert.match(view.finish ?? "", /length/);
    assert.match(`${view.text.final}${view.text.pending}`, /^⟨F0 9F 94⟩$/);
    const everything = await page.evaluate(() => document.querySelector("next-token")?.shadowRoot?.textContent ?? "");
    assert.ok(!everything.includes("\ufffd"), "U+FFFD is nowhere passed off as text");
  });
});

test("text is text: neither a prompt nor a token becomes an element", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    const before = await page.title();
    const prompt = "<svg onload=\"document.title='x'\">";
    await run(page, prompt);
    // Spells <u>hi</u>; each is taken at its turn's distribution, as a click on its row would.
    for (const id of [44, 101, 46, 6004, 9617, 101, 46]) {
      while ((await shown(page)).stage !== "distribution") await press(page, "step");
      await page.evaluate((token) => document.querySelector("next-token")?.player.force(token), id);
      await settled(page);
    }
    const view = await shown(page);
    assert.equal(view.text.prompt, prompt);
    assert.equal(view.text.final, "<u>hi</u>");
    assert.equal(view.chips.map((c) => c.label).join("").replaceAll("·", " "), `${prompt}<u>hi</u>`);
    const found = await page.evaluate(() => document.querySelector("next-token")?.shadowRoot?.querySelectorAll("svg, u").length);
    assert.equal(found, 0, "no element was made");
    assert.equal(await page.title(), before);
  });
});

test("what the engine used is what was set, each of the six, and what is on show is from the record", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    for (const [name, value] of /** @type {[string, string][]} */ ([["temperature", "0.7"], ["topK", "40"], ["topP", "0.95"], ["seed", "7"], ["maxTokens", "12"]])) await setting(page, name, value);
    await stops(page, "zzzz");
    await run(page, "Once upon a time");
    await page.locator("nt-controls select").selectOption("full");
    await press(page, "play");
    await status(page, "done");
    const view = await shown(page);
    const used = await page.evaluate(async () => {
      const element = document.querySelector("next-token");
      const steps = element?.steps ?? [];
      // The same settings through the API alone must draw the same coins and tokens.
      const run = await element?.engine?.start({ prompt: "Once upon a time", temperature: 0.7, topK: 40, topP: 0.95, seed: 7, maxTokens: 12, stop: ["zzzz"] });
      await run?.prefill();
      const coins = [];
      const tokens = [];
      while (run && run.finish === null) {
        const step = await run.step();
        coins.push(step.choice.coin);
        tokens.push(step.choice.id);
      }
      run?.free();
      return { settings: steps[0]?.settings, coins, tokens, mine: steps.map((s) => s.choice.coin), ids: steps.map((s) => s.choice.id) };
    });
    assert.equal(used.settings?.temperature, 0.7);
    assert.equal(used.settings?.topK, 40);
    assert.equal(used.settings?.topP, 0.95);
    assert.match(view.caption, /temperature 0\.7, top-k 40, top-p 0\.95/);
    assert.deepEqual(used.mine, used.coins, "seed");
    assert.deepEqual(used.ids, used.tokens);
    assert.ok(used.ids.length <= 12);
    assert.match(view.finish ?? "", used.ids.length === 12 ? /length.*12/ : /eos/);
  });
});

test("Esc stops a playing run; Step goes on from there, with the same tokens as without the stop", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    await page.locator("nt-controls select").selectOption("full");
    await run(page, "Ray-Ban");
    await page.locator('[data-do="play"]').click();
    await page.waitForFunction(() => (document.querySelector("next-token")?.steps.length ?? 0) >= 4);
    await page.keyboard.press("Escape");
    await status(page, "done");
    let view = await shown(page);
    assert.match(view.finish ?? "", /cancelled \(stopped by you\)/);
    assert.match(view.log.join(" "), /Stopped by you/);
    const made = view.chips.filter((c) => c.generated).length;
    const before = await page.evaluate(() => document.querySelector("next-token")?.run?.state);
    await key(page, "Shift+ArrowRight");
    view = await shown(page);
    assert.equal(view.chips.filter((c) => c.generated).length, made + 1);
    assert.equal(view.finish, null);
    const after = await page.evaluate(() => document.querySelector("next-token")?.run?.state);
    assert.ok(before && after && after.passes - before.passes <= 1, "what was cached is used again");
    // The article's loop: greedy repeats itself.
    const cycle = [3231, 29, 51, 406, 14823, 29, 51, 406, 14823, 29, 51, 406];
    const ids = view.chips.filter((c) => c.generated).map((c) => c.id).slice(0, 12);
    assert.deepEqual(ids, cycle.slice(0, ids.length));
    // And a new run begins as on a fresh page.
    await press(page, "reset");
    await press(page, "token");
    assert.equal((await shown(page)).chips.at(-1)?.id, 3231);
  });
});

test("Space plays on and pauses; a pause computes nothing more", async () => {
  await onPage(site.browser, `${site.origin}/with?model=table`, async (page) => {
    await status(page, "ready");
    await run(page, "The capital of France is");
    await page.locator("nt-controls select").selectOption("stages");
    await page.locator('[data-do="play"]').click();
    await page.waitForFunction(() => document.querySelector("next-token")?.status === "playing");
    await page.locator("nt-model strong").click();
    await page.keyboard.press(" ");
    await settled(page);
    const { stage } = await shown(page);
    await page.waitForTimeout(1700);
    assert.equal((await shown(page)).stage, stage, "paused is paused");
    await page.keyboard.press(" ");
    await settled(page);
    assert.notEqual((await shown(page)).stage, stage, "Space steps when paused");
  });
});

test("the cache off: every token is computed again, and the page says so", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    await page.locator("nt-settings summary").click();
    await page.locator("nt-settings input[type=checkbox]").uncheck();
    await run(page, "The capital of France is");
    await press(page, "token");
    await press(page, "step");
    const view = await shown(page);
    assert.match(view.sentence, /KV cache is off: all 6 tokens were computed again/);
    assert.equal(view.meters["Token passes"]?.number, "11");
    assert.equal(view.meters["KV cache"]?.number, "off");
  });
});

test("the chat template wraps the message; its markers are control tokens", async () => {
  await onPage(site.browser, `${site.origin}/with?model=smollm2`, async (page) => {
    await status(page, "ready");
    await page.getByText("Chat", { exact: true }).click();
    await run(page, "What is the capital of France?");
    const view = await shown(page);
    assert.deepEqual(view.errors, []);
    assert.equal(view.chips[0]?.id, 1);
    assert.ok(view.chips[0]?.special);
    await page.locator("nt-controls select").selectOption("full");
    await press(page, "play");
    await status(page, "done");
    const end = await shown(page);
    assert.equal(end.text.final, "The capital of France is Paris.");
    assert.match(end.finish ?? "", /eos/);
  });
});
