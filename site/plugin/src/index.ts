import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadContext, Plugin } from "@docusaurus/types";
import { writeLlms } from "./llmsFiles";
import { writeManifests } from "./manifestFiles";
import type { Options } from "./options";

export { validateOptions } from "./options";
export type { Options, PluginOptions } from "./options";

const NAME = "docusaurus-plugin-bookbound";

/** Lets readers of the site ask its book, and writes down for ingest where the build put each page. */
export default function bookbound(context: LoadContext, options: Options): Plugin {
  if (options.id !== undefined && options.id !== "default") {
    throw new Error(`${NAME}: a site has one instance of it; remove the id "${options.id}".`);
  }
  const locales = join(__dirname, "..", "locales");
  return {
    name: NAME,
    getThemePath: () => "./theme",
    getTypeScriptThemePath: () => "../src/theme",
    getDefaultCodeTranslationMessages: () => messagesIn(locales, context.i18n.currentLocale),
    contentLoaded({ actions }) {
      const { autoMount, llms, id, ...settings } = options;
      actions.setGlobalData(settings);
    },
    configureWebpack: (config) => (options.autoMount ? mountIn(config.resolve?.alias) : {}),
    async postBuild({ outDir, siteDir, siteConfig, plugins }) {
      const site = { ...siteConfig, siteDir, plugins };
      writeManifests(outDir, site);
      if (options.llms) await writeLlms(outDir, site);
    },
  };
}

export function getSwizzleConfig() {
  const part = (description: string) => ({
    actions: { eject: "unsafe", wrap: "safe" } as const,
    description,
  });
  return {
    components: {
      Ask: part("The button, the shortcut and the control at a selection; loads the panel."),
      "Ask/Panel": part("The panel: question box, outcome, history."),
      "Ask/Answer": part("The sentences of an answer with their citations."),
      "Ask/Refusal": part("What is shown when the book gives no answer."),
      "Ask/Sources": part("The list of sources below an answer."),
    },
  };
}

type Aliases = Record<string, string | false | string[]> | { name: string; alias: unknown }[] | undefined;

/** Puts `Ask` beside whatever is the site's root now, its own `src/theme/Root` included. */
function mountIn(aliases: Aliases) {
  const root = aliases && !Array.isArray(aliases) ? aliases["@theme/Root"] : undefined;
  if (typeof root !== "string") {
    throw new Error(`${NAME}: this Docusaurus has no @theme/Root; set autoMount: false and place <Ask/> by hand.`);
  }
  return {
    resolve: { alias: { "@theme/Root": join(__dirname, "mount", "Root.js"), "@bookbound/site-root": root } },
  };
}

function messagesIn(folder: string, locale: string): Record<string, string> {
  for (const name of [locale, locale.split("-")[0]]) {
    try {
      return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return {};
}
