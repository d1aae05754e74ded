/** Runs that end in different ways, and the stream that needs no model. */

/**
 * @typedef {object} Given what a run is started with
 * @property {string} prompt
 * @property {string[]} stop
 * @property {number} maxTokens
 * @property {string} force text whose tokens the reader may put in place of the model's
 * @property {boolean} script no model: the tokens of `SCRIPT`, one after another
 */
/** @typedef {Given & { id: string, label: string, note: string, models: string[] | null }} Preset `models`: null for all */

/** The stream of the lesson. */
export const SCRIPT = ["Sure", "!", " Here", " is", " the", " answer", ":", " 42", "\n", "User", ":", " next", " question"];

/** The token that stands before the script. */
const BEFORE = "Assistant:";

/**
 * A table whose vocabulary holds the script's tokens. It has no opinion: after each of them all are equally likely.
 * @returns {import("../../api/next-token.js").ModelSource}
 */
export function scriptSource() {
  const words = [...new Set(SCRIPT)];
  const row = Object.fromEntries(words.map((word) => [word, 1 / words.length]));
  return { table: { rows: { [BEFORE]: row }, separator: "" } };
}

const NETWORKS = ["pocket", "smollm2", "other"];

/** @type {Preset[]} */
export const PRESETS = [
  {
    id: "user", label: "\\nUser:", models: NETWORKS, script: false, force: "", stop: ["\nUser:"], maxTokens: 60,
    prompt: "User: What is the capital of Spain?\nAssistant: Madrid\nUser: What is the capital of Italy?\nAssistant:",
    note: "A model that goes on with a conversation writes the next question, too. The stop sequence ends it where the user’s turn would begin. It comes in three tokens.",
  },
  {
    id: "brace", label: "}", models: NETWORKS, script: false, force: "", stop: ["}"], maxTokens: 60,
    prompt: "Answer in JSON. What is the capital of France?\n{",
    note: "The prompt ends with an opened brace; its closing one ends the run. A token can hold the stop sequence and text before it: only that text is released. The brace itself is cut off.",
  },
  {
    id: "hashes", label: "###", models: NETWORKS, script: false, force: "###", stop: ["###"], maxTokens: 40,
    prompt: "The capital of France is",
    note: "pocket doesn’t write ### by itself. Step once, then force its tokens one by one, or stop halfway and let the model go on: what was held is released.",
  },
  {
    id: "length", label: "max_tokens", models: NETWORKS, script: false, force: "", stop: [], maxTokens: 12,
    prompt: "Once upon a time",
    note: "A story is longer than 12 tokens: the limit cuts it off. Continue goes on from there.",
  },
  {
    id: "eos", label: "end of text", models: null, script: false, force: "", stop: [], maxTokens: 60,
    prompt: "The capital of France is",
    note: "No stop sequence, and a limit that isn’t reached: the model ends by itself, with a token of its own.",
  },
  {
    id: "dot", label: ".", models: ["table"], script: false, force: "", stop: ["."], maxTokens: 20,
    prompt: "The capital of France is",
    note: "A full stop as stop sequence: the answer ends without it.",
  },
  {
    id: "script", label: "the lesson’s stream", models: null, script: true, force: "", stop: ["\nUser:"], maxTokens: 60,
    prompt: BEFORE,
    note: "Scripted: these tokens are forced one after another, no model chose them. Engine, gate and stop check are the same.",
  },
];

/** The models whose end-of-text token is known before it is chosen. @type {Record<string, string>} */
export const END_TOKENS = { pocket: "<|endoftext|>", smollm2: "<|im_end|>", table: "<END>" };

/** @param {string} model */
const kind = (model) => (model in END_TOKENS ? model : "other");

/** The presets that make sense with this model. @param {string} model */
export const presetsFor = (model) => PRESETS.filter(({ models }) => models === null || models.includes(kind(model)));

/** @param {Given} given @returns {Given} */
export const copyOf = ({ prompt, stop, maxTokens, force, script }) => ({ prompt, stop: [...stop], maxTokens, force, script });

/** Whether a run with these would be another one. @param {Given} a @param {Given} b */
export const differs = (a, b) => a.prompt !== b.prompt || a.maxTokens !== b.maxTokens || a.script !== b.script || JSON.stringify(a.stop) !== JSON.stringify(b.stop);
