/** A page of the book, as language models get it. */
export interface LlmsPage {
  title: string;
  description?: string;
  /** The chapter of the sidebar in which the page stands. */
  section?: string;
  /** Where readers find it. */
  address: string;
  /** Where its Markdown is. */
  twin: string;
  markdown: string;
}

export interface LlmsBook {
  title: string;
  summary?: string;
  coveredSubjects: string[];
  /** Where `llms-full.txt` is. */
  full: string;
  pages: LlmsPage[];
}

const UNNAMED = "Pages";

/** `llms.txt`, in the order that its convention asks for: name, summary, notes, and a list of links for each chapter. */
export function llmsTxt({ title, summary, coveredSubjects, full, pages }: LlmsBook): string {
  const covered = coveredSubjects.length > 0 ? [`It covers: ${coveredSubjects.join(", ")}.`] : [];
  const notes = [...covered, `All of its pages in one file: <${full}>`];
  const sections = [...new Set(pages.map((page) => page.section))].map((section) => {
    const links = pages.filter((page) => page.section === section).map(linkTo);
    return `## ${oneLine(section ?? UNNAMED)}\n\n${links.join("\n")}`;
  });
  return document([...headOf(title, summary), ...notes, ...sections]);
}

/** `llms-full.txt`: every page as it is, behind its address. */
export function llmsFullTxt({ title, summary, pages }: LlmsBook): string {
  return document([...headOf(title, summary), ...pages.map((page) => `Source: <${page.address}>\n\n${page.markdown.trim()}`)]);
}

/** The convention's place of a page's Markdown: the address with `.md`, or `index.html.md` where it names no file. */
export function twinOf(address: string): string {
  return address.endsWith("/") ? `${address}index.html.md` : `${address}.md`;
}

function headOf(title: string, summary: string | undefined): string[] {
  return summary ? [`# ${oneLine(title)}`, `> ${oneLine(summary)}`] : [`# ${oneLine(title)}`];
}

function linkTo({ title, description, twin }: LlmsPage): string {
  const name = oneLine(title).replace(/[\\[\]]/g, "\\$&");
  return `- [${name}](${twin.replace(/\(/g, "%28").replace(/\)/g, "%29")})${description ? `: ${oneLine(description)}` : ""}`;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

function document(parts: string[]): string {
  return `${parts.join("\n\n")}\n`;
}
