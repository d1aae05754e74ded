/** A plot as files: the drawing with its colours, title and legend in it, and the numbers. */

import { px, s, textWidth } from "./svg.js";

/** What a drawing outside of the page must bring along. */
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order", "font-family", "font-size", "font-style", "font-weight", "font-variant-numeric"];
const EDGE = 16;

/** @param {Element} from @param {Element} to */
function inlineLooks(from, to) {
  const computed = getComputedStyle(from);
  to.removeAttribute("class");
  to.removeAttribute("style");
  if (!["defs", "pattern", "clipPath"].includes(from.localName)) {
    for (const name of LOOKS) {
      const value = computed.getPropertyValue(name);
      // A reference into the page is written as one into the file.
      if (value !== "") to.setAttribute(name, value.replaceAll(/url\("?[^")]*(#[^")]+)"?\)/g, "url($1)"));
    }
  }
  for (let i = 0; i < from.children.length; i++) inlineLooks(from.children[i], to.children[i]);
}

/** @param {Element} from */
function copy(from) {
  const to = /** @type {Element} */ (from.cloneNode(true));
  inlineLooks(from, to);
  return to;
}

/**
 * @param {{ svg: SVGSVGElement, title: string, description: string, legend: { sign: SVGSVGElement, label: string }[] }} plot
 * @returns {string} an SVG file
 */
export function svgFile({ svg, title, description, legend }) {
  const look = getComputedStyle(svg);
  const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
  const [ink, paper, family] = [look.getPropertyValue("color"), look.getPropertyValue("background-color"), look.getPropertyValue("font-family")];
  const text = (/** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ weight, /** @type {string} */ size) =>
    s("text", { x: px(x), y: px(y), fill: ink, "font-family": family, "font-size": size, "font-weight": weight }, words);
  const head = s("g");
  let y = EDGE + 14;
  let line = "";
  for (const word of title.split(" ")) {
    if (line !== "" && textWidth(`${line} ${word}`, `600 15px ${family}`) > width) {
      head.append(text(line, 0, y, "600", "15px"));
      line = word;
      y += 20;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  head.append(text(line, 0, y, "600", "15px"));
  let x = 0;
  if (legend.length > 1) y += 24;
  for (const { sign, label } of legend.length > 1 ? legend : []) {
    const wide = 34 + textWidth(label, `13px ${family}`) + 18;
    if (x > 0 && x + wide - 18 > width) {
      x = 0;
      y += 20;
    }
    const group = s("g", { transform: `translate(${px(x)},${px(y - 11)})` });
    for (const child of sign.children) group.append(copy(child));
    head.append(group, text(label, x + 34, y, "400", "13px"));
    x += wide;
  }
  const body = s("g", { transform: `translate(0,${px(y + 12)})` });
  for (const child of svg.children) if (!child.classList.contains("cursor")) body.append(copy(child));
  const [w, h] = [width + 2 * EDGE, y + 12 + height + EDGE];
  const file = s("svg", { xmlns: "http://www.w3.org/2000/svg", width: px(w), height: px(h), viewBox: `0 0 ${px(w)} ${px(h)}`, role: "img" });
  file.append(
    s("title", {}, title),
    s("desc", {}, description),
    s("rect", { width: px(w), height: px(h), fill: paper }),
    s("g", { transform: `translate(${EDGE},0)` }, head, body),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(file)}\n`;
}

/** @param {string} name @param {string} type @param {string} content */
export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
