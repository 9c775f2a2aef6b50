import { expect, test } from "./world.ts";
import { problem } from "./gateway.ts";

const LOOP = "What is the sense-plan-act loop?";
const CHAT = "/v1/chat";

test("too many questions: says how long to wait, and asks again after it", async ({ panel, world }) => {
  world.gateway.next(CHAT, problem(429, "Too Many Requests", "Ask again later.", { "Retry-After": "2" }));
  await panel.openOn("/docs/");
  await panel.ask(LOOP);
  await expect(panel.root.getByText("A little too fast")).toBeVisible();
  await expect(panel.button(/Ask again in [12] s/)).toBeDisabled();
  await panel.root.getByRole("button", { name: "Ask again", exact: true }).click();
  await expect(panel.citations.first()).toBeVisible();
});

test("a service that is down: says so, and asks again", async ({ panel, world }) => {
  world.gateway.next(CHAT, problem(503, "Service Unavailable", "The book cannot be asked.", { "Retry-After": "1" }));
  await panel.openOn("/docs/");
  await panel.ask(LOOP);
  await expect(panel.root.getByText("The book is busy")).toBeVisible();
  await panel.root.getByRole("button", { name: "Ask again", exact: true }).click();
  await expect(panel.citations.first()).toBeVisible();
});

test("an answer that is not ready in time: says so, and asks again", async ({ panel, world }) => {
  world.gateway.next(CHAT, problem(504, "Gateway Timeout", "Query processing timed out. Try a simpler question."));
  await panel.openOn("/docs/");
  await panel.ask(LOOP);
  await expect(panel.root.getByText("That took too long")).toBeVisible();
  await panel.root.getByRole("button", { name: "Ask again", exact: true }).click();
  await expect(panel.citations.first()).toBeVisible();
});

test("offline: says so, and asks again once the connection is back", async ({ context, panel }) => {
  await panel.openOn("/docs/");
  await context.setOffline(true);
  await panel.ask(LOOP);
  await expect(panel.root.getByText("You are offline")).toBeVisible();
  await context.setOffline(false);
  await panel.root.getByRole("button", { name: "Ask again", exact: true }).click();
  await expect(panel.citations.first()).toBeVisible();
});

test("what shows replies cannot be loaded: says so, and asks again", async ({ page, panel }) => {
  await panel.openOn("/docs/");
  const scripts = /\.js(\?|$)/;
  await page.route(scripts, (route) => route.abort());
  await panel.ask(LOOP);
  await expect(panel.root.getByText("The book cannot be reached")).toBeVisible();
  await page.unroute(scripts);
  await panel.root.getByRole("button", { name: "Ask again", exact: true }).click();
  await expect(panel.citations.first()).toBeVisible();
});

test("a token is renewed before its end", async ({ page, panel, world }) => {
  await page.clock.install();
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  await page.clock.fastForward("14:05");
  await panel.ask("What is a digital twin?");
  await expect(panel.root.locator(".bookbound-answer")).toContainText("virtual copy");
  const calls = world.gateway.calls;
  expect(calls.map(({ path }) => path)).toEqual(["/v1/sessions", CHAT, "/v1/sessions", CHAT]);
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(calls[3]!.token).not.toBe(calls[1]!.token);
});

test("a token that the service does not take any more is renewed once", async ({ panel, world }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  world.gateway.next(CHAT, { withoutToken: true });
  await panel.ask("What is a digital twin?");
  await expect(panel.root.locator(".bookbound-answer")).toContainText("virtual copy");
  expect(world.gateway.calls.map(({ status }) => status)).toEqual([200, 200, 401, 200, 200]);
});

test("waiting says what is happening, and can be stopped", async ({ panel, world }) => {
  let release = () => {};
  world.gateway.next(CHAT, { hold: new Promise<void>((resolve) => (release = resolve)) });
  await panel.openOn("/docs/");
  await panel.ask(LOOP);
  await expect(panel.root.getByText("Checking every sentence against the book")).toBeVisible();
  await panel.button("Stop").click();
  await expect(panel.box).toHaveValue(LOOP);
  await expect(panel.box).toBeFocused();
  release();
  await panel.getAnswer("What is a digital twin?");
  await expect(panel.root.locator(".bookbound-answer")).toContainText("virtual copy");
});

test("feedback that is not taken can be given again", async ({ panel, world }) => {
  await panel.openOn("/docs/");
  await panel.getAnswer(LOOP);
  world.gateway.next("/v1/feedback", problem(503, "Service Unavailable", "Try again in a moment."));
  await panel.root.getByRole("button", { name: "Correct", exact: true }).click();
  await expect(panel.root.getByText("Your feedback was not taken")).toBeVisible();
  await panel.root.getByRole("button", { name: "Correct", exact: true }).click();
  await expect(panel.root.getByText("your feedback was recorded")).toBeVisible();
});
