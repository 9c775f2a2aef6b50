import { useEffect, useRef, useState } from "react";
import type { ComponentType } from "react";
import useIsBrowser from "@docusaurus/useIsBrowser";
import { mountOpener } from "docusaurus-plugin-bookbound/client/opener";
import type { PanelProps } from "docusaurus-plugin-bookbound/client/opener";
import { useSettings } from "docusaurus-plugin-bookbound/client/settings";
import { openerWords } from "@theme/Ask/openerWords";
import "./page.css";
import "./styles.css";

/** The ways to ask from any page, and the panel once it is loaded. Shows nothing before hydration. */
export default function Ask() {
  return useIsBrowser() ? <AskInBrowser /> : null;
}

function AskInBrowser() {
  const settings = useSettings();
  const root = useRef<HTMLElement>(null);
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [props, setProps] = useState<PanelProps | null>(null);
  const words = openerWords();

  useEffect(() => {
    const load = () => import("@theme/Ask/Panel").then((module) => setPanel(() => module.default));
    return mountOpener(root.current!, { settings, words: openerWords(), load, render: setProps });
  }, [settings]);
  useArrival();

  return (
    <aside ref={root} className="bookbound" data-position={settings.position} aria-label={words.button}>
      {Panel && props && <Panel {...props} />}
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
