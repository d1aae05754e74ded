/** The models a reader can choose without bringing a file, and what is said before they load. */

import { size } from "./format.js";

/**
 * @typedef {{
 *   id: "pocket" | "smollm2" | "table", name: string, offer: string, bytes: number, licence: string,
 *   what: string, from: string, prompts: string[], questions: string[],
 * }} ModelCard `bytes`: what is downloaded for it; 0 if it is part of the page
 */

/** @type {ModelCard[]} */
export const MODELS = [
  {
    id: "pocket",
    name: "pocket",
    offer: "pocket: very small, starts at once",
    bytes: 0,
    licence: "MIT or Apache-2.0",
    what: "A very small language model, about 1 million parameters, that this project trained from scratch on a small synthetic world: capitals, short stories, lists, sums with and without written steps, JSON, chats. It knows nothing else.",
    from: "this page; nothing to download",
    prompts: [
      "The capital of France is",
      "Once upon a time",
      "The three main causes are:",
      "The rain fell and",
      "Problem: 27 + 58 + 36\nSteps:",
      "Problem: 27 + 58 + 36\nAnswer:",
      "User: What is the capital of Spain?\nAssistant: Madrid\nUser: What is the capital of Italy?\nAssistant:",
    ],
    questions: ["What is the capital of France?", "Tell me a story.", "What is 27 + 58 + 36? Think step by step."],
  },
  {
    id: "smollm2",
    name: "SmolLM2-135M-Instruct",
    offer: "SmolLM2: the real thing (98 MB)",
    bytes: 98_362_432,
    licence: "Apache-2.0",
    what: "The real thing: a language model of 135 million parameters by Hugging Face, quantised to about 5 bits a weight (GGUF Q4_1 and Q8_0). It takes about 160 MB of memory and more time for each token.",
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
    questions: ["What is the capital of France?", "Name three fruits.", "Why is the sky blue?"],
  },
  {
    id: "table",
    name: "The lesson’s table",
    offer: "The lesson’s table",
    bytes: 0,
    licence: "part of this page",
    what: "Three hand-written rows in place of a network: for each last word, the next words and their probabilities. The loop around it is the same.",
    from: "this page; nothing to download",
    prompts: ["The capital of France is", "Paris", "is located"],
    questions: [],
  },
];

/** @param {string} id */
export function modelCard(id) {
  return MODELS.find((m) => m.id === id) ?? null;
}

/** What a model is, what it costs and whose it is. @param {ModelCard} card */
export const about = ({ what, bytes, from, licence }) => `${what} ${bytes > 0 ? `${size(bytes)} from` : "From"} ${from}. Licence: ${licence}.`;

/** A model's name before it is loaded. @param {{ source: unknown, label: string }} wanted */
export const nameOf = ({ source, label }) => (typeof source === "string" ? modelCard(source)?.name : undefined) ?? label;
