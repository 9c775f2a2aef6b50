// What the plugin adds to every page, what it loads when the panel opens, and how soon the panel is there.
// node measure.mjs, with the demo site built; Chromium from CHROMIUM.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { serve } from "../demo/serve.mjs";

const BUILD = join(import.meta.dirname, "..", "..", "build");
const WITH = join(BUILD, "site", "html");
const WITHOUT = join(BUILD, "site-test", "without-plugin");
const PAGE = "/docs/foundations/sensing-and-acting";
const TIMES = 20;

/** Gzip bytes of the scripts and styles that a page loads, by what loads them. */
async function loaded(page, act) {
  const bodies = [];
  const take = (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.body());
  };
  page.on("response", take);
  await act();
  await page.waitForLoadState("networkidle");
  page.off("response", take);
  return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
}

async function visit(folder, measure) {
  const site = await serve(folder, 0, "http://127.0.0.1:8000");
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await measure(page, `http://127.0.0.1:${site.address().port}${PAGE}`);
  await page.close();
  site.close();
  site.closeAllConnections();
}

/** Milliseconds from the click to the first frame with the panel in it, on a page that has just been loaded. */
async function clickToPainted(page, url) {
  await page.goto(url, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Ask the book" }).waitFor();
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const button = document.querySelector(".bookbound-open");
        const start = performance.now();
        const look = () =>
          document.querySelector("dialog.bookbound-panel[open]")
            ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
            : requestAnimationFrame(look);
        button.click();
        look();
      }),
  );
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const bytes = { without: 0, before: 0, after: 0 };
const times = [];
await visit(WITHOUT, async (page, url) => (bytes.without = await loaded(page, () => page.goto(url))));
await visit(WITH, async (page, url) => {
  bytes.before = await loaded(page, () => page.goto(url));
  bytes.after = await loaded(page, async () => {
    await page.getByRole("button", { name: "Ask the book" }).click();
    await page.locator("dialog.bookbound-panel[open]").waitFor();
  });
});
await visit(WITH, async (page, url) => {
  for (let time = 0; time < TIMES; time++) times.push(await clickToPainted(page, url));
});
await browser.close();

times.sort((one, other) => one - other);
const at = (share) => times[Math.ceil(share * TIMES) - 1].toFixed(0);
const added = bytes.before - bytes.without;
console.log(`a page without the plugin        ${bytes.without} bytes of gzip (scripts and styles that it loads)`);
console.log(`the plugin adds to every page    ${added}`);
console.log(`and as the panel opens           ${bytes.after}`);
console.log(`click to panel painted, ${TIMES} times  median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
if (added > 5 * 1024 || bytes.after > 60 * 1024) {
  console.error("more than 5 KiB on every page, or more than 60 KiB after: too large");
  process.exit(1);
}
