import { beforeEach, describe, expect, test } from "vitest";
import { revealFromAddress } from "../src/client/arrival";
import { highlight } from "../src/client/highlight";
import { NO_SESSION, clearSession, loadSession, saveSession, withEntry } from "../src/client/history";
import type { Session } from "../src/client/history";
import { passageOf, passageOfText, pictureUrl, placeOf } from "../src/client/links";
import { findPassage } from "../src/client/passage";
import { reveal } from "../src/client/reveal";
import { SELECTION_LIMIT, selectedPassage } from "../src/client/selection";
import { isShortcut, spelt } from "../src/client/shortcut";
import { lengthOf, plainText, topicsOf } from "../src/client/text";
import { answer, refusal } from "./fakes/service";

const HERE = "https://book.test/docs/intro";

describe("a link", () => {
  test("to a passage falls apart into path, heading and words", () => {
    expect(placeOf("/docs/a?x=1#caf%C3%A9:~:text=one%20two,three", HERE)).toEqual({
      href: "https://book.test/docs/a?x=1#caf%C3%A9:~:text=one%20two,three",
      path: "/docs/a?x=1#caf%C3%A9",
      heading: "café",
      passage: { start: "one two", end: "three" },
    });
  });

  test.each([
    "https://evil.test/docs",
    "//evil.test/docs",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
    "\\\\evil.test",
  ])("to %s is none of the site's", (address) => {
    expect(placeOf(address, HERE)).toBeNull();
    expect(pictureUrl(address, HERE)).toBeNull();
  });

  test("with a broken escape is taken as it is", () => {
    expect(placeOf("/a#100%:~:text=50%", HERE)).toMatchObject({ heading: "100%", passage: { start: "50%" } });
  });

  test.each([
    ["one", { start: "one", end: null }],
    ["one,two", { start: "one", end: "two" }],
    ["before-,one,two,-after", { start: "one", end: "two" }],
    ["one&text=two", { start: "one", end: null }],
    ["", null],
  ])("with the directive %j names its words", (directive, passage) => {
    expect(passageOf(directive)).toEqual(passage);
  });

  test("of an excerpt names the words before its first cut", () => {
    expect(passageOfText("… one two … three")).toEqual({ start: "one two", end: null });
    expect(passageOfText("a b c d e f g h i j k l")).toEqual({ start: "a b c d e", end: "h i j k l" });
    expect(passageOfText(" … ")).toBeNull();
  });
});

describe("a passage", () => {
  beforeEach(() => {
    document.body.innerHTML = `<article><h2 id="a">One<a class="hash-link">\u200b</a></h2>
      <p>The <b>quick</b> brown fox — it
      jumps.</p><button>Copy</button><h2 id="b">Two</h2><p>The quick dog.</p>
      <details><summary>More</summary><p>Hidden here.</p></details></article>`;
  });
  const find = (start: string, end: string | null = null, after?: string) =>
    findPassage(
      document.querySelector("article")!,
      { start, end },
      after ? document.getElementById(after)! : undefined,
    )?.toString();

  test("is found through markup, white space, punctuation and case", () => {
    expect(find("the QUICK brown")).toBe("The quick brown");
    expect(find("The quick", "it jumps.")).toMatch(/^The quick brown fox — it\s+jumps$/);
  });

  test("is found behind its heading rather than above it", () => {
    expect(find("the quick", "dog", "b")).toBe("The quick dog");
  });

  test("that is not there is not found, nor one that starts only", () => {
    expect(find("slow")).toBeUndefined();
    expect(find("The quick", "zebra")).toBeUndefined();
    expect(find("…")).toBeUndefined();
    expect(find("Copy")).toBeUndefined();
  });

  test("is marked, and unmarked to the very nodes that were there", () => {
    const nodes = [...document.querySelector("p")!.childNodes];
    const before = document.body.innerHTML;
    highlight(findPassage(document.querySelector("article")!, { start: "the quick", end: "jumps" })!);
    const marked = [...document.querySelectorAll("mark")].map((mark) => mark.textContent).join("");
    expect(marked).toMatch(/^The quick brown fox — it\s+jumps$/);
    highlight(findPassage(document.querySelector("article")!, { start: "dog", end: null })!);
    document.body.click();
    expect(document.body.innerHTML).toBe(before);
    expect([...document.querySelector("p")!.childNodes]).toEqual(nodes);
  });

  test("is shown and focused, whatever hides it", async () => {
    let opened = 0;
    document.querySelector("summary")!.addEventListener("click", () => opened++);
    await reveal(
      [
        { start: "not there", end: null },
        { start: "Hidden here", end: null },
      ],
      "b",
      null,
    );
    expect(opened).toBe(1);
    expect(document.activeElement!.textContent).toBe("Hidden here.");
  });

  test("that the address names is shown where the browser does not do so", async () => {
    history.replaceState(null, "", "/docs/a#b:~:text=the%20quick,dog");
    await revealFromAddress();
    expect(document.querySelector("mark")!.textContent).toBe("The quick dog");
    document.body.click();
  });

  test("that the page does not hold leaves the reader at its heading", async () => {
    await reveal([{ start: "not there", end: null }], "b", null);
    expect(document.activeElement!.id).toBe("b");
  });
});

