import { passageOfText } from "./links";
import type { Place } from "./links";
import { reveal } from "./reveal";
import { articleOfPage } from "./selection";

/**
 * Goes to the place within the site and shows the passage. Browsers act on text fragments only when they load a
 * page, so the words are looked for here: the sentence itself first, then what the address and the excerpt name.
 */
export async function follow(
  place: Place,
  { sentence = "", excerpt }: { sentence?: string; excerpt: string },
  push: (path: string) => void,
): Promise<void> {
  const samePage = place.path.split("#")[0] === location.pathname + location.search;
  const before = samePage ? null : articleOfPage();
  const passages = [passageOfText(sentence), place.passage, passageOfText(excerpt)].filter((found) => found !== null);
  push(place.path);
  // A modal panel is closed by now, and no longer keeps the focus.
  await new Promise((resolve) => setTimeout(resolve));
  await reveal(passages, place.heading, before);
}
