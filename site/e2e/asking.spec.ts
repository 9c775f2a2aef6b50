import { type Locator, type Page } from "@playwright/test";
import { expect, test } from "./world.ts";
import { PARTLY_UNSAID, REFUSED, UNSAID } from "./panel.ts";

const LOOP = "What is the sense-plan-act loop?";
const FIGURE = "What does the figure of the sense-plan-act loop show?";
const LOOP_PAGE = "/docs/foundations/sensing-and-acting";
const DEFINITION = "The sense-plan-act loop is the cycle";

/** The text that is highlighted on the page, where it stands in the window. */
async function highlighted(page: Page): Promise<string> {
  return page.evaluate(() => {
    const ranges = [...CSS.highlights.values()].flatMap((one) => [...one] as Range[]);
    const inWindow = ({ top, bottom }: DOMRect) => top >= 0 && bottom <= window.innerHeight;
    return ranges.filter((range) => inWindow(range.getBoundingClientRect())).map(String).join(" ");
  });
}

async function expectPassage(page: Page, words: string): Promise<void> {
  await expect.poll(() => highlighted(page)).toContain(words);
}

test("a citation opens its page at the passage, which is in sight and highlighted", async ({ page, panel, home }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  await panel.citations.first().click();
  await expect(page).toHaveURL(new RegExp(`${LOOP_PAGE}#the-sense-plan-act-loop`));
  await expect(page.getByText(DEFINITION).first()).toBeInViewport();
  // From another page, the script leaves it to the browser, which highlights without telling scripts.
  if (home === "script") return;
  await expectPassage(page, DEFINITION);
  await expect(page.locator(":focus")).toContainText(DEFINITION);
});

test("a citation of the page that stands open scrolls to the passage", async ({ page, panel }) => {
  await panel.openOn(`${LOOP_PAGE}#check-yourself`);
  await panel.getAnswer(LOOP);
  await panel.citations.first().click();
  await expectPassage(page, DEFINITION);
});

test("a citation that is opened in a new tab leads to the passage", async ({ context, panel }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    panel.citations.first().click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await expect(tab.getByText(DEFINITION).first()).toBeInViewport();
});

test("every sentence has its citation, and the picture stands beside its sentence", async ({ panel }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(FIGURE);
  const sentences = panel.root.locator(".bookbound-sentence");
  for (const sentence of await sentences.all()) await expect(sentence.getByRole("link").first()).toBeVisible();
  const picture = sentences.filter({ hasText: "The figure shows the loop" }).getByRole("img");
  await expect(picture).toHaveAttribute("alt", /Diagram of the sense-plan-act loop/);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test("a citation shows its excerpt to the pointer and to the focus", async ({ page, panel }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  const excerpt = panel.root.getByRole("tooltip");
  await panel.citations.first().hover();
  await expect(excerpt).toContainText(DEFINITION);
  await page.mouse.move(0, 0);
  await expect(excerpt).toBeHidden();
  await panel.citations.first().focus();
  await expect(excerpt).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(excerpt).toBeHidden();
  await expect(panel.root).toBeVisible();
});

test("a refusal gives advice: rephrase, search the full book, select another passage", async ({ page, panel }) => {
  await panel.openOn("/docs/");
  await panel.ask(REFUSED);
  const refusal = panel.root.locator(".bookbound-refusal");
  await expect(refusal).toContainText("doesn't appear to be covered");
  await expect(panel.root.getByRole("alert")).toHaveCount(0);
  await panel.button("Rephrase the question").click();
  await expect(panel.box).toHaveValue(REFUSED);
  await expect(panel.box).toBeFocused();
  await panel.ask(UNSAID);
  await panel.button("Select a passage").click();
  await expect(panel.root).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "Select text on the page" })).toBeVisible();
});

test("what the book leaves out is marked beside what it answers", async ({ panel }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(PARTLY_UNSAID);
  await expect(panel.root.locator("[data-unavailable]")).toContainText("who built Wren's head camera");
});

test("an answer of low confidence says so, and what that means", async ({ panel }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer("How many actuated joints does Wren have?");
  await expect(panel.root.getByText("This answer has low confidence")).toBeVisible();
  await panel.root.getByText("Low confidence", { exact: true }).click();
  await expect(panel.root.getByText("Read them before you rely on this")).toBeVisible();
});

test("a heading of the page is a question to begin with", async ({ panel }) => {
  await panel.openOn(LOOP_PAGE);
  await panel.button("Explain The Sense-Plan-Act Loop").click();
  await expect(panel.citations.first()).toBeVisible();
});

test("feedback lands beside the audit record of the answer", async ({ panel, world }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  await panel.button("Incorrect").click();
  await panel.root.getByLabel("What is wrong?").fill("The picture is missing a label.");
  await panel.button("Send").click();
  await expect(panel.root.getByText("your feedback was recorded")).toBeVisible();
  const verdict = world.service.records("audit/feedback").at(-1);
  const record = world.service.records("audit/records").find((one) => one.log_id === verdict.log_id);
  expect(verdict).toMatchObject({ verdict: "incorrect", comment: "The picture is missing a label." });
  expect(record).toMatchObject({ user_query_text: LOOP, was_refusal: false });
});

test("the questions of the session stay on this device until they are cleared", async ({ page, panel, world }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  await panel.ask(REFUSED);
  await expect(panel.button("Rephrase the question")).toBeVisible();
  await page.reload();
  await panel.opener.click();
  await panel.root.getByText("Earlier questions (2)").click();
  await panel.button(LOOP).click();
  await expect(panel.citations.first()).toBeVisible();
  const asked = world.gateway.calls.filter(({ path }) => path.endsWith("/chat"));
  expect(asked[0]!.body).toEqual({ question: LOOP });
  const session = await sessionShown(panel.root);
  expect(asked[1]!.body).toEqual({ question: REFUSED, session_id: session, previous: { question: LOOP } });
  await panel.button("Clear questions").click();
  await expect(panel.root.getByText("Earlier questions")).toBeHidden();
  await expect(panel.root.locator("[data-session]")).toBeHidden();
});

test("the panel links the privacy notice and says what is remembered", async ({ panel }) => {
  await panel.openOn("/docs/");
  await expect(panel.root.getByText("none is remembered")).toBeVisible();
  await panel.root.getByRole("link", { name: "Privacy notice" }).click();
  await expect(panel.page).toHaveURL(/\/privacy$/);
});

test("a question longer than 1000 characters is not sent, and the box says why", async ({ panel, world }) => {
  await panel.openOn("/docs/");
  await panel.ask("ä".repeat(1001));
  await expect(panel.root.getByText("1001 of 1000 characters")).toBeVisible();
  await expect(panel.box).toHaveAttribute("aria-invalid", "true");
  expect(world.gateway.calls).toEqual([]);
});

test("an answer is copied with its sources", async ({ context, page, panel }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  await panel.button("Copy").click();
  await expect(panel.root.getByText("Copied.")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(DEFINITION);
  expect(copied).toContain(`${new URL(page.url()).origin}${LOOP_PAGE}#the-sense-plan-act-loop`);
});

function sessionShown(panel: Locator): Promise<string | null> {
  return panel.locator("[data-session]").textContent();
}
