import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { articleWriter } from "../src/articleMarkdown";
import { policyOf } from "../src/bookPolicy";
import { llmsFullTxt, llmsTxt, twinOf } from "../src/llms";
import { writeLlms } from "../src/llmsFiles";
import type { DocsVersion } from "../src/manifest";

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "bookbound-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

describe("the policy of a build", () => {
  const cases: { pattern: string; out: string[]; in: string[] }[] = JSON.parse(
    readFileSync("../../tests/fixtures/exclude.json", "utf8"),
  );

  test.each(cases)("leaves out by $pattern what ingest leaves out", ({ pattern, out, in: kept }) => {
    const policy = policyOf(join(folderWith({ "bookbound.yaml": `exclude: [${JSON.stringify(pattern)}]` }), "docs"));
    expect([...out, ...kept].filter(policy.excludes)).toEqual(out);
  });

  test("is the one in the docs before the one next to them, and none leaves nothing out", () => {
    const site = folderWith({ "docs/bookbound.yaml": "title: In", "bookbound.yaml": "title: Beside" });
    expect(policyOf(join(site, "docs")).title).toBe("In");
    expect(policyOf(join(site, "other")).title).toBe("Beside");
    const none = policyOf(join(folderWith({}), "docs"));
    expect([none.title, none.coveredSubjects, none.excludes("a.md")]).toEqual([undefined, [], false]);
  });

  test.each([
    ["exclude: quiz/**", "exclude must be a list of texts"],
    ["exclude: [1]", "exclude must be a list of texts"],
    ["- exclude", "must hold fields"],
    ["exclude: [", "cannot be read"],
  ])("with %j ends the build, so that no page gets out over a mistake", (content, message) => {
    const site = folderWith({ "bookbound.yaml": content });
    expect(() => policyOf(join(site, "docs"))).toThrow(message);
  });
});

describe("a built page as Markdown", () => {
  let markdownOf: (html: string, address: string) => string;
  beforeAll(async () => {
    markdownOf = await articleWriter();
  });
  const written = (html: string) =>
    markdownOf(
      `<body><nav>Menu</nav><article><div class="toc">On this page</div>
        <div class="theme-doc-markdown markdown">${html}</div><footer>Edit</footer></article></body>`,
      "https://book.test/docs/a",
    ).trim();

  test("is its article alone, without links to headings", () => {
    const heading = '<h2 id="x">Set <code>up</code><a class="hash-link" href="#x">\u200b</a></h2>';
    expect(written(`<header><h1>Title</h1></header>${heading}<p>Text<!-- --> here.</p>`)).toBe(
      "# Title\n\n## Set `up`\n\nText here.",
    );
  });

  test("has the addresses of links and pictures from outside", () => {
    const html = '<p><a href="/docs/b#c">B</a> <a href="../d">D</a> <a href="mailto:x@y.z">M</a> <img src="/i.png" alt="I"></p>';
    expect(written(html)).toBe(
      "[B](https://book.test/docs/b#c) [D](https://book.test/d) [M](mailto:x@y.z) ![I](https://book.test/i.png)",
    );
  });

  test("has code line by line, with language and title", () => {
    const line = (text: string) => `<span class="token-line"><span class="token">${text}</span><br></span>`;
    const html = `<div class="language-py codeBlockContainer_x theme-code-block"><div class="codeBlockTitle_y">a.py</div>
      <div><pre><code>${line("if a &lt; b:")}${line("")}${line("    go()")}</code></pre><button>Copy</button></div></div>`;
    expect(written(html)).toBe("**a.py**\n\n```py\nif a < b:\n\n    go()\n```");
  });

  test("quotes admonitions, shows every tab, and keeps formulas", () => {
    const note = '<div class="theme-admonition"><div><span><svg></svg></span>note</div><div><p>Mind.</p></div></div>';
    const tabs = `<div class="theme-tabs-container"><ul role="tablist"><li role="tab">A</li><li role="tab">B</li></ul>
      <div><div role="tabpanel"><p>One</p></div><div role="tabpanel" hidden><p>Two</p></div></div></div>`;
    const formula = '<p><span class="katex"><math><annotation>x_1^2</annotation></math><span>x</span></span></p>';
    expect(written(note)).toBe("> **Note**\n>\n> Mind.");
    expect(written(tabs)).toBe("**A**\n\nOne\n\n**B**\n\nTwo");
    expect(written(formula)).toBe("$x_1^2$");
  });

  test("has tables and lists as GitHub's Markdown", () => {
    const table = "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>";
    expect(written(`${table}<ul><li>x</li><li>y</li></ul>`)).toBe("| A |\n| - |\n| 1 |\n\n- x\n- y");
  });
});

