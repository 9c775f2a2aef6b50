// Prints the gzip bytes that the plugin adds to every page, those that opening the panel loads, and those that the first
// question does, and the same for the script of other sites; exits 1 above the limits. The plugin's are bundled by
// esbuild from `lib`, without React and Docusaurus, which the site has anyway; the script's hold Preact.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const LIMITS = {
  "every page": 3.5 * 1024,
  "panel opened": 14 * 1024,
  "first question": 6 * 1024,
  "every page, script": 3.5 * 1024,
  "panel opened, script": 14 * 1024,
  "first question, script": 6 * 1024,
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
const first = closureOf("lib/mount/Root.js");
const opened = closureOf("lib/theme/Ask/Panel.js");
const bytes = { "every page": 0, "panel opened": 0, "first question": 0 };
for (const { path, contents } of outputFiles) {
  const name = path.slice(dirname(resolve("package.json")).length + 1);
  bytes[momentOf(name)] += gzipSync(contents).length;
}
bytes["every page, script"] = sizeOf("lib/embed/bookbound.js");
bytes["panel opened, script"] = sizeOf("lib/embed/panel.js");
bytes["first question, script"] = sizeOf("lib/embed/reply.js");
for (const [name, limit] of Object.entries(LIMITS)) {
  const over = bytes[name] > limit;
  console.log(`${name}: ${bytes[name]} bytes gzip, at most ${limit}${over ? ": too many" : ""}`);
  if (over) process.exitCode = 1;
}

function sizeOf(path) {
  return gzipSync(readFileSync(path)).length;
}

/** An entry's file, and those that it cannot do without. */
function closureOf(entryPoint) {
  const [entry] = outputs.find(([, output]) => output.entryPoint === entryPoint);
  const found = new Set([entry]);
  for (const name of found) {
    for (const { kind, external, path } of metafile.outputs[name].imports) {
      if (kind === "import-statement" && !external) found.add(path);
    }
  }
  return found;
}

/** When a file is loaded. Docusaurus puts all styles into one file, which every page loads. */
function momentOf(name) {
  if (first.has(name) || name.endsWith(".css")) return "every page";
  return opened.has(name) ? "panel opened" : "first question";
}
