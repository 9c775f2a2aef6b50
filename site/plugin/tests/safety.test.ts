import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.(tsx?|css)$/.test(file));

test.each(files)("%s makes no markup or code of text, and loads nothing from elsewhere", (file) => {
  const source = readFileSync(join("src", file), "utf8");
  expect(source).not.toMatch(
    /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
  );
  expect(source).not.toMatch(/url\(|@import|<style|srcDoc/);
});

test.each(files.filter((file) => file.endsWith(".css")))("%s stands in either direction of writing", (file) => {
  const physical =
    /(?<![-\w])(?:(?:margin|padding|border)-(?:left|right)|left|right|text-align:\s*(?:left|right)|float)\b/;
  expect(readFileSync(join("src", file), "utf8")).not.toMatch(physical);
});
