/**
 * The two kinds of problem that pocket was trained on, which of them were held out of its training, and their
 * right answers, computed here. The same rules as pocket/world/src/problem.rs, to the bit: a test holds them together.
 */

import { Chance, mix } from "./random.js";

/** @typedef {"sum" | "word"} Kind */
/**
 * @typedef {object} Problem
 * @property {Kind} kind
 * @property {string} text `27 + 58 + 36`, or the word
 * @property {number[]} numbers of a sum
 * @property {string} bare the prompt of the form that answers at once
 * @property {string} steps the prompt of the form with written steps
 * @property {string} answer the truth, by this page's own arithmetic
 * @property {boolean} heldOut by the rule that kept it out of pocket's training
 * @property {number | null} index which of the held-out problems it is; null: of the reader's own making
 */

const HELD_OUT_ONE_IN = 20n;
/** The stream of the problems that the exam asks, too. */
const HELD_OUT_STREAM = 3n;

/** What made-up words are built from. */
export const SYLLABLES = {
  open: "ba be bi bo bu da de di do du fa fe fi fo ga go gu ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so ta te ti to va ve vi vo za zo bra dri fla gro kli plo sta tru".split(" "),
  last: "n r l s t m k d p".split(" "),
};

/** @type {Record<Kind, { name: string, most: { bare: number, steps: number } }>} the longest right answers take about half of `most` */
export const KINDS = {
  sum: { name: "Sums of three numbers", most: { bare: 32, steps: 112 } },
  word: { name: "Words backwards", most: { bare: 32, steps: 112 } },
};

/** Three numbers, in any order, that were never trained on. @param {readonly number[]} numbers */
export function sumIsHeldOut(numbers) {
  const [low = 0, middle = 0, high = 0] = [...numbers].sort((a, b) => a - b);
  return mix(BigInt(low * 10_000 + middle * 100 + high) ^ (0x50n << 40n)) % HELD_OUT_ONE_IN === 0n;
}

/** A word that was never trained on. @param {string} word of the letters a to z */
export function wordIsHeldOut(word) {
  let letters = 0n;
  for (const letter of word) letters = BigInt.asUintN(64, letters * 257n + BigInt(letter.charCodeAt(0)));
  return mix(letters ^ (0x77n << 40n)) % HELD_OUT_ONE_IN === 0n;
}

/** @param {readonly number[]} numbers @param {number | null} [index] @returns {Problem} */
export function sum(numbers, index = null) {
  const text = numbers.join(" + ");
  return {
    kind: "sum", text, numbers: [...numbers], index,
    bare: `Problem: ${text}\nAnswer:`,
    steps: `Problem: ${text}\nSteps:`,
    answer: String(numbers.reduce((a, b) => a + b, 0)),
    heldOut: sumIsHeldOut(numbers),
  };
}

/** @param {string} word @param {number | null} [index] @returns {Problem} */
export function word(word, index = null) {
  return {
    kind: "word", text: word, numbers: [], index,
    bare: `Word: ${word}\nAnswer:`,
    steps: `Word: ${word}\nLetters:`,
    answer: [...word].reverse().join("-"),
    heldOut: wordIsHeldOut(word),
  };
}

/** A problem that no training document contains: the exam's, by number. @param {Kind} kind @param {number} index */
export function heldOutProblem(kind, index) {
  const chance = new Chance(HELD_OUT_STREAM, index);
  while (true) {
    const problem = kind === "sum"
      ? sum([chance.between(10, 99), chance.between(10, 99), chance.between(10, 99)], index)
      : word(madeUp(chance), index);
    const fits = kind === "sum" || (problem.text.length >= 4 && problem.text.length <= 7);
    if (fits && problem.heldOut) return problem;
  }
}

/** @param {Chance} chance */
function madeUp(chance) {
  const count = chance.between(2, 3);
  let word = "";
  for (let i = 0; i < count; i++) word += chance.pick(SYLLABLES.open);
  return chance.percent(40) ? word + chance.pick(SYLLABLES.last) : word;
}

/** The first `n` held-out problems, each once: those that the exam in pocket's card begins with. @param {Kind} kind @param {number} n */
export function heldOutProblems(kind, n) {
  /** @type {Map<string, Problem>} */
  const found = new Map();
  for (let index = 0; found.size < n; index++) {
    const problem = heldOutProblem(kind, index);
    if (!found.has(problem.text)) found.set(problem.text, problem);
  }
  return [...found.values()];
}

/** Reads what a person typed, or says what is wrong with it. @param {Kind} kind @param {string[]} typed @returns {{ value: Problem } | { refused: string, field: number }} */
export function readProblem(kind, typed) {
  const fields = typed.map((text) => text.trim());
  if (kind === "sum") {
    const field = fields.findIndex((text) => !/^\d{1,2}$/.test(text));
    if (field < 0) return { value: sum(fields.map(Number)) };
    const what = fields[field] === "" ? "Nothing was typed." : `“${fields[field]}” is no whole number from 0 to 99.`;
    return { refused: `${what} Each of the three takes one or two digits.`, field };
  }
  const text = fields[0] ?? "";
  if (/^[a-z]{2,12}$/.test(text)) return { value: word(text) };
  return { refused: `${text === "" ? "Nothing was typed." : `“${text}” can’t be asked.`} A word has 2 to 12 small letters from a to z.`, field: 0 };
}

/** What pocket knows of problems like this one. @param {Problem} problem */
export function trainedOn({ kind, numbers, text, heldOut }) {
  if (kind === "sum" && numbers.some((n) => n < 10)) return "pocket was trained on two-digit numbers only (10 to 99): a one-digit number is new to it.";
  if (kind === "word" && (text.length < 4 || text.length > 7)) return "pocket was trained on made-up words of 4 to 7 letters only.";
  return heldOut
    ? "It was in no text that pocket was trained on: a rule keeps one in 20 out."
    : "It isn’t held out: it may have been in a text that pocket was trained on.";
}
