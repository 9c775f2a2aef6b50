import { pictureUrl } from "docusaurus-plugin-bookbound/client/links";
import type { ChatResponse, Picture, Sentence, Source } from "docusaurus-plugin-bookbound/client/wire";
import Citation from "@theme/Ask/Citation";
import { answerWords } from "@theme/Ask/words";

export interface Props {
  response: ChatResponse;
  onFollow(): void;
}

export default function Answer({ response, onFollow }: Props) {
  const words = answerWords();
  const sources = new Map(response.sources.map((source) => [source.id, source]));
  return (
    <div className="bookbound-answer" data-low={response.low_confidence}>
      {response.notice && <p className="bookbound-note">{response.notice}</p>}
      {response.sentences.map((sentence, index) => (
        <SentenceView key={index} sentence={sentence} sources={sources} onFollow={onFollow} />
      ))}
      {response.unavailable.length > 0 && (
        <div className="bookbound-note" data-unavailable>
          <p>{words.unavailable}</p>
          <ul>
            {response.unavailable.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

interface SentenceProps {
  sentence: Sentence;
  sources: Map<string, Source>;
  onFollow(): void;
}

function SentenceView({ sentence, sources, onFollow }: SentenceProps) {
  const cited = sentence.source_ids.flatMap((id) => sources.get(id) ?? []);
  return (
    <div className="bookbound-sentence">
      <p dir="auto">
        {sentence.text}
        {cited.map((source) => (
          <Citation key={source.id} source={source} sentence={sentence.text} onFollow={onFollow} />
        ))}
      </p>
      {sentence.images.map((picture) => (
        <PictureView key={picture.url} picture={picture} />
      ))}
    </div>
  );
}

function PictureView({ picture }: { picture: Picture }) {
  const url = pictureUrl(picture.url, location.href);
  return (
    <figure>
      {url && <img src={url} alt={picture.alt} loading="lazy" />}
      {!url && <figcaption>{picture.alt}</figcaption>}
    </figure>
  );
}
