/** Characters of a selected passage that the API takes. */
export const SELECTION_LIMIT = 8000;

/** A passage that the reader marked in the article, and where it stands in the window. */
export interface Selected {
  text: string;
  box: DOMRect;
}

/** What is selected, where all of it is text of one article. */
export function selectedPassage(selection: Selection | null): Selected | null {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const article = elementOf(range.startContainer)?.closest("article");
  const text = selection
    .toString()
    .replace(/\u200b/g, "")
    .trim();
  if (!article || !article.contains(range.endContainer) || text === "") return null;
  return { text: [...text].slice(0, SELECTION_LIMIT).join(""), box: range.getBoundingClientRect() };
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}
