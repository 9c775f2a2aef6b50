// Builds `lib`: the plugin for Node as CommonJS, what readers load as ES modules, the style sheets as they are, and
// the panel for sites without Docusaurus.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";

rmSync("lib", { recursive: true, force: true });
for (const side of ["server", "client"]) {
  execFileSync("node", ["node_modules/typescript/bin/tsc", "-p", `tsconfig.${side}.json`], { stdio: "inherit" });
}
for (const name of ["page", "styles"]) cpSync(`src/theme/Ask/${name}.css`, `lib/theme/Ask/${name}.css`);
execFileSync("node", ["scripts/embed.mjs"], { stdio: "inherit" });
