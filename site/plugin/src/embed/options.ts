import type { Settings } from "docusaurus-plugin-bookbound/client/settings";

/** The same as the plugin's options, with its starter questions as they are written: one a line. */
export type Options = Omit<Settings, "starters"> & { starters?: string };

const SHORTCUT = /^((mod|ctrl|meta|alt|shift)\+)+[a-z0-9]$/;

/**
 * The options that an element's `data-*` attributes give.
 *
 * Raises Error, whose message says which attribute to mend.
 */
export function settingsOf(data: DOMStringMap, base: string): Options {
  const { apiUrl, bookId, privacyUrl, shortcut = "alt+k", position = "end", selection, starters, inline } = data;
  const api = apiUrl && URL.canParse(apiUrl, base) && new URL(apiUrl, base);
  if (!api || !/^https?:/.test(api.href)) {
    throw new Error('data-api-url must be such as "https://api.example.org"');
  }
  const keys = shortcut.toLowerCase().replace(/\s+/g, "");
  if (keys !== "off" && !SHORTCUT.test(keys)) throw new Error('data-shortcut must be such as "alt+k" or "off"');
  if (position !== "end" && position !== "start") throw new Error('data-position must be "end" or "start"');
  return {
    apiUrl: api.href.replace(/\/+$/, ""),
    bookId,
    privacyUrl,
    shortcut: keys === "off" ? false : keys,
    position,
    selection: selection !== "off",
    starters,
    inline: inline !== undefined,
  };
}
