import { numberOf } from "docusaurus-plugin-bookbound/client/links";
import type { Source } from "docusaurus-plugin-bookbound/client/wire";
import SourceLink from "@theme/Ask/SourceLink";
import { answerWords, placeWords } from "@theme/Ask/replyWords";

export default function Sources({ sources, onFollow }: { sources: Source[]; onFollow(): void }) {
  if (sources.length === 0) return null;
  const words = answerWords();
  return (
    <section className="bookbound-sources" aria-labelledby="bookbound-sources">
      <h3 id="bookbound-sources">{words.sources}</h3>
      <ol>
        {sources.map((source) => (
          <li key={source.id} value={Number(numberOf(source))}>
            <SourceLink source={source} label={`${words.open}: ${placeWords(source)}`} onFollow={onFollow}>
              {placeWords(source)}
            </SourceLink>
            <blockquote dir="auto">{source.excerpt}</blockquote>
          </li>
        ))}
      </ol>
    </section>
  );
}
