export type ProblemKind =
  "offline" | "unreachable" | "forbidden" | "missing" | "invalid" | "tooMany" | "unavailable" | "late" | "broken";

/** A call that failed: its kind, what the API said of it, and how long to wait. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    detail = "",
    /** Seconds; 0 where nothing is to be waited for. */
    readonly retryAfter = 0,
  ) {
    super(detail);
  }
}

/** Why nothing came at all. */
export const noConnection = () => new Problem(navigator.onLine ? "unreachable" : "offline");

const KINDS: Record<number, ProblemKind> = {
  400: "invalid",
  401: "forbidden",
  403: "forbidden",
  404: "missing",
  413: "invalid",
  415: "invalid",
  422: "invalid",
  429: "tooMany",
  503: "unavailable",
  504: "late",
};

const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 3600;

/** The Problem that a response with an error status tells of; `content` is its body where that was JSON. */
export function problemOf(response: Response, content: unknown): Problem {
  const detail = (content as { detail?: unknown } | null)?.detail;
  return new Problem(
    KINDS[response.status] ?? "broken",
    typeof detail === "string" ? detail : "",
    waitOf(response.headers.get("Retry-After")),
  );
}

/** Seconds of a Retry-After header, which names seconds or a date (RFC 9110, 10.2.3). */
export function waitOf(header: string | null, now = Date.now()): number {
  if (!header) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, SHORTEST_WAIT), LONGEST_WAIT);
}
