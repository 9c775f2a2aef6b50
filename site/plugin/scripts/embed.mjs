// Bundles the panel for sites without Docusaurus into `lib/embed`: `bookbound.js`, which every page loads, `panel.js`,
// which it loads when a reader opens it, `reply.js`, which that loads at the first question, and the words of other
// languages. With a folder, puts the same files there too;
// with `--check FOLDER`, exits 1 unless the folder has them.
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build, transform } from "esbuild";

const OUT = "lib/embed";
const TARGET = ["es2022", "chrome120", "firefox120", "safari17"];
const locales = readdirSync("locales");
const at = (...path) => resolve("src", ...path);

const aliases = {
  name: "aliases",
  setup({ onResolve, resolve: search }) {
    const to = (folder) => (args) => {
      const from = { resolveDir: folder, kind: args.kind };
      return search(`./${args.path.split("/").slice(args.path.startsWith("@theme") ? 2 : 1).join("/")}`, from);
    };
    onResolve({ filter: /^@theme\/Ask\/loadReply$/ }, () => ({ path: at("embed", "loadReply.ts") }));
    onResolve({ filter: /^@theme\/Ask\// }, to(at("theme", "Ask")));
    onResolve({ filter: /^@docusaurus\// }, to(at("embed", "docusaurus")));
    onResolve({ filter: /^docusaurus-plugin-bookbound\/client\// }, to(resolve("src")));
  },
};

/** Style sheets as texts, which the panel puts where it stands. */
const styles = {
  name: "styles",
  setup({ onLoad }) {
    const textOf = async (css) => {
      const { code } = await transform(css, { loader: "css", minify: true, target: TARGET });
      // esbuild leaves custom properties as they are written.
      return { contents: code.trim().replace(/(--[\w-]+): /g, "$1:"), loader: "text" };
    };
    onLoad({ filter: /\.css$/ }, ({ path }) => textOf(readFileSync(path, "utf8")));
    onLoad({ filter: /panelStyles\.ts$/ }, ({ path }) => textOf(readFileSync(path, "utf8").split("`").at(-2)));
  },
};

const options = {
  bundle: true,
  minify: true,
  target: TARGET,
  jsx: "automatic",
  alias: {
    react: at("embed", "react.ts"),
    "react-dom/client": at("embed", "reactDom.ts"),
  },
  jsxImportSource: "preact",
  define: { LOCALES: JSON.stringify(locales.map((file) => basename(file, ".json"))) },
  plugins: [styles, aliases],
  logLevel: "error",
  legalComments: "none",
};

/** What a reply shares with its panel, which hands it over (`loadReply.ts`): of a framework there is one. */
const shared = {
  name: "shared",
  setup({ onResolve }) {
    const filter = /^(react|preact\/jsx-runtime|@docusaurus\/Translate)$/;
    onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
};

const entries = [
  { entryPoints: { bookbound: at("embed", "element.ts") }, format: "iife" },
  { entryPoints: { panel: at("embed", "panel.tsx") }, format: "esm" },
  {
    entryPoints: { reply: at("embed", "reply.ts") },
    format: "cjs",
    banner: { js: "export default(require,module)=>{" },
    footer: { js: "}" },
    alias: {},
    plugins: [shared, styles, aliases],
  },
];
for (const entry of entries) await build({ ...options, ...entry, outdir: OUT });
for (const file of locales) cpSync(join("locales", file), join(OUT, file));

const [first, second] = process.argv.slice(2);
const isCheck = first === "--check";
const folder = isCheck ? second : first;
if (folder) {
  for (const file of readdirSync(OUT)) {
    const [built, there] = [join(OUT, file), join(folder, file)];
    if (!isCheck) cpSync(built, there);
    else if (contentOf(there) !== contentOf(built)) {
      console.error(`${there} is not what the panel's sources make: run make panel`);
      process.exitCode = 1;
    }
  }
}

function contentOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
