// An answer: its sentences, their sources, how sure it is.

import { element, link, safeUrl } from "./dom.js";

export function answerView(response) {
  const names = new Map(response.sources.map((source) => [source.id, source]));
  return [
    response.notice ? note(response.low_confidence ? "caution" : "info", response.notice) : null,
    element("div", { class: "sentences" }, ...response.sentences.map((sentence, n) => sentenceView(sentence, n, names))),
    response.unavailable.length ? unavailableView(response.unavailable) : null,
  ].filter(Boolean);
}

export function note(kind, text) {
  return element("p", { class: `note ${kind}` }, text);
}

function sentenceView(sentence, index, names) {
  const words = element("p", { id: `sentence-${index + 1}`, tabindex: "-1" }, sentence.text);
  for (const id of sentence.source_ids) words.append("\u2060", citationView(id, names.get(id)));
  return element("div", { class: "sentence" }, words, picturesView(sentence.images));
}

function citationView(id, source) {
  const where = source ? `${source.section}, page ${source.page}` : "";
  const attributes = { class: "cite", href: `#source-${id}`, "aria-label": `Source ${number(id)}: ${where}`, title: where };
  return element("a", { ...attributes, onclick: (event) => jump(event, `source-${id}`) }, number(id));
}

function picturesView(images) {
  const pictures = images.map(pictureView).filter(Boolean);
  return pictures.length ? element("div", { class: "pictures" }, ...pictures) : null;
}

// A picture that does not load leaves its description: that is what the author wrote for this case.
function pictureView(image) {
  const url = safeUrl(image.url);
  if (url === null) return null;
  const picture = element("img", { src: url, alt: image.alt, loading: "lazy" });
  const figure = element("figure", {}, picture, image.alt ? element("figcaption", {}, image.alt) : null);
  picture.addEventListener("error", () => {
    picture.remove();
    figure.classList.add("missing");
  });
  return figure;
}

function unavailableView(parts) {
  return element(
    "div",
    { class: "note info" },
    element("p", {}, "The book does not answer this part of your question:"),
    element("ul", {}, ...parts.map((part) => element("li", {}, part))),
  );
}

export function sourcesView(response) {
  if (!response.sources.length) return [];
  return [
    element("h2", {}, response.sources.length === 1 ? "Source" : "Sources"),
    element("ol", {}, ...response.sources.map((source) => sourceView(source, response.sentences))),
  ];
}

function sourceView(source, sentences) {
  return element(
    "li",
    { id: `source-${source.id}`, class: "source", tabindex: "-1" },
    element("span", { class: "badge", "aria-hidden": "true" }, number(source.id)),
    element("h3", {}, source.section),
    element("p", { class: "place" }, `Page ${source.page}`, element("span", { class: "document" }, source.document)),
    element("blockquote", {}, source.excerpt),
    element("dl", { class: "figures" }, ...figure("Score", source.score), ...figure("Similarity", source.similarity)),
    element(
      "p",
      { class: "source-links" },
      link(source.url, "Open the passage", `Open the passage: ${source.section}, page ${source.page} (new tab)`),
      ...backLinks(source, sentences),
    ),
  );
}

function figure(name, value) {
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.inlineSize = `${Math.round(value * 100)}%`;
  return [element("dt", {}, name), element("dd", {}, value.toFixed(2), bar)];
}

function backLinks(source, sentences) {
  return sentences.flatMap((sentence, index) => {
    if (!sentence.source_ids.includes(source.id)) return [];
    const target = `sentence-${index + 1}`;
    const attributes = { href: `#${target}`, class: "back", "aria-label": `Back to sentence ${index + 1}` };
    return [element("a", { ...attributes, onclick: (event) => jump(event, target) }, `↩ ${index + 1}`)];
  });
}

function jump(event, id) {
  event.preventDefault();
  const target = document.getElementById(id);
  if (target === null) return;
  target.scrollIntoView({ block: "nearest" });
  target.focus({ preventScroll: true });
}

function number(sourceId) {
  return sourceId.replace(/^S/, "");
}

const LEVELS = { high: 3, medium: 2, low: 1 };

export function confidenceView(response) {
  if (response.confidence_level === null) return null;
  const level = response.confidence_level;
  const steps = [1, 2, 3].map((step) => element("span", { class: step <= LEVELS[level] ? "on" : "" }));
  return element(
    "p",
    { class: `confidence ${level}` },
    element("span", { class: "steps", "aria-hidden": "true" }, ...steps),
    `${level[0].toUpperCase()}${level.slice(1)} confidence`,
    element("span", { class: "value" }, response.confidence_score.toFixed(2)),
  );
}

export function latencyView(latency) {
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
  const parts = [
    ["searching", latency.retrieval],
    ["writing", latency.generation],
    ["checking", latency.verification],
  ].filter(([, milliseconds]) => milliseconds > 0);
  const detail = parts.map(([name, milliseconds]) => `${name} ${seconds(milliseconds)}`).join(", ");
  return element("p", { class: "latency" }, seconds(latency.total), detail ? ` (${detail})` : "");
}
