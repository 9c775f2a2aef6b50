import { useEffect, useRef } from "react";
import type { Api } from "docusaurus-plugin-bookbound/client/api";
import type { Turn } from "docusaurus-plugin-bookbound/client/useAsk";
import type { ChatResponse } from "docusaurus-plugin-bookbound/client/wire";
import Answer from "@theme/Ask/Answer";
import Confidence from "@theme/Ask/Confidence";
import Copy from "@theme/Ask/Copy";
import Feedback from "@theme/Ask/Feedback";
import ProblemView from "@theme/Ask/Problem";
import Refusal from "@theme/Ask/Refusal";
import Sources from "@theme/Ask/Sources";
import Waiting from "@theme/Ask/Waiting";
import { readAsWords } from "@theme/Ask/words";

export interface Props {
  turn: Turn | null;
  onStop(): void;
  onAsk(question: string, selection: string | null): void;
  onEdit(question: string): void;
  onPickPassage(): void;
  /** A citation is being followed. */
  onFollow(): void;
  giveFeedback: Api["giveFeedback"];
}

/** A question and what came of it. The live region stands before its content does, so that the content is read. */
export default function TurnView(props: Props) {
  const { turn } = props;
  const asked = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // In braces: of late it returns a promise, which React would take for its cleanup.
    asked.current?.scrollIntoView({ block: "nearest" });
  }, [turn]);
  return (
    <section className="bookbound-turn">
      {turn && (
        <p ref={asked} className="bookbound-asked" dir="auto">
          {turn.question}
        </p>
      )}
      {turn?.outcome.kind === "response" && turn.outcome.response.read_as && (
        <p className="bookbound-read-as" dir="auto">
          {readAsWords(turn.outcome.response.read_as)}
        </p>
      )}
      {turn?.selection && <q dir="auto">{turn.selection}</q>}
      <div aria-live="polite" aria-busy={turn?.outcome.kind === "waiting"}>
        {turn && <Outcome {...props} turn={turn} />}
      </div>
      {turn?.outcome.kind === "response" && <After {...props} turn={turn} response={turn.outcome.response} />}
    </section>
  );
}

function Outcome({ turn, onStop, onAsk, onEdit, onPickPassage, onFollow }: Props & { turn: Turn }) {
  const { question, selection, outcome } = turn;
  if (outcome.kind === "waiting") return <Waiting onStop={onStop} />;
  if (outcome.kind === "problem") {
    return (
      <ProblemView
        problem={outcome.problem}
        onRetry={() => onAsk(question, selection)}
        onEdit={() => onEdit(question)}
      />
    );
  }
  if (!outcome.response.was_refusal) return <Answer response={outcome.response} onFollow={onFollow} />;
  return (
    <Refusal
      response={outcome.response}
      hasSelection={selection !== null}
      onRephrase={() => onEdit(question)}
      onFullBook={() => onAsk(question, null)}
      onPickPassage={onPickPassage}
    />
  );
}

function After({ turn, response, onFollow, giveFeedback }: Props & { turn: Turn; response: ChatResponse }) {
  return (
    <>
      {response.confidence_level && <Confidence level={response.confidence_level} />}
      <Sources sources={response.sources} onFollow={onFollow} />
      <Copy question={turn.question} response={response} />
      <Feedback key={response.answer_id} response={response} give={giveFeedback} />
    </>
  );
}
