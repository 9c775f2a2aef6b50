import type { Passage } from "./links";

/**
 * The range of the passage in the text of `root`, whatever elements cut it up; null where it is not there.
 *
 * @param after an element of `root`: only what follows its beginning counts
 */
export function findPassage(root: Element, passage: Passage, after?: Element): Range | null {
  const text = new Letters(root);
  const start = text.find(passage.start, after ? text.indexOf(after) : 0);
  if (start === null) return null;
  const end = passage.end === null ? start : text.find(passage.end, start.to);
  return end && text.range(start.from, end.to);
}

interface Span {
  from: number;
  to: number;
}

/** The letters and digits of an element's text, each with its place: neither space nor markup stands in the way. */
class Letters {
  private letters = "";
  private readonly places: [node: Text, offset: number][] = [];

  constructor(root: Element) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest("button, script, style, .hash-link, .katex-mathml")) this.add(node as Text);
    }
  }

  find(words: string, from: number): Span | null {
    const wanted = lettersOf(words).join("");
    const at = wanted ? this.letters.indexOf(wanted, from) : -1;
    return at < 0 ? null : { from: at, to: at + wanted.length };
  }

  /** Index of the first letter that stands in the element or behind it. */
  indexOf(element: Element): number {
    const index = this.places.findIndex(
      ([node]) => element.contains(node) || element.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return index < 0 ? this.places.length : index;
  }

  range(from: number, to: number): Range {
    const [first, start] = this.places[from]!;
    const [last, end] = this.places[to - 1]!;
    const range = document.createRange();
    range.setStart(first, start);
    range.setEnd(last, end + 1);
    return range;
  }

  private add(node: Text): void {
    for (let offset = 0; offset < node.data.length; offset++) {
      for (const letter of lettersOf(node.data[offset]!)) {
        this.letters += letter;
        this.places.push([node, offset]);
      }
    }
  }
}

// By UTF-16 unit, so that an index into the letters is one into the places.
function lettersOf(text: string): string[] {
  return text
    .toLowerCase()
    .split("")
    .filter((unit) => /[\p{L}\p{N}\p{Cs}]/u.test(unit));
}
