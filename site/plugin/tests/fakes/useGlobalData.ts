export const settings = {
  apiUrl: "https://api.test",
  shortcut: "alt+k",
  privacyUrl: "/privacy",
  position: "end",
  selection: true,
};

export const usePluginData = () => settings;
