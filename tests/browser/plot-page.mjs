/**
 * A page with plots on it, as the views have them: `/plots` shows a gallery of made-up data, `/plots?bare` nothing but
 * `host`, where a test puts its own. The data here are functions, so that a test can compute them again.
 */

/** @param {URL} url */
export function plotPages(url) {
  if (url.pathname === "/plots.js") return { headers: { "content-type": "text/javascript; charset=utf-8" }, body: SCRIPT };
  if (url.pathname !== "/plots") return null;
  const width = url.searchParams.get("width");
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>plots</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/styles/page.css"><main><h1>Plots</h1><plot-host${width ? ` style="width:${width}px"` : ""}></plot-host></main>
    <script type="module" src="/plots.js"></script></html>`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}

const SCRIPT = `
import { Plot } from "/plot/plot.js";
import { sheets } from "/styles/sheets.js";
import * as o200k from "/core/o200k.js";

class PlotHost extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = sheets();
    const box = document.createElement("div");
    box.className = "card";
    const extra = new CSSStyleSheet();
    extra.replaceSync(".gallery { display: grid; gap: 40px; padding: 24px; } @container card (width >= 860px) { .gallery { grid-template-columns: 1fr 1fr; } }");
    this.shadowRoot.adoptedStyleSheets.push(extra);
    this.box = document.createElement("div");
    this.box.className = "gallery";
    box.append(this.box);
    this.shadowRoot.append(box);
  }
}
customElements.define("plot-host", PlotHost);
const host = document.querySelector("plot-host");
globalThis.o200k = o200k;
globalThis.plots = {};
globalThis.add = (name, options, data) => {
  const plot = new Plot(options);
  host.box.append(plot.element);
  plot.update(data);
  globalThis.plots[name] = plot;
  return plot;
};
globalThis.Plot = Plot;

const range = (n) => Array.from({ length: n }, (_, i) => i);
const wave = (i, k) => Math.sin(i * 1.7 + k) * 0.5 + Math.sin(i * 0.61 + 2 * k) * 0.5;
if (!location.search.includes("bare")) {
  add("time", {
    title: "Time per token, with and without a KV cache", file: "kv-time",
    x: { label: "position", unit: "tokens" }, y: { label: "time per step", unit: "ms", min: 0 },
    series: [{ key: "with", label: "with cache", kind: "line", tone: "kept" }, { key: "without", label: "without cache", kind: "line", tone: "accent", dash: true }],
  }, {
    with: range(64).map((i) => ({ x: i + 5, y: 21.5 + 0.04 * i + wave(i, 1) })),
    without: range(64).map((i) => ({ x: i + 5, y: 24 + 6.1 * i + 8 * wave(i, 2) })),
  });
  add("accuracy", {
    title: "How often the answer is right, with its 95 % interval", file: "thinking",
    x: { label: "way to answer", format: (x) => ["at once", "in writing, once", "the majority of five"][x] ?? "" },
    y: { label: "right answers", min: 0, max: 1, format: (y) => Math.round(y * 100) + "%" },
    series: [{ key: "two", label: "two digits", kind: "bars", tone: "model" }, { key: "three", label: "three digits", kind: "bars", tone: "kept" }],
  }, {
    two: [0.41, 0.93, 0.97].map((y, x) => ({ x, y, lo: y - 0.09, hi: Math.min(1, y + 0.05), label: Math.round(y * 200) + " of 200" })),
    three: [0.06, 0.78, 0.9].map((y, x) => ({ x, y, lo: Math.max(0, y - 0.04), hi: y + 0.06, label: Math.round(y * 200) + " of 200" })),
  });
  add("ranks", {
    title: "Probability of the candidates by rank", file: "ranks",
    x: { label: "rank", scale: "log" }, y: { label: "probability", scale: "log" },
    series: [{ key: "model", label: "model", kind: "dots", tone: "model" }, { key: "kept", label: "kept by top-p", kind: "dots", tone: "kept" }, { key: "chosen", label: "chosen", kind: "dots", tone: "accent" }],
  }, {
    model: range(200).map((i) => ({ x: i + 1, y: 0.6 * (i + 1) ** -2.1 * (1 + 0.3 * wave(i, 3)) })),
    kept: range(12).map((i) => ({ x: i + 1, y: 0.7 * (i + 1) ** -1.9 })),
    chosen: [{ x: 3, y: 0.0868, label: "·Paris" }],
  });
  add("norms", {
    title: "Length of the K and V vectors of each layer, mean and spread", file: "norms",
    x: { label: "layer" }, y: { label: "length" },
    series: [{ key: "k", label: "K", kind: "line", tone: "k" }, { key: "v", label: "V", kind: "line", tone: "v", dash: true }],
  }, {
    k: range(30).map((i) => ({ x: i + 1, y: 14 + 0.2 * i + wave(i, 0), lo: 12.6 + 0.2 * i + wave(i, 0), hi: 15.4 + 0.2 * i + wave(i, 0) })),
    v: range(30).map((i) => ({ x: i + 1, y: 2 + 0.24 * i + wave(i, 5) * 0.6, lo: 1.2 + 0.2 * i, hi: 3.4 + 0.27 * i })),
  });
  add("stream", {
    title: "Text shown to the reader", file: "stream",
    x: { label: "time since the request", unit: "s" }, y: { label: "characters" },
    series: [{ key: "streamed", label: "streamed", kind: "step", tone: "kept" }, { key: "whole", label: "all at once", kind: "step", tone: "soft", dash: true }],
  }, {
    streamed: range(40).map((i) => ({ x: 0.41 + 0.043 * i + 0.01 * wave(i, 1), y: Math.round(4.3 * i) })),
    whole: [{ x: 0, y: 0 }, { x: 2.15, y: 168 }],
  });
  add("tokens", {
    title: "Tokens sent for a conversation", file: "conversation", height: 220,
    x: { label: "turn" }, y: { label: "tokens sent so far" },
    series: [{ key: "sum", label: "all turns together", kind: "area", tone: "model" }],
  }, { sum: range(20).map((i) => ({ x: i + 1, y: 55 * (i + 1) * (i + 2) / 2 })) });
  add("intervals", {
    title: "Decode speed in five rounds of each browser setting", file: "speed",
    x: { label: "threads", format: (x) => String(x) }, y: { label: "speed", unit: "tokens/s" },
    series: [{ key: "cpu", label: "CPU", kind: "interval", tone: "kept" }, { key: "gpu", label: "WebGPU", kind: "interval", tone: "k" }],
  }, {
    cpu: [1, 2, 4, 8].map((x, i) => ({ x, y: 22 + 9 * i, lo: 20 + 8 * i, hi: 24 + 10 * i })),
    gpu: [1, 2, 4, 8].map((x, i) => ({ x, y: 51 + i, lo: 47, hi: 55 + i })),
  });
  add("empty", {
    title: "Entropy of each step", file: "entropy",
    x: { label: "step" }, y: { label: "entropy", unit: "bits" },
    series: [{ key: "h", label: "entropy", kind: "line", tone: "model" }],
  }, {});
}
document.documentElement.dataset.ready = "";
`;
