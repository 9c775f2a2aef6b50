import { defineConfig } from "@playwright/test";
import type { Options } from "./world.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

/** Tests of sites that are made for them. */
const MADE = ["fresh.spec.ts", "mkdocs.spec.ts", "tutorial.spec.ts", "author.spec.ts"];
/** What Playwright cannot do in a Firefox that is not its own: being offline, touch, the clipboard, a false clock. */
const NOT_IN_FIREFOX = /offline|by touch|copied|renewed before its end/;
const inFirefox = {
  // By WebDriver BiDi. A later Playwright asks for more of it than Firefox ESR 140 knows.
  browserName: "_bidiFirefox" as "firefox",
  channel: "moz-firefox",
  launchOptions: { executablePath: FIREFOX },
};

export default defineConfig<object, Options>({
  testDir: ".",
  // One gateway stands between site and API, and each test plans its turns.
  workers: 1,
  timeout: 20_000,
  expect: { timeout: 6_000 },
  reporter: "list",
  projects: [
    { name: "plugin", testIgnore: MADE, outputDir: "../../build/site-test/results-plugin" },
    {
      name: "script",
      testIgnore: [...MADE, "demo.spec.ts"],
      use: { home: "script" },
      outputDir: "../../build/site-test/results-script",
    },
    {
      name: "plugin-firefox",
      testIgnore: MADE,
      grepInvert: NOT_IN_FIREFOX,
      use: inFirefox,
      outputDir: "../../build/site-test/results-plugin-firefox",
    },
    {
      name: "script-firefox",
      testIgnore: [...MADE, "demo.spec.ts"],
      grepInvert: NOT_IN_FIREFOX,
      use: { ...inFirefox, home: "script" },
      outputDir: "../../build/site-test/results-script-firefox",
    },
    { name: "fresh", testMatch: "fresh.spec.ts", outputDir: "../../build/site-test/results-fresh" },
    { name: "mkdocs", testMatch: "mkdocs.spec.ts", outputDir: "../../build/site-test/results-mkdocs" },
    { name: "author", testMatch: "author.spec.ts", outputDir: "../../build/site-test/results-author" },
    { name: "tutorial", testMatch: "tutorial.spec.ts", outputDir: "../../build/site-test/results-tutorial" },
  ],
  use: {
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    launchOptions: { executablePath: CHROMIUM, args: ["--no-sandbox"] },
  },
});
