import { useLocation } from "@docusaurus/router";
import { topicsOf } from "docusaurus-plugin-bookbound/client/text";
import { panelWords, questionWords } from "@theme/Ask/words";

/** Questions about the headings of the page that stands open. */
export default function Suggestions({ onAsk }: { onAsk(question: string): void }) {
  useLocation();
  const topics = topicsOf(document.querySelector("article"));
  if (topics.length === 0) return null;
  const { topic: questionOf } = questionWords();
  return (
    <section className="bookbound-suggestions" aria-labelledby="bookbound-suggestions">
      <h3 id="bookbound-suggestions">{panelWords().suggestions}</h3>
      {topics.map((topic) => (
        <button key={topic} type="button" onClick={() => onAsk(questionOf(topic))}>
          {questionOf(topic)}
        </button>
      ))}
    </section>
  );
}
