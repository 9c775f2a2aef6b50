import type { Source } from "./wire";

/** A place of this site: `path` with query and heading, `passage` as its text fragment names it. */
export interface Place {
  href: string;
  path: string;
  heading: string | null;
  passage: Passage | null;
}

/** The words with which a passage begins and ends. */
export interface Passage {
  start: string;
  end: string | null;
}

const DIRECTIVE = ":~:text=";

/** The address as a place of the site that `here` is a page of; null for any other. */
export function placeOf(address: string, here: string): Place | null {
  const url = webUrl(address, here);
  if (url === null || url.origin !== new URL(here).origin) return null;
  const [heading = "", directive] = url.hash.slice(1).split(DIRECTIVE);
  return {
    href: url.href,
    path: url.pathname + url.search + (heading && `#${heading}`),
    heading: decoded(heading) || null,
    passage: directive === undefined ? null : passageOf(directive),
  };
}

/** The address of a picture, from the page's own site alone. */
export function pictureUrl(address: string, here: string): string | null {
  const url = webUrl(address, here);
  return url?.origin === new URL(here).origin ? url.href : null;
}

/** The passage that a text directive names: `[prefix-,]start[,end][,-suffix]`. */
export function passageOf(directive: string): Passage | null {
  const first = directive.split("&")[0] ?? "";
  const [start, end] = first.split(",").filter((part) => !part.endsWith("-") && !part.startsWith("-"));
  return start ? { start: decoded(start), end: end ? decoded(end) : null } : null;
}

/** The first and last words of an excerpt's first piece. */
export function passageOfText(text: string): Passage | null {
  const words = (text.split("…").find((piece) => piece.trim()) ?? "").trim().split(/\s+/);
  if (!words[0]) return null;
  if (words.length <= 10) return { start: words.join(" "), end: null };
  return { start: words.slice(0, 5).join(" "), end: words.slice(-5).join(" ") };
}

export function numberOf(source: Pick<Source, "id">): string {
  return source.id.replace(/^S/, "");
}

function webUrl(address: string, here: string): URL | null {
  try {
    const url = new URL(address, here);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
