/**
 * The views. Each is an element that runs a model of its own or, with `for`, shows the run of another one.
 * Their code is fetched when they are used: a page with one view doesn't pay for seven others.
 */

import { Host } from "../elements/host.js";

/**
 * `<nt-run>`: a model, a prompt and the transport, without a view. Views name it in `for` and show its run.
 * `controls="none"` leaves the transport to an `<nt-transport>`.
 */
export class NtRun extends Host {
  /** @override */
  static label = "The run that the views on this page show";
}

/** `<nt-transport>`: the buttons and the meters of another element's run; it stays in reach at the lower edge. */
export class NtTransport extends Host {
  /** @override */
  static label = "Step, play, go back";
  /** @override */
  static frame = { model: false, prompt: false, controls: false };

  /** @override */
  async compose() {
    const { compose } = await import("./transport.js");
    return compose();
  }
}

/** `<nt-distribution>`: what the next token is drawn from. */
export class NtDistribution extends Host {
  /** @override */
  static label = "The distribution of the next token";

  /** @override */
  async compose() {
    const { compose } = await import("./distribution.js");
    return compose(this);
  }
}

/** `<nt-tree>`: all branches of a prompt. */
export class NtTree extends Host {
  /** @override */
  static label = "The branches of the text";

  /** @override */
  async compose() {
    const { compose } = await import("./tree/index.js");
    return compose(this);
  }
}

/** `<nt-kv-cache>`: the KV cache, with it and without it. */
export class NtKvCache extends Host {
  /** @override */
  static label = "The KV cache";

  /** @override */
  async compose() {
    const { compose } = await import("./kv-cache/index.js");
    return compose(this);
  }
}

/** `<nt-stop>`: why a run ends, and what a stop sequence holds back. */
export class NtStop extends Host {
  /** @override */
  static label = "When it stops";
  /** @override */
  static frame = { model: true, prompt: false, controls: false };

  /** @override */
  async compose() {
    const { compose } = await import("./stop/index.js");
    return compose(this);
  }
}

/** `<nt-stream>`: one run, streamed and all at once. */
export class NtStream extends Host {
  /** @override */
  static label = "Streaming";
  /** @override */
  static frame = { model: true, prompt: true, controls: false };

  /** @override */
  async compose() {
    const { compose } = await import("./stream/index.js");
    return compose(this);
  }
}

/** `<nt-thinking>`: the answer at once, or after written steps. */
export class NtThinking extends Host {
  /** @override */
  static label = "Thinking out loud";
  /** @override */
  static frame = { model: true, prompt: false, controls: false };

  /** @override */
  async compose() {
    const { compose } = await import("./thinking/index.js");
    return compose(this);
  }
}

/** `<nt-chat>`: a conversation and what it re-sends. */
export class NtChat extends Host {
  /** @override */
  static label = "A conversation";
  /** @override */
  static frame = { model: true, prompt: false, controls: false, keys: false };

  /** @override */
  async compose() {
    const { compose } = await import("./chat/index.js");
    return compose(this);
  }
}

/** `<nt-cost>`: what calls cost. */
export class NtCost extends Host {
  /** @override */
  static label = "The price of calls";
  /** @override */
  static frame = { model: false, prompt: false, controls: false, keys: false };

  /** @override */
  async compose() {
    const { compose } = await import("./cost/index.js");
    return compose(this);
  }
}
