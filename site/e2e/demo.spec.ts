// What the local server shows: its demo page, which is the panel, and the book's pages with the panel in each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, SHOTS, test } from "./world.ts";
import { ANSWERED, REFUSED, UNSAID } from "./panel.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LOOP = "What is the sense-plan-act loop?";
const PASSAGE = "The sense-plan-act loop is the cycle in which a robot measures its state and surroundings";

test.use({ baseURL: async ({ world }, use) => use(world.service.url) });

async function violations(page: Page): Promise<string[]> {
  // The page's policy lets no text be run as a script.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { passes, violations } = await (globalThis as any).axe.run();
    if (passes.length === 0) return ["nothing was checked"];
    return violations.flatMap(({ id, nodes }: any) => nodes.map((node: any) => `${id}: ${node.html} ${node.failureSummary}`));
  });
}

test("the page is the panel, open, with the book's own questions to begin with", async ({ page, panel }) => {
  await page.goto("/");
  await expect(panel.box).toBeFocused();
  await expect(panel.opener).toHaveCount(0);
  await panel.button(ANSWERED).click();
  await expect(panel.citations.first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel.root).toBeVisible();
});

test("a citation leads to the passage in the book's page, which has the panel too", async ({ page, panel }) => {
  await page.goto("/");
  await panel.getAnswer(LOOP);
  await panel.citations.first().click();
  await expect(page).toHaveURL(/\/docs\/foundations\/sensing-and-acting#the-sense-plan-act-loop/);
  await expect(page.getByText(PASSAGE).first()).toBeInViewport();
  await panel.opener.click();
  await expect(panel.box).toBeFocused();
  await panel.root.getByText("Earlier questions (1)").click();
  await panel.button(LOOP).click();
  await panel.citations.first().click();
  await expect(page.locator(":focus")).toContainText(PASSAGE);
});

test("a pasted passage is what the answer rests on, until it is removed", async ({ page, panel }) => {
  await page.goto("/");
  await page.getByText("Ask about a passage").click();
  const pasted = page.getByLabel("Paste it from the book");
  await pasted.fill(`${PASSAGE}, chooses an action, and carries the action out.`);
  await pasted.blur();
  await expect(panel.root.getByText("About this passage only:")).toBeVisible();
  await panel.getAnswer("Explain this");
  await expect(panel.root.locator(".bookbound-answer")).toContainText(PASSAGE);
  await panel.button("Remove the passage").click();
  await expect(pasted).toHaveValue("");
});

test("a passage can be typed, word by word", async ({ page, panel }) => {
  await page.goto("/");
  await page.getByText("Ask about a passage").click();
  const pasted = page.getByLabel("Paste it from the book");
  await pasted.pressSequentially("a robot measures", { delay: 5 });
  await expect(pasted).toHaveValue("a robot measures");
  await pasted.blur();
  await expect(panel.root.getByText("About this passage only:")).toBeVisible();
});

test("a refusal that a passage could help leads to the box for it", async ({ page, panel }) => {
  await page.goto("/");
  await panel.ask(UNSAID);
  await expect(panel.root.getByText("The book does talk about")).toBeVisible();
  await panel.button("Select a passage").click();
  await expect(page.getByLabel("Paste it from the book")).toBeFocused();
});

test("a marked passage of the book's page is asked about", async ({ page, panel }) => {
  await page.goto("/docs/foundations/sensing-and-acting");
  await page.getByText(PASSAGE).first().evaluate((element) => getSelection()!.selectAllChildren(element));
  await page.getByRole("button", { name: "Ask about this" }).click();
  await panel.getAnswer("What does this mean?");
  await expect(panel.root.locator(".bookbound-answer")).toContainText(PASSAGE);
});

for (const { look, size, scheme } of [
  { look: "wide", size: { width: 1280, height: 800 }, scheme: "light" },
  { look: "mobile-dark", size: { width: 390, height: 844 }, scheme: "dark" },
] as const) {
  test.describe(look, () => {
    test.use({ viewport: size, colorScheme: scheme });

    test(`accessible, and within the window, in every state: ${look}`, async ({ page, panel }) => {
      test.setTimeout(60_000);
      const states: [string, () => Promise<unknown>][] = [
        ["open", () => page.goto("/")],
        ["answer", () => panel.getAnswer(LOOP)],
        ["table", () => panel.getAnswer("Which sensors are in the catalog?")],
        [
          "refusal",
          async () => {
            await panel.ask(REFUSED);
            await expect(panel.root.locator(".bookbound-refusal")).toBeVisible();
          },
        ],
        ["book", () => page.goto("/docs/foundations/sensing-and-acting")],
      ];
      for (const [state, reach] of states) {
        await reach();
        await expect(page.getByRole(state === "book" ? "button" : "textbox").first()).toBeVisible();
        await page.screenshot({ path: join(SHOTS, `served-${look}-${state}.png`), animations: "disabled" });
        expect.soft(await violations(page), `${look} ${state}`).toEqual([]);
        const width = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect.soft(await width(), `${look} ${state}: scrolls sideways`).toBe(0);
      }
    });
  });
}
