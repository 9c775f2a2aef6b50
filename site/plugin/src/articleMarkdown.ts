import type { Element, ElementContent, Nodes, Root } from "hast";

/**
 * Turns the article of built pages into Markdown: what a reader sees, without the page's controls. Links and pictures get
 * the address that they have from outside.
 */
export async function articleWriter(): Promise<(html: string, address: string) => string> {
  // These packages are ES modules alone, and this one is loaded by `require`.
  const [{ unified }, parse, toMarkdown, gfm, math, stringify, { visit, SKIP }] = await Promise.all([
    import("unified"),
    import("rehype-parse"),
    import("rehype-remark"),
    import("remark-gfm"),
    import("remark-math"),
    import("remark-stringify"),
    import("unist-util-visit"),
  ]);

  function cleaned(address: string) {
    return (tree: Root) => {
      tree.children = articleOf(tree);
      visit(tree, "comment", (_, index, parent) => {
        if (parent === undefined || index === undefined) return;
        parent.children.splice(index, 1);
        return [SKIP, index];
      });
      visit(tree, "element", (node, index, parent) => {
        if (parent === undefined || index === undefined) return;
        const shown = insteadOf(node);
        if (shown !== null) {
          (parent.children as ElementContent[]).splice(index, 1, ...shown);
          return [SKIP, index];
        }
        delete node.properties.hidden;
        for (const name of ["href", "src"]) {
          const target = node.properties[name];
          if (typeof target === "string") node.properties[name] = absolute(target, address);
        }
      });
    };
  }

  function articleOf(tree: Root): Element[] {
    const found: Element[] = [];
    visit(tree, "element", (node) => {
      if (!classes(node).includes("theme-doc-markdown")) return;
      found.push(node);
      return SKIP;
    });
    return found;
  }

  return (html, address) =>
    String(
      unified()
        .use(parse.default)
        .use(() => cleaned(address))
        .use(toMarkdown.default, { handlers: { span: formulaOrText } })
        .use(gfm.default)
        .use(math.default)
        .use(stringify.default, { bullet: "-", emphasis: "_", rule: "-", fences: true })
        .processSync(html),
    );
}

/** What stands for an element in Markdown, nothing for a control; null where the element itself does. */
function insteadOf(node: Element): ElementContent[] | null {
  const names = classes(node);
  if (["button", "svg", "script", "style"].includes(node.tagName) || names.includes("hash-link")) return [];
  if (node.properties.role === "tablist") return [];
  if (names.includes("theme-code-block")) return codeBlock(node, names);
  if (names.includes("theme-admonition")) return [quoted(node)];
  if (names.includes("theme-tabs-container")) return tabs(node);
  return null;
}

/** A block of code without its line elements, behind its title. */
function codeBlock(node: Element, names: string[]): ElementContent[] {
  const language = names.find((name) => name.startsWith("language-"));
  const title = find(node, (one) => classes(one).some((name) => name.startsWith("codeBlockTitle")));
  const code = find(node, (one) => one.tagName === "code") ?? node;
  const lines = all(code, (one) => classes(one).includes("token-line")).map((line) => textOf(line).replace(/\n$/, ""));
  const text = lines.length > 0 ? lines.join("\n") : textOf(code);
  const block = element("pre", [element("code", [{ type: "text", value: text }], language ? [language] : [])]);
  return title === undefined ? [block] : [element("p", [element("strong", title.children)]), block];
}

/** An admonition: its heading in bold, then its text, as a quotation. */
function quoted(node: Element): Element {
  const [heading, ...rest] = node.children.filter((child) => child.type === "element");
  const title = heading ? textOf(heading).trim().replace(/^./u, (first) => first.toUpperCase()) : "";
  return element("blockquote", [element("p", [element("strong", [{ type: "text", value: title }])]), ...rest]);
}

/** Every tab of a group, each behind its label: which one is open says nothing. */
function tabs(node: Element): ElementContent[] {
  const labels = all(node, (one) => one.properties.role === "tab").map((tab) => textOf(tab).trim());
  const panels = all(node, (one) => one.properties.role === "tabpanel");
  return panels.flatMap((panel, index) => [
    element("p", [element("strong", [{ type: "text", value: labels[index] ?? "" }])]),
    element("div", panel.children),
  ]);
}

/** KaTeX' drawing of a formula is its source in Markdown. */
function formulaOrText(state: { all(node: Element): unknown[] }, node: Element): never {
  const names = classes(node);
  if (names.includes("katex") || names.includes("katex-display")) {
    const source = find(node, (one) => one.tagName === "annotation");
    if (source) {
      const type = names.includes("katex-display") ? "math" : "inlineMath";
      return { type, value: textOf(source).trim() } as never;
    }
  }
  return state.all(node) as never;
}

function absolute(target: string, address: string): string {
  return URL.canParse(target, address) ? new URL(target, address).href : target;
}

function classes(node: Element): string[] {
  const names = node.properties.className;
  return Array.isArray(names) ? names.map(String) : [];
}

function element(tagName: string, children: ElementContent[], className: string[] = []): Element {
  return { type: "element", tagName, properties: className.length > 0 ? { className } : {}, children };
}

function find(node: Element, wanted: (one: Element) => boolean): Element | undefined {
  return all(node, wanted)[0];
}

/** The elements below one that are wanted, without those inside of each other. */
function all(node: Element, wanted: (one: Element) => boolean): Element[] {
  return node.children.flatMap((child) =>
    child.type !== "element" ? [] : wanted(child) ? [child] : all(child, wanted),
  );
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type === "element" && node.tagName === "br") return "\n";
  return "children" in node ? node.children.map(textOf).join("") : "";
}
