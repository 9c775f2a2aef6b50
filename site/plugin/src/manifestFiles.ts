import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { headingsOf } from "./headings";
import { manifestOf } from "./manifest";
import type { DocsVersion } from "./manifest";

export const DOCS = "docusaurus-plugin-content-docs";
const NAME = "bookbound-pages";

export interface BuiltSite {
  siteDir: string;
  baseUrl: string;
  trailingSlash?: boolean;
  plugins: readonly { name: string; options: { id?: string }; content: unknown }[];
}

/**
 * Writes a manifest for every version of every docs instance into the built site. The latest version of the default
 * instance goes by the plain name; any other has its instance and version in it.
 */
export function writeManifests(outDir: string, { siteDir, baseUrl, trailingSlash, plugins }: BuiltSite): void {
  const headingsAt = (permalink: string) => headingsOf(builtPage(outDir, permalink.slice(baseUrl.length)));
  const instances = plugins.filter(({ name }) => name === DOCS);
  for (const { options, content } of instances) {
    const id = options.id ?? "default";
    for (const version of (content as { loadedVersions: DocsVersion[] }).loadedVersions) {
      const isMain = version.isLast && (id === "default" || instances.length === 1);
      const name = isMain ? `${NAME}.json` : `${NAME}.${id}.${version.versionName}.json`;
      const manifest = manifestOf(version, { siteDir, trailingSlash, headingsAt });
      writeFileSync(join(outDir, name), `${JSON.stringify(manifest, null, 1)}\n`);
    }
  }
}

/** Both places that a build gives a page, by `trailingSlash`; a slug that is written encoded stays so on disk. */
export function builtPage(outDir: string, path: string): string {
  const places = [decodeURI(path), path].map((place) => place.replace(/\/$/, ""));
  const files = places.flatMap((place) => [join(outDir, place, "index.html"), join(outDir, `${place}.html`)]);
  const file = files.find(existsSync);
  if (file === undefined) throw new Error(`${NAME}: the build wrote no page at ${files.join(" or ")}.`);
  return readFileSync(file, "utf8");
}
