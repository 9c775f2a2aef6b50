// The options of the panel on a site without Docusaurus; the element itself is tried in browsers (site/e2e).
import { describe, expect, test } from "vitest";
import { settingsOf } from "../src/embed/options";
import { startersOf } from "../src/embed/starters";

const BASE = "https://book.test/chapter/one";

describe("the attributes of the element", () => {
  test("give the options, as the plugin's config does", () => {
    const settings = settingsOf({ apiUrl: "https://api.test/prod/", bookId: "robots", position: "start" }, BASE);
    expect(settings).toMatchObject({ apiUrl: "https://api.test/prod", bookId: "robots", position: "start" });
    expect(settings).toMatchObject({ shortcut: "alt+k", selection: true, inline: false });
  });

  test("can name an address that is relative to the page", () => {
    expect(settingsOf({ apiUrl: "." }, "https://book.test/prod/").apiUrl).toBe("https://book.test/prod");
    expect(settingsOf({ apiUrl: "/" }, BASE).apiUrl).toBe("https://book.test");
  });

  test("can turn shortcut and selection off", () => {
    const off = { shortcut: false, selection: false };
    expect(settingsOf({ apiUrl: "/", shortcut: "off", selection: "off" }, BASE)).toMatchObject(off);
  });

  test("give starter questions, one a line", () => {
    const { starters } = settingsOf({ apiUrl: "/", starters: "What is a node?\n\n Why? \n" }, BASE);
    expect([startersOf(starters), startersOf(undefined)]).toEqual([["What is a node?", "Why?"], []]);
  });

  test.each([
    [{}, "data-api-url"],
    [{ apiUrl: "http://" }, "data-api-url"],
    [{ apiUrl: "javascript:alert(1)" }, "data-api-url"],
    [{ apiUrl: "/", position: "left" }, "data-position"],
    [{ apiUrl: "/", shortcut: "k" }, "data-shortcut"],
  ])("%j are refused, and the message names the attribute to mend", (data: Record<string, string>, attribute) => {
    expect(() => settingsOf(data, BASE)).toThrow(attribute);
  });
});
