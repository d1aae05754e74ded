/** The view of `<nt-transport>`: the buttons and the meters of another element's run. */

import { NtControls } from "../elements/nt-controls.js";
import { NtMeters } from "../elements/nt-meters.js";

/** @returns {import("../elements/host.js").Composition} */
export function compose() {
  const [controls, meters] = [new NtControls(), new NtMeters()];
  return { parts: [controls, meters], body: [controls], foot: [meters], controls };
}
