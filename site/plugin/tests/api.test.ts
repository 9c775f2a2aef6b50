import { beforeEach, describe, expect, test, vi } from "vitest";
import { connect } from "../src/client/api";
import { Problem, waitOf } from "../src/client/problem";
import { Tokens } from "../src/client/tokens";
import { Service, answer, json, never } from "./fakes/service";

const go = () => new AbortController().signal;
const question = { question: "What is a node?" };
const session = (token: string, seconds = 900) => ({
  token,
  expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
});

let service: Service;

beforeEach(() => {
  service = new Service().on("/v1/chat", () => json(answer()));
});

describe("asking", () => {
  test("goes without a token where the service gives none", async () => {
    await connect({ apiUrl: "https://api.test" }).ask(question, go());
    expect(service.to("/v1/chat")[0]).toMatchObject({ body: question, token: null });
  });

  test("keeps the path that stands before the API", async () => {
    service.on("/prod/v1/sessions", () => json({}, 404)).on("/prod/v1/chat", () => json(answer()));
    await connect({ apiUrl: "https://api.test/prod" }).ask(question, go());
    expect(service.to("/prod/v1/chat")).toHaveLength(1);
  });

  test("names the book, for the token too", async () => {
    service.on("/v1/sessions", () => json(session("t"))).on("/v1/books/robots/chat", () => json(answer()));
    await connect({ apiUrl: "https://api.test", bookId: "robots" }).ask(question, go());
    expect(service.calls.map(({ path, body }) => [path, body.book_id])).toEqual([
      ["/v1/sessions", "robots"],
      ["/v1/books/robots/chat", undefined],
    ]);
  });

  test("opens one session for questions at the same time", async () => {
    service.on("/v1/sessions", () => json(session("t")));
    const api = connect({ apiUrl: "https://api.test" });
    await Promise.all([api.ask(question, go()), api.ask(question, go())]);
    expect(service.to("/v1/sessions")).toHaveLength(1);
    expect(service.to("/v1/chat").map(({ token }) => token)).toEqual(["t", "t"]);
  });

  test("gets another token once when one is not taken", async () => {
    const tokens = ["old", "new"];
    service
      .on("/v1/sessions", () => json(session(tokens.shift()!)))
      .on("/v1/chat", ({ token }) => (token === "new" ? json(answer()) : json({}, 401)));
    await connect({ apiUrl: "https://api.test" }).ask(question, go());
    expect(service.to("/v1/chat").map(({ token }) => token)).toEqual(["old", "new"]);
  });

  test("gives up after the second token that is not taken", async () => {
    service.on("/v1/sessions", () => json(session("t"))).on("/v1/chat", () => json({}, 401));
    await expect(connect({ apiUrl: "https://api.test" }).ask(question, go())).rejects.toMatchObject({
      kind: "forbidden",
    });
    expect(service.to("/v1/chat")).toHaveLength(2);
  });

  test("ends with the signal", async () => {
    service.on("/v1/chat", never);
    const stop = new AbortController();
    const asked = connect({ apiUrl: "https://api.test" }).ask(question, stop.signal);
    await vi.waitFor(() => expect(service.to("/v1/chat")).toHaveLength(1));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });

  test("ends by itself where the connection is dead", async () => {
    vi.useFakeTimers();
    service.on("/v1/chat", never);
    const asked = connect({ apiUrl: "https://api.test" })
      .ask(question, go())
      .catch((error: Problem) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect(await asked).toMatchObject({ kind: "late" });
  });

  test("tells a problem by its kind, its detail and its wait", async () => {
    service.on("/v1/chat", () => json({ detail: "Slower." }, 429, { "Retry-After": "7" }));
    const asked = connect({ apiUrl: "https://api.test" }).ask(question, go());
    await expect(asked).rejects.toMatchObject({ kind: "tooMany", message: "Slower.", retryAfter: 7 });
  });

  test("takes an answer that is not JSON for broken", async () => {
    service.on("/v1/chat", () => new Response("<html>"));
    await expect(connect({ apiUrl: "https://api.test" }).ask(question, go())).rejects.toMatchObject({ kind: "broken" });
  });
});

describe("a token", () => {
  test("is renewed a minute before its end", async () => {
    let now = 0;
    let opened = 0;
    const tokens = new Tokens(
      async () => ({ token: `t${++opened}`, expires_at: new Date(now + 900_000).toISOString() }),
      () => now,
    );
    expect(await tokens.current()).toBe("t1");
    now = 839_000;
    expect(await tokens.current()).toBe("t1");
    now = 841_000;
    expect(await tokens.current()).toBe("t2");
  });

  test("that another caller replaced already is not thrown away", async () => {
    let opened = 0;
    const tokens = new Tokens(async () => session(`t${++opened}`));
    await tokens.current();
    tokens.refuse("t1");
    await tokens.current();
    tokens.refuse("t1");
    expect(await tokens.current()).toBe("t2");
  });

  test("that could not be had is asked for again", async () => {
    const replies = [() => Promise.reject(new Problem("unavailable")), async () => session("t")];
    const tokens = new Tokens(() => replies.shift()!());
    await expect(tokens.current()).rejects.toThrow(Problem);
    expect(await tokens.current()).toBe("t");
  });
});

test.each([
  [null, 0],
  ["", 0],
  ["7", 7],
  ["0", 1],
  ["99999", 3600],
  ["Thu, 01 Jan 1970 00:00:30 GMT", 20],
  ["soon", 0],
])("Retry-After %j is a wait of %i s", (header, seconds) => {
  expect(waitOf(header, 10_000)).toBe(seconds);
});
