import { useCallback, useEffect, useRef, useState } from "react";
import type { ComponentType } from "react";
import { translate } from "@docusaurus/Translate";
import useIsBrowser from "@docusaurus/useIsBrowser";
import { selectedPassage } from "docusaurus-plugin-bookbound/client/selection";
import { useSettings } from "docusaurus-plugin-bookbound/client/settings";
import { spelt } from "docusaurus-plugin-bookbound/client/shortcut";
import { useShortcut } from "docusaurus-plugin-bookbound/client/useShortcut";
import AskAbout from "@theme/Ask/AskAbout";
import type { Props as PanelProps } from "@theme/Ask/Panel";
import "./styles.css";

/** Milliseconds that a hint stays. */
const READING = 10_000;

const loadPanel = () => import("@theme/Ask/Panel");

/** The way to ask from any page: a button, a shortcut, a control at a selection. Shows nothing before hydration. */
export default function Ask() {
  return useIsBrowser() ? <AskInBrowser /> : null;
}

function AskInBrowser() {
  const { shortcut, position, selection } = useSettings();
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [passage, setPassage] = useState<string | null>(null);
  const [hint, setHint] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element | null>(null);

  const open = useCallback(() => {
    if (!document.activeElement?.closest("dialog")) opener.current = document.activeElement;
    const selected = selection ? selectedPassage(getSelection()) : null;
    if (selected) setPassage(selected.text);
    setOpen(true);
    // It may be open already, beside the text that the reader has gone on to.
    document.querySelector<HTMLElement>("dialog.bookbound-panel[open] textarea")?.focus();
    loadPanel().then(
      (module) => {
        setPanel(() => module.default);
        setHint("");
      },
      () => {
        setOpen(false);
        setHint(
          translate({
            id: "bookbound.ask.notLoaded",
            message: "This part of the page could not be loaded. Check your connection, then try again.",
          }),
        );
      },
    );
  }, [selection]);

  useShortcut(shortcut, open);
  useArrival();

  const returnFocus = useCallback(() => {
    const back = opener.current;
    const usable = back instanceof HTMLElement && back !== document.body && back.isConnected;
    (usable ? back : button.current)?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => setHint(""), READING);
    return () => clearTimeout(timer);
  }, [hint]);

  function pickPassage() {
    setOpen(false);
    setHint(translate({ id: "bookbound.ask.pick", message: "Select text on the page, then choose “Ask about this”." }));
  }

  const label = translate({ id: "bookbound.ask.button", message: "Ask the book" });
  return (
    <aside className="bookbound" data-position={position} aria-label={label}>
      <button
        ref={button}
        type="button"
        className="bookbound-open"
        hidden={isOpen && Panel !== null}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-keyshortcuts={shortcut ? spelt(shortcut, navigator.platform) : undefined}
        // What cannot be loaded ahead is loaded, or complained about, at the click.
        onPointerEnter={() => void loadPanel().catch(() => undefined)}
        onClick={open}
      >
        {label}
      </button>
      {selection && <AskAbout onAsk={open} />}
      <p className="bookbound-hint" role="status">
        {hint}
      </p>
      {Panel && (
        <Panel
          isOpen={isOpen}
          passage={passage}
          onPassage={setPassage}
          onClose={() => setOpen(false)}
          returnFocus={returnFocus}
          onPickPassage={pickPassage}
        />
      )}
    </aside>
  );
}

/** Shows the passage that the page's address names, where the browser does not. */
function useArrival() {
  useEffect(() => {
    // Browsers that know text fragments take this part away before any script sees it.
    if (location.hash.includes(":~:text=")) {
      import("docusaurus-plugin-bookbound/client/arrival").then(({ revealFromAddress }) => revealFromAddress());
    }
  }, []);
}
