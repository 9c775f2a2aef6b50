// The demo page's own script, run in a page: what a book or a model wrote stays text, links lead to the web alone.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";

const PAGE = resolve(import.meta.dirname, "../../../layers/core/python/bookbound/api/page");

const SOURCE = {
  id: "S1",
  chunk_id: "0",
  score: 0.9,
  similarity: 0.9,
  document: "intro.md",
  section: "<img src=x onerror=alert(1)>",
  page: 4,
  url: "https://book.test/intro#cells",
  excerpt: "<script>alert(1)</script>",
  images: [],
};
const ANSWER = {
  answer_id: "a",
  session_id: "s",
  book: { id: "robots", version: "1" },
  answer: "",
  was_refusal: false,
  refusal_reason: null,
  sentences: [{ text: "A <b>cell</b> holds 3.7 V.", source_ids: ["S1"], images: [] as object[] }],
  sources: [SOURCE],
  confidence_score: 0.8,
  confidence_level: "medium" as string | null,
  low_confidence: false,
  notice: null,
  unavailable: [],
  latency_ms: { total: 12, retrieval: 5, generation: 4, verification: 3 },
};
const REFUSAL = {
  ...ANSWER,
  answer: "I found some related content, but not enough to provide a confident answer.",
  was_refusal: true,
  refusal_reason: "insufficient_context",
  sentences: [],
  sources: [],
  confidence_score: null,
  confidence_level: null,
};

async function asked(response: object): Promise<HTMLElement> {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(JSON.stringify(response), { status: 200 })),
  );
  const question = document.querySelector<HTMLTextAreaElement>("#question")!;
  question.value = "What does a cell hold?";
  document.querySelector<HTMLFormElement>("#form")!.requestSubmit();
  const result = document.querySelector<HTMLElement>("#result")!;
  await vi.waitFor(() => expect(result.getAttribute("aria-busy")).toBe("false"));
  return result;
}

beforeEach(async () => {
  vi.resetModules();
  const html = readFileSync(`${PAGE}/index.html`, "utf8");
  document.body.innerHTML = new DOMParser().parseFromString(html, "text/html").body.innerHTML;
  Element.prototype.scrollIntoView = () => undefined;
  // @ts-expect-error: plain JavaScript without types
  await import("../../../layers/core/python/bookbound/api/page/app.js");
});

test("an answer's sentences, sources and confidence are shown", async () => {
  const result = await asked(ANSWER);
  expect(result.querySelector("#answer")!.textContent).toContain("A <b>cell</b> holds 3.7 V.");
  expect(result.querySelector("#sources a")!.getAttribute("href")).toBe(SOURCE.url);
  expect(result.querySelector("#about")!.textContent).toContain("Medium confidence");
});

test("HTML in a sentence, a heading or an excerpt is text", async () => {
  const result = await asked(ANSWER);
  expect(result.querySelector("b, script, img")).toBeNull();
  expect(result.querySelector("#sources h3")!.textContent).toBe(SOURCE.section);
  expect(result.querySelector("blockquote")!.textContent).toBe(SOURCE.excerpt);
});

test.each(["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "JaVaScRiPt:alert(1)"])(
  "a source at %s is no link",
  async (url) => {
    const result = await asked({ ...ANSWER, sources: [{ ...SOURCE, url }] });
    expect(result.querySelector("#sources a[target]")).toBeNull();
    expect(result.querySelector("#sources")!.textContent).toContain("Open the passage");
  },
);

test("a picture at a javascript: address is left out", async () => {
  const images = [{ url: "javascript:alert(1)", alt: "A cell" }];
  const result = await asked({ ...ANSWER, sentences: [{ ...ANSWER.sentences[0], images }] });
  expect(result.querySelector("img")).toBeNull();
});

test("a refusal shows its text word for word, and no source", async () => {
  const result = await asked(REFUSAL);
  expect(result.querySelector(".refusal .message")!.textContent).toBe(REFUSAL.answer);
  expect(result.querySelector("#sources")!.childElementCount).toBe(0);
  expect(result.querySelector(".confidence")).toBeNull();
});
