// What is shown instead of an answer: a refusal, or an error. And the feedback that either kind of outcome takes.

import { sendFeedback } from "./api.js";
import { note } from "./answer.js";
import { element } from "./dom.js";

const REFUSALS = {
  empty_retrieval: {
    title: "This doesn’t seem to be in the book",
    advice: "Try the words that the book itself uses, or ask about a topic from its table of contents.",
  },
  insufficient_context: { title: "The book touches on this, but not enough for an answer" },
  out_of_scope: { title: "The book leaves this out on purpose" },
  selected_text_insufficient: { title: "The passage doesn’t answer this", wholeBook: true },
};

export function refusalView(response, { edit, askWholeBook }) {
  const { title, advice, wholeBook } = REFUSALS[response.refusal_reason];
  const buttons = [element("button", { type: "button", onclick: edit }, "Change the question")];
  if (wholeBook) {
    buttons.unshift(element("button", { type: "button", onclick: askWholeBook }, "Search the whole book instead"));
  }
  return [
    element(
      "div",
      { class: "refusal" },
      element("h2", {}, title),
      element("p", { class: "message" }, response.answer),
      advice ? element("p", { class: "advice" }, advice) : null,
      response.notice ? note("info", response.notice) : null,
      element("div", { class: "actions" }, ...buttons),
    ),
  ];
}

export function problemView(problem, again) {
  const wait = problem.retryAfter ? ` You can try again in ${problem.retryAfter} s.` : "";
  return [
    element(
      "div",
      { class: "problem" },
      element("h2", {}, problem.title),
      element("p", {}, problem.message + wait),
      element("div", { class: "actions" }, element("button", { type: "button", onclick: again }, "Ask again")),
      problem.requestId ? element("p", { class: "latency" }, `Request ${problem.requestId}`) : null,
    ),
  ];
}

export function feedbackView(response) {
  const status = element("p", { class: "feedback-status", role: "status" });
  const comment = element("input", { id: "comment", type: "text", maxlength: "2000", autocomplete: "off" });
  const form = element("form", { class: "feedback" });
  const give = (verdict) => () => giveFeedback({ form, status, comment }, response.answer_id, verdict);
  const question = response.was_refusal ? "Was it right to decline?" : "Is this answer right?";
  form.append(
    element(
      "fieldset",
      {},
      element("legend", {}, question),
      element("button", { type: "button", onclick: give("correct") }, "Correct"),
      element("button", { type: "button", onclick: give("incorrect") }, "Incorrect"),
      element("label", { for: "comment", class: "visually-hidden" }, "Comment, optional"),
      comment,
    ),
  );
  comment.placeholder = "Comment (optional)";
  form.addEventListener("submit", (event) => event.preventDefault());
  return element("div", {}, form, status);
}

async function giveFeedback({ form, status, comment }, answerId, verdict) {
  const remark = comment.value.trim();
  status.textContent = "Sending…";
  try {
    await sendFeedback({ answer_id: answerId, verdict, ...(remark && { comment: remark }) });
  } catch (problem) {
    status.textContent = `Your feedback was not taken: ${problem.message}`;
    return;
  }
  status.textContent = "Thank you, your feedback was recorded.";
  status.tabIndex = -1;
  status.focus();
  form.remove();
}
