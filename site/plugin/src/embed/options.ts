import type { Settings } from "docusaurus-plugin-bookbound/client/settings";

const SHORTCUT = /^(?:(?:mod|ctrl|meta|alt|shift)\+)+[a-z0-9]$/;

/**
 * The options that an element's `data-*` attributes give.
 *
 * Raises Error, whose message says which attribute to mend.
 */
export function settingsOf(data: DOMStringMap, base: string): Settings {
  const { apiUrl, bookId, privacyUrl, shortcut = "alt+k", position = "end", selection, starters, inline } = data;
  const api = apiUrl !== undefined && URL.canParse(apiUrl, base) ? new URL(apiUrl, base) : null;
  if (!api || !/^https?:$/.test(api.protocol)) {
    throw new Error('write the address of the Bookbound API, such as data-api-url="https://api.example.org"');
  }
  const keys = shortcut.toLowerCase().replace(/\s+/g, "");
  if (keys !== "off" && !SHORTCUT.test(keys)) throw new Error('data-shortcut must be such as "alt+k", or "off"');
  if (position !== "end" && position !== "start") throw new Error('data-position must be "end" or "start"');
  return {
    apiUrl: api.href.replace(/\/+$/, ""),
    bookId,
    privacyUrl,
    shortcut: keys === "off" ? false : keys,
    position,
    selection: selection !== "off",
    starters: startersOf(starters),
    inline: inline !== undefined,
  };
}

/** Questions, one a line. */
function startersOf(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
