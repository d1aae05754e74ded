// Plots: what is drawn is the data, what is said is the data, and so are the files. And the o200k counter.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { COLOURS } from "../../www/styles/theme.js";
import { screenshot, setUp, tasks, withPage } from "./harness.mjs";
import { drawn, violations } from "./page.mjs";
import { plotPages } from "./plot-page.mjs";

/** @import { Page } from "playwright-core" */
/** @import { PlotOptions, Point } from "../../www/plot/types.js" */
/** @typedef {{ [key: string]: Point[] }} Data */

const site = setUp(plotPages);

/** @param {string} name @param {(page: Page) => Promise<void>} body @param {{ width?: number, dark?: boolean, init?: string, expected?: RegExp[], address?: string }} [options] */
function onPlots(name, body, { width = 1280, dark = false, init, expected, address = "/plots?bare" } = {}) {
  test(name, { timeout: 60_000 }, () =>
    withPage(site.browser, `${site.origin}${address}`, async (page) => {
      await page.waitForSelector("html[data-ready]");
      await body(page);
    }, { init, expected, context: { viewport: { width, height: 1000 }, colorScheme: dark ? "dark" : "light" } }));
}

/** The page's own names. @typedef {typeof globalThis & { add: (name: string, options: object, data: Data) => void, plots: Record<string, { element: HTMLElement, update: (data: Data) => void }> }} PlotWindow */

/** @param {Page} page @param {Omit<PlotOptions, "title" | "file">} options @param {Data} data */
async function add(page, options, data) {
  await page.evaluate(([options, data]) => /** @type {PlotWindow} */ (globalThis).add("it", { title: "A “title”, <b>with</b> signs", file: "it", .../** @type {object} */ (options) }, /** @type {Data} */ (data)), /** @type {const} */ ([options, data]));
  await page.waitForFunction(() => /** @type {PlotWindow} */ (globalThis).plots.it.element.querySelector(".plot-canvas svg[viewBox]"));
  await drawn(page);
}

/** @param {Page} page @param {Data} data */
async function update(page, data) {
  await page.evaluate((data) => /** @type {PlotWindow} */ (globalThis).plots.it.update(/** @type {Data} */ (data)), data);
  await drawn(page);
}

/** The ticks of both axes, and the points of each series' line and markers. @param {Page} page */
const read = (page) => page.evaluate(() => {
  const figure = /** @type {PlotWindow} */ (globalThis).plots.it.element;
  const texts = (/** @type {string} */ axis) => [...figure.querySelectorAll(`.axes > g.${axis}:not(.label) text`)].map((node) => ({ text: node.textContent ?? "", x: Number(node.getAttribute("x")), y: Number(node.getAttribute("y")) }));
  const paths = (/** @type {string} */ name) => [...figure.querySelectorAll(`.marks .series .${name}`)].map((node) => node.getAttribute("d") ?? "");
  const clip = figure.querySelector("clipPath rect");
  const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => Number(clip?.getAttribute(name)));
  return { x: texts("x"), y: texts("y"), line: paths("line"), fill: paths("fill"), markers: paths("markers"), whiskers: paths("whiskers"), box: { left: left + 1, right: left + width - 1, top: top + 2, bottom: top + height - 2 } };
});
/** @typedef {Awaited<ReturnType<typeof read>>} Read */

/** From values to pixels, by the outermost ticks alone. @param {{ text: string, x: number, y: number }[]} ticks @param {"x" | "y"} axis @param {(v: number) => number} [warp] */
function ruler(ticks, axis, warp = (v) => v) {
  const value = (/** @type {string} */ text) => warp(Number(text.replaceAll(",", "").replace("−", "-")));
  const [a, b] = [ticks[0], ticks[ticks.length - 1]];
  return (/** @type {number} */ v) => a[axis] + ((warp(v) - value(a.text)) / (value(b.text) - value(a.text))) * (b[axis] - a[axis]);
}

