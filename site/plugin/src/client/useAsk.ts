import { useEffect, useMemo, useRef, useState } from "react";
import { connect } from "./api";
import type { Api } from "./api";
import { NO_SESSION, clearSession, loadSession, saveSession, tabStorage, withEntry } from "./history";
import type { Entry, Session } from "./history";
import { Problem, noConnection } from "./problem";
import type { ChatResponse } from "./wire";

/** What came of a question; a response with the `views` that show it. */
export type Outcome<Views> =
  | { kind: "waiting" }
  | { kind: "response"; response: ChatResponse; views: Views }
  | { kind: "problem"; problem: Problem };

/** A question, the passage that it is about, and what came of it so far. */
export interface Turn<Views> {
  question: string;
  selection: string | null;
  outcome: Outcome<Views>;
}

export interface Ask<Views> {
  turn: Turn<Views> | null;
  session: Session;
  giveFeedback: Api["giveFeedback"];
  ask(question: string, selection: string | null): Promise<void>;
  /** Gives the question back that was being asked. */
  stop(): void;
  show(entry: Entry): void;
  clear(): void;
}

/** The question that a follow-up leans on: the one shown, else the last one, as the book understood it. */
function previousOf(turn: Turn<unknown> | null, session: Session): string | null {
  if (turn?.outcome.kind === "response") return turn.outcome.response.read_as ?? turn.question;
  const last = session.entries.at(-1);
  return last ? (last.response.read_as ?? last.question) : null;
}

/** One question at a time to the API, and the questions of this session; `load` brings the views of a response. */
export function useAsk<Views>(settings: { apiUrl: string; bookId?: string }, load: () => Promise<Views>): Ask<Views> {
  const { apiUrl, bookId } = settings;
  const key = `bookbound:${apiUrl}:${bookId ?? ""}`;
  const api = useMemo(() => connect({ apiUrl, bookId }), [apiUrl, bookId]);
  const [turn, setTurn] = useState<Turn<Views> | null>(null);
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

  /** Shows what `coming` brings, unless something else is asked meanwhile; null then, or where it failed. */
  async function present(
    question: string,
    selection: string | null,
    coming: (signal: AbortSignal) => Promise<ChatResponse>,
  ): Promise<ChatResponse | null> {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const finish = (outcome: Outcome<Views>) => setTurn({ question, selection, outcome });
    try {
      const loading = load().catch(() => Promise.reject(noConnection()));
      const [response, views] = await Promise.all([coming(mine.signal), loading]);
      if (mine.signal.aborted) return null;
      finish({ kind: "response", response, views });
      return response;
    } catch (error) {
      if (mine.signal.aborted) return null;
      finish({ kind: "problem", problem: error instanceof Problem ? error : new Problem("broken", String(error)) });
      return null;
    }
  }

  async function ask(question: string, selection: string | null) {
    const before = selection === null ? previousOf(turn, session) : null;
    setTurn({ question, selection, outcome: { kind: "waiting" } });
    const request = {
      question,
      ...(selection !== null && { selected_text: selection }),
      ...(session.id !== null && { session_id: session.id }),
      ...(before !== null && { previous: { question: before } }),
    };
    const response = await present(question, selection, (signal) => api.ask(request, signal));
    if (response) keep(withEntry(session, { question, selection, response }));
  }

  return {
    turn,
    session,
    giveFeedback: api.giveFeedback,
    ask,
    stop,
    show({ question, selection, response }) {
      void present(question, selection, async () => response);
    },
    clear() {
      stop();
      setSession(NO_SESSION);
      clearSession(tabStorage(), key);
    },
  };
}
