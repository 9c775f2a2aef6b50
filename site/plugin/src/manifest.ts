import { relative, sep } from "node:path";
import type { Heading } from "./headings";

/** What the docs plugin knows of one version of a book, as far as it is used here. */
export interface DocsVersion {
  versionName: string;
  isLast: boolean;
  contentPath: string;
  contentPathLocalized?: string;
  docs: Doc[];
  drafts?: Doc[];
  sidebars: Record<string, SidebarItem[]>;
}

export interface Doc {
  id: string;
  /** `@site/…` */
  source: string;
  permalink: string;
  unlisted?: boolean;
  title?: string;
  description?: string;
}

export interface SidebarItem {
  type: string;
  id?: string;
  label?: string;
  link?: { type: string; id?: string };
  items?: SidebarItem[];
}

/** `bookbound-pages.json`, version 1, as ingest reads it. */
export interface Manifest {
  version: 1;
  docs_version: string;
  pages: Record<string, { url: string; page: number; headings: Heading[] }>;
  left_out: Record<string, "draft" | "unlisted">;
}

export interface Site {
  siteDir: string;
  trailingSlash?: boolean;
  /** Reads the headings of the page at a permalink. */
  headingsAt(permalink: string): Heading[];
}

/** Where the build put the pages of a version. */
export function manifestOf(version: DocsVersion, { siteDir, trailingSlash, headingsAt }: Site): Manifest {
  const path = (doc: Doc) => pathInDocs(doc, version, siteDir);
  const hidden = version.docs.filter((doc) => doc.unlisted);
  const pages = inSidebarOrder(version).map((doc, index) => {
    const page = { url: addressOf(doc.permalink, trailingSlash), page: index + 1, headings: headingsAt(doc.permalink) };
    return [path(doc), page] as const;
  });
  return {
    version: 1,
    docs_version: version.versionName,
    pages: Object.fromEntries(pages),
    left_out: Object.fromEntries([
      ...(version.drafts ?? []).map((doc) => [path(doc), "draft"] as const),
      ...hidden.map((doc) => [path(doc), "unlisted"] as const),
    ]),
  };
}

/** The pages that readers find, in the order of all sidebars; those in none follow by their id. */
export function inSidebarOrder(version: DocsVersion): Doc[] {
  const ids = Object.values(version.sidebars).flatMap((items) => items.flatMap(idsOf));
  const place = new Map([...new Set(ids)].map((id, index) => [id, index]));
  const at = (doc: Doc) => place.get(doc.id) ?? Infinity;
  const byPlace = (a: Doc, b: Doc) => (at(a) === at(b) ? (a.id < b.id ? -1 : 1) : at(a) - at(b));
  return version.docs.filter((doc) => !doc.unlisted).sort(byPlace);
}

/** The address as it stands in the sitemap: encoded, its end by the site's `trailingSlash`. */
export function addressOf(permalink: string, trailingSlash: boolean | undefined): string {
  const address = encodeURI(decodeURI(permalink));
  if (trailingSlash === undefined || address === "/") return address;
  return address.replace(/\/$/, "") + (trailingSlash ? "/" : "");
}

export function idsOf(item: SidebarItem): string[] {
  const page = item.type === "category" ? item.link : item;
  const own = page?.type === "doc" && page.id !== undefined ? [page.id] : [];
  return [...own, ...(item.items ?? []).flatMap(idsOf)];
}

/** The doc's path in its docs folder, as ingest knows it. */
export function pathInDocs(doc: Doc, version: DocsVersion, siteDir: string): string {
  const file = doc.source.replace(/^@site/, siteDir);
  const folders = [version.contentPathLocalized, version.contentPath].filter((folder) => folder !== undefined);
  const paths = folders.map((folder) => relative(folder, file).split(sep).join("/"));
  return paths.find((path) => !path.startsWith("../")) ?? file;
}
