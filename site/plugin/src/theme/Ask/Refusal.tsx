import type { ChatResponse, RefusalReason } from "docusaurus-plugin-bookbound/client/wire";
import Related from "@theme/Ask/Related";
import { adviceWords, refusalWords } from "@theme/Ask/replyWords";
import { rephraseWords } from "@theme/Ask/words";

export interface Props {
  response: ChatResponse;
  hasSelection: boolean;
  onRephrase(): void;
  onFullBook(): void;
  onPickPassage(): void;
}

/** Where selecting a passage can help. */
const HELPS: RefusalReason[] = ["insufficient_context", "selected_text_insufficient"];

/** Why the book gives no answer, and what the reader can do now: an outcome, not an error. */
export default function Refusal({ response, hasSelection, onRephrase, onFullBook, onPickPassage }: Props) {
  const words = adviceWords();
  const reason = response.refusal_reason ?? "empty_retrieval";
  return (
    <div className="bookbound-refusal" data-reason={reason}>
      <h3>{refusalWords(reason)}</h3>
      <p>{response.answer}</p>
      {response.notice && <p className="bookbound-note">{response.notice}</p>}
      <Related places={response.related ?? []} />
      <p className="bookbound-actions">
        {hasSelection && (
          <button type="button" onClick={onFullBook}>
            {words.fullBook}
          </button>
        )}
        <button type="button" onClick={onRephrase}>
          {rephraseWords()}
        </button>
        {HELPS.includes(reason) && (
          <button type="button" onClick={onPickPassage}>
            {hasSelection ? words.otherPassage : words.passage}
          </button>
        )}
      </p>
    </div>
  );
}
