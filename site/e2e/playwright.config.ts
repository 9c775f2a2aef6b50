import { defineConfig } from "@playwright/test";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: ".",
  // One gateway stands between site and API, and each test plans its turns.
  workers: 1,
  timeout: 20_000,
  expect: { timeout: 6_000 },
  reporter: "list",
  projects: [
    { name: "demo", testIgnore: ["fresh.spec.ts", "tutorial.spec.ts"], outputDir: "../../build/site-test/results-demo" },
    { name: "fresh", testMatch: "fresh.spec.ts", outputDir: "../../build/site-test/results-fresh" },
    { name: "tutorial", testMatch: "tutorial.spec.ts", outputDir: "../../build/site-test/results-tutorial" },
  ],
  use: {
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    launchOptions: { executablePath: CHROMIUM, args: ["--no-sandbox"] },
  },
});
