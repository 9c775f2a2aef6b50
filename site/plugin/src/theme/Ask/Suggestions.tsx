import { useLocation } from "@docusaurus/router";
import { articleOfPage } from "docusaurus-plugin-bookbound/client/selection";
import { useSettings } from "docusaurus-plugin-bookbound/client/settings";
import { topicsOf } from "docusaurus-plugin-bookbound/client/text";
import { panelWords, questionWords } from "@theme/Ask/words";

const MOST = 4;

/** Questions to begin with: about the headings of the page that stands open, then the ones that the site gives. */
export default function Suggestions({ onAsk }: { onAsk(question: string): void }) {
  useLocation();
  const { starters = [] } = useSettings();
  const { topic: questionOf } = questionWords();
  const questions = [...topicsOf(articleOfPage()).map(questionOf), ...starters].slice(0, MOST);
  if (questions.length === 0) return null;
  return (
    <section className="bookbound-suggestions" aria-labelledby="bookbound-suggestions">
      <h3 id="bookbound-suggestions">{panelWords().suggestions}</h3>
      {questions.map((question) => (
        <button key={question} type="button" onClick={() => onAsk(question)}>
          {question}
        </button>
      ))}
    </section>
  );
}
