// What the tests do in a page, on the model loaded there as `engine`: runs, and their raw numbers as
// plain lists. Each of these functions is sent into the page, so it uses nothing from out here.

/**
 * The largest difference between two lists of numbers; infinite if they can't be compared.
 * @param {ArrayLike<number>} one @param {ArrayLike<number>} other
 */
export function apart(one, other) {
  if (one.length !== other.length || one.length === 0) return Infinity;
  let most = 0;
  for (let index = 0; index < one.length; index += 1) {
    const difference = Math.abs(one[index] - other[index]);
    most = Number.isNaN(difference) ? Infinity : Math.max(most, difference);
  }
  return most;
}

/**
 * A whole run, with the logits of each step.
 * @param {import("../../www/api/next-token.js").StartOptions} options
 */
export async function greedy(options) {
  const run = await engine.start(options);
  await run.prefill();
  const logits = [];
  const chosen = [];
  let passes = 0;
  while (run.finish === null) {
    passes += (await run.forward()).passes;
    logits.push([...(await run.logits()).values]);
    chosen.push((await run.step()).choice.id);
  }
  const { text, finish, state: { pending } } = run;
  run.free();
  return { logits, chosen, text, finish, pending, passes };
}

/**
 * The last logits of the first token alone, of the first two, and so on, without a cache.
 * @param {number[]} ids
 */
export async function prefixes(ids) {
  const rows = [];
  for (let length = 1; length <= ids.length; length += 1) {
    const run = await engine.start({ prompt: ids.slice(0, length), cache: false });
    await run.prefill();
    rows.push([...(await run.logits()).values]);
    run.free();
  }
  return rows;
}

/**
 * Attention, K and V of one layer after a prompt.
 * @param {{ ids: number[], layer: number }} task
 */
export async function inside({ ids, layer }) {
  const run = await engine.start({ prompt: ids });
  await run.prefill();
  const { weights, heads, tokens } = await run.attention({ layer });
  const kv = await run.kv({ layer });
  run.free();
  return {
    attention: { weights: [...weights], heads, tokens },
    kv: { tokens: kv.tokens, k: [...kv.k], v: [...kv.v] },
  };
}

/**
 * The same tokens twice: read in one pass, and one by one. Pairs of logits, and of each layer's
 * attention, K and V.
 * @param {number[]} ids
 */
export async function withSingles(ids) {
  const whole = await engine.start({ prompt: ids });
  await whole.prefill();
  const single = await engine.start({ prompt: ids.slice(0, 1), maxTokens: ids.length });
  await single.prefill();
  for (const id of ids.slice(1)) {
    await single.force(id);
    await single.forward();
  }
  const runs = [whole, single];
  const logits = [];
  for (const run of runs) logits.push([...(await run.logits()).values]);
  const layers = [];
  for (let layer = 0; layer < engine.info.layers; layer += 1) {
    /** @type {{ attention: number[][], k: number[][], v: number[][] }} */
    const pairs = { attention: [], k: [], v: [] };
    for (const run of runs) {
      const { k, v } = await run.kv({ layer });
      pairs.attention.push([...(await run.attention({ layer })).weights]);
      pairs.k.push([...k]);
      pairs.v.push([...v]);
    }
    layers.push(pairs);
  }
  for (const run of runs) run.free();
  return { logits, layers };
}

/**
 * A run, and how it stood after each token: first the forced ids, then drawn ones until it ends, or
 * no more if `onlyForced`.
 * @param {{ options: import("../../www/api/next-token.js").StartOptions, forced?: number[], onlyForced?: boolean }} task
 */
export async function watch({ options, forced = [], onlyForced = false }) {
  const run = await engine.start(options);
  await run.prefill();
  const steps = [];
  while (run.finish === null && !(onlyForced && steps.length === forced.length)) {
    /** @type {import("../../www/api/next-token.js").Step} */
    const step = await (steps.length < forced.length ? run.force(forced[steps.length]) : run.step());
    const { text, held, pending, segments, naive } = run.state;
    steps.push({ id: step.choice.id, added: step.appended?.text ?? "", position: step.position, stop: step.stop, text, held, pending, segments, naive });
  }
  const { tokens, promptLength, passes } = run.state;
  const seen = { steps, text: run.text, finish: run.finish, prompt: tokens.slice(0, promptLength), generated: tokens.slice(promptLength), passes };
  run.free();
  return seen;
}
