import { placeOf } from "docusaurus-plugin-bookbound/client/links";
import type { Section } from "docusaurus-plugin-bookbound/client/wire";
import { answerWords, placeWords } from "@theme/Ask/replyWords";

/** The sections nearest to a question that the book does not answer; links to those of this site. */
export default function Related({ places }: { places: Section[] }) {
  if (places.length === 0) return null;
  return (
    <section className="bookbound-related" aria-labelledby="bookbound-related">
      <h4 id="bookbound-related">{answerWords().related}</h4>
      <ul>
        {places.map((place) => {
          const at = placeOf(place.url, location.href);
          return <li key={place.url}>{at ? <a href={at.href}>{placeWords(place)}</a> : placeWords(place)}</li>;
        })}
      </ul>
    </section>
  );
}
