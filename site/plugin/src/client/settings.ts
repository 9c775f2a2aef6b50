import { usePluginData } from "@docusaurus/useGlobalData";

/** The plugin's options as the browser gets them. */
export interface Settings {
  apiUrl: string;
  bookId?: string;
  shortcut: string | false;
  privacyUrl?: string;
  position: "end" | "start";
  selection: boolean;
  /** Questions to begin with. */
  starters?: string[];
  /** The panel is part of its page's text: always open, without a way to close it. */
  inline?: boolean;
}

export function useSettings(): Settings {
  return usePluginData("docusaurus-plugin-bookbound") as Settings;
}
