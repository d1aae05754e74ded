/** What a turn sends, taken apart: which tokens come from which message, and which from the template. */

import { mean } from "../../core/lists.js";

/** @typedef {import("../../api/next-token.js").Message} Message */
/** @typedef {import("../../api/next-token.js").Rendered} Rendered */
/** @typedef {import("./formula.js").Sizes} Sizes */

/**
 * A stretch of the input. `name` is S, U1, A1, …; null where the template stands.
 * @typedef {{ who: "system" | "user" | "assistant" | "template" | "all", name: string | null, from: number, to: number }} Stretch
 */

/** @param {Pick<Rendered, "parts"> & { pieces: { length: number } }} rendered @param {Message[]} messages @returns {Stretch[]} */
export function stretches({ parts, pieces }, messages) {
  if (!parts) return [{ who: "all", name: null, from: 0, to: pieces.length }];
  const names = namesOf(messages);
  return parts.filter(({ from, to }) => to > from).map(({ message, from, to }) => {
    const role = message === null ? null : messages[message]?.role ?? null;
    return { who: role ?? "template", name: message === null ? null : names[message] ?? null, from, to };
  });
}

/** S, U1, A1, U2, … @param {Message[]} messages */
export function namesOf(messages) {
  const counts = { user: 0, assistant: 0 };
  return messages.map(({ role }) => (role === "system" ? "S" : `${role === "user" ? "U" : "A"}${(counts[role] += 1)}`));
}

/**
 * Tokens of each message together with the template tokens that follow it; what the template puts first
 * goes to S. So they add up to the input, token by token. null if the template can't be taken apart.
 * @param {Pick<Rendered, "parts">} rendered @param {Message[]} messages
 */
export function sizesOf({ parts }, messages) {
  if (!parts) return null;
  let system = 0;
  /** @type {number[]} */
  const users = [];
  /** @type {number[]} */
  const answers = [];
  /** @param {number} message @param {number} tokens */
  const give = (message, tokens) => {
    const role = messages[message]?.role ?? "system";
    if (role === "system") return void (system += tokens);
    const list = role === "user" ? users : answers;
    const index = messages.slice(0, message).filter((m) => m.role === role).length;
    list[index] = (list[index] ?? 0) + tokens;
  };
  let owner = -1;
  for (const { message, from, to } of parts) {
    owner = message ?? owner;
    give(owner, to - from);
  }
  return { system, users, answers };
}

/** S, and the means of U and A, template tokens and all. @param {Pick<Rendered, "parts">} rendered @param {Message[]} messages @returns {Sizes | null} */
export function meansOf(rendered, messages) {
  const sizes = sizesOf(rendered, messages);
  if (!sizes) return null;
  return { S: sizes.system, U: mean(sizes.users), A: mean(sizes.answers) };
}

/** A stretch cut where the cached part ends. @param {Stretch[]} list @param {number} cached @returns {(Stretch & { cached: boolean })[]} */
export function cutAt(list, cached) {
  return list.flatMap((stretch) => {
    const { from, to } = stretch;
    if (to <= cached || from >= cached) return [{ ...stretch, cached: to <= cached }];
    return [{ ...stretch, to: cached, cached: true }, { ...stretch, from: cached, cached: false, name: null }];
  });
}
