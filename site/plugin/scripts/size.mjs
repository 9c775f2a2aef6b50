// Prints the gzip bytes that the plugin adds to every page, and those that opening the panel loads, and the same for
// the script of other sites; exits 1 above the limits. The plugin's are bundled by esbuild from `lib`, without React
// and Docusaurus, which the site has anyway; the script's hold Preact.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const LIMITS = {
  "every page": 3.5 * 1024,
  "panel opened": 14 * 1024,
  "every page, script": 4 * 1024,
  "panel opened, script": 17.5 * 1024,
};

const siteAliases = {
  name: "site-aliases",
  setup({ onResolve }) {
    const at = (path) => ({ path: resolve("lib", path) });
    onResolve({ filter: /^@theme\/Ask$/ }, () => at("theme/Ask/index.js"));
    onResolve({ filter: /^@theme\/Ask\// }, ({ path }) => at(`${path.slice(1)}.js`));
    onResolve({ filter: /^docusaurus-plugin-bookbound\/client\// }, ({ path }) =>
      at(`${path.split("/").slice(1).join("/")}.js`),
    );
  },
};

const { metafile, outputFiles } = await build({
  entryPoints: ["lib/mount/Root.js"],
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true,
  outdir: "lib/size",
  external: ["react", "react/*", "react-dom", "@docusaurus/*", "@bookbound/site-root"],
  plugins: [siteAliases],
  metafile: true,
  write: false,
  logLevel: "error",
});

const outputs = Object.entries(metafile.outputs);
const [entry] = outputs.find(([, { entryPoint }]) => entryPoint === "lib/mount/Root.js");
const first = new Set([entry]);
for (const name of first) {
  const imports = metafile.outputs[name].imports.filter(
    ({ kind, external }) => kind === "import-statement" && !external,
  );
  imports.forEach(({ path }) => first.add(path));
}
// Docusaurus puts all styles into one file, which every page loads.
const isFirst = (name) => first.has(name) || name.endsWith(".css");
const bytes = { "every page": 0, "panel opened": 0 };
for (const { path, contents } of outputFiles) {
  const name = path.slice(dirname(resolve("package.json")).length + 1);
  if (metafile.outputs[name]) bytes[isFirst(name) ? "every page" : "panel opened"] += gzipSync(contents).length;
}
bytes["every page, script"] = sizeOf("lib/embed/bookbound.js");
bytes["panel opened, script"] = sizeOf("lib/embed/panel.js");
for (const [name, limit] of Object.entries(LIMITS)) {
  const over = bytes[name] > limit;
  console.log(`${name}: ${bytes[name]} bytes gzip, at most ${limit}${over ? ": too many" : ""}`);
  if (over) process.exitCode = 1;
}

function sizeOf(path) {
  return gzipSync(readFileSync(path)).length;
}
