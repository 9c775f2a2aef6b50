// Builds `lib`: the plugin for Node as CommonJS, what readers load as ES modules, and the stylesheet as it is.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";

rmSync("lib", { recursive: true, force: true });
for (const side of ["server", "client"]) {
  execFileSync("node", ["node_modules/typescript/bin/tsc", "-p", `tsconfig.${side}.json`], { stdio: "inherit" });
}
cpSync("src/theme/Ask/styles.css", "lib/theme/Ask/styles.css");
