import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LoadContext } from "@docusaurus/types";
import { Joi } from "@docusaurus/utils-validation";
import { describe, expect, test } from "vitest";
import { headingsOf } from "../src/headings";
import bookbound, { getSwizzleConfig, validateOptions } from "../src/index";
import type { PluginOptions } from "../src/index";
import { inSidebarOrder } from "../src/manifest";
import type { DocsVersion } from "../src/manifest";
import { writeManifests } from "../src/manifestFiles";

function validate(options: object) {
  return validateOptions({
    options: options as PluginOptions,
    validate: (schema, given) => Joi.attempt(given, schema) as never,
  });
}

const given = { apiUrl: "https://api.test" };
const context = (currentLocale: string) => ({ i18n: { currentLocale } }) as LoadContext;

describe("options", () => {
  test("need the API's address alone", () => {
    expect(validate({ apiUrl: "https://api.test/prod/" })).toEqual({
      apiUrl: "https://api.test/prod",
      shortcut: "alt+k",
      position: "end",
      selection: true,
      autoMount: true,
      llms: true,
    });
  });

  test.each([
    [{}, "apiUrl is missing"],
    [{ apiUrl: "api.test" }, "apiUrl must be an http or https address"],
    [{ apiUrl: "javascript:alert(1)" }, "apiUrl must be"],
    [{ ...given, apiUrl: "https://key@api.test" }, "apiUrl must be"],
    [{ ...given, starters: "What is a node?" }, "starters must be a list"],
    [{ ...given, shortcut: "mod+k" }, "opens the search"],
    [{ ...given, shortcut: "Ctrl + K" }, "opens the search"],
    [{ ...given, shortcut: "k" }, "shortcut must be modifiers and one letter"],
    [{ ...given, shortcut: 7 }, "shortcut must be"],
    [{ ...given, bookId: "a/b" }, "bookId must be"],
    [{ ...given, privacyUrl: "javascript:alert(1)" }, "privacyUrl must begin"],
    [{ ...given, position: "left" }, 'position must be "end" or "start"'],
    [{ ...given, apiKey: "bb_secret" }, '"apiKey" is not allowed'],
  ])("%j are refused with what to write instead", (options, message) => {
    expect(() => validate(options)).toThrow(message);
  });

  test("switch the shortcut off or spell it in any way", () => {
    expect(validate({ ...given, shortcut: false }).shortcut).toBe(false);
    expect(validate({ ...given, shortcut: "Mod + Shift + 9" }).shortcut).toBe("mod+shift+9");
  });
});

describe("the plugin", () => {
  const mount = (alias: object, options = given) =>
    bookbound(context("en"), validate(options)).configureWebpack!(
      { resolve: { alias } } as never,
      false,
      {} as never,
      undefined,
    );

  test("stands beside the site's own root", () => {
    const { resolve } = mount({ "@theme/Root": "/site/src/theme/Root.js" }) as {
      resolve: { alias: Record<string, string> };
    };
    expect(resolve.alias["@bookbound/site-root"]).toBe("/site/src/theme/Root.js");
    expect(resolve.alias["@theme/Root"]).toMatch(/mount\/Root\.js$/);
  });

  test("leaves the root alone where the site mounts by hand", () => {
    expect(mount({}, { ...given, autoMount: false } as never)).toEqual({});
  });

  test("says what to do where there is no root", () => {
    expect(() => mount({})).toThrow("autoMount: false");
  });

  test("is one on a site", () => {
    expect(() => bookbound(context("en"), { ...validate(given), id: "second" })).toThrow("one instance");
  });

  test("gives the browser its settings and nothing else", async () => {
    const sent: unknown[] = [];
    const actions = { setGlobalData: (data: unknown) => sent.push(data) };
    await bookbound(context("en"), { ...validate(given), id: "default" }).contentLoaded!({ actions } as never);
    expect(sent).toEqual([{ apiUrl: "https://api.test", shortcut: "alt+k", position: "end", selection: true }]);
  });

  test("offers for swizzling what there is", () => {
    const names = Object.keys(getSwizzleConfig().components);
    const files = readdirSync("src/theme/Ask").map((file) => `Ask/${file}`);
    expect(names.filter((name) => name !== "Ask" && !files.includes(`${name}.tsx`))).toEqual([]);
  });

  test("speaks the site's language where it knows it, else leaves the default", () => {
    const messages = (locale: string) =>
      bookbound(context(locale), validate(given)).getDefaultCodeTranslationMessages!();
    expect(messages("xx")).toEqual({});
    expect(messages("de-CH")).toMatchObject({ "bookbound.question.ask": "Fragen" });
  });
});

describe("translations", () => {
  const sources = readdirSync("src/theme/Ask")
    .map((file) => readFileSync(join("src/theme/Ask", file), "utf8"))
    .join("\n");
  const english = new Map(
    [...sources.matchAll(/id: "(bookbound\.[\w.]+)",\s*message:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, id, message]) => [
      id!,
      message!,
    ]),
  );
  const holes = (message: string) => (message.match(/\{\w+\}/g) ?? []).sort();

  test.each(readdirSync("locales"))("%s has every message, with the same places to fill in", (file) => {
    const translated: Record<string, string> = JSON.parse(readFileSync(join("locales", file), "utf8"));
    expect(Object.keys(translated).sort()).toEqual([...english.keys()].sort());
    for (const [id, message] of english) expect([id, holes(translated[id]!)]).toEqual([id, holes(message)]);
  });
});

