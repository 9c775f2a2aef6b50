// The two calls that the page makes. Addresses are relative, so a stage in front of the path does no harm.

export class Problem extends Error {
  constructor(title, detail, { retryAfter = null, requestId = null } = {}) {
    super(detail);
    this.title = title;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

export function ask(body, signal) {
  return post("v1/chat", body, signal);
}

export function sendFeedback(body) {
  return post("v1/feedback", body);
}

async function post(path, body, signal) {
  const response = await reach(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const content = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response, content);
  if (content === null) throw new Problem("The answer cannot be read", "Something between here and the book changed it.");
  return content;
}

async function reach(path, request) {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The book cannot be reached", "Check your connection, then ask again.");
  }
}

const TITLES = {
  413: "That is too long",
  422: "That question cannot be asked like this",
  429: "A little too fast",
  500: "Something went wrong",
  503: "The book is busy",
  504: "That took too long",
};

function problemOf(response, content) {
  return new Problem(
    TITLES[response.status] ?? content?.title ?? "Something went wrong",
    content?.detail ?? `The server answered with status ${response.status}.`,
    { retryAfter: response.headers.get("Retry-After"), requestId: content?.instance },
  );
}
