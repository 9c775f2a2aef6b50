import { translate } from "@docusaurus/Translate";
import type { OpenerWords } from "docusaurus-plugin-bookbound/client/opener";

/** What every page says; the panel's own words come with the panel. */
export const openerWords = (): OpenerWords => ({
  button: translate({ id: "bookbound.ask.button", message: "Ask the book" }),
  about: translate({ id: "bookbound.ask.about", message: "Ask about this" }),
  pick: translate({ id: "bookbound.ask.pick", message: "Select text on the page, then choose “Ask about this”." }),
  notLoaded: translate({
    id: "bookbound.ask.notLoaded",
    message: "This part of the page could not be loaded. Check your connection, then try again.",
  }),
});
