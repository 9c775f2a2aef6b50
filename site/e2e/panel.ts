// The panel as a reader meets it: by roles and names.
import { expect, type Locator, type Page } from "@playwright/test";

export const ANSWERED = "How many actuated joints does Wren have?";
/** The book names the camera, and not who built it. */
export const UNSAID = "Who built Wren's head camera?";
export const PARTLY_UNSAID = "What is the sense-plan-act loop and who built Wren's head camera?";
export const REFUSED = "Which yeast is best for sourdough bread?";

export class Panel {
  readonly root: Locator;
  readonly opener: Locator;
  readonly box: Locator;
  readonly citations: Locator;

  constructor(readonly page: Page) {
    this.root = page.getByRole("dialog", { name: "Ask the book" });
    this.opener = page.getByRole("button", { name: "Ask the book" });
    this.box = this.root.getByLabel("Your question");
    this.citations = this.root.locator(".bookbound-citation").getByRole("link");
  }

  /** Opens the panel on a page of the book. */
  async openOn(path: string): Promise<void> {
    await this.page.goto(path);
    await this.opener.click();
    await expect(this.box).toBeFocused();
  }

  async ask(question: string): Promise<void> {
    await this.box.fill(question);
    await this.root.getByRole("button", { name: "Ask", exact: true }).click();
  }

  /** Asks and waits for the sentences. */
  async getAnswer(question: string = ANSWERED): Promise<void> {
    await this.ask(question);
    await expect(this.citations.first()).toBeVisible();
  }

  /** Runs `act` with all elements of the panel and its controls, in whichever tree they stand. */
  evaluate<Value, Given>(act: (given: { ours: HTMLElement[] } & Given) => Value, given: Given): Promise<Value> {
    const code = `({given}) => {
      const tree = document.querySelector("bookbound-panel")?.shadowRoot ?? document;
      return (${act})({ ...given, ours: [...tree.querySelectorAll(".bookbound, .bookbound *")] });
    }`;
    return this.page.evaluate(`(${code})(${JSON.stringify({ given })})`);
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole("button", { name });
  }
}
