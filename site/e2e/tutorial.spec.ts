// What docs/tutorial.md has its reader do in the browser, with the site and the server that it had them start.
import { expect, test } from "@playwright/test";
import { Panel } from "./panel.ts";

const SITE = "http://localhost:3000";

test("asks on a page of the tutorial's site and follows the citation", async ({ page }) => {
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
