import { type Locator, type Page } from "@playwright/test";
import { expect, test } from "./world.ts";
import { Panel, REFUSED } from "./panel.ts";

const PAGE = "/docs/foundations/sensing-and-acting";
const PASSAGE = "The sense-plan-act loop is the cycle in which a robot measures its state and surroundings";

/** The page with the panel's script at work: what was marked before it, it does not hear of. */
async function open(page: Page): Promise<void> {
  await page.goto(PAGE);
  await page.getByRole("button", { name: "Ask the book" }).waitFor();
}

const askAbout = (page: Page) => page.getByRole("button", { name: "Ask about this" });

async function expectAnswerFromPassage(panel: Panel): Promise<void> {
  await expect(panel.root.getByText("About this passage only:")).toBeVisible();
  await panel.getAnswer("What is the sense-plan-act loop?");
  await expect(panel.root.locator(".bookbound-answer")).toContainText(PASSAGE);
}

/** Drags the mouse over a text, from its first line to its last. */
async function mark(page: Page, text: Locator): Promise<void> {
  await text.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await text.boundingBox())!;
  await page.mouse.move(x + 1, y + 4);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.mouse.move(x + width - 1, y + height - 4, { steps: 4 });
  await page.mouse.up();
}

/** Marks the paragraph as a reader's finger or keys would, without either. */
async function select(page: Page): Promise<void> {
  await page.getByText(PASSAGE).first().evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element.closest("p")!);
    getSelection()!.removeAllRanges();
    getSelection()!.addRange(range);
  });
}

test("a passage that is marked with the mouse is what the answer rests on", async ({ page, panel, world }) => {
  await open(page);
  await mark(page, page.getByText(PASSAGE).first());
  await askAbout(page).click();
  await expectAnswerFromPassage(panel);
  const asked = world.gateway.calls.find(({ path }) => path.endsWith("/chat"));
  expect(asked!.body.selected_text).toContain(PASSAGE);
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a passage that is marked by touch is asked about with a tap", async ({ page, panel }) => {
    await open(page);
    await page.getByText(PASSAGE).first().scrollIntoViewIfNeeded();
    await select(page);
    await askAbout(page).tap();
    await expectAnswerFromPassage(panel);
  });
});

test("a passage that is marked with the keyboard is asked about with the shortcut", async ({ page, panel }) => {
  await open(page);
  // As a search in the page leaves it: some letters are marked, and the arrows mark more.
  await page.getByText(PASSAGE).first().evaluate(({ firstChild }) => getSelection()!.setBaseAndExtent(firstChild!, 0, firstChild!, 3));
  for (let line = 0; line < 3; line++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Alt+k");
  await expect(panel.box).toBeFocused();
  await expectAnswerFromPassage(panel);
});

test("the control for a selection is reached with the keyboard", async ({ page, panel }) => {
  await open(page);
  await select(page);
  await expect(askAbout(page)).toBeVisible();
  await askAbout(page).focus();
  await page.keyboard.press("Enter");
  await expect(panel.root.getByText("About this passage only:")).toBeVisible();
});

test("without the passage the whole book is asked", async ({ page, panel, world }) => {
  await open(page);
  await mark(page, page.getByText(PASSAGE).first());
  await askAbout(page).click();
  await panel.button("Remove the passage").click();
  await expect(panel.root.getByText("About this passage only:")).toBeHidden();
  await panel.ask(REFUSED);
  await expect(panel.root.locator(".bookbound-refusal")).toBeVisible();
  expect(world.gateway.calls.at(-1)!.body).toEqual({ question: REFUSED });
});

test("a passage that does not answer leads to the full book", async ({ page, panel }) => {
  await open(page);
  await mark(page, page.getByText(PASSAGE).first());
  await askAbout(page).click();
  await panel.ask("What is a digital twin?");
  await expect(panel.button("Select another passage")).toBeVisible();
  await panel.button("Search the full book").click();
  await expect(panel.root.locator(".bookbound-answer")).toContainText("virtual copy");
});

test("words outside the article are not offered to be asked about", async ({ page }) => {
  await open(page);
  await select(page);
  await expect(askAbout(page)).toBeVisible();
  await mark(page, page.locator("footer").getByText("fictional"));
  await expect(askAbout(page)).toBeHidden();
});
