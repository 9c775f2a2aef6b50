// Takes docs/demo.png anew, of a running `make run`: node site/e2e/picture.mjs [ADDRESS]
import { join } from "node:path";
import { chromium } from "@playwright/test";

const ADDRESS = process.argv[2] ?? "http://127.0.0.1:8000";
// The first one loads the model; the last one is shown.
const QUESTIONS = ["What is a node in ROS 2?", "Which costmaps does Nav2 use, and what do their layers hold?"];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(ADDRESS);
  for (const question of QUESTIONS) {
    await page.getByLabel("Your question").fill(question);
    const response = page.waitForResponse("**/v1/chat");
    await page.keyboard.press("Enter");
    const { was_refusal } = await (await response).json();
    if (was_refusal !== false) throw new Error(`no answer to ${question}`);
  }
  await page.getByRole("button", { name: "Correct", exact: true }).waitFor();
  await page.screenshot({ path: join(import.meta.dirname, "..", "..", "docs", "demo.png"), fullPage: true });
} finally {
  await browser.close();
}
