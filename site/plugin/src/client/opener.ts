import { aboutControl } from "./about";
import { selectedPassage } from "./selection";
import type { Settings } from "./settings";
import { isShortcut, isTyping, spelt } from "./shortcut";

/** Milliseconds that a hint stays. */
const READING = 10_000;

/** What the panel is told, and what it tells. */
export interface PanelProps {
  isOpen: boolean;
  /** The passage to ask about. */
  passage: string | null;
  onPassage(passage: string | null): void;
  onClose(): void;
  returnFocus(): void;
  /** The reader wants to select (another) passage on the page. */
  onPickPassage(): void;
}

export interface OpenerWords {
  button: string;
  about: string;
  pick: string;
  notLoaded: string;
}

/** The site that the panel is part of. */
export interface Home {
  settings: Pick<Settings, "shortcut" | "selection">;
  words: OpenerWords;
  /** Makes the panel ready to be rendered. */
  load(): Promise<unknown>;
  /** Shows the panel inside `root`, once it is loaded. */
  render(props: PanelProps): void;
}

/**
 * Puts the ways to ask from any page into `root`: a button, a shortcut, a control at a selection.
 *
 * Plain DOM, so that a page loads neither the panel nor a framework for it before a reader asks.
 *
 * @returns what takes all of it away again
 */
export function mountOpener(root: HTMLElement, { settings, words, load, render }: Home): () => void {
  const { shortcut, selection } = settings;
  const end = new AbortController();
  const state = { isOpen: false, isLoaded: false, passage: null as string | null };
  const tree = root.getRootNode() as Document | ShadowRoot;
  let opener: Element | null = null;
  let hiding: ReturnType<typeof setTimeout>;

  const button = element("button", "bookbound-open");
  button.textContent = words.button;
  button.ariaHasPopup = "dialog";
  if (shortcut) button.setAttribute("aria-keyshortcuts", spelt(shortcut, navigator.platform));
  const hint = element("p", "bookbound-hint");
  hint.role = "status";
  const parts = element("div", "");
  parts.append(button, hint);
  root.prepend(parts);

  function say(text: string) {
    hint.textContent = text;
    clearTimeout(hiding);
    hiding = setTimeout(() => (hint.textContent = ""), READING);
  }

  function update(changes: Partial<typeof state>) {
    Object.assign(state, changes);
    button.hidden = state.isOpen && state.isLoaded;
    button.ariaExpanded = String(state.isOpen);
    if (state.isLoaded) render({ ...handlers, isOpen: state.isOpen, passage: state.passage });
  }

  const handlers = {
    onPassage: (passage: string | null) => update({ passage }),
    onClose: () => update({ isOpen: false }),
    returnFocus() {
      const usable = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
      (usable ? (opener as HTMLElement) : button).focus({ preventScroll: true });
    },
    onPickPassage() {
      update({ isOpen: false });
      say(words.pick);
    },
  };

  function open() {
    const focused = tree.activeElement ?? document.activeElement;
    if (!focused?.closest("dialog")) opener = focused;
    const selected = selection ? selectedPassage(getSelection()) : null;
    update({ isOpen: true, passage: selected?.text ?? state.passage });
    // It may be open already, beside the text that the reader has gone on to.
    root.querySelector<HTMLElement>("dialog[open] textarea")?.focus();
    load().then(
      () => {
        if (end.signal.aborted) return;
        update({ isLoaded: true });
        say("");
      },
      () => {
        update({ isOpen: false });
        say(words.notLoaded);
      },
    );
  }

  button.addEventListener("click", open);
  // What cannot be loaded ahead is loaded, or complained about, at the click.
  button.addEventListener("pointerenter", () => void load().catch(() => undefined));
  if (shortcut) {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event) || !isShortcut(event, shortcut, navigator.platform)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKeyDown, { signal: end.signal });
  }
  if (selection) parts.append(aboutControl(words.about, open, end.signal));
  update({});
  return () => {
    end.abort();
    clearTimeout(hiding);
    parts.remove();
  };
}

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
