/**
 * Bundles what the page takes from npm: one module for each `www/vendor/NAME.src.js`, its types, and the
 * licences of the packages in it. Run by `cargo xtask`, in the checkout: `node xtask/vendor.mjs FOLDER`.
 */
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const sources = "www/vendor";
const out = process.argv[2] ?? "pkg/vendor";
const ending = ".src.js";
await mkdir(out, { recursive: true });

for (const file of (await readdir(sources)).filter((name) => name.endsWith(ending))) {
  const name = file.slice(0, -ending.length);
  const { metafile } = await build({
    entryPoints: [path.join(sources, file)],
    outfile: path.join(out, `${name}.js`),
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    minify: true,
    legalComments: "inline",
    metafile: true,
    banner: { js: `/*! Made by \`cargo xtask build\` from packages whose licences are in ${name}.LICENSES.txt */` },
  });
  const packages = [...new Set(Object.keys(metafile.inputs).flatMap(packageOf))].sort();
  await writeFile(path.join(out, `${name}.LICENSES.txt`), (await Promise.all(packages.map(licence))).join("\n\n"));
  const source = path.relative(out, path.join(sources, file)).split(path.sep).join("/");
  await writeFile(path.join(out, `${name}.d.ts`), `export * from "${source}";\n`);
  const [{ bytes }] = Object.values(metafile.outputs);
  console.log(`  ${name}.js: ${bytes} bytes from ${packages.map((folder) => folder.replace("node_modules/", "")).join(", ")}`);
}

/** The package that a bundled file belongs to; none for our own. @param {string} file */
function packageOf(file) {
  const found = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file);
  return found ? [found[0]] : [];
}

/** @param {string} folder */
async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${await readFile(path.join(folder, file), "utf8")}`;
}
