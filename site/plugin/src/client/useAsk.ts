import { useEffect, useMemo, useRef, useState } from "react";
import { connect } from "./api";
import type { Api } from "./api";
import { NO_SESSION, clearSession, loadSession, saveSession, tabStorage, withEntry } from "./history";
import type { Entry, Session } from "./history";
import { Problem } from "./problem";
import type { ChatResponse } from "./wire";

export type Outcome =
  { kind: "waiting" } | { kind: "response"; response: ChatResponse } | { kind: "problem"; problem: Problem };

/** A question, the passage that it is about, and what came of it so far. */
export interface Turn {
  question: string;
  selection: string | null;
  outcome: Outcome;
}

export interface Ask {
  turn: Turn | null;
  session: Session;
  giveFeedback: Api["giveFeedback"];
  ask(question: string, selection: string | null): Promise<void>;
  /** Gives the question back that was being asked. */
  stop(): void;
  show(entry: Entry): void;
  clear(): void;
}

/** The question that a follow-up leans on: the one shown, else the last one, as the book understood it. */
function previousOf(turn: Turn | null, session: Session): string | null {
  if (turn?.outcome.kind === "response") return turn.outcome.response.read_as ?? turn.question;
  const last = session.entries.at(-1);
  return last ? (last.response.read_as ?? last.question) : null;
}

/** One question at a time to the API, and the questions of this session. */
export function useAsk(settings: { apiUrl: string; bookId?: string }): Ask {
  const { apiUrl, bookId } = settings;
  const key = `bookbound:${apiUrl}:${bookId ?? ""}`;
  const api = useMemo(() => connect({ apiUrl, bookId }), [apiUrl, bookId]);
  const [turn, setTurn] = useState<Turn | null>(null);
  const [session, setSession] = useState(() => loadSession(tabStorage(), key));
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  function keep(next: Session) {
    setSession(next);
    saveSession(tabStorage(), key, next);
  }

  function stop() {
    running.current?.abort();
    running.current = null;
    setTurn(null);
  }

  async function ask(question: string, selection: string | null) {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const finish = (outcome: Outcome) => setTurn({ question, selection, outcome });
    const before = selection === null ? previousOf(turn, session) : null;
    finish({ kind: "waiting" });
    try {
      const request = {
        question,
        ...(selection !== null && { selected_text: selection }),
        ...(session.id !== null && { session_id: session.id }),
        ...(before !== null && { previous: { question: before } }),
      };
      const response = await api.ask(request, mine.signal);
      if (mine.signal.aborted) return;
      finish({ kind: "response", response });
      keep(withEntry(session, { question, selection, response }));
    } catch (error) {
      if (mine.signal.aborted) return;
      finish({ kind: "problem", problem: error instanceof Problem ? error : new Problem("broken", String(error)) });
    }
  }

  return {
    turn,
    session,
    giveFeedback: api.giveFeedback,
    ask,
    stop,
    show({ question, selection, response }) {
      running.current?.abort();
      setTurn({ question, selection, outcome: { kind: "response", response } });
    },
    clear() {
      stop();
      setSession(NO_SESSION);
      clearSession(tabStorage(), key);
    },
  };
}
