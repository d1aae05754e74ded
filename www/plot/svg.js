/** SVG nodes, built as `h` builds those of HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * As many children as there are things: those that are there stay.
 * @template {Element} E
 * @param {Element} parent @param {number} n @param {() => E} make
 * @returns {E[]}
 */
export function children(parent, n, make) {
  while (parent.childElementCount > n) parent.lastElementChild?.remove();
  while (parent.childElementCount < n) parent.append(make());
  return /** @type {E[]} */ ([...parent.children]);
}

/** A coordinate, to a hundredth of a pixel. @param {number} value */
export const px = (value) => String(Math.round(value * 100) / 100);

/** The middle of a pixel, where a hairline is sharp. @param {number} value */
export const crisp = (value) => String(Math.round(value - 0.5) + 0.5);

/** @type {CanvasRenderingContext2D | null} */
let canvas = null;
/** @type {Map<string, number>} */
const widths = new Map();

/** How wide a text is, without laying anything out. @param {string} text @param {string} font as in CSS */
export function textWidth(text, font) {
  const key = `${font}|${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return text.length * 7;
  canvas.font = font;
  const width = canvas.measureText(text).width;
  if (widths.size > 2000) widths.clear();
  widths.set(key, width);
  return width;
}

/** Lines that fit, broken at blanks. @param {string} text @param {number} width @param {string} font */
export function wrap(text, width, font) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && textWidth(longer, font) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
