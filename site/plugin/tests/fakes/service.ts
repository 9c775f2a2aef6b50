import type { ChatResponse } from "../../src/client/wire";

interface Call {
  path: string;
  body: Record<string, unknown>;
  token: string | null;
}

type Reply = (call: Call, signal: AbortSignal) => Response | Promise<Response>;

/** The API behind `fetch`: answers by path, and remembers what it was asked. */
export class Service {
  readonly calls: Call[] = [];
  private readonly replies = new Map<string, Reply>();

  constructor() {
    this.on("/v1/sessions", () => json({}, 404));
    globalThis.fetch = (url, request) => {
      const headers = new Headers(request?.headers);
      const call = {
        path: new URL(String(url)).pathname,
        body: JSON.parse(String(request?.body)),
        token: headers.get("Authorization")?.replace("Bearer ", "") ?? null,
      };
      this.calls.push(call);
      return Promise.resolve(this.replies.get(call.path)!(call, request!.signal!));
    };
  }

  on(path: string, reply: Reply): this {
    this.replies.set(path, reply);
    return this;
  }

  to(path: string): Call[] {
    return this.calls.filter((call) => call.path === path);
  }
}

export function json(content: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(content), { status, headers });
}

/** A reply that never comes; ends when the caller gives up. */
export const never: Reply = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("", "AbortError"))));

export function answer(changes: Partial<ChatResponse> = {}): ChatResponse {
  return {
    answer_id: crypto.randomUUID(),
    session_id: "5b0f3a52-0000-4000-8000-000000000000",
    answer: "A node does one job.",
    was_refusal: false,
    refusal_reason: null,
    sentences: [{ text: "A node does one job.", source_ids: ["S1"], images: [] }],
    sources: [
      {
        id: "S1",
        document: "nodes.md",
        section: "Nodes",
        page: 5,
        url: "/docs/nodes#what:~:text=A%20node%20does,one%20job.",
        excerpt: "A node does one job. It can fail alone.",
      },
    ],
    confidence_level: "high",
    low_confidence: false,
    notice: null,
    unavailable: [],
    ...changes,
  };
}

export function refusal(
  reason: ChatResponse["refusal_reason"],
  changes: Partial<ChatResponse> = {},
): ChatResponse {
  const nothing = { sentences: [], sources: [], confidence_level: null, was_refusal: true };
  return answer({ ...nothing, answer: "I can only answer from the book.", refusal_reason: reason, ...changes });
}
