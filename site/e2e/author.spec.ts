// The author's page of the local server: read, tried and saved from, with a keyboard and on a phone.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "build", "site-test", "author");
const BOOKBOUND = join(ROOT, ".venv", "bin", "bookbound");
const POLICY = join(FOLDER, "book", "bookbound.yaml");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ASKED = ["Where is the dead man's button?", "What does Wren cost?", "My name is Ada Byron, is Wren heavy?"];
const SLOW = 120_000;

let server: ChildProcess;
let url = "";

test.describe.configure({ mode: "serial", timeout: 2 * SLOW });

test.beforeAll(async ({ request }) => {
  test.setTimeout(2 * SLOW);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, "book"), { recursive: true });
  for (const part of ["docs", "bookbound.yaml"]) {
    cpSync(join(ROOT, "sample_book", part), join(FOLDER, "book", part), { recursive: true });
  }
  const data = ["--data", join(FOLDER, "data")];
  execFileSync(BOOKBOUND, [...data, "ingest", join(FOLDER, "book", "docs")], { stdio: "ignore" });
  server = spawn(BOOKBOUND, [...data, "serve", "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
  url = await new Promise((resolve) =>
    server.stdout!.on("data", (text) => {
      const found = /at (http:\S+)\/author/.exec(String(text));
      if (found) resolve(found[1]!);
    }),
  );
  for (const question of ASKED) {
    // The first one loads the models, which may take longer than an answer may.
    await expect(async () => {
      expect((await request.post(`${url}/v1/chat`, { data: { question } })).status()).toBe(200);
    }).toPass({ timeout: SLOW });
  }
});

test.afterAll(() => {
  server?.kill();
});

async function opened(page: Page): Promise<void> {
  await page.goto(`${url}/author`);
  await expect(page.locator(".gap form.mend").first()).toBeAttached({ timeout: SLOW });
  await expect(page.locator(".gap .proposal:not(:has(form))")).toHaveCount(0, { timeout: SLOW });
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { passes, violations } = await (globalThis as any).axe.run();
    if (passes.length === 0) return ["nothing was checked"];
    return violations.flatMap(({ id, nodes }: any) => nodes.map((node: any) => `${id}: ${node.html}`));
  });
}

for (const [width, colours] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]] as const) {
  test(`axe objects to nothing at ${width} px, ${colours}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: colours });
    await opened(page);
    await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.screenshot({ path: test.info().outputPath("author.png"), fullPage: true });
  });
}

test("no personal data is shown", async ({ page }) => {
  await opened(page);
  await expect(page.getByText("may tell who somebody is")).toBeVisible();
  await expect(page.locator("body")).not.toContainText("Ada");
});

/** Look at what a mend would change, and save it; the file as it was before. */
async function savedByKeyboard(page: Page, place: Locator, change: string, picture: string): Promise<string> {
  await expect(place.getByRole("heading", { name: "What it would change" })).toBeFocused({ timeout: SLOW });
  await expect(place.locator("pre.diff")).toContainText(change);
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath(picture), fullPage: true });
  const before = readFileSync(POLICY, "utf8");
  await place.getByRole("button", { name: /^Save into/ }).focus();
  await page.keyboard.press("Enter");
  await expect(place.getByText("Saved")).toBeVisible();
  return before;
}

test("a place that answers is proposed with what it says, and saved by keyboard", async ({ page }) => {
  await opened(page);
  const gap = page.locator(".gap", { hasText: "dead man's button" });
  const mend = gap.locator(".mends > li", { hasText: "It is answered in" }).first();
  await expect(mend.locator("blockquote")).not.toBeEmpty();
  await mend.locator("summary").focus();
  await page.keyboard.press("Enter");
  await mend.getByRole("button", { name: "Try it" }).focus();
  await page.keyboard.press("Enter");
  const before = await savedByKeyboard(page, mend, "answered_in:", "place.png");
  expect(readFileSync(POLICY, "utf8").startsWith(before)).toBe(true);
});

test("a mend of one's own is tried and saved by keyboard", async ({ page }) => {
  await opened(page);
  const gap = page.locator(".gap", { hasText: "dead man's button" });
  const own = gap.locator(".proposal > details.own");
  await own.locator("summary").focus();
  await page.keyboard.press("Enter");
  await own.getByLabel("Kind").focus();
  await own.getByLabel("Kind").selectOption("alias");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("emergency stop");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("dead man's button");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const before = await savedByKeyboard(page, gap, "kill switch, dead man's button]", "trial.png");
  expect(readFileSync(POLICY, "utf8")).toBe(before.replace("kill switch]", "kill switch, dead man's button]"));
  await page.reload();
  await expect(page.getByText("bookbound.yaml has changed since the book was ingested")).toBeVisible();
});
