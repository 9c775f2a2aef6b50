import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Page } from "@playwright/test";
import { expect, SHOTS, test } from "./world.ts";
import { type Gateway, problem } from "./gateway.ts";
import { type Panel, PARTLY_UNSAID, REFUSED, UNSAID } from "./panel.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LOOP = "What is the sense-plan-act loop?";
const FIGURE = "What does the figure of the sense-plan-act loop show?";
const LOOP_PAGE = "/docs/foundations/sensing-and-acting";
const DEFINITION = "The sense-plan-act loop is the cycle";
const CHAT = "/v1/chat";

interface Reader {
  page: Page;
  panel: Panel;
  gateway: Gateway;
}

/** The states in which a reader can see the panel, in an order in which one leads to the next. */
const STATES: [name: string, reach: (reader: Reader) => Promise<unknown>][] = [
  ["closed", async ({ panel }) => expect(panel.opener).toBeVisible()],
  [
    "open",
    async ({ panel }) => {
      await panel.opener.click();
      await expect(panel.box).toBeFocused();
    },
  ],
  [
    "too-long",
    async ({ panel }) => {
      await panel.box.fill("ä".repeat(1001));
      await expect(panel.root.getByText("1001 of 1000")).toBeVisible();
    },
  ],
  [
    "waiting",
    async ({ panel, gateway }) => {
      gateway.next(CHAT, { hold: new Promise((resolve) => setTimeout(resolve, 60_000).unref()) });
      await panel.ask(LOOP);
      await expect(panel.button("Stop")).toBeVisible();
    },
  ],
  [
    "answer",
    async ({ panel }) => {
      await panel.button("Stop").click();
      await panel.getAnswer(FIGURE);
      await expect(panel.root.getByRole("img")).toHaveJSProperty("complete", true);
    },
  ],
  ["excerpt", async ({ panel }) => panel.citations.first().focus()],
  [
    "feedback",
    async ({ panel }) => {
      await panel.button("Incorrect").click();
      await panel.root.getByLabel("What is wrong?").scrollIntoViewIfNeeded();
    },
  ],
  ["partial", async ({ panel }) => panel.getAnswer(PARTLY_UNSAID)],
  [
    "table",
    async ({ panel }) => {
      await panel.ask("Which sensors are in the catalog?");
      await expect(panel.root.getByRole("table")).toBeVisible();
    },
  ],
  [
    "related",
    async ({ panel }) => {
      await panel.ask(UNSAID);
      await expect(panel.root.getByText("The book does talk about")).toBeVisible();
    },
  ],
  ["low", async ({ panel }) => panel.getAnswer("How many actuated joints does Wren have?")],
  [
    "refusal",
    async ({ panel }) => {
      await panel.ask(REFUSED);
      await expect(panel.root.locator(".bookbound-refusal")).toBeVisible();
    },
  ],
  [
    "problem",
    async ({ panel, gateway }) => {
      gateway.next(CHAT, problem(429, "Too Many Requests", "Ask again later.", { "Retry-After": "30" }));
      await panel.ask(LOOP);
      await expect(panel.button(/Ask again in/)).toBeVisible();
    },
  ],
  [
    "history",
    async ({ panel }) => {
      await panel.root.getByText("Earlier questions").click();
      await panel.button("Clear questions").scrollIntoViewIfNeeded();
    },
  ],
  [
    "selection",
    async ({ page, panel }) => {
      await panel.button("Close").click();
      const passage = page.getByText(DEFINITION).first();
      await passage.scrollIntoViewIfNeeded();
      await passage.evaluate((element) => getSelection()!.selectAllChildren(element));
      await expect(page.getByRole("button", { name: "Ask about this" })).toBeVisible();
    },
  ],
  [
    "context",
    async ({ page, panel }) => {
      await page.getByRole("button", { name: "Ask about this" }).click();
      await panel.getAnswer(LOOP);
    },
  ],
  [
    "passage",
    async ({ page, panel }) => {
      await panel.button("Remove the passage").click();
      await panel.getAnswer(LOOP);
      await panel.citations.first().click();
      await expect(page.locator(":focus")).toContainText(DEFINITION);
    },
  ],
];

const LOOKS = [
  { look: "wide", size: { width: 1120, height: 720 }, theme: "light", dir: "ltr" },
  { look: "wide-dark", size: { width: 1280, height: 800 }, theme: "dark", dir: "ltr" },
  { look: "mobile", size: { width: 390, height: 844 }, theme: "light", dir: "ltr" },
  { look: "mobile-dark", size: { width: 390, height: 844 }, theme: "dark", dir: "ltr" },
  { look: "rtl", size: { width: 1280, height: 800 }, theme: "light", dir: "rtl" },
  { look: "rtl-mobile", size: { width: 390, height: 844 }, theme: "dark", dir: "rtl" },
] as const;

