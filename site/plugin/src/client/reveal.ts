import { highlight } from "./highlight";
import type { Passage } from "./links";
import { findPassage } from "./passage";
import { articleOfPage } from "./selection";

const PATIENCE = 4000;
const STEP = 50;

/**
 * Waits for the page with the passage, then scrolls to it, highlights it and moves the focus there; to the heading
 * where the page does not hold the passage.
 *
 * @param before the article that stood there before the page was left; null to look in the present one
 * @param passages of which the first that is found is shown
 */
export async function reveal(passages: Passage[], heading: string | null, before: Element | null): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!arrived(before, heading)) {
    if (Date.now() > deadline) break;
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  const article = articleOfPage();
  const start = heading === null ? null : document.getElementById(heading);
  const range = article && firstFound(article, start, passages);
  if (range) show(range);
  else if (start) focus(start);
}

function arrived(before: Element | null, heading: string | null): boolean {
  const article = articleOfPage();
  return article !== null && article !== before && (heading === null || document.getElementById(heading) !== null);
}

/** A passage behind the heading goes before the same words above it. */
function firstFound(article: Element, start: Element | null, passages: Passage[]): Range | null {
  for (const passage of passages) {
    const range = (start && findPassage(article, passage, start)) ?? findPassage(article, passage);
    if (range) return range;
  }
  return null;
}

function show(range: Range): void {
  const block = elementOf(range.startContainer).closest("p, li, pre, table, blockquote, figure, h1, h2, h3, h4, div");
  open(block);
  highlight(range);
  const top = range.getBoundingClientRect().top + window.scrollY - navbarHeight() - window.innerHeight / 6;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: Math.max(top, 0), behavior: calm ? "auto" : "smooth" });
  if (block) focus(block);
}

/** What hides the passage is opened: a collapsed detail, a tab that is not chosen. */
function open(block: Element | null): void {
  for (let hider = block; hider; hider = hider.parentElement) {
    if (hider instanceof HTMLDetailsElement && !hider.open) hider.querySelector("summary")?.click();
    if (hider.matches("[role=tabpanel][hidden]")) tabOf(hider)?.click();
  }
}

function tabOf(panel: Element): HTMLElement | undefined {
  const place = [...panel.parentElement!.children].indexOf(panel);
  const tabs = panel.parentElement!.parentElement?.querySelectorAll<HTMLElement>("[role=tab]");
  return tabs?.[place];
}

function focus(element: Element): void {
  if (!(element instanceof HTMLElement)) return;
  if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function navbarHeight(): number {
  return document.querySelector(".navbar")?.getBoundingClientRect().height ?? 0;
}

function elementOf(node: Node): Element {
  return node instanceof Element ? node : node.parentElement!;
}
