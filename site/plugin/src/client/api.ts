import { Problem, noConnection, problemOf } from "./problem";
import { Tokens } from "./tokens";
import type { BrowserToken, ChatRequest, ChatResponse, FeedbackRequest } from "./wire";

/** Longer than any gateway lets an answer take, so that only a dead connection ends this way. */
const PATIENCE = 30_000;

const WITHOUT_TOKENS = new Set([404, 501]);

export interface Api {
  /** Raises Problem, or AbortError once `signal` is aborted. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
  /** Raises Problem. */
  giveFeedback(request: FeedbackRequest): Promise<void>;
}

export function connect({ apiUrl, bookId }: { apiUrl: string; bookId?: string }): Api {
  const tokens = new Tokens(openSession);

  async function openSession(): Promise<BrowserToken | null> {
    const response = await post(`${apiUrl}/v1/sessions`, bookId ? { book_id: bookId } : {});
    return WITHOUT_TOKENS.has(response.status) ? null : contentOf<BrowserToken>(response);
  }

  async function authorized<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    const send = async () => {
      const token = await tokens.current();
      signal?.throwIfAborted();
      return { token, response: await post(apiUrl + path, body, token, signal) };
    };
    let { token, response } = await send();
    if (response.status === 401) {
      tokens.refuse(token);
      ({ response } = await send());
    }
    return contentOf<T>(response);
  }

  const chat = bookId ? `/v1/books/${encodeURIComponent(bookId)}/chat` : "/v1/chat";
  return {
    ask: (request, signal) => authorized<ChatResponse>(chat, request, signal),
    giveFeedback: async (request) => {
      await authorized("/v1/feedback", request);
    },
  };
}

async function post(url: string, body: object, token: string | null = null, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  const patience = new AbortController();
  const stop = () => patience.abort();
  const timer = setTimeout(stop, PATIENCE);
  signal?.addEventListener("abort", stop);
  try {
    const request = { method: "POST", headers, body: JSON.stringify(body), credentials: "omit" as const };
    const response = await fetch(url, { ...request, signal: patience.signal });
    // The whole body within the same patience: what is read later could hang.
    return new Response(await response.arrayBuffer(), response);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (patience.signal.aborted) throw new Problem("late");
    throw noConnection();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function contentOf<T>(response: Response): Promise<T> {
  const content = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response, content);
  if (content === null) throw new Problem("broken");
  return content as T;
}
