/** What just happened, in one sentence with the numbers that were measured. No number is made up here. */

import { count, duration, interval, logit, plural, probability, quoted, quotedText, tokenSpoken } from "./format.js";

/** @typedef {import("./calls.js").Calls} Calls */
/** @typedef {import("../api/next-token.js").Step} Step */

/** Finish reasons in words. */
const REASONS = {
  eos: "end-of-text token",
  length: "Max tokens reached",
  stop: "stop sequence",
  context: "context full",
  cancelled: "stopped by you",
};

/** @param {import("../api/next-token.js").FinishReason} reason */
export const reasonWords = (reason) => REASONS[reason];

/** The stage on show. @param {Calls} player @returns {string} */
export function describeStage(player) {
  const { timeline, engine } = player;
  const { turn, prefill } = timeline;
  const vocabulary = engine ? count(engine.info.vocabulary) : "";
  switch (timeline.stage) {
    case null:
      return engine ? "The prompt waits. Start does the first stage, which cuts it into tokens." : "";
    case "tokenize": {
      const n = player.run?.state.promptLength ?? timeline.prompt.length;
      const unknown = engine?.info.architecture === "table" ? timeline.prompt.filter((p) => p.text === "<unk>").length : 0;
      const lost = unknown === 0 ? "" : unknown === 1 ? " The table doesn’t know one of the words: it became <unk>." : ` The table doesn’t know ${count(unknown)} of the words: they became <unk>.`;
      return `The prompt is ${plural(n, "token")}.${lost} From here on the model sees only their ids.`;
    }
    case "prefill": {
      if (!prefill) return "";
      const n = prefill.pieces.length;
      const how = timeline.chunk > 0 && timeline.chunk < n ? `was read up to ${count(timeline.chunk)} at a time, in ${duration(prefill.ms)}` : `was read in one pass of ${duration(prefill.ms)}`;
      return `The whole prompt, ${plural(n, "token")}, ${how}. Its last row is already the scores for the next token.`;
    }
    case "forward": {
      const f = turn?.forward;
      if (!f) return "This token was forced without a forward pass.";
      const scores = `${vocabulary} scores (logits), from ${logit(f.min)} to ${logit(f.max)}`;
      if (f.passes === 0) return `No new pass: the last pass had already computed these ${scores}.`;
      if (f.passes === 1) return `One token went through the network in ${duration(f.ms)}; the rest came from the KV cache. ${scores}.`;
      if (player.started?.cache === false) return `The KV cache is off: all ${count(f.passes)} tokens were computed again, in ${duration(f.ms)}. ${scores}.`;
      return `${count(f.passes)} tokens went through the network in ${duration(f.ms)}. ${scores}.`;
    }
    case "distribution": {
      const d = turn?.distribution;
      const top = d?.candidates[0];
      if (!d || !top) return "";
      const kept = d.settings.temperature === 0 ? "Greedy keeps only the top one" : `${plural(d.kept, "token")} of ${vocabulary} can be drawn`;
      return `Softmax turned the scores into probabilities. ${quoted(top)} leads with ${probability(top.pRaw)} by the model. ${kept}.`;
    }
    case "sample": {
      const c = turn?.choice;
      if (!c) return "";
      if (c.method === "greedy") return `No coin: greedy takes the top token, ${quoted(c)}.`;
      if (c.method === "forced") return `You took ${quoted(c)} in place of the draw${c.pRaw === null ? "" : ` (${probability(c.pRaw)} by the model)`}.`;
      const [lo, coin, hi] = interval(c.lo ?? 0, c.coin ?? 0, c.hi ?? 1);
      return `The coin, ${coin}, lands between ${lo} and ${hi}: ${quoted(c)}.`;
    }
    case "stop":
      return turn?.stop ? describeStop(turn.stop, turn.index + 1) : `${turn?.choice ? quoted(turn.choice) : "The token"} is no reason to stop, so the run goes on.`;
    case "append": {
      const step = turn?.step;
      if (!step) return "";
      const ends = step.stop ? describeStop(step.stop, step.index + 1) : "";
      if (!step.appended) return `${quoted(step.choice)} joins nothing. ${ends}`;
      const joined = `${quoted(step.appended.piece)} joined the text, now ${plural(step.appended.length, "token")}.`;
      return step.stop ? `${joined} ${ends}` : `${joined} All of it goes back into the model.`;
    }
  }
}

/** @param {import("../api/next-token.js").Stop} stop @param {number} made tokens generated then: of a run that met its limit, the limit */
function describeStop(stop, made) {
  switch (stop.reason) {
    case "eos":
      return "The run ends: the model chose its end-of-text token.";
    case "length":
      return `The run ends: Max tokens (${count(made)}) is reached.`;
    case "stop":
      return `The run ends: the stop sequence ${quotedText(stop.sequence ?? "")} is complete. It is cut off.`;
    case "context":
      return "The run ends: the context is full.";
  }
}

/** Why the run ended, and after how many tokens. @param {Calls} player */
export function describeEnd(player) {
  const { run, timeline } = player;
  if (!run?.finish) return "";
  const made = plural(timeline.steps.filter((s) => s.appended).length, "token");
  if (run.finish === "cancelled") return `Stopped by you after ${made}. Step or Play goes on from there.`;
  const last = timeline.last?.step;
  return `${last?.stop ? describeStop(last.stop, last.index + 1) : `The run ends: ${reasonWords(run.finish)}.`} ${made} generated.`;
}

/** One whole step, for those who listen: number, token, probability and rank, runner-up, kept. @param {Step} step */
export function describeStep(step) {
  const { choice, candidates, kept } = step;
  const other = candidates.find((c) => c.id !== choice.id);
  const chosen = `Step ${step.index + 1}: ${tokenSpoken(choice)}, ${choice.method}`;
  const likely = choice.pRaw === null ? "" : `, ${probability(choice.pRaw)} by the model${choice.rank === null ? "" : `, rank ${choice.rank + 1}`}`;
  const name = choice.rank === 0 ? "Runner-up" : "Most likely was";
  const runnerUp = other ? ` ${name}: ${tokenSpoken(other)}, ${probability(other.pRaw)}.` : "";
  return `${chosen}${likely}.${runnerUp}${kept === null ? "" : ` ${plural(kept, "token")} kept.`}`;
}

/** Why the next action can't be done yet, or what it will do: the hint beside the buttons. @param {Calls} player */
export function nextWords(player) {
  const { timeline } = player;
  if (!timeline.live) {
    const turn = timeline.turn;
    return `looking back${turn ? ` at step ${turn.index + 1} of ${timeline.turns.length}` : ""}; nothing is computed`;
  }
  switch (timeline.stageAt(timeline.edge)) {
    case null: return "next: tokenize the prompt";
    case "tokenize": return "next: prefill, which reads the prompt";
    case "prefill":
    case "append": return "next: forward, which scores the vocabulary";
    case "forward": return "next: distribution, scores to probabilities";
    case "distribution": return "next: sample, which chooses one token";
    case "sample": return "next: stop check";
    case "stop": return "next: append the token";
  }
}
