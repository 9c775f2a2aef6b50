// The built demo site under its content security policy, the real API, and the gateway between them.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test as base, expect } from "@playwright/test";
import { serve } from "../demo/serve.mjs";
import { Gateway } from "./gateway.ts";
import { Panel } from "./panel.ts";

export { expect };

export const ROOT = join(import.meta.dirname, "..", "..");
const SITE = join(ROOT, "build", "site");
const WITHOUT_PLUGIN = join(ROOT, "build", "site-test", "without-plugin");
const WITH_SCRIPT = join(ROOT, "build", "site-test", "with-script");
export const SHOTS = join(ROOT, "build", "site-shots");
export const API = process.env.BOOKBOUND_API ?? "http://127.0.0.1:8000";

/** What the readers of a book get asked and told: its API as a process of its own. */
export class Service {
  private constructor(
    readonly url: string,
    readonly data: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(name: string, docs: string, origin: string, extra: Record<string, string> = {}): Promise<Service> {
    const data = join(ROOT, "build", "site-test", name);
    const environment = {
      ...process.env,
      BOOKBOUND_BOOK: "sample-book",
      BOOKBOUND_ORIGINS: JSON.stringify([origin]),
      // All tests of a run come from one address, and many share a page's token.
      BOOKBOUND_QUESTIONS_PER_SESSION: "10000",
      BOOKBOUND_QUESTIONS_PER_ADDRESS: "10000",
      BOOKBOUND_TOKENS_PER_ADDRESS: "10000",
      ...extra,
    };
    rmSync(join(data, "audit"), { recursive: true, force: true });
    const ingest = ["--data", data, "ingest", docs, "--book-id", "sample-book"];
    const bookbound = join(ROOT, ".venv/bin/bookbound");
    const ingested = spawnSync(bookbound, ingest, { env: environment, encoding: "utf8" });
    if (ingested.status !== 0) throw new Error(`ingest failed: ${ingested.stderr}`);
    const service = spawn(bookbound, ["--data", data, "serve", "--port", "0", "--guarded"], {
      cwd: ROOT,
      env: environment,
      stdio: ["ignore", "pipe", openSync(join(data, "service.log"), "w")],
    });
    return new Service(await urlOf(service), data, service);
  }

  stop(): void {
    this.process.kill();
  }

  /** All lines of JSON that lie below a folder of its data. */
  records(folder: string): any[] {
    const root = join(this.data, folder);
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => readFileSync(join(root, file), "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line));
  }
}

/** The address in the first line with that word that a process prints. */
export async function urlOf(process: ChildProcess, word = ""): Promise<string> {
  for await (const line of createInterface(process.stdout!)) {
    const found = /https?:\/\/[\w.:]+/.exec(line);
    if (found && line.includes(word)) return found[0];
  }
  throw new Error("the service ended before it listened");
}

export interface World {
  origin: string;
  service: Service;
  gateway: Gateway;
}

export interface Options {
  /** What brings the panel: the Docusaurus plugin, or the script of any other site. */
  home: "plugin" | "script";
}

/** The sample book's site without the plugin, and with one line in each of its pages. */
function siteWithScript(): string {
  rmSync(WITH_SCRIPT, { recursive: true, force: true });
  cpSync(WITHOUT_PLUGIN, WITH_SCRIPT, { recursive: true });
  cpSync(join(ROOT, "site", "plugin", "lib", "embed"), join(WITH_SCRIPT, "bookbound"), { recursive: true });
  const line = `<script defer src="/bookbound/bookbound.js" data-api-url="${API}" data-privacy-url="/privacy"></script>`;
  for (const name of readdirSync(WITH_SCRIPT, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".html")) continue;
    const file = join(WITH_SCRIPT, name);
    writeFileSync(file, readFileSync(file, "utf8").replace("</head>", `${line}</head>`));
  }
  return WITH_SCRIPT;
}

export const test = base.extend<{ panel: Panel; calm: void }, Options & { world: World }>({
  home: ["plugin", { option: true, scope: "worker" }],
  world: [
    async ({ home }, use) => {
      mkdirSync(SHOTS, { recursive: true });
      const site = await serve(home === "script" ? siteWithScript() : join(SITE, "html"), 0, API);
      const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      const service = await Service.start("data", join(SITE, "book", "docs"), origin);
      const gateway = new Gateway(service.url, origin);
      await gateway.listen(Number(new URL(API).port));
      await use({ origin, service, gateway });
      gateway.close();
      service.stop();
      site.close();
      site.closeAllConnections();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ world }, use) => use(world.origin),
  calm: [
    async ({ world }, use) => {
      world.gateway.reset();
      await use();
    },
    { auto: true },
  ],
  panel: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error.stack)));
    page.on("console", (message) => message.text().includes("Content Security Policy") && errors.push(message.text()));
    await use(new Panel(page));
    expect(errors, "scripts that failed, and what the content security policy forbade").toEqual([]);
  },
});
