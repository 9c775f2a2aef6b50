import { translate } from "@docusaurus/Translate";
import type { ChatResponse, RefusalReason, Source } from "docusaurus-plugin-bookbound/client/wire";

export const answerWords = () => ({
  unavailable: translate({
    id: "bookbound.answer.unavailable",
    message: "The book does not answer this part of your question:",
  }),
  sources: translate({ id: "bookbound.answer.sources", message: "Sources" }),
  open: translate({ id: "bookbound.answer.open", message: "Open the passage" }),
  table: translate({ id: "bookbound.answer.table", message: "Table of the book" }),
  copyCode: translate({ id: "bookbound.answer.copyCode", message: "Copy code" }),
  related: translate({ id: "bookbound.answer.related", message: "The book does talk about" }),
  copy: translate({ id: "bookbound.answer.copy", message: "Copy" }),
  copied: translate({ id: "bookbound.answer.copied", message: "Copied." }),
  notCopied: translate({ id: "bookbound.answer.notCopied", message: "The browser did not allow copying." }),
});

export const placeWords = ({ section, page }: Pick<Source, "section" | "page">) =>
  translate({ id: "bookbound.answer.place", message: "{section}, page {page}" }, { section, page: String(page) });

export const sourceWords = (number: string, source: Source) =>
  translate(
    { id: "bookbound.answer.source", message: "Source {number}: {place}" },
    { number, place: placeWords(source) },
  );

type Level = NonNullable<ChatResponse["confidence_level"]>;

export const confidenceWords = (level: Level) =>
  ({
    high: {
      name: translate({ id: "bookbound.confidence.high", message: "High confidence" }),
      meaning: translate({
        id: "bookbound.confidence.high.meaning",
        message: "The passages that were found say this directly. The sources below let you check.",
      }),
    },
    medium: {
      name: translate({ id: "bookbound.confidence.medium", message: "Medium confidence" }),
      meaning: translate({
        id: "bookbound.confidence.medium.meaning",
        message: "The passages that were found say this, but may not be all that the book says about it.",
      }),
    },
    low: {
      name: translate({ id: "bookbound.confidence.low", message: "Low confidence" }),
      meaning: translate({
        id: "bookbound.confidence.low.meaning",
        message: "The passages that were found fit your question only in part. Read them before you rely on this.",
      }),
    },
  })[level];

export const refusalWords = (reason: RefusalReason) =>
  ({
    empty_retrieval: translate({
      id: "bookbound.refusal.empty",
      message: "This doesn’t seem to be in the book",
    }),
    insufficient_context: translate({
      id: "bookbound.refusal.insufficient",
      message: "The book touches on this, but not enough for an answer",
    }),
    out_of_scope: translate({ id: "bookbound.refusal.scope", message: "The book leaves this out on purpose" }),
    selected_text_insufficient: translate({
      id: "bookbound.refusal.selection",
      message: "The passage doesn’t answer this",
    }),
  })[reason];

export const adviceWords = () => ({
  fullBook: translate({ id: "bookbound.advice.fullBook", message: "Search the full book" }),
  passage: translate({ id: "bookbound.advice.passage", message: "Select a passage" }),
  otherPassage: translate({ id: "bookbound.advice.otherPassage", message: "Select another passage" }),
});

export const feedbackWords = () => ({
  right: translate({ id: "bookbound.feedback.right", message: "Is this answer right?" }),
  declined: translate({ id: "bookbound.feedback.declined", message: "Was it right to decline?" }),
  correct: translate({ id: "bookbound.feedback.correct", message: "Correct" }),
  incorrect: translate({ id: "bookbound.feedback.incorrect", message: "Incorrect" }),
  comment: translate({ id: "bookbound.feedback.comment", message: "What is wrong? (optional)" }),
  send: translate({ id: "bookbound.feedback.send", message: "Send" }),
  thanks: translate({ id: "bookbound.feedback.thanks", message: "Thank you, your feedback was recorded." }),
  failed: translate({ id: "bookbound.feedback.failed", message: "Your feedback was not taken. Try again." }),
});
