import { usePluginData } from "@docusaurus/useGlobalData";

/** The plugin's options as the browser gets them. */
export interface Settings {
  apiUrl: string;
  bookId?: string;
  shortcut: string | false;
  privacyUrl?: string;
  position: "end" | "start";
  selection: boolean;
}

export function useSettings(): Settings {
  return usePluginData("docusaurus-plugin-bookbound") as Settings;
}
