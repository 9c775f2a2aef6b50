// The page's one story: take a question, ask, show the outcome.

import { answerView, confidenceView, latencyView, sourcesView } from "./answer.js";
import { Problem, ask } from "./api.js";
import { element } from "./dom.js";
import { feedbackView, problemView, refusalView } from "./outcome.js";

const QUESTION_LIMIT = 1000;

const byId = (id) => document.getElementById(id);
const form = byId("form");
const question = byId("question");
const passage = byId("passage");
const selectedText = byId("selected-text");
const result = byId("result");

let sessionId = null;
let running = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});

question.addEventListener("keydown", (event) => {
  // Enter that ends an input method's composition is not meant for us.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});

question.addEventListener("input", fitQuestion);

byId("examples").addEventListener("click", (event) => {
  const example = event.target.closest("button");
  if (example === null) return;
  question.value = example.textContent;
  askWholeBook();
});

function fitQuestion() {
  const length = question.value.trim().length;
  const counter = byId("counter");
  counter.hidden = length <= QUESTION_LIMIT * 0.8;
  counter.textContent = `${length} of ${QUESTION_LIMIT} characters`;
  counter.classList.toggle("over", length > QUESTION_LIMIT);
}

function askWholeBook() {
  selectedText.value = "";
  passage.open = false;
  fitQuestion();
  submit();
}

async function submit() {
  const text = question.value.trim();
  if (text === "") {
    question.focus();
    return;
  }
  running?.abort();
  const mine = new AbortController();
  running = mine;
  showWaiting(text);
  try {
    show(await ask(requestBody(text), mine.signal));
  } catch (error) {
    if (mine.signal.aborted) return;
    showProblem(error);
  }
  if (running === mine) result.setAttribute("aria-busy", "false");
}

function requestBody(text) {
  const body = { question: text };
  if (passage.open && selectedText.value.trim() !== "") body.selected_text = selectedText.value;
  if (sessionId !== null) body.session_id = sessionId;
  return body;
}

function showWaiting(text) {
  // What had the focus is about to go; on a small screen what comes would be out of sight.
  if (result.contains(document.activeElement)) question.focus({ preventScroll: true });
  byId("asked").textContent = text;
  fill("answer");
  fill("about");
  fill("sources");
  result.hidden = false;
  result.setAttribute("aria-busy", "true");
  if (result.getBoundingClientRect().top > window.innerHeight / 2) result.scrollIntoView();
}

function show(response) {
  sessionId = response.session_id;
  byId("book").textContent = `${response.book.id} · ${response.book.version}`;
  const outcome = response.was_refusal
    ? refusalView(response, { edit: () => question.focus(), askWholeBook })
    : answerView(response);
  fill("sources", ...sourcesView(response));
  fill("about", aboutView(response));
  fill("answer", ...outcome);
}

function aboutView(response) {
  const confidence = confidenceView(response);
  const facts = element("div", { class: "facts" }, confidence, latencyView(response.latency_ms));
  return element("div", { class: "about" }, facts, feedbackView(response));
}

function showProblem(error) {
  const problem = error instanceof Problem ? error : new Problem("This page could not show the answer", String(error));
  fill("answer", ...problemView(problem, submit));
}

function fill(id, ...children) {
  byId(id).replaceChildren(...children);
}