for (const { look, size, theme, dir } of LOOKS) {
  test(`accessible, and within the window, in every state: ${look}`, async ({ page, panel, world, home, browserName }) => {
    test.setTimeout(90_000);
    await page.setViewportSize(size);
    await page.addInitScript((wanted) => localStorage.setItem("theme", wanted), theme);
    await page.addInitScript(keepDirection, dir);
    await page.goto(LOOP_PAGE);
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    for (const [state, reach] of STATES) {
      await test.step(state, async () => {
        await reach({ page, panel, gateway: world.gateway });
        await expect(page.locator("html")).toHaveAttribute("dir", dir);
        await page.screenshot({ path: join(SHOTS, `${[look, state, home, browserName].join("-")}.png`), animations: "disabled" });
        expect.soft(await violations(page), `${look} ${state}`).toEqual([]);
        expect.soft(await outside(panel), `${look} ${state}: outside the window`).toEqual([]);
      });
    }
  });
}

/** Docusaurus writes its own direction with every page. */
function keepDirection(wanted: string): void {
  const set = () => document.documentElement.dir !== wanted && (document.documentElement.dir = wanted);
  new MutationObserver(set).observe(document, { subtree: true, attributeFilter: ["dir"], childList: true });
}

/** What axe-core objects to in all that is ours. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const ours = document.querySelector("bookbound-panel") ?? document.querySelector(".bookbound");
    const { passes, violations } = await (globalThis as any).axe.run(ours);
    if (passes.length === 0) return ["nothing was checked"];
    return violations.flatMap(({ id, nodes }: any) => nodes.map((node: any) => `${id}: ${node.html} ${node.failureSummary}`));
  });
}

/** What of the panel and its controls is cut off at the sides of the window. */
async function outside(panel: Panel): Promise<string[]> {
  return panel.evaluate(
    ({ ours }) => ours
      .filter((element) => element.matches("button, a, p, dialog, textarea, [role=tooltip], img"))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.left < -1 || box.right > document.documentElement.clientWidth + 1))
      .map(({ element }) => element.outerHTML.slice(0, 120)),
    {},
  );
}

test("from page load to the answer, to its passage and back, with the keyboard alone", async ({ page, panel }) => {
  await page.goto(LOOP_PAGE);
  await expect(panel.opener).toBeVisible();
  await page.keyboard.press("Alt+k");
  await expect(panel.box).toBeFocused();
  await page.keyboard.type(LOOP);
  await page.keyboard.press("Enter");
  await expect(panel.citations.first()).toBeVisible();
  await tabTo(page, panel, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator(":focus")).toContainText(DEFINITION);
  await page.keyboard.press("Alt+k");
  await expect(panel.box).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel.root).toBeHidden();
});

async function tabTo(page: Page, panel: Panel, key: string): Promise<void> {
  const isThere = () => panel.citations.first().evaluate((element) => element.matches(":focus"));
  for (let presses = 0; presses < 40 && !(await isThere()); presses++) await page.keyboard.press(key);
  await expect(panel.citations.first()).toBeFocused();
}

test("the focus returns to the button that opened the panel", async ({ page, panel }) => {
  await page.goto("/docs/");
  await panel.opener.focus();
  await page.keyboard.press("Enter");
  await expect(panel.box).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel.opener).toBeFocused();
});

test("the shortcut is not taken from a reader who is typing", async ({ page, panel }) => {
  await panel.openOn("/docs/");
  await panel.box.fill("half a question");
  await page.keyboard.press("Alt+k");
  await expect(panel.box).toHaveValue("half a question");
});

test("the panel is a sheet over the page on a phone, and stands beside the text on a wide screen", async ({ page, panel }) => {
  await panel.openOn("/docs/");
  await expect(panel.root).toHaveJSProperty("open", true);
  expect(await panel.root.evaluate((dialog) => dialog.matches(":modal"))).toBe(false);
  await panel.button("Close").click();
  await page.setViewportSize({ width: 390, height: 844 });
  await panel.opener.click();
  expect(await panel.root.evaluate((dialog) => dialog.matches(":modal"))).toBe(true);
});

test("in German the panel speaks German", async ({ page }) => {
  await page.goto("/de/docs/");
  const words = JSON.parse(readFileSync(join(import.meta.dirname, "../plugin/locales/de.json"), "utf8"));
  await page.getByRole("button", { name: words["bookbound.ask.button"] }).click();
  await expect(page.getByLabel(words["bookbound.question.label"])).toBeFocused();
});