describe("the manifest", () => {
  const doc = (id: string, more = {}) => ({
    id,
    source: `@site/docs/${id}.md`,
    permalink: `/base/docs/${id}`,
    ...more,
  });
  const version: DocsVersion = {
    versionName: "current",
    isLast: true,
    contentPath: "/site/docs",
    contentPathLocalized: "/site/i18n/de/docs",
    docs: [
      doc("z"),
      doc("a"),
      doc("b"),
      doc("secret", { unlisted: true }),
      doc("c", { source: "@site/i18n/de/docs/c.md" }),
    ],
    drafts: [doc("later")],
    sidebars: {
      book: [
        {
          type: "category",
          link: { type: "doc", id: "b" },
          items: [
            { type: "doc", id: "secret" },
            { type: "doc", id: "a" },
          ],
        },
        { type: "link" },
        { type: "doc", id: "c" },
      ],
    },
  };

  function built(files: Record<string, string>): string {
    const folder = mkdtempSync(join(tmpdir(), "bookbound-"));
    for (const [path, html] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), html);
    }
    return folder;
  }

  const page = (id: string) => `<article><h1>T</h1><h2 id=${id}-1>One</h2></article>`;
  const site = { siteDir: "/site", baseUrl: "/base/" };
  const docs = (id: string | undefined, versions: DocsVersion[]) => ({
    name: "docusaurus-plugin-content-docs",
    options: { id },
    content: { loadedVersions: versions },
  });
  const files = Object.fromEntries(["a", "b", "z"].map((id) => [`docs/${id}/index.html`, page(id)]));

  test("holds permalink, place in the sidebar and heading ids of every page that readers find", () => {
    const outDir = built({ ...files, "docs/c.html": page("c") });
    writeManifests(outDir, {
      ...site,
      plugins: [{ name: "other", options: {}, content: null }, docs("default", [version])],
    });
    const heading = (id: string) => ({ level: 2, text: "One", id: `${id}-1` });
    const entry = (id: string, place: number) => ({ url: `/base/docs/${id}`, page: place, headings: [heading(id)] });
    expect(JSON.parse(readFileSync(join(outDir, "bookbound-pages.json"), "utf8"))).toEqual({
      version: 1,
      docs_version: "current",
      pages: { "b.md": entry("b", 1), "a.md": entry("a", 2), "c.md": entry("c", 3), "z.md": entry("z", 4) },
      left_out: { "later.md": "draft", "secret.md": "unlisted" },
    });
  });

  test("is one a version and docs instance, the main one under the plain name", () => {
    const outDir = built({ ...files, "docs/c.html": page("c") });
    const old = { ...version, versionName: "1.0", isLast: false };
    writeManifests(outDir, { ...site, plugins: [docs(undefined, [version, old]), docs("guide", [version])] });
    const written = readdirSync(outDir)
      .filter((file) => file.endsWith(".json"))
      .sort();
    expect(written).toEqual([
      "bookbound-pages.default.1.0.json",
      "bookbound-pages.guide.current.json",
      "bookbound-pages.json",
    ]);
  });

  test.each([
    [true, "/base/docs/b/"],
    [false, "/base/docs/b"],
    [undefined, "/base/docs/b"],
  ])("with trailingSlash %s has the addresses of the site's own links", (trailingSlash, url) => {
    const outDir = built({ ...files, "docs/c.html": page("c") });
    writeManifests(outDir, { ...site, trailingSlash, plugins: [docs("default", [version])] });
    expect(JSON.parse(readFileSync(join(outDir, "bookbound-pages.json"), "utf8")).pages["b.md"].url).toBe(url);
  });

  test("is not written over a page that the build left out", () => {
    expect(() => writeManifests(built({}), { ...site, plugins: [docs("default", [version])] })).toThrow(
      "wrote no page at",
    );
  });

  test("numbers each page once, those in no sidebar last", () => {
    const twice = {
      ...version,
      sidebars: {
        one: [{ type: "doc", id: "c" }],
        two: [
          { type: "ref", id: "a" },
          { type: "doc", id: "c" },
        ],
      },
    };
    expect(inSidebarOrder(twice).map(({ id }) => id)).toEqual(["c", "a", "b", "z"]);
  });
});

describe("headings of a built page", () => {
  test("are those of the article that have an id, as a reader sees them", () => {
    const html = `<html><h2 id="nav">Menu</h2><article><header><h1>Title</h1></header>
      <h2 class="anchor" id=setup>Set &amp; <code>up</code><a class="hash-link" href="#setup">\u200b</a></h2>
      <h3 id="use&#x27;s">Use's</h3><h4>none</h4></article><h2 id="after">After</h2></html>`;
    expect(headingsOf(html)).toEqual([
      { level: 2, text: "Set & up", id: "setup" },
      { level: 3, text: "Use's", id: "use's" },
    ]);
  });
});
