/** A few lines around the DOM: build once, then write only what differs. */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | true>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value === true ? "" : value);
  node.append(...children);
  return node;
}

/** @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} node @param {string} name @param {string | boolean | null} value */
export function setAttribute(node, name, value) {
  if (value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : value;
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/** @param {HTMLElement | SVGElement} node @param {string} name @param {string} value */
export function setStyle(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

/** @param {HTMLElement} node @param {boolean} shown */
export function show(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/** A button that stays focusable while it can't be used. @param {HTMLButtonElement} button @param {boolean} can */
export function enable(button, can) {
  setAttribute(button, "aria-disabled", can ? null : "true");
}

/**
 * One Tab stop for a list of things: the arrows move, Home and End jump.
 * @param {HTMLElement} list
 * @param {() => HTMLElement[]} items
 * @param {{ vertical?: boolean }} [options]
 */
export function roving(list, items, { vertical = false } = {}) {
  const [before, after] = vertical ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  list.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const all = items();
    const at = all.findIndex((item) => item === event.target);
    if (at < 0) return;
    const rtl = !vertical && getComputedStyle(list).direction === "rtl" ? -1 : 1;
    const to = event.key === before ? at - rtl : event.key === after ? at + rtl : event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : -2;
    if (to === -2) return;
    event.preventDefault();
    event.stopPropagation();
    all[Math.min(Math.max(to, 0), all.length - 1)]?.focus();
  });
  list.addEventListener("focusin", (event) => {
    for (const item of items()) {
      const index = item === event.target ? 0 : -1;
      if (item.tabIndex !== index) item.tabIndex = index;
    }
  });
}

/** Makes sure that exactly one of the items can be reached with Tab. @param {HTMLElement[]} items @param {HTMLElement | undefined} preferred */
export function oneTabStop(items, preferred) {
  if (items.some((item) => item.tabIndex === 0 && !item.hidden)) return;
  const item = preferred ?? items[0];
  if (item) item.tabIndex = 0;
}

let ids = 0;
/** An id that is free in every tree. @param {string} name */
export const freshId = (name) => `nt-${name}-${++ids}`;

/** How many elements of each label were made. @type {Map<string, number>} */
const made = new Map();

/** Landmarks of a page have different names: the second one of a kind is numbered. @param {string} label */
export function landmarkName(label) {
  const number = (made.get(label) ?? 0) + 1;
  made.set(label, number);
  return number === 1 ? label : `${label} (${number})`;
}
