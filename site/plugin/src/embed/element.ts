// `<script defer src=".../bookbound.js" data-api-url="https://api.example.org"></script>` on any site: the button,
// the shortcut and the control at a selection. The panel is loaded when a reader asks.
import { setMessages } from "@docusaurus/Translate";
import { adopt } from "docusaurus-plugin-bookbound/client/adopt";
import { mountOpener } from "docusaurus-plugin-bookbound/client/opener";
import type { PanelProps } from "docusaurus-plugin-bookbound/client/opener";
import { openerWords } from "@theme/Ask/openerWords";
import openerStyles from "../theme/Ask/styles.css";
import hostStyles from "./host.css";
import { importer } from "./importer";
import { settingsOf } from "./options";
import type { Options } from "./options";
import type * as Panel from "./panel";

declare const LOCALES: string[];

const script = document.currentScript as HTMLScriptElement | null;
const TAG = "bookbound-panel";

/** The panel on a page: `data-*` attributes are its options. */
class BookboundPanel extends HTMLElement {
  private end: () => void = () => {};
  private about: string | null = null;
  private refresh: () => void = () => {};

  /** The passage to ask about; null for the whole book. */
  get passage(): string | null {
    return this.about;
  }

  set passage(text: string | null) {
    this.about = text || null;
    this.refresh();
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.replaceChildren();
    let isGone = false;
    this.end = () => (isGone = true);
    try {
      const settings = settingsOf(this.dataset, document.baseURI);
      void messagesFor(this).then((messages) => {
        setMessages(messages);
        if (!isGone) this.end = this.mount(root, settings, messages);
      });
    } catch (error) {
      console.error(`bookbound: ${(error as Error).message}`);
    }
  }

  disconnectedCallback(): void {
    this.end();
  }

  private mount(root: ShadowRoot, settings: Options, messages: Record<string, string>): () => void {
    const words = openerWords();
    const aside = document.createElement("aside");
    aside.className = "bookbound";
    aside.dataset.position = settings.position;
    aside.ariaLabel = words.button;
    const place = aside.appendChild(document.createElement("div"));
    adopt(root, hostStyles + openerStyles);
    root.append(aside);

    let panel: typeof Panel | undefined;
    const load = async () => {
      panel ??= await loadPanel();
      adopt(root, panel.textStyles);
      adopt(document, panel.pageStyles);
    };
    const render = (props: PanelProps) => {
      this.toggleAttribute("data-open", props.isOpen && !settings.inline);
      panel!.renderPanel(place, { settings, messages }, props);
    };
    // Browsers that know text fragments take this part away before any script sees it.
    if (location.hash.includes(":~:text=")) void load().then(() => panel!.revealFromAddress());
    const showInline = async () => {
      await load();
      this.refresh = () => render(panel!.inlineProps(this));
      this.refresh();
    };
    let end = () => {};
    if (settings.inline) showInline().catch(() => (aside.textContent = words.notLoaded));
    else end = mountOpener(aside, { settings, words, load, render });
    return () => {
      end();
      this.refresh = () => {};
      panel?.removePanel(place);
    };
  }
}

/** The panel's words in the language of its place on the page; English where there are no others. */
async function messagesFor(element: HTMLElement): Promise<Record<string, string>> {
  const lang = (element.dataset.lang ?? element.closest<HTMLElement>("[lang]")?.lang ?? "").split("-")[0]!;
  if (!LOCALES.includes(lang)) return {};
  return fetch(fileOf(`${lang}.json`))
    .then((response) => (response.ok ? response.json() : {}))
    .catch(() => ({}));
}

const loadPanel = importer<typeof Panel>(fileOf("panel.js"));

function fileOf(name: string): string {
  return new URL(name, script!.src).href;
}

if (!customElements.get(TAG)) {
  customElements.define(TAG, BookboundPanel);
  if (script?.dataset.apiUrl) {
    const element = document.createElement(TAG);
    Object.assign(element.dataset, script.dataset);
    document.body.append(element);
  }
}
