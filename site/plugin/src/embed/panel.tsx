import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { setMessages } from "@docusaurus/Translate";
import { setSettings } from "@docusaurus/useGlobalData";
import type { PanelProps } from "docusaurus-plugin-bookbound/client/opener";
import type { Settings } from "docusaurus-plugin-bookbound/client/settings";
import Panel from "@theme/Ask/Panel";
import pageStyles from "../theme/Ask/page.css";
import textStyles from "./text.css";

export { revealFromAddress } from "docusaurus-plugin-bookbound/client/arrival";

export { pageStyles, textStyles };

interface Site {
  settings: Settings;
  messages: Record<string, string>;
}

const roots = new Map<Element, Root>();

/** Shows the panel inside `place`, anew with each call. */
export function renderPanel(place: Element, { settings, messages }: Site, props: PanelProps): void {
  setMessages(messages);
  setSettings(settings);
  const root = roots.get(place) ?? createRoot(place);
  roots.set(place, root);
  root.render(<Panel {...props} />);
}

export function removePanel(place: Element): void {
  roots.get(place)?.unmount();
  roots.delete(place);
}
