import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { setMessages } from "@docusaurus/Translate";
import { setSettings } from "@docusaurus/useGlobalData";
import type { PanelProps } from "docusaurus-plugin-bookbound/client/opener";
import { loadReply } from "@theme/Ask/loadReply";
import Panel from "@theme/Ask/Panel";
import pageStyles from "../theme/Ask/page.css";
import type { Options } from "./options";
import type * as Reply from "./reply";
import { startersOf } from "./starters";
import textStyles from "./text.css";

export { pageStyles, textStyles };

interface Site {
  settings: Options;
  messages: Record<string, string>;
}

const roots = new Map<Element, Root>();

/** Shows the panel inside `place`, anew with each call. */
export function renderPanel(place: Element, { settings, messages }: Site, props: PanelProps): void {
  setMessages(messages);
  setSettings({ ...settings, starters: startersOf(settings.starters) });
  const root = roots.get(place) ?? createRoot(place);
  roots.set(place, root);
  root.render(<Panel {...props} />);
}

export function removePanel(place: Element): void {
  roots.get(place)?.unmount();
  roots.delete(place);
}

/** The panel as a part of the page, which can say which passage is asked about, and hears when that changes. */
export function inlineProps(element: HTMLElement & { passage: string | null }): PanelProps {
  const tell = (name: string) => element.dispatchEvent(new Event(name));
  return {
    isOpen: true,
    passage: element.passage,
    onPassage(passage) {
      element.passage = passage;
      tell("passage");
    },
    onClose() {},
    returnFocus() {},
    onPickPassage: () => tell("pickpassage"),
  };
}

/** Shows the passage that the page's address names. */
export async function revealFromAddress(): Promise<void> {
  await ((await loadReply()) as typeof Reply).revealFromAddress();
}