describe("a selection", () => {
  const select = (from: string, to = from) => {
    const range = document.createRange();
    range.setStart(document.querySelector(from)!, 0);
    range.setEnd(document.querySelector(to)!, 1);
    getSelection()!.removeAllRanges();
    getSelection()!.addRange(range);
    return selectedPassage(getSelection());
  };

  beforeEach(() => {
    document.body.innerHTML = `<nav>Menu</nav><article><p id="x"> One\u200b </p><p id="y">Two</p><p id="empty"> </p></article>`;
  });

  test("inside the article is a passage", () => {
    expect(select("#x")).toMatchObject({ text: "One" });
    expect(select("#x", "#y")!.text).toMatch(/^One\s+Two$/);
  });

  test("elsewhere, across the article's edge or of nothing is none", () => {
    expect(select("nav")).toBeNull();
    expect(select("nav", "#x")).toBeNull();
    expect(select("#empty")).toBeNull();
    getSelection()!.removeAllRanges();
    expect(selectedPassage(getSelection())).toBeNull();
  });

  test("is cut to what the API takes, between characters", () => {
    document.querySelector("#x")!.textContent = "😀".repeat(SELECTION_LIMIT + 1);
    expect(select("#x")!.text).toBe("😀".repeat(SELECTION_LIMIT));
  });
});

describe("the history", () => {
  const entry = (question: string) => ({ question, selection: null, response: answer() });
  const full: Session = { id: "s", entries: [entry("a"), entry("b"), entry("c")] };

  test("comes back as it was kept, until it is cleared", () => {
    saveSession(sessionStorage, "k", full);
    expect(loadSession(sessionStorage, "k")).toEqual(full);
    clearSession(sessionStorage, "k");
    expect(loadSession(sessionStorage, "k")).toEqual(NO_SESSION);
  });

  test("keeps the latest twenty", () => {
    const questions = Array.from({ length: 25 }, (_, n) => String(n));
    const session = questions.reduce((before, question) => withEntry(before, entry(question)), NO_SESSION);
    expect(session.entries.map(({ question }) => question)).toEqual(questions.slice(5));
    expect(session.id).toBe(session.entries[0]!.response.session_id);
  });

  test("leaves the oldest out where storage is short", () => {
    const stored: string[] = [];
    const short = {
      setItem: (_: string, text: string) => {
        if (text.includes('"question":"a"')) throw new DOMException("", "QuotaExceededError");
        stored.push(text);
      },
    } as unknown as Storage;
    saveSession(short, "k", full);
    expect(JSON.parse(stored[0]!).entries.map(({ question }: { question: string }) => question)).toEqual(["b", "c"]);
  });

  test.each(["{", "null", "[]", '{"id":1,"entries":[{"question":2}]}', '{"entries":[null]}'])(
    "that holds %s is as good as none",
    (text) => {
      sessionStorage.setItem("k", text);
      expect(loadSession(sessionStorage, "k")).toEqual(NO_SESSION);
    },
  );

  test("does without storage where the browser forbids it", () => {
    saveSession(null, "k", full);
    expect(loadSession(null, "k")).toEqual(NO_SESSION);
  });
});

describe("a shortcut", () => {
  const keys = (key: string, held: Partial<KeyboardEvent> = {}) => ({
    key,
    code: `Key${key.toUpperCase()}`,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    ...held,
  });

  test("wants its keys and no other", () => {
    expect(isShortcut(keys("k", { altKey: true }), "alt+k", "Linux")).toBe(true);
    expect(isShortcut(keys("k", { altKey: true, ctrlKey: true }), "alt+k", "Linux")).toBe(false);
    expect(isShortcut(keys("k"), "alt+k", "Linux")).toBe(false);
  });

  test("knows the key by its place where Option gives another letter", () => {
    expect(isShortcut(keys("˚", { altKey: true, code: "KeyK" }), "alt+k", "MacIntel")).toBe(true);
  });

  test("takes mod for Command on Apple's machines, else for Control", () => {
    expect(isShortcut(keys("i", { metaKey: true }), "mod+i", "MacIntel")).toBe(true);
    expect(isShortcut(keys("i", { ctrlKey: true }), "mod+i", "Win32")).toBe(true);
    expect([spelt("mod+shift+i", "MacIntel"), spelt("alt+k", "Win32")]).toEqual(["Meta+Shift+I", "Alt+K"]);
  });
});

describe("text", () => {
  test("counts as the API does: code points after NFC and trimming", () => {
    expect([lengthOf(" e\u0301 "), lengthOf("😀😀"), lengthOf("\n")]).toEqual([1, 2, 0]);
  });

  test("of a refusal is the question and the message", () => {
    expect(plainText("Why?", refusal("out_of_scope"), HERE)).toBe("Why?\n\nI can only answer from the book.");
  });

  test("of a source elsewhere has no address", () => {
    const response = answer();
    response.sources[0]!.url = "javascript:alert(1)";
    expect(plainText("Why?", response, HERE)).toMatch(/\[1\] Nodes, 5$/);
  });

  test("of headings makes at most three topics, each once", () => {
    document.body.innerHTML = "<article><h2>A\u200b</h2><h2>A</h2><h3>B</h3><h2></h2><h2>C</h2><h2>D</h2></article>";
    expect(topicsOf(document.querySelector("article"))).toEqual(["A", "B", "C"]);
    expect(topicsOf(null)).toEqual([]);
  });
});
