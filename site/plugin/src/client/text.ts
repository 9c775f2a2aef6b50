import { numberOf, placeOf } from "./links";
import type { ChatResponse } from "./wire";

/** Characters of a question that the API takes. */
export const QUESTION_LIMIT = 1000;

/** Characters as the API counts them: after NFC and trimming, by code point. */
export function lengthOf(text: string): number {
  return [...text.normalize("NFC").trim()].length;
}

/** The answer with its sources, for the clipboard. */
export function plainText(question: string, response: ChatResponse, here: string): string {
  if (response.was_refusal) return `${question}\n\n${response.answer}`;
  const sentences = response.sentences.map(
    ({ text, source_ids }) => text + source_ids.map((id) => ` [${numberOf({ id })}]`).join(""),
  );
  const sources = response.sources.map((source) => {
    const href = placeOf(source.url, here)?.href;
    return `[${numberOf(source)}] ${source.section}, ${source.page}${href ? `: ${href}` : ""}`;
  });
  return [question, sentences.join("\n"), sources.join("\n")].join("\n\n");
}

const MOST_SUGGESTIONS = 3;

/** The headings of the page that stands open, as topics to ask about. */
export function topicsOf(article: Element | null): string[] {
  const headings = article?.querySelectorAll("h2, h3") ?? [];
  const topics = [...headings].map((heading) => heading.textContent!.replace(/\u200b/g, "").trim());
  return [...new Set(topics)].filter((topic) => topic && lengthOf(topic) <= 80).slice(0, MOST_SUGGESTIONS);
}
