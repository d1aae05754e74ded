// The public module; `next-token.d.ts` beside it is its contract.
export { Engine, load } from "./client.js";
export { Run } from "./run.js";
export { NextTokenError } from "./errors.js";
