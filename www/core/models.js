/** The models a reader can choose without bringing a file, and what is said before they load. */

/**
 * @typedef {{
 *   id: "smollm2" | "table", name: string, short: string, bytes: number, licence: string,
 *   what: string, from: string, prompts: string[],
 * }} ModelCard
 */

/** @type {ModelCard[]} */
export const MODELS = [
  {
    id: "smollm2",
    name: "SmolLM2-135M-Instruct",
    short: "SmolLM2",
    bytes: 98_362_432,
    licence: "Apache-2.0",
    what: "A real language model by Hugging Face, quantised to about 5 bits a weight (GGUF Q4_1 and Q8_0).",
    from: "this site’s models folder; it stays on your device",
    prompts: [
      "The capital of France is",
      "Once upon a time",
      "The three main causes are:",
      "2, 4, 6, 8,",
      "User: What is 2+2?\nAssistant: 4\nUser: What is 3+5?\nAssistant:",
      "Ray-Ban",
      "🙂🙂",
    ],
  },
  {
    id: "table",
    name: "The lesson’s table",
    short: "table",
    bytes: 0,
    licence: "part of this page",
    what: "Three hand-written rows in place of a network: for each last word, the next words and their probabilities. The loop around it is the same.",
    from: "this page; nothing to download",
    prompts: ["The capital of France is", "Paris", "is located"],
  },
];

/** Questions for the chat mode. */
export const QUESTIONS = ["What is the capital of France?", "Name three fruits.", "Why is the sky blue?"];

/** @param {string} id */
export function modelCard(id) {
  return MODELS.find((m) => m.id === id) ?? null;
}

/** A model's name before it is loaded. @param {{ source: unknown, label: string }} wanted */
export const nameOf = ({ source, label }) => (typeof source === "string" ? modelCard(source)?.name : undefined) ?? label;
