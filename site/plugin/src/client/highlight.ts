const NAME = "bookbound-passage";

let remove: () => void = () => {};

/** Shows the range as the passage that was looked for, instead of the one before; a click takes it away. */
export function highlight(range: Range): void {
  remove();
  const undo = typeof Highlight === "function" ? paint(range) : mark(range);
  const end = () => {
    document.removeEventListener("click", end);
    remove = () => {};
    undo();
  };
  document.addEventListener("click", end);
  remove = end;
}

function paint(range: Range): () => void {
  CSS.highlights.set(NAME, new Highlight(range));
  return () => CSS.highlights.delete(NAME);
}

/** Wraps each piece of text; undone to the very text nodes that the page's own code knows. */
function mark(range: Range): () => void {
  const undo = textNodes(range).map((node) => {
    const whole = node.data;
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : whole.length;
    const element = document.createElement("mark");
    element.className = NAME;
    element.textContent = whole.slice(start, end);
    const after = document.createTextNode(whole.slice(end));
    node.after(element, after);
    node.data = whole.slice(0, start);
    return () => {
      element.remove();
      after.remove();
      node.data = whole;
    };
  });
  return () => undo.forEach((step) => step());
}

function textNodes(range: Range): Text[] {
  const root = range.commonAncestorContainer;
  if (root.nodeType === Node.TEXT_NODE) return [root as Text];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (range.intersectsNode(node) && node.textContent!.trim()) found.push(node as Text);
  }
  return found;
}
