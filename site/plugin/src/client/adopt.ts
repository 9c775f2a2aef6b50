/** Gives a tree a style sheet; one that page policies for style elements do not concern, where browsers have it. */
export function adopt(tree: Document | ShadowRoot, css: string): void {
  const adopted = given.get(tree) ?? new Set();
  given.set(tree, adopted);
  if (adopted.has(css)) return;
  adopted.add(css);
  if ("adoptedStyleSheets" in tree) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
  } else {
    const style = document.createElement("style");
    style.textContent = css;
    ((tree as Document).head ?? tree).prepend(style);
  }
}

const given = new WeakMap<Node, Set<string>>();
