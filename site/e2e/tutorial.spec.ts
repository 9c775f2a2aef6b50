// What docs/tutorial.md has its reader do in the browser, with the site and the server that it had them start. The
// tests stand in the order of its `<!-- browser -->` places, and each is run where its place is come to.
import { expect, test } from "@playwright/test";
import { Panel } from "./panel.ts";

const SITE = "http://localhost:3000";
const AUTHOR = "http://127.0.0.1:8000/author";

test("1: asks on a page of the tutorial's site and follows the citation", async ({ page }) => {
  test.setTimeout(60_000);
  const panel = new Panel(page);
  await panel.openOn(`${SITE}/docs/intro`);
  // The first question loads the model, which may take longer than an answer may.
  await expect(async () => {
    await panel.ask("How do I prevent swarming?");
    await expect(panel.citations.first()).toBeVisible();
  }).toPass({ timeout: 30_000 });
  await panel.citations.first().click();
  await expect(page).toHaveURL(`${SITE}/docs/swarming#how-to-prevent-it`);
  await page.screenshot({ path: test.info().outputPath("answer.png"), animations: "disabled" });
});

test("2: finds what was asked in vain on the author's page, and saves a place that answers it", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(AUTHOR);
  const gap = page.locator(".gap", { hasText: "Why must I not feed in October?" });
  const mend = gap.locator(".mends > li", { has: page.getByText("Feed sugar syrup") });
  await mend.getByText("Yes: try this mend").click({ timeout: 60_000 });
  await mend.getByRole("button", { name: "Try it" }).click();
  await mend.getByRole("button", { name: /^Save into/ }).click({ timeout: 30_000 });
  await expect(mend.getByText("Saved")).toBeVisible();
  await page.screenshot({ path: test.info().outputPath("author.png"), fullPage: true, animations: "disabled" });
});
