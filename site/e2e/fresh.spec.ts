// A site as Docusaurus' own starter makes it, and nothing but the three steps of the plugin's README.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { serve } from "../demo/serve.mjs";
import { Gateway } from "./gateway.ts";
import { Panel } from "./panel.ts";
import { API, ROOT, SHOTS, Service } from "./world.ts";

const FOLDER = join(ROOT, "build", "site-test", "fresh");
const SITE = join(FOLDER, "book");
const README = readFileSync(join(ROOT, "site", "plugin", "README.md"), "utf8");
const INSTALL = "npm install docusaurus-plugin-bookbound";

function run(folder: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function created(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  run(FOLDER, "npx", "--yes", "create-docusaurus@3.10.2", "book", "classic", "--skip-install", "--javascript");
  const file = join(SITE, "package.json");
  const search = Object.fromEntries(["core", "react", "css"].map((part) => [`@docsearch/${part}`, "4.7.0"]));
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), overrides: search }, null, 2));
  run(SITE, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error");
}

/** The README's steps, with the package as it would be published. */
function install(): void {
  expect(README).toContain(INSTALL);
  run(join(ROOT, "site", "plugin"), "npm", "pack", "--silent", "--pack-destination", FOLDER);
  const archive = readdirSync(FOLDER).find((name) => name.endsWith(".tgz"))!;
  run(SITE, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", join(FOLDER, archive));
  const line = /^ *(plugins: \[\["docusaurus-plugin-bookbound".*)$/m.exec(README)![1]!;
  const config = join(SITE, "docusaurus.config.js");
  const own = line.replace("https://api.example.org", API);
  writeFileSync(config, readFileSync(config, "utf8").replace("presets: [", `${own}\n  presets: [`));
}

test("works in a freshly created site by the README's three steps", async ({ page }) => {
  test.setTimeout(600_000);
  created();
  install();
  run(SITE, "npm", "run", "build");
  const site = await serve(join(SITE, "build"), 0, API);
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const service = await Service.start("fresh-data", join(SITE, "docs"), origin);
  const gateway = new Gateway(service.url, origin);
  await gateway.listen(Number(new URL(API).port));
  const panel = new Panel(page);
  try {
    await panel.openOn(`${origin}/docs/intro`);
    // The first question loads the model, which may take longer than an answer may.
    await expect(async () => {
      await panel.ask("How do I start the development server?");
      await expect(panel.root).toHaveAttribute("data-state", "response");
    }).toPass({ timeout: 30_000 });
    await expect(panel.root.locator(".bookbound-answer, .bookbound-refusal")).toBeVisible();
    const { react } = JSON.parse(readFileSync(join(SITE, "package.json"), "utf8")).dependencies;
    test.info().annotations.push({ type: "React of the fresh site", description: react });
    await page.screenshot({ path: join(SHOTS, "fresh.png") });
  } finally {
    gateway.close();
    service.stop();
    site.close();
    site.closeAllConnections();
  }
});
