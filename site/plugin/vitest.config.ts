import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@theme\//, replacement: at("src/theme/") },
      { find: /^docusaurus-plugin-bookbound\/client\//, replacement: at("src/client/") },
      {
        find: /^@docusaurus\/(Translate|useIsBrowser|useGlobalData|useDocusaurusContext|router|Link)$/,
        replacement: at("tests/fakes/$1"),
      },
    ],
  },
  esbuild: { jsx: "automatic" },
  test: { environment: "jsdom", setupFiles: "tests/setup.ts", testTimeout: 30_000 },
});
