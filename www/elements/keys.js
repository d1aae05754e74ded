/** The keys of the element. They act only while the focus is inside it. */

/** @typedef {import("../core/player.js").Player} Player */

/** Whether the focused control needs this key itself. @param {EventTarget | undefined} target @param {string} key */
function owns(target, key) {
  if (!(target instanceof HTMLElement)) return false;
  if (key === "Escape") return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return true;
  if (key === " " || key === "Enter") return target instanceof HTMLButtonElement || target.localName === "summary";
  return false;
}

/**
 * @param {KeyboardEvent} event
 * @param {Player} player
 * @param {{ help(): void, readonly helpOpen: boolean } | null} controls null: the transport stands elsewhere
 */
export function handleKey(event, player, controls) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || controls?.helpOpen) return;
  if (owns(event.composedPath()[0], event.key)) return;
  const act = action(event, player, controls);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/**
 * @param {KeyboardEvent} event
 * @param {Player} player
 * @param {{ help(): void } | null} controls
 * @returns {(() => void) | null}
 */
function action(event, player, controls) {
  const rtl = event.currentTarget instanceof Element && getComputedStyle(event.currentTarget).direction === "rtl";
  const forward = rtl ? "ArrowLeft" : "ArrowRight";
  const backward = rtl ? "ArrowRight" : "ArrowLeft";
  switch (event.key) {
    case forward:
      return () => (event.shiftKey ? player.token() : player.stage());
    case backward:
      return () => (event.shiftKey ? player.backToken() : player.back());
    case " ":
      return () => (player.status === "playing" ? player.pause() : player.stage());
    case "Home":
      return () => player.first();
    case "End":
      return () => player.latest();
    case "?":
      return controls ? () => controls.help() : null;
    case "Escape":
      // Only when there is something to stop: the host may want the key.
      return player.run && !player.run.finish && (player.busy || player.status === "playing") ? () => player.stop() : null;
    default:
      return null;
  }
}
