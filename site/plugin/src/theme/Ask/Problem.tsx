import { useEffect, useState } from "react";
import type { Problem } from "docusaurus-plugin-bookbound/client/problem";
import { problemWords, rephraseWords, retryWords } from "@theme/Ask/words";

export interface Props {
  problem: Problem;
  onRetry(): void;
  onEdit(): void;
}

/** What went wrong and the way on; a wait that the service asked for is counted down. */
export default function ProblemView({ problem, onRetry, onEdit }: Props) {
  const { title, advice } = problemWords(problem.kind);
  const [until] = useState(() => Date.now() + problem.retryAfter * 1000);
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(Math.ceil((until - now) / 1000), 0);
  useEffect(() => {
    if (seconds === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);

  return (
    <div className="bookbound-problem" data-kind={problem.kind}>
      <h3>{title}</h3>
      <p>{advice}</p>
      {problem.kind === "invalid" && problem.message && <p className="bookbound-note">{problem.message}</p>}
      <p className="bookbound-actions" aria-live="off">
        {problem.kind === "invalid" ? (
          <button type="button" onClick={onEdit}>
            {rephraseWords()}
          </button>
        ) : (
          <button type="button" disabled={seconds > 0} onClick={onRetry}>
            {retryWords(seconds)}
          </button>
        )}
      </p>
    </div>
  );
}