describe("the texts for language models", () => {
  const page = (title: string, section?: string) => ({
    title,
    section,
    description: "What it\nsays",
    address: `https://book.test/${title}`,
    twin: `https://book.test/${title}.md`,
    markdown: `# ${title}\n\nText.\n`,
  });
  const book = {
    title: "A book",
    summary: "In short",
    coveredSubjects: ["Stocks", "Soups"],
    full: "https://book.test/llms-full.txt",
    pages: [page("a"), page("b", "One"), page("c", "Two"), page("d(1)[2]", "One")],
  };

  test("list the pages by chapter, as the convention has it", () => {
    expect(llmsTxt(book)).toBe(`# A book

> In short

It covers: Stocks, Soups.

All of its pages in one file: <https://book.test/llms-full.txt>

## Pages

- [a](https://book.test/a.md): What it says

## One

- [b](https://book.test/b.md): What it says
- [d(1)\\[2\\]](https://book.test/d%281%29[2].md): What it says

## Two

- [c](https://book.test/c.md): What it says
`);
  });

  test("hold every page behind its address", () => {
    expect(llmsFullTxt({ ...book, summary: undefined, pages: [page("a"), page("b")] })).toBe(
      "# A book\n\nSource: <https://book.test/a>\n\n# a\n\nText.\n\nSource: <https://book.test/b>\n\n# b\n\nText.\n",
    );
  });

  test.each([
    ["https://book.test/docs/a", "https://book.test/docs/a.md"],
    ["https://book.test/docs/a/", "https://book.test/docs/a/index.html.md"],
    ["https://book.test/", "https://book.test/index.html.md"],
  ])("have the twin of %s at its place", (address, twin) => {
    expect(twinOf(address)).toBe(twin);
  });
});

describe("the files of a build", () => {
  const doc = (id: string, permalink = `/base/docs/${id}`, more = {}) => ({
    id,
    permalink,
    source: `@site/docs/${id}.md`,
    title: id.toUpperCase(),
    description: `About ${id}`,
    ...more,
  });
  const version = (docs: string): DocsVersion => ({
    versionName: "current",
    isLast: true,
    contentPath: docs,
    docs: [doc("index", "/base/docs/"), doc("a b", "/base/docs/a%20b"), doc("quiz/c"), doc("d", "/base/docs/d", { unlisted: true })],
    sidebars: {
      book: [
        { type: "doc", id: "index" },
        { type: "category", label: "Chapter", items: [{ type: "doc", id: "a b" }, { type: "doc", id: "quiz/c" }] },
      ],
    },
  });
  const html = (text: string) => `<article><div class="theme-doc-markdown"><h1>${text}</h1></div></article>`;

  async function built({ more = {}, policy = "title: The book\nexclude: ['quiz/**']", plugins = [] as object[], trailingSlash = undefined as boolean | undefined }) {
    const siteDir = folderWith({ "bookbound.yaml": policy });
    const pages = { "docs/index.html": html("Start"), "docs/a b/index.html": html("Ab"), "docs/quiz/c.html": html("Quiz") };
    const outDir = folderWith({ ...pages, "docs/d.html": html("Hidden"), ...more });
    const latest = version(join(siteDir, "docs"));
    const loadedVersions = [latest, { ...latest, versionName: "1.0", isLast: false }];
    await writeLlms(outDir, {
      siteDir,
      url: "https://book.test",
      baseUrl: "/base/",
      title: "The site",
      tagline: "In short",
      trailingSlash,
      plugins: [{ name: "docusaurus-plugin-content-docs", options: {}, content: { loadedVersions } }, ...plugins] as never,
    });
    const read = (path: string) => (existsSync(join(outDir, path)) ? readFileSync(join(outDir, path), "utf8") : null);
    return read;
  }

  test("are the list, the whole and a twin of each page, under the site's base URL", async () => {
    const read = await built({});
    expect(read("llms.txt")).toBe(`# The book

> In short

All of its pages in one file: <https://book.test/base/llms-full.txt>

## Pages

- [INDEX](https://book.test/base/docs/index.html.md): About index

## Chapter

- [A B](https://book.test/base/docs/a%20b.md): About a b
`);
    expect(read("docs/index.html.md")).toBe("# Start\n");
    expect(read("docs/a b.md")).toBe("# Ab\n");
  });

  test("hold nothing of what the policy leaves out or the site does not list", async () => {
    const read = await built({});
    expect([read("docs/quiz/c.md"), read("docs/d.md")]).toEqual([null, null]);
    expect(`${read("llms.txt")}${read("llms-full.txt")}`).not.toMatch(/quiz|hidden/i);
  });

  test("follow the site's trailing slash", async () => {
    const read = await built({ trailingSlash: true });
    expect(read("docs/a b/index.html.md")).toBe("# Ab\n");
    expect(read("llms.txt")).toContain("https://book.test/base/docs/a%20b/index.html.md");
  });

  test("never take the place of the site's own", async () => {
    const read = await built({ more: { "llms.txt": "own" } });
    expect(read("llms.txt")).toBe("own");
  });

  test("are left to another plugin that writes them, with a word to the author", async () => {
    const told = vi.spyOn(console, "warn").mockImplementation(() => {});
    const read = await built({ plugins: [{ name: "docusaurus-plugin-llms", options: {}, content: null }] });
    expect(read("llms.txt")).toBe(null);
    expect(told.mock.calls[0]![0]).toContain("docusaurus-plugin-llms writes llms.txt; remove it, or set llms: false");
    told.mockRestore();
  });
});
