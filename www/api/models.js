/** Where the models are that can be loaded by name. */

/**
 * pocket, which is part of this package, as the engine is. Whoever could change it could change this
 * line too, so there is no checksum: a file that is cut or another one is refused when it's read.
 */
export const POCKET = new URL("./pocket.gguf", import.meta.url);

/**
 * A model that isn't part of this package.
 * @typedef {object} PublishedModel
 * @property {string} id
 * @property {string} name
 * @property {URL} url where the file is: `models/` beside this module's folder
 * @property {number} bytes its exact size
 * @property {string} sha256 of the whole file, in hex; also its key in the browser's store
 * @property {string} licence
 */

/** @type {PublishedModel} */
export const SMOLLM2 = {
  id: "smollm2",
  name: "SmolLM2-135M-Instruct",
  url: new URL("../models/SmolLM2-135M-Instruct.Q4_1.gguf", import.meta.url),
  bytes: 98_362_432,
  sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
  licence: "Apache-2.0",
};
