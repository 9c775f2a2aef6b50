import { useEffect, useRef } from "react";
import type { Turn } from "docusaurus-plugin-bookbound/client/useAsk";
import type { ReplyViews } from "@theme/Ask/loadReply";
import ProblemView from "@theme/Ask/Problem";
import type { Props as ReplyProps } from "@theme/Ask/Reply";
import Waiting from "@theme/Ask/Waiting";
import { readAsWords } from "@theme/Ask/words";

export interface Props extends Omit<ReplyProps, "question" | "selection" | "response"> {
  turn: Turn<ReplyViews> | null;
  onStop(): void;
}

/** A question and what came of it. The live region stands before its content does, so that the content is read. */
export default function TurnView(props: Props) {
  const { turn } = props;
  const asked = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // In braces: of late it returns a promise, which React would take for its cleanup.
    asked.current?.scrollIntoView({ block: "nearest" });
  }, [turn]);
  const outcome = turn?.outcome;
  const reply = outcome?.kind === "response" ? { ...props, ...turn!, ...outcome } : null;
  return (
    <section className="bookbound-turn">
      {turn && (
        <p ref={asked} className="bookbound-asked" dir="auto">
          {turn.question}
        </p>
      )}
      {reply?.response.read_as && (
        <p className="bookbound-read-as" dir="auto">
          {readAsWords(reply.response.read_as)}
        </p>
      )}
      {turn?.selection && <q dir="auto">{turn.selection}</q>}
      <div aria-live="polite" aria-busy={outcome?.kind === "waiting"}>
        {outcome?.kind === "waiting" && <Waiting onStop={props.onStop} />}
        {outcome?.kind === "problem" && (
          <ProblemView
            problem={outcome.problem}
            onRetry={() => props.onAsk(turn!.question, turn!.selection)}
            onEdit={() => props.onEdit(turn!.question)}
          />
        )}
        {reply && <reply.views.default {...reply} />}
      </div>
      {reply && <reply.views.AfterReply {...reply} />}
    </section>
  );
}
