import { translate } from "@docusaurus/Translate";
import type { ProblemKind } from "docusaurus-plugin-bookbound/client/problem";

export const panelWords = () => ({
  title: translate({ id: "bookbound.panel.title", message: "Ask the book" }),
  close: translate({ id: "bookbound.panel.close", message: "Close" }),
  lead: translate({
    id: "bookbound.panel.lead",
    message: "Every sentence of an answer names its place in the book. What the book doesn’t say, you won’t be told.",
  }),
  suggestions: translate({ id: "bookbound.panel.suggestions", message: "Questions to begin with" }),
  clear: translate({ id: "bookbound.panel.clear", message: "Clear questions" }),
  history: translate({ id: "bookbound.panel.history", message: "Earlier questions" }),
  privacy: translate({ id: "bookbound.panel.privacy", message: "Privacy notice" }),
  session: translate({ id: "bookbound.panel.session", message: "Session:" }),
  alone: translate({
    id: "bookbound.panel.alone",
    message: "The question before may complete the next one; none is remembered.",
  }),
  searching: translate({ id: "bookbound.panel.searching", message: "Searching the book…" }),
  checking: translate({ id: "bookbound.panel.checking", message: "Checking every sentence against the book…" }),
  waitingLong: translate({ id: "bookbound.panel.waitingLong", message: "This takes longer than usual." }),
  stop: translate({ id: "bookbound.panel.stop", message: "Stop" }),
});

export const questionWords = () => ({
  label: translate({ id: "bookbound.question.label", message: "Your question" }),
  placeholder: translate({ id: "bookbound.question.placeholder", message: "What would you like to know?" }),
  ask: translate({ id: "bookbound.question.ask", message: "Ask" }),
  hint: translate({ id: "bookbound.question.hint", message: "Enter asks, Shift + Enter starts a new line." }),
  about: translate({ id: "bookbound.question.about", message: "About this passage only:" }),
  remove: translate({ id: "bookbound.question.remove", message: "Remove the passage" }),
  count: (length: number, limit: number) =>
    translate(
      { id: "bookbound.question.count", message: "{length} of {limit} characters" },
      { length: String(length), limit: String(limit) },
    ),
  topic: (topic: string) =>
    topic.endsWith("?") ? topic : translate({ id: "bookbound.question.topic", message: "Explain {topic}" }, { topic }),
});

export const readAsWords = (question: string) =>
  translate({ id: "bookbound.answer.readAs", message: "Read as: {question}" }, { question });

export const rephraseWords = () =>
  translate({ id: "bookbound.advice.rephrase", message: "Rephrase the question" });

export const problemWords = (kind: ProblemKind) =>
  ({
    offline: {
      title: translate({ id: "bookbound.problem.offline", message: "You are offline" }),
      advice: translate({
        id: "bookbound.problem.offline.advice",
        message: "Connect to the internet, then ask again.",
      }),
    },
    unreachable: {
      title: translate({ id: "bookbound.problem.unreachable", message: "The book cannot be reached" }),
      advice: translate({
        id: "bookbound.problem.unreachable.advice",
        message: "The connection to the service failed. Ask again in a moment.",
      }),
    },
    forbidden: {
      title: translate({ id: "bookbound.problem.forbidden", message: "This page may not ask the book" }),
      advice: translate({
        id: "bookbound.problem.forbidden.advice",
        message: "The service does not know this site. Tell the people who run it.",
      }),
    },
    missing: {
      title: translate({ id: "bookbound.problem.missing", message: "The service does not have this book" }),
      advice: translate({ id: "bookbound.problem.missing.advice", message: "Tell the people who run this site." }),
    },
    invalid: {
      title: translate({ id: "bookbound.problem.invalid", message: "This cannot be asked like this" }),
      advice: translate({
        id: "bookbound.problem.invalid.advice",
        message: "Change the question or the passage, then ask again.",
      }),
    },
    tooMany: {
      title: translate({ id: "bookbound.problem.tooMany", message: "A little too fast" }),
      advice: translate({
        id: "bookbound.problem.tooMany.advice",
        message: "There is a limit to the questions in a minute. Yours is kept: ask it again after the wait.",
      }),
    },
    unavailable: {
      title: translate({ id: "bookbound.problem.unavailable", message: "The book is busy" }),
      advice: translate({
        id: "bookbound.problem.unavailable.advice",
        message: "The service cannot answer right now. Ask again in a moment.",
      }),
    },
    late: {
      title: translate({ id: "bookbound.problem.late", message: "That took too long" }),
      advice: translate({
        id: "bookbound.problem.late.advice",
        message: "No answer was ready in time. Ask again; a narrower question is quicker to answer.",
      }),
    },
    broken: {
      title: translate({ id: "bookbound.problem.broken", message: "Something went wrong" }),
      advice: translate({
        id: "bookbound.problem.broken.advice",
        message: "The service did not answer as it should. Ask again in a moment.",
      }),
    },
  })[kind];

export const retryWords = (seconds: number) =>
  seconds > 0
    ? translate({ id: "bookbound.problem.wait", message: "Ask again in {seconds} s" }, { seconds: String(seconds) })
    : translate({ id: "bookbound.problem.again", message: "Ask again" });
