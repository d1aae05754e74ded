/**
 * How a problem is put to a model in two ways, and how the answer is read from what it writes. pocket has a form of
 * its own for both; a chat model is asked in words.
 */

import { KINDS } from "./problems.js";

/** @typedef {import("../../api/next-token.js").Engine} Engine */
/** @typedef {import("../../api/next-token.js").Info} Info */
/** @typedef {import("../../api/next-token.js").StartOptions} StartOptions */
/** @typedef {import("./problems.js").Problem} Problem */
/** @typedef {"bare" | "steps"} Way */
/**
 * @typedef {object} Form
 * @property {"trained" | "chat" | "plain"} name
 * @property {string} note what the reader should know about it
 * @property {string} rule how an answer is read
 * @property {(problem: Problem, way: Way) => string} shown the prompt as it is shown
 * @property {(problem: Problem, way: Way) => StartOptions} start
 * @property {(text: string, problem: Problem) => { text: string, from: number } | null} read the answer, and where it stands
 */

/** @type {readonly Way[]} */
export const WAYS = ["bare", "steps"];
/** @type {Record<Way, string>} */
export const WAY_NAMES = { bare: "At once", steps: "In steps" };

const LINE_RULE = "The answer is what stands behind the last “Answer:” on its line, or else the first line; the text must have ended by itself.";
const CHAT_RULE = {
  sum: "The answer is the last whole number it writes; the text must have ended by itself.",
  word: "The answer is the last row of single letters joined by hyphens that it writes; the text must have ended by itself.",
};

/** @type {Record<Way, string>} */
const SUM_WORDS = { bare: "Answer at once with only the number.", steps: "Think step by step." };
/** @type {Record<Way, string>} */
const WORD_WORDS = { bare: "Answer at once with only the letters, joined by hyphens.", steps: "Think step by step, then give the letters joined by hyphens." };

/** @param {Problem} problem @param {Way} way */
const inWords = (problem, way) => (problem.kind === "sum"
  ? `What is ${problem.text}? ${SUM_WORDS[way]}`
  : `Spell the word “${problem.text}” backwards. ${WORD_WORDS[way]}`);

/** The forms end a token in the same place each time. @param {Problem} problem @param {Way} way @returns {StartOptions} */
const plain = (problem, way) => ({ prompt: problem[way], special: false, maxTokens: KINDS[problem.kind].most[way], temperature: 0, top: 1 });

/** As `read_answer` in pocket/world/src/problem.rs. @param {string} text */
export function readLine(text) {
  const mark = text.lastIndexOf("Answer:");
  const from = mark < 0 ? 0 : mark + "Answer:".length;
  const line = (text.slice(from).split("\n")[0] ?? "").split("<|")[0] ?? "";
  const answer = line.trim();
  return answer === "" ? null : { text: answer, from: from + line.indexOf(answer) };
}

/** @param {string} text @param {Problem} problem */
export function readLast(text, { kind }) {
  const found = [...text.matchAll(kind === "sum" ? /\d+(?:,\d{3})*/g : /\b[a-z](?:-[a-z])+\b/g)].at(-1);
  return found ? { text: found[0].replaceAll(",", ""), from: found.index } : null;
}

/** @type {Form} */
const TRAINED = {
  name: "trained",
  note: "pocket was trained on both forms: the same problem with “Answer:” behind it, and with “Steps:” (for words, “Letters:”).",
  rule: LINE_RULE,
  shown: (problem, way) => problem[way],
  start: plain,
  read: readLine,
};

/** @type {Form} */
const PLAIN = { ...TRAINED, name: "plain", note: "This model has no chat template, so it gets the two forms that pocket was trained on. It wasn’t: its results may be bad. They are measured all the same." };

/** @param {"sum" | "word"} kind @returns {Form} */
const chat = (kind) => ({
  name: "chat",
  note: "This model wasn’t trained on these forms: it is asked in its chat template, in the words that stand over its lanes. Its results may be bad; they are measured all the same.",
  rule: CHAT_RULE[kind],
  shown: inWords,
  start: (problem, way) => ({ messages: [{ role: "user", content: inWords(problem, way) }], maxTokens: way === "bare" ? 32 : 160, temperature: 0, top: 1 }),
  read: readLast,
});

/** The form for this model; null: it can’t be asked at all. @param {Info} info @param {"sum" | "word"} kind @returns {Form | null} */
export function formFor(info, kind) {
  if (info.architecture === "table") return null;
  if (info.model === "pocket") return TRAINED;
  return info.chat ? chat(kind) : PLAIN;
}
