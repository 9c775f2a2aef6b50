import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { articleWriter } from "./articleMarkdown";
import { policyOf } from "./bookPolicy";
import type { BookPolicy } from "./bookPolicy";
import { llmsFullTxt, llmsTxt, twinOf } from "./llms";
import type { LlmsPage } from "./llms";
import { addressOf, idsOf, inSidebarOrder, pathInDocs } from "./manifest";
import type { Doc, DocsVersion } from "./manifest";
import { DOCS, builtPage } from "./manifestFiles";
import type { BuiltSite } from "./manifestFiles";

const NAME = "docusaurus-plugin-bookbound";
/** Plugins that write the same files, at the same time as this one. */
const OTHERS = ["docusaurus-plugin-llms", "docusaurus-plugin-llms-txt", "@signalwire/docusaurus-plugin-llms-txt"];

interface Site extends BuiltSite {
  url: string;
  title: string;
  tagline?: string;
}

/**
 * Writes `llms.txt`, `llms-full.txt` and a Markdown twin of each page into the built site: of the latest version of every
 * docs instance, without what the book's policy leaves out. A file that the site has already stays as it is.
 */
export async function writeLlms(outDir: string, site: Site): Promise<void> {
  const other = site.plugins.find(({ name }) => OTHERS.includes(name));
  if (other !== undefined) {
    console.warn(`${NAME}: ${other.name} writes llms.txt; remove it, or set llms: false.`);
    return;
  }
  const markdownOf = await articleWriter();
  const versions = latestVersions(site);
  const policies = versions.map((version) => policyOf(version.contentPath));
  const pages = versions.flatMap((version, at) => pagesOf(version, policies[at]!, outDir, site, markdownOf));
  const write = (address: string, content: string) => writeNew(join(outDir, placeOf(address, site)), content);
  const root = site.url + site.baseUrl;
  const book = {
    title: policies[0]?.title ?? site.title,
    summary: site.tagline,
    coveredSubjects: policies.flatMap((policy) => policy.coveredSubjects),
    full: `${root}llms-full.txt`,
    pages,
  };
  for (const page of pages) write(page.twin, page.markdown);
  write(book.full, llmsFullTxt(book));
  write(`${root}llms.txt`, llmsTxt(book));
}

function latestVersions({ plugins }: BuiltSite): DocsVersion[] {
  return plugins
    .filter(({ name }) => name === DOCS)
    .flatMap(({ content }) => (content as { loadedVersions: DocsVersion[] }).loadedVersions)
    .filter(({ isLast }) => isLast);
}

function pagesOf(
  version: DocsVersion,
  policy: BookPolicy,
  outDir: string,
  site: Site,
  markdownOf: (html: string, address: string) => string,
): LlmsPage[] {
  const sections = sectionsOf(version);
  const shown = inSidebarOrder(version).filter((doc) => !policy.excludes(pathInDocs(doc, version, site.siteDir)));
  return shown.map((doc: Doc) => {
    const address = site.url + addressOf(doc.permalink, site.trailingSlash);
    return {
      title: doc.title ?? doc.id,
      description: doc.description,
      section: sections.get(doc.id),
      address,
      twin: twinOf(address),
      markdown: markdownOf(builtPage(outDir, doc.permalink.slice(site.baseUrl.length)), address),
    };
  });
}

/** The chapter of each doc: the category at the top of a sidebar in which it stands. */
function sectionsOf(version: DocsVersion): Map<string, string | undefined> {
  const items = Object.values(version.sidebars).flat();
  const placed = items.flatMap((item) => idsOf(item).map((id) => [id, item.items && item.label] as const));
  // A doc that stands in several places belongs to the first.
  return new Map(placed.reverse());
}

function placeOf(address: string, { url, baseUrl }: Site): string {
  return decodeURI(address.slice((url + baseUrl).length));
}

function writeNew(file: string, content: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
