import type { Api } from "docusaurus-plugin-bookbound/client/api";
import type { ChatResponse } from "docusaurus-plugin-bookbound/client/wire";
import Answer from "@theme/Ask/Answer";
import Confidence from "@theme/Ask/Confidence";
import Copy from "@theme/Ask/Copy";
import Feedback from "@theme/Ask/Feedback";
import Refusal from "@theme/Ask/Refusal";
import Sources from "@theme/Ask/Sources";

export interface Props {
  question: string;
  selection: string | null;
  response: ChatResponse;
  onAsk(question: string, selection: string | null): void;
  onEdit(question: string): void;
  onPickPassage(): void;
  /** A citation is being followed. */
  onFollow(): void;
  giveFeedback: Api["giveFeedback"];
}

/** What the book says to a question, or why it says nothing. Loaded while the first question is being answered. */
export default function Reply({ question, selection, response, onAsk, onEdit, onPickPassage, onFollow }: Props) {
  if (!response.was_refusal) return <Answer response={response} onFollow={onFollow} />;
  return (
    <Refusal
      response={response}
      hasSelection={selection !== null}
      onRephrase={() => onEdit(question)}
      onFullBook={() => onAsk(question, null)}
      onPickPassage={onPickPassage}
    />
  );
}

/** What stands below a reply, and is not read out with it. */
export function AfterReply({ question, response, onFollow, giveFeedback }: Props) {
  return (
    <>
      {response.confidence_level && <Confidence level={response.confidence_level} />}
      <Sources sources={response.sources} onFollow={onFollow} />
      <Copy question={question} response={response} />
      <Feedback key={response.answer_id} response={response} give={giveFeedback} />
    </>
  );
}
