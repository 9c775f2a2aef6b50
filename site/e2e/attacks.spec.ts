import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Page } from "@playwright/test";
import { API, expect, ROOT, Service, test, urlOf, type World } from "./world.ts";
import { Panel, REFUSED } from "./panel.ts";

const LOOP = "What is the sense-plan-act loop?";
const LOOP_PAGE = "/docs/foundations/sensing-and-acting";
const CHAT = "/v1/chat";

/** Texts that mean harm: of this project, and of the file that ATTACKS names. */
const PAYLOADS = ["site/e2e/payloads.json", ...(process.env.ATTACKS ? [process.env.ATTACKS] : [])]
  .map((file) => resolve(ROOT, file))
  .flatMap((file) => Object.values(JSON.parse(readFileSync(file, "utf8"))))
  .flatMap((kind) => (kind as { payloads: string[] }).payloads);

/** Looks for what an attack would do: run a script, show a dialog, open a page, call a foreign server. */
class Watch {
  private readonly seen: string[] = [];

  constructor(
    page: Page,
    private readonly panel: Panel,
    private readonly origin: string,
  ) {
    const allowed = [origin, API].map((url) => new URL(url).origin);
    page.context().on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "data:" && !allowed.includes(origin)) this.seen.push(`called ${request.url()}`);
    });
    page.context().on("dialog", (dialog) => {
      this.seen.push(`showed ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.context().on("page", (other) => this.seen.push(`opened ${other.url()}`));
  }

  async expectCalm(payload: string): Promise<void> {
    const found = await this.panel.evaluate(({ ours, origin }) => {
      const leads = ours.flatMap((one) => [one.getAttribute("href"), one.getAttribute("src")].filter((url) => url !== null));
      return {
        ran: "attacked" in window,
        elements: ours.filter((one) => one.matches("script, iframe, object, embed, base, link, style, meta, math")).length,
        handlers: ours.flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith("on"))),
        foreign: leads.filter((url) => new URL(url, location.href).origin !== origin),
      };
    }, { origin: this.origin });
    expect.soft({ ...found, seen: this.seen }, payload).toEqual({ ran: false, elements: 0, handlers: [], foreign: [], seen: [] });
  }
}

async function askAndWait(panel: Panel, question: string): Promise<void> {
  const answered = panel.page.waitForResponse((response) => response.url().endsWith("/chat"));
  await panel.ask(question);
  await answered;
  await expect(panel.root).toHaveAttribute("data-state", /response|problem/);
}

/** Shows the excerpt of a citation and follows it, where it is a link at all. */
async function followFirst(panel: Panel): Promise<void> {
  if ((await panel.citations.count()) === 0) return;
  await panel.citations.first().focus();
  await panel.citations.first().click();
}

/** The response with the payload in each of its texts. */
function forged(payload: string): (body: any) => unknown {
  const kept = ["answer_id", "session_id", "refusal_reason", "confidence_level", "source_ids"];
  const fill = (value: any, name = ""): any => {
    if (kept.includes(name)) return value;
    if (typeof value === "string") return name === "id" && /^S\d+$/.test(value) ? value : payload;
    if (Array.isArray(value)) return value.length ? value.map((item) => fill(item, name)) : name === "unavailable" ? [payload] : [];
    if (value === null) return name === "notice" ? payload : null;
    if (typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, key)]));
  };
  return fill;
}

async function attackByAnswers(page: Page, panel: Panel, { origin, gateway }: World): Promise<void> {
  const watch = new Watch(page, panel, origin);
  await panel.openOn(LOOP_PAGE);
  for (const payload of PAYLOADS) {
    gateway.next(CHAT, { forge: forged(payload) });
    await askAndWait(panel, LOOP);
    await expect(panel.root.locator(".bookbound-sentence").first()).toContainText(payload.trim());
    await followFirst(panel);
    await watch.expectCalm(payload);
    // The script leaves its page for another; the plugin stays.
    if (!(await panel.box.isVisible())) await panel.openOn(LOOP_PAGE);
  }
}

test("an answer with harm in every text is shown as text", async ({ page, panel, world }) => {
  test.setTimeout(90_000);
  await attackByAnswers(page, panel, world);
});

test.describe("without a content security policy, which would stop what slips through", () => {
  test.use({ bypassCSP: true });
  test.setTimeout(90_000);

  test("an answer with harm in every text is shown as text", async ({ page, panel, world }) => {
    await attackByAnswers(page, panel, world);
  });

  test("a refusal with harm in every text is shown as text", async ({ page, panel, world }) => {
    const watch = new Watch(page, panel, world.origin);
    await panel.openOn("/docs/");
    for (const payload of PAYLOADS) {
      world.gateway.next(CHAT, { forge: forged(payload) });
      await askAndWait(panel, REFUSED);
      await expect(panel.root.locator(".bookbound-refusal")).toContainText(payload.trim());
      await watch.expectCalm(payload);
    }
  });

  test("a question that means harm is a question, also in the history", async ({ page, panel, world }) => {
    const watch = new Watch(page, panel, world.origin);
    await panel.openOn("/docs/");
    for (const payload of PAYLOADS) {
      await askAndWait(panel, payload);
      await expect(panel.root.locator(".bookbound-asked")).toContainText(payload.trim());
      await watch.expectCalm(payload);
    }
    await page.reload();
    await panel.opener.click();
    await panel.root.getByText("Earlier questions").click();
    await watch.expectCalm("history");
  });
});

test("a book that means harm, quoted by a model, is quoted as text", async ({ page, panel, world }) => {
  test.setTimeout(180_000);
  const watch = new Watch(page, panel, world.origin);
  const docs = hostileBook();
  const model = spawn(join(ROOT, ".venv/bin/python"), ["-m", "testing.vendors", "--model", "quoting"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const service = await Service.start("hostile", docs, world.origin, {
    BOOKBOUND_GENERATOR: "ollama",
    BOOKBOUND_OLLAMA_URL: await urlOf(model, "OLLAMA"),
  });
  world.gateway.standBefore(service.url);
  let quoted = 0;
  await panel.openOn("/docs/");
  for (const [number, payload] of PAYLOADS.entries()) {
    await askAndWait(panel, question(number));
    quoted += Number((await panel.root.locator(".bookbound-turn").textContent())!.includes(payload.trim()));
    await watch.expectCalm(payload);
  }
  world.gateway.standBefore(world.service.url);
  service.stop();
  model.kill();
  test.info().annotations.push({ type: "quoted", description: `${quoted} of ${PAYLOADS.length} payloads reached the reader as text` });
  expect(quoted).toBeGreaterThan(PAYLOADS.length / 2);
});

const NAMES = ["Aldina", "Bretagne", "Corvina", "Dorania", "Elvetia", "Ferrandia", "Galdera", "Hestonia"];
const nameOf = (number: number) => `${NAMES[number % NAMES.length]}-${number}`;
const question = (number: number) => `What is the setting of the ${nameOf(number)} valve?`;

/** Each page quotes a payload, in the way of a book about attacks: as code. */
function hostileBook(): string {
  const docs = join(ROOT, "build", "site-test", "hostile-book", "docs");
  rmSync(docs, { recursive: true, force: true });
  mkdirSync(docs, { recursive: true });
  for (const [number, payload] of PAYLOADS.entries()) {
    const name = nameOf(number);
    const code = `\`\`\`\`\` ${payload} \`\`\`\`\``;
    const text = `# The ${name} valve\n\nThe setting of the ${name} valve is ${code} as delivered.\n\nThe ${name} valve is on the left.\n`;
    writeFileSync(join(docs, `valve-${number}.md`), text);
  }
  return docs;
}
