/** Characters of a selected passage that the API takes. */
export const SELECTION_LIMIT = 8000;

/** A passage that the reader marked in the article, and where it stands in the window. */
export interface Selected {
  text: string;
  box: DOMRect;
}

/** What is selected, where all of it is text of one article. */
export function selectedPassage(selection: Selection | null): Selected | null {
  if (!selection || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const article = articleAround(range.startContainer);
  const text = selection
    .toString()
    .replace(/\u200b/g, "")
    .trim();
  if (!article || !article.contains(range.endContainer) || text === "") return null;
  return { text: [...text].slice(0, SELECTION_LIMIT).join(""), box: range.getBoundingClientRect() };
}

const MAIN = "main, [role=main]";

/** The element that holds the page's part of the book: its article, else its main part. */
export function articleOfPage(): Element | null {
  return document.querySelector("article") ?? document.querySelector(MAIN);
}

function articleAround(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(document.querySelector("article") ? "article" : MAIN) ?? null;
}
