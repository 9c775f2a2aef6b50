import type { Entry } from "docusaurus-plugin-bookbound/client/history";
import { panelWords } from "@theme/Ask/words";

export interface Props {
  entries: readonly Entry[];
  onShow(entry: Entry): void;
  onClear(): void;
}

/** The questions of this session, the latest first. */
export default function History({ entries, onShow, onClear }: Props) {
  if (entries.length === 0) return null;
  const words = panelWords();
  return (
    <details className="bookbound-history">
      <summary>
        {words.history} ({entries.length})
      </summary>
      <ul>
        {[...entries].reverse().map((entry) => (
          <li key={entry.response.answer_id}>
            <button type="button" dir="auto" onClick={() => onShow(entry)}>
              {entry.question}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={onClear}>
        {words.clear}
      </button>
    </details>
  );
}