/** The corners of a path of straight lines. @param {string} d */
const corners = (d) => [...d.matchAll(/[ML]?(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

/** @param {number} a @param {number} b @param {string} what @param {number} [by] */
const near = (a, b, what, by = 0.06) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a} instead of ${b}`);

/** @param {Page} page @param {"SVG" | "CSV"} kind */
async function saved(page, kind) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: new RegExp(`^${kind}`) }).first().click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

const LINES = /** @type {Omit<PlotOptions, "title" | "file">} */ ({
  x: { label: "position", unit: "tokens" },
  y: { label: "time", unit: "ms", min: 0 },
  series: [{ key: "a", label: "with cache", kind: "line", tone: "kept" }, { key: "b", label: "without cache", kind: "line", tone: "accent", dash: true }],
});
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
const wave = range(40).map((i) => ({ x: i * 2.5, y: 30 + 20 * Math.sin(i / 3) }));
const growth = range(40).map((i) => ({ x: i * 2.5, y: 3.1 * i + 1 / 3 }));

onPlots("lines go through the data, ticks are inside and round", async (page) => {
  await add(page, LINES, { a: wave, b: growth });
  const shown = await read(page);
  for (const tick of shown.x) assert.ok(tick.x >= shown.box.left - 0.01 && tick.x <= shown.box.right + 0.01, `x tick ${tick.text}`);
  for (const tick of shown.y) assert.ok(tick.y >= shown.box.top - 0.01 && tick.y <= shown.box.bottom + 0.01, `y tick ${tick.text}`);
  assert.ok(shown.x.length >= 3 && shown.y.length >= 3, "ticks");
  const [x, y] = [ruler(shown.x, "x"), ruler(shown.y, "y")];
  [wave, growth].forEach((points, k) => {
    const found = corners(shown.line[k]);
    assert.equal(found.length, points.length);
    found.forEach(([px, py], i) => {
      near(px, x(points[i].x), `x of point ${i}`);
      near(py, y(points[i].y), `y of point ${i}`);
    });
  });
  // A lone change in the middle is drawn too, and the same arrays may come again with more in them.
  await update(page, { a: wave.map((p, i) => (i === 20 ? { ...p, y: 2 } : p)), b: growth });
  const after = await read(page);
  near(corners(after.line[0])[20][1], ruler(after.y, "y")(2), "the changed point");
});

onPlots("bars begin at zero and stand side by side, whiskers reach from low to high, gaps stay gaps", async (page) => {
  await add(page, { x: { label: "case" }, y: { label: "share" }, series: [{ key: "a", label: "a", kind: "bars", tone: "model" }, { key: "b", label: "b", kind: "bars", tone: "kept" }, { key: "c", label: "c", kind: "interval", tone: "k" }, { key: "d", label: "d", kind: "line", tone: "v" }] }, {
    a: range(3).map((x) => ({ x, y: 10 + x, lo: 8, hi: 13 })), b: range(3).map((x) => ({ x, y: 20 - x })), c: range(3).map((x) => ({ x, y: 5, lo: 4, hi: 7 })), d: [{ x: 0, y: 1 }, { x: 1, y: NaN }, { x: 2, y: 3 }],
  });
  const shown = await read(page);
  const y = ruler(shown.y, "y");
  const bars = shown.fill.slice(0, 2).map((d) => [...d.matchAll(/M([\d.]+),([\d.]+)V([\d.]+)h([\d.]+)V/g)].map((m) => m.slice(1).map(Number)));
  for (const i of range(3)) {
    near(bars[0][i][1], y(0), "the foot of a bar");
    near(bars[0][i][2], y(10 + i), "the head of a bar");
    near(bars[1][i][2], y(20 - i), "the head of the other");
    assert.ok(bars[0][i][0] + bars[0][i][3] <= bars[1][i][0], "side by side");
    near((bars[0][i][0] + bars[1][i][0] + bars[1][i][3]) / 2, shown.x[i].x, "around their tick", 0.6);
  }
  const whisker = /M[\d.]+,([\d.]+)V([\d.]+)/.exec(shown.whiskers[0]);
  near(Number(whisker?.[1]), y(8), "low");
  near(Number(whisker?.[2]), y(13), "high");
  assert.equal(shown.line[3].split("M").length - 1, 2, "a gap in the line");
});

onPlots("a logarithmic axis: decades are equally far, what has no place on it is told", async (page) => {
  await add(page, { x: { label: "rank", scale: "log" }, y: { label: "probability", scale: "log" }, series: [{ key: "a", label: "a", kind: "line", tone: "model" }] }, { a: [{ x: 1, y: 0.5 }, { x: 10, y: 0.02 }, { x: 100, y: 0.001 }, { x: 1000, y: 0.25 }, { x: 300, y: 0 }] });
  const shown = await read(page);
  assert.deepEqual(shown.x.map(({ text }) => text), ["1", "10", "100", "1,000"]);
  const [x, y] = [ruler(shown.x, "x", Math.log), ruler(shown.y, "y", Math.log)];
  const found = corners(shown.line[0]);
  [[1, 0.5], [10, 0.02], [100, 0.001], [1000, 0.25]].forEach(([vx, vy], i) => {
    near(found[i][0], x(vx), "x");
    near(found[i][1], y(vy), "y");
  });
  assert.equal(found.length, 4);
  assert.match(await page.locator("plot-host .plot > .plot-note").innerText(), /1 point has no place on a logarithmic axis/);
});

onPlots("keyboard and pointer say the exact values, and keys go no further", async (page) => {
  await add(page, { ...LINES, y: { label: "time", unit: "ms", min: 0 } }, { a: [{ x: 1, y: 20.25, label: "·Paris" }, { x: 2, y: 21.123456789 }, { x: 3, y: 1234.5, lo: 1200, hi: 1300 }], b: [{ x: 1, y: 40 }, { x: 3, y: 60 }] });
  await page.evaluate(() => document.addEventListener("keydown", (event) => (document.documentElement.dataset.keys = `${document.documentElement.dataset.keys ?? ""}${event.key} `)));
  const canvas = page.locator(".plot-canvas");
  await canvas.focus();
  const status = page.locator(".plot [role=status]");
  /** @type {[string, string][]} */
  const walk = [
    ["ArrowRight", "with cache: position 1 tokens, time 20.25 ms, \u2068·Paris\u2069"],
    ["ArrowRight", "with cache: position 2 tokens, time 21.123456789 ms"],
    ["ArrowRight", "with cache: position 3 tokens, time 1,234.5 ms, from 1,200 ms to 1,300 ms"],
    ["ArrowRight", "with cache: position 3 tokens, time 1,234.5 ms, from 1,200 ms to 1,300 ms"],
    ["ArrowDown", "without cache: position 3 tokens, time 60 ms"],
    ["ArrowLeft", "without cache: position 1 tokens, time 40 ms"],
    ["End", "without cache: position 3 tokens, time 60 ms"],
    ["Home", "without cache: position 1 tokens, time 40 ms"],
    ["ArrowUp", "with cache: position 1 tokens, time 20.25 ms, \u2068·Paris\u2069"],
  ];
  for (const [key, words] of walk) {
    await page.keyboard.press(key);
    assert.equal(await status.textContent(), words, key);
    assert.equal(await page.locator(".plot-readout").textContent(), words, key);
  }
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".plot-readout").textContent(), "");
  await page.keyboard.press("a");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.keys), "a ");
  await page.keyboard.press("ArrowRight");
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector("plot-host")?.shadowRoot?.activeElement)?.blur());
  assert.equal(await status.textContent(), "");
  const box = await canvas.boundingBox();
  const shown = await read(page);
  assert.ok(box);
  await page.mouse.move(box.x + ruler(shown.x, "x")(3) - 4, box.y + ruler(shown.y, "y")(60) - 3);
  assert.equal(await page.locator(".plot-readout").textContent(), "without cache: position 3 tokens, time 60 ms");
  assert.equal(await status.textContent(), "", "the pointer isn't announced");
  assert.match(await page.locator(".plot-canvas svg").getAttribute("aria-label") ?? "", /^A “title”.*: time over position\. with cache, 3 points from 1 tokens to 3 tokens: between 20\.25 ms and 1,234\.5 ms, at the end 1,234\.5 ms; without cache, 2 points/);
});

/** Relative luminance, as WCAG defines it. @param {string} hex */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("every tone of a plot stands out at 3:1, in both schemes", () => {
  for (const scheme of [0, 1]) for (const ground of ["card", "paper"]) for (const tone of ["model", "kept", "accent", "k", "v", "soft"]) {
    const [a, b] = [luminance(COLOURS[tone][scheme]), luminance(COLOURS[ground][scheme])];
    assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 3, `${tone} on ${ground}, scheme ${scheme}`);
  }
});

/** RFC 4180. @param {string} text */
function parseCsv(text) {
  return text.trimEnd().split("\r\n").map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain));
}

onPlots("the table and the CSV file have the numbers, the file to the last digit", async (page) => {
  const a = range(7).map((i) => ({ x: i, y: Math.sqrt(i) / 3, lo: Math.sqrt(i) / 4, hi: Math.sqrt(i) / 2, label: i === 2 ? 'a "quoted", one' : undefined }));
  const b = range(4).map((i) => ({ x: i * 2, y: 1e-9 * (i + 1) }));
  await add(page, LINES, { a: /** @type {Point[]} */ (a), b });
  assert.equal(await page.locator(".plot tbody tr").count(), 0, "closed tables aren't filled");
  await page.locator(".plot summary").click();
  await page.waitForFunction(() => /** @type {PlotWindow} */ (globalThis).plots.it.element.querySelectorAll("tbody tr").length === 7);
  const cells = await page.locator(".plot tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => ({ text: cell.textContent ?? "", title: cell.getAttribute("title") }))));
  const { name, text } = await saved(page, "CSV");
  assert.equal(name, "it.csv");
  const [head, ...rows] = parseCsv(text);
  assert.deepEqual(head, ["position (tokens)", "with cache: time (ms)", "with cache: time, low (ms)", "with cache: time, high (ms)", "with cache: time, label", "without cache: time (ms)"]);
  assert.equal(rows.length, 7);
  a.forEach((point, i) => {
    const other = b.find(({ x }) => x === point.x);
    assert.deepEqual(rows[i].slice(0, 4).map(Number), [point.x, point.y, point.lo, point.hi]);
    assert.equal(rows[i][4], point.label ?? "");
    assert.equal(rows[i][5], other ? String(other.y) : "");
    assert.equal(cells[i][1].title ?? cells[i][1].text, String(point.y));
    near(Number(cells[i][1].text), point.y, "a cell", Math.abs(point.y) * 1e-5);
    assert.equal(cells[i][5].text, other ? `${i / 2 + 1} × 10⁻⁹` : "–");
  });
  // Two points at one place: a row for each point. And no more rows than a table can bear.
  await update(page, { a: [{ x: 1, y: 1 }, { x: 1, y: 2 }], b: range(900).map((i) => ({ x: i, y: i })) });
  await page.waitForFunction(() => /** @type {PlotWindow} */ (globalThis).plots.it.element.querySelectorAll("tbody tr").length === 500);
  assert.equal(await page.locator(".plot details .plot-note").innerText(), "The first 500 of 902 rows; the CSV file has all.");
  const long = parseCsv((await saved(page, "CSV")).text);
  assert.deepEqual([long[0], long[1], long[2]], [["series", "position (tokens)", "time (ms)"], ["with cache", "1", "1"], ["with cache", "1", "2"]]);
  assert.equal(long.length, 903);
});

onPlots("the SVG file stands alone: it parses, has its own colours, its title and its legend", async (page) => {
  await add(page, { ...LINES, series: [{ key: "a", label: "with <cache>", kind: "bars", tone: "kept" }, { key: "b", label: "without cache", kind: "bars", tone: "accent" }] }, { a: wave.slice(0, 5), b: growth.slice(0, 5) });
  const { name, text } = await saved(page, "SVG");
  assert.equal(name, "it.svg");
  assert.ok(!/var\(|class=|light-dark|http:\/\/127/.test(text), "nothing of the page in it");
  const found = await page.evaluate((text) => {
    const file = new DOMParser().parseFromString(text, "image/svg+xml");
    const references = [...text.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => file.getElementById(id) !== null);
    return { broken: file.querySelector("parsererror")?.textContent ?? null, root: file.documentElement.localName, texts: [...file.querySelectorAll("text")].map((node) => node.textContent), references };
  }, text);
  assert.equal(found.broken, null);
  assert.equal(found.root, "svg");
  for (const words of ["A “title”, <b>with</b> signs", "with <cache>", "without cache", "time (ms)", "position (tokens)"]) assert.ok(found.texts.includes(words), words);
  assert.ok(found.references.length > 0 && found.references.every(Boolean), "hatching and clipping come along");
  assert.match(text, /fill="rgb\(63, 95, 138\)"/, "the colour of “kept”");
});

onPlots("no data: said in words, no ticks, no numbers, and then they come", async (page) => {
  await add(page, LINES, {});
  assert.ok(await page.getByText("Nothing measured yet", { exact: true }).isVisible());
  assert.match(await page.locator(".plot-canvas svg").getAttribute("aria-label") ?? "", /Nothing measured yet\.$/);
  const shown = await read(page);
  assert.deepEqual([shown.x.length, shown.y.length], [0, 0]);
  await page.locator(".plot-canvas").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".plot [role=status]").textContent(), "Nothing measured yet.");
  assert.equal(parseCsv((await saved(page, "CSV")).text).length, 1, "a header");
  await update(page, { a: [{ x: 1, y: 5 }], b: [] });
  assert.ok(!(await page.getByText("Nothing measured yet", { exact: true }).isVisible()));
  assert.ok((await read(page)).markers[0] !== "", "a lone point can be seen");
});

onPlots("2,000 points a series, a new one with every frame: an update is no task of 50 ms", async (page) => {
  await add(page, LINES, {});
  let found = { drawn: 0, idle: 0, points: 0 };
  const spent = await tasks(site.browser, page, async () => (found = await page.evaluate(async () => {
    const plot = /** @type {PlotWindow} */ (globalThis).plots.it;
    const a = Array.from({ length: 1900 }, (_, i) => ({ x: i, y: 20 + Math.sin(i / 40) }));
    const b = a.map(({ x }) => ({ x, y: 0.1 * x }));
    plot.update({ a, b });
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const changes = { drawn: 0, idle: 0 };
    const line = plot.element.querySelector(".marks path.line");
    const watch = new MutationObserver(() => (changes.drawn += 1));
    watch.observe(/** @type {Node} */ (line), { attributes: true });
    for (let i = 0; i < 100; i++) {
      a.push({ x: 1900 + i, y: 20 });
      b.push({ x: 1900 + i, y: 190 + 0.1 * i });
      plot.update({ a, b });
      plot.update({ a, b });
      await frame();
    }
    await frame();
    const any = new MutationObserver(() => (changes.idle += 1));
    any.observe(plot.element, { attributes: true, childList: true, characterData: true, subtree: true });
    for (let i = 0; i < 5; i++) {
      plot.update({ a: [...a], b: [...b] });
      await frame();
    }
    await frame();
    return { ...changes, points: (line?.getAttribute("d") ?? "").split("L").length };
  })));
  assert.ok(spent.length > 50 && Math.max(...spent) <= 50, `${Math.max(...spent)} ms of ${spent.length} tasks`);
  assert.equal(found.points, 2000);
  assert.ok(found.drawn <= 101, `drawn ${found.drawn} times in 100 frames`);
  assert.equal(found.idle, 0, "nothing changed, nothing is written");
});

for (const [width, dark] of /** @type {const} */ ([[1280, false], [1280, true], [375, false], [375, true]])) {
  onPlots(`axe finds nothing, ${dark ? "dark" : "light"}-${width}`, async (page) => {
    await page.waitForFunction(() => Object.values(/** @type {PlotWindow} */ (globalThis).plots).every(({ element }) => element.querySelector(".plot-canvas svg[viewBox]")));
    await page.locator(".plot summary").first().click();
    await drawn(page);
    assert.deepEqual(await violations(page), []);
    await screenshot(page, `plots-${dark ? "dark" : "light"}-${width}`);
  }, { address: "/plots", width, dark });
}

onPlots("readable at 280 px: nothing sticks out, no tick runs into another", async (page) => {
  const found = await page.evaluate(() => Object.entries(/** @type {PlotWindow} */ (globalThis).plots).flatMap(([name, { element }]) => {
    const figure = element.getBoundingClientRect();
    const faults = [];
    if (Math.round(figure.width) !== 280) faults.push(`${name} is ${figure.width} wide`);
    for (const node of [...element.querySelectorAll("svg text, figcaption, summary, button, li")].filter((node) => node.getClientRects().length > 0)) {
      const box = node.getBoundingClientRect();
      if (box.left < figure.left - 8.5 || box.right > figure.right + 8.5) faults.push(`${name}: ${node.textContent} from ${box.left} to ${box.right}`);
    }
    const ticks = [...element.querySelectorAll(".axes > g.x:not(.label) text")].map((node) => node.getBoundingClientRect());
    ticks.forEach((box, i) => ticks.slice(i + 1).forEach((other) => {
      if (box.right > other.left && other.right > box.left && box.bottom - 2 > other.top && other.bottom - 2 > box.top) faults.push(`${name}: ticks overlap`);
    }));
    return faults;
  }));
  assert.deepEqual(found, []);
  await screenshot(page, "plots-280");
}, { address: "/plots?width=330", width: 375 });

test("without the library the table is in the open, and says why", { timeout: 60_000 }, async () => {
  const context = await site.browser.newContext();
  try {
    const page = await context.newPage();
    await page.route("**/pkg/vendor/plot.js", (route) => route.abort());
    await page.goto(`${site.origin}/plots`);
    const figure = page.locator(".plot").first();
    await figure.locator("tbody tr").nth(10).waitFor();
    assert.match(await figure.innerText(), /Plots can’t be drawn here/);
    assert.equal(await figure.locator("tbody tr").count(), 64);
    assert.ok(!(await figure.locator(".plot-canvas").isVisible()));
    assert.deepEqual(await figure.getByRole("button").allInnerTexts(), ["CSV"]);
    assert.deepEqual(await violations(page), []);
    await screenshot(page, "plots-bare");
  } finally {
    await context.close();
  }
});

onPlots("while the library is on its way the table is shown, and closed when the drawing is there", async (page) => {
  /** @type {() => void} */
  let go = () => {};
  const gate = new Promise((resolve) => (go = () => resolve(null)));
  await page.route("**/pkg/vendor/plot.js", async (route) => {
    await gate;
    await route.continue();
  });
  await page.evaluate(([options, data]) => /** @type {PlotWindow} */ (globalThis).add("it", { title: "late", file: "it", .../** @type {object} */ (options) }, /** @type {Data} */ (data)), /** @type {const} */ ([LINES, { a: wave, b: growth }]));
  await page.locator(".plot tbody tr").nth(10).waitFor();
  assert.match(await page.locator(".plot > .plot-note").innerText(), /still on its way/);
  go();
  await page.locator(".plot-canvas svg[viewBox]").waitFor();
  assert.ok(!(await page.locator(".plot tbody").isVisible()));
  assert.ok(!(await page.locator(".plot > .plot-note").isVisible()));
});

/** @typedef {typeof globalThis & { o200k: typeof import("../../www/core/o200k.js") }} CounterWindow */

onPlots("o200k tokens are counted exactly, and their texts are whole or bytes", async (page) => {
  const texts = ["You are a helpful assistant. What are the best smart glasses?", "What's the best smart glasses?", "Ray-Ban Meta Ultra — lightweight, 48MP camera, translates 40 languages, full-day battery", "", "<|endoftext|>"];
  const counts = await page.evaluate((texts) => Promise.all(texts.map((text) => /** @type {CounterWindow} */ (globalThis).o200k.countO200k(text))), texts);
  assert.deepEqual(counts.slice(0, 4), [13, 6, 21, 0]);
  assert.ok(counts[4] > 1, "text that looks like a control token is text");
  const pieces = await page.evaluate((texts) => Promise.all([...texts, "🏳️‍🌈 \ufeffé"].map((text) => /** @type {CounterWindow} */ (globalThis).o200k.encodeO200k(text))), texts);
  texts.forEach((text, i) => {
    assert.equal(pieces[i].map((piece) => piece.text).join(""), text);
    assert.equal(pieces[i].length, counts[i]);
  });
  assert.ok(pieces[5].some(({ text }) => /^⟨[0-9A-F ]+⟩$/.test(text)), "a part of a character is bytes");
  assert.ok(pieces.flat().every(({ id, text }) => Number.isInteger(id) && !text.includes("\ufffd")));
});

test("without the counter's module there is a typed error with a hint, and the next call tries again", { timeout: 60_000 }, async () => {
  const context = await site.browser.newContext();
  try {
    const page = await context.newPage();
    let blocked = true;
    await page.route("**/pkg/vendor/o200k.js", (route) => (blocked ? route.abort() : route.continue()));
    await page.goto(`${site.origin}/plots?bare`);
    await page.waitForSelector("html[data-ready]");
    const count = () => page.evaluate(() => /** @type {CounterWindow} */ (globalThis).o200k.countO200k("What's the best smart glasses?").catch(({ name, code, message, hint }) => ({ name, code, message, hint })));
    const failed = await count();
    assert.ok(typeof failed === "object");
    assert.deepEqual([failed.name, failed.code], ["CounterError", "counter-unavailable"]);
    assert.match(`${failed.message} ${failed.hint}`, /couldn’t be loaded.*Node 20/);
    blocked = false;
    assert.equal(await count(), 6);
  } finally {
    await context.close();
  }
});
