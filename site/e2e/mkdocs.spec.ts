// The sample book as a site of MkDocs with Material, and the script as the plugin's README puts it there.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { serve } from "../demo/serve.mjs";
import { Gateway } from "./gateway.ts";
import { ANSWERED, Panel } from "./panel.ts";
import { API, ROOT, SHOTS, Service } from "./world.ts";

const FOLDER = join(ROOT, "build", "site-test", "mkdocs");
const SITE = join(FOLDER, "sample");
const PYTHON = join(ROOT, ".venv", "bin", "python");
const README = readFileSync(join(ROOT, "site", "plugin", "README.md"), "utf8");

function built(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  execFileSync(PYTHON, ["-m", "tests.end_to_end.built_mkdocs", FOLDER], { cwd: ROOT });
  const policy = readFileSync(join(ROOT, "sample_book", "bookbound.yaml"), "utf8");
  writeFileSync(join(SITE, "bookbound.yaml"), `${policy}\nsite: mkdocs\n`);
  cpSync(join(ROOT, "site", "plugin", "lib", "embed"), join(SITE, "docs", "bookbound"), { recursive: true });
  const config = join(SITE, "mkdocs.yml");
  const theme = "theme: {name: material, ";
  const own = readFileSync(config, "utf8").replace(theme, `${theme}custom_dir: overrides, `);
  writeFileSync(config, `${own}extra_css: [bookbound.css]\n`);
  writeFileSync(join(SITE, "docs", "bookbound.css"), /```css\n([^`]*)```/.exec(README)![1]!);
  const override = /```html\n(\{% extends "base.html" %\}[^`]*)```/.exec(README)![1]!;
  mkdirSync(join(SITE, "overrides"));
  writeFileSync(join(SITE, "overrides", "main.html"), override.replace("https://api.example.org", API));
  execFileSync(PYTHON, ["-m", "mkdocs", "build", "--quiet"], { cwd: SITE, stdio: "ignore" });
}

test("answers on a page of MkDocs, and a citation leads to its passage there", async ({ page }) => {
  test.setTimeout(240_000);
  built();
  const site = await serve(join(SITE, "site"), 0, API);
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const service = await Service.start("mkdocs-data", join(SITE, "docs"), origin);
  const gateway = new Gateway(service.url, origin);
  await gateway.listen(Number(new URL(API).port));
  const panel = new Panel(page);
  try {
    await panel.openOn(`${origin}/02-ros2-fundamentals/01-nodes-and-topics/`);
    // The first question loads the model, which may take longer than an answer may.
    await expect(async () => {
      await panel.ask(ANSWERED);
      await expect(panel.citations.first()).toBeVisible();
    }).toPass({ timeout: 30_000 });
    await page.screenshot({ path: join(SHOTS, "mkdocs.png") });
    const { pathname, hash } = new URL((await panel.citations.first().getAttribute("href"))!, origin);
    await panel.citations.first().click();
    await page.waitForURL((url) => url.pathname === pathname);
    await expect(page.locator(`article [id="${hash.slice(1).split(":~:")[0]}"]`)).toBeVisible();
    // On its own page the panel itself goes to the passage.
    await panel.openOn(`${origin}${pathname}`);
    await panel.getAnswer();
    await panel.citations.first().click();
    const marked = () => page.evaluate(() => [...CSS.highlights.values()].flatMap((one) => [...one].map(String)).join(""));
    await expect.poll(marked).toContain("joints");
  } finally {
    gateway.close();
    service.stop();
    site.close();
    site.closeAllConnections();
  }
});
