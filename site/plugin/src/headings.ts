import { Parser } from "htmlparser2";

/** A heading of a built page: `text` as a reader sees it, `id` as the link to it ends. */
export interface Heading {
  level: number;
  text: string;
  id: string;
}

const HEADING = /^h([1-6])$/;

/** The headings with an id in the article of a built page, in reading order. */
export function headingsOf(html: string): Heading[] {
  const found: Heading[] = [];
  let articles = 0;
  let open: Heading | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "article") articles++;
      const level = HEADING.exec(name)?.[1];
      if (articles > 0 && level && attributes.id) open = { level: Number(level), text: "", id: attributes.id };
    },
    ontext(text) {
      if (open) open.text += text;
    },
    onclosetag(name) {
      if (name === "article") articles--;
      if (open && HEADING.test(name)) {
        found.push({
          ...open,
          text: open.text
            .replace(/\u200b/g, "")
            .replace(/\s+/g, " ")
            .trim(),
        });
        open = null;
      }
    },
  });
  parser.end(html);
  return found;
}
