import { Joi } from "@docusaurus/utils-validation";
import type { OptionValidationContext } from "@docusaurus/types";

/** What a site writes into its config. */
export interface PluginOptions {
  /** Address of the Bookbound API, without `/v1`. */
  apiUrl: string;
  /** The book to ask; the API's default book when absent. */
  bookId?: string;
  /** Keys that open the panel, such as `alt+k`; `false` for none. */
  shortcut?: string | false;
  /** Address of the site's privacy notice. */
  privacyUrl?: string;
  /** The side on which button and panel stand, in reading direction. */
  position?: "end" | "start";
  /** Whether a selected passage can be asked about. */
  selection?: boolean;
  /** Questions to begin with, after those about the page's headings. */
  starters?: string[];
  /** Whether `<Ask/>` is placed on every page by itself. */
  autoMount?: boolean;
  /** Whether the build writes `llms.txt`, `llms-full.txt` and a Markdown twin of each page. */
  llms?: boolean;
}

export type Options = Required<Pick<PluginOptions, "apiUrl" | "shortcut" | "position" | "selection" | "autoMount" | "llms">> &
  PluginOptions & { id?: string };

const SHORTCUT = /^(?:(?:mod|ctrl|meta|alt|shift)\+)+[a-z0-9]$/;
const OF_SEARCH = new Set(["mod+k", "ctrl+k", "meta+k"]);

const schema = Joi.object<Options>({
  apiUrl: Joi.string().required().custom(webAddress).messages({
    "any.required":
      'apiUrl is missing: write the address of the Bookbound API, such as apiUrl: "https://api.example.org".',
    "any.invalid":
      'apiUrl must be an http or https address without query or fragment, such as "https://api.example.org".',
  }),
  bookId: Joi.string()
    .pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
    .messages({
      "string.pattern.base":
        "bookId must be 1 to 64 letters, digits, dots, underscores or hyphens, as given to ingest.",
    }),
  shortcut: Joi.any().custom(shortcut).default("alt+k").messages({
    "shortcut.taken":
      'shortcut must not be mod+k: that opens the search of many sites. Write another, such as "alt+k".',
    "any.invalid": 'shortcut must be modifiers and one letter or digit, such as "alt+k"; false for none.',
  }),
  privacyUrl: Joi.string()
    .pattern(/^(https?:\/\/|\/)/)
    .messages({
      "string.pattern.base":
        'privacyUrl must begin with https:// or with / for a page of this site, such as "/privacy".',
    }),
  position: Joi.string().valid("end", "start").default("end").messages({
    "any.only": 'position must be "end" or "start": right or left where text runs from left to right.',
  }),
  selection: Joi.boolean().default(true),
  starters: Joi.array().items(Joi.string().trim().min(1).max(1000)).messages({
    "array.base": 'starters must be a list of questions, such as ["What is a node?"].',
  }),
  autoMount: Joi.boolean().default(true),
  llms: Joi.boolean().default(true),
});

export function validateOptions({ validate, options }: OptionValidationContext<PluginOptions, Options>): Options {
  return validate(schema, options);
}

type Helpers = { error: (code: string) => unknown };

/** The address without the slash at its end, which every call brings along. */
function webAddress(value: string, helpers: Helpers) {
  const url = URL.canParse(value) ? new URL(value) : null;
  const usable = url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  return usable ? value.replace(/\/+$/, "") : helpers.error("any.invalid");
}

function shortcut(value: unknown, helpers: Helpers) {
  if (value === false) return value;
  const keys = String(value).toLowerCase().replace(/\s+/g, "");
  if (OF_SEARCH.has(keys)) return helpers.error("shortcut.taken");
  return SHORTCUT.test(keys) ? keys : helpers.error("any.invalid");
}
