import type { Settings } from "docusaurus-plugin-bookbound/client/settings";

let settings: Settings;

export function setSettings(given: Settings): void {
  settings = given;
}

export const usePluginData = () => settings;
