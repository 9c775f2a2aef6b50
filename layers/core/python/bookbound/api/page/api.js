// The calls that the page makes. Addresses are relative, so a stage in front of the path does no harm.
// Where the service asks who is there (401), the page gets a token for its own site and asks once more.

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

let session = null;

async function post(path, body, signal) {
  const response = await send(path, body, signal, liveToken());
  if (response.status !== 401) return contentOf(response);
  session = await contentOf(await send("v1/sessions", {}, signal));
  return contentOf(await send(path, body, signal, session.token));
}

function liveToken() {
  return session !== null && Date.now() < Date.parse(session.expires_at) ? session.token : null;
}

function send(path, body, signal, token = null) {
  const headers = { "Content-Type": "application/json" };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  return reach(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

async function contentOf(response) {
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
  401: "The book does not know this page",
  403: "This page may not ask the book",
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
