/** What a conversation of n equal turns sends, by arithmetic: no model, no tokenizer. */

/**
 * Tokens of the system message, of each user message and of each answer.
 * @typedef {{ S: number, U: number, A: number }} Sizes
 */

/** Turn k sends the system message, k user messages and k − 1 answers. @param {number} k @param {Sizes} sizes */
export const inputOf = (k, { S, U, A }) => S + k * U + (k - 1) * A;

/** The inputs of n turns together: it grows with n². @param {number} n @param {Sizes} sizes */
export const totalInput = (n, { S, U, A }) => n * S + (U * n * (n + 1)) / 2 + (A * n * (n - 1)) / 2;

/** @param {number} n @param {number} A */
export const totalOutput = (n, A) => n * A;

/** The same with a prefix cache: of n turns, each token sent is computed once. @param {number} n @param {Sizes} sizes */
export const totalComputed = (n, { S, U, A }) => S + n * U + (n - 1) * A;

/** Of it in turn k. @param {number} k @param {Sizes} sizes */
export const computedOf = (k, sizes) => (k === 1 ? totalComputed(1, sizes) : sizes.U + sizes.A);
