import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { load } from "js-yaml";

/** What of `bookbound.yaml` a build needs; the whole of it is read and checked by ingest. */
export interface BookPolicy {
  title?: string;
  coveredSubjects: string[];
  /** Whether the policy leaves a page out, by its path in the docs folder. */
  excludes(path: string): boolean;
}

const FILE = "bookbound.yaml";

/** The policy in the docs folder, else next to it; an empty one where there is none. */
export function policyOf(docs: string): BookPolicy {
  const file = [join(docs, FILE), join(dirname(docs), FILE)].find(existsSync);
  const stated = file === undefined ? {} : fieldsOf(file);
  const patterns = texts(stated, "exclude", file).map(globOf);
  return {
    title: typeof stated.title === "string" ? stated.title : undefined,
    coveredSubjects: texts(stated, "covered_subjects", file),
    excludes: (path) => patterns.some((pattern) => pattern.test(path)),
  };
}

function fieldsOf(file: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = load(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (content !== null && content !== undefined && (typeof content !== "object" || Array.isArray(content))) {
    throw new Error(`${file} must hold fields, such as "title: A book".`);
  }
  return (content ?? {}) as Record<string, unknown>;
}

/** A page that should have been left out must not get out over a mistake, so a mistake ends the build. */
function texts(stated: Record<string, unknown>, name: string, file: string | undefined): string[] {
  const value = stated[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) {
    throw new Error(`${file}: ${name} must be a list of texts.`);
  }
  return value.map((one) => one.trim().replace(/\s+/g, " "));
}

const WILDCARDS: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };

/** Ingest's own reading of a pattern: `*` within a name, `**` over folders, `folder/` all below it. */
function globOf(pattern: string): RegExp {
  const parts = (pattern.endsWith("/") ? `${pattern}**` : pattern).split(/(\*\*\/|\*\*|\*|\?)/);
  return new RegExp(`^${parts.map((part) => WILDCARDS[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, "\\$&")).join("")}$`, "su");
}
