/** The panel's own styles: a text, so that no page loads them before the panel, and a shadow root takes them too. */
export default `
.bookbound button {
  padding: 0.4rem 0.8rem;
  border: 1px solid var(--bookbound-line);
  border-radius: var(--bookbound-radius);
  background: var(--bookbound-surface);
  color: var(--bookbound-text);
  font: inherit;
  text-align: start;
  cursor: pointer;
}

.bookbound button:hover:enabled {
  border-color: var(--bookbound-text);
}

.bookbound button:disabled {
  cursor: default;
  opacity: 0.7;
}

.bookbound .bookbound-primary {
  border-color: transparent;
  background: var(--bookbound-text);
  color: var(--bookbound-surface);
  font-weight: var(--ifm-font-weight-semibold);
}

.bookbound-panel {
  position: fixed;
  inset-block: 0;
  inset-inline: auto 0;
  z-index: calc(var(--ifm-z-index-overlay) + 1);
  flex-direction: column;
  inline-size: min(var(--bookbound-width), 100%);
  max-inline-size: none;
  block-size: var(--bookbound-height, 100dvh);
  max-block-size: none;
  margin: 0;
  padding: 0;
  border: 0;
  border-inline-start: 1px solid var(--bookbound-line);
  background: var(--bookbound-surface);
  color: var(--bookbound-text);
  box-shadow: var(--ifm-global-shadow-tl);
}

.bookbound[data-position="start"] .bookbound-panel {
  inset-inline: 0 auto;
  border-inline: 0 solid var(--bookbound-line);
  border-inline-end-width: 1px;
}

.bookbound-panel[open] {
  display: flex;
}

@media (max-width: 996px) {
  .bookbound-panel {
    inline-size: 100%;
  }
}

@media (prefers-reduced-motion: no-preference) {
  .bookbound-panel[open] {
    animation: bookbound-in 0.15s ease-out;
  }
}

@keyframes bookbound-in {
  from {
    opacity: 0;
  }
}

.bookbound-panel h2,
.bookbound-panel h3 {
  margin: 0 0 0.5rem;
  font-size: 1rem;
}

.bookbound-panel p {
  margin: 0 0 0.5rem;
}

.bookbound-head,
.bookbound-question {
  padding: 0.75rem var(--bookbound-gap);
}

.bookbound-head {
  border-block-end: 1px solid var(--bookbound-line);
  display: flex;
  align-items: center;
  justify-content: space-between;
}

.bookbound-panel .bookbound-head h2 {
  margin: 0;
}

.bookbound-body {
  flex: 1;
  padding: var(--bookbound-gap);
  overflow-y: auto;
}

.bookbound-body > *,
.bookbound-turn > * {
  margin-block-end: var(--bookbound-gap);
}

.bookbound-suggestions button {
  display: block;
  inline-size: 100%;
  margin-block-end: 0.4rem;
}

.bookbound-panel .bookbound-asked {
  padding: 0.5rem 0.75rem;
  border-radius: var(--bookbound-radius);
  background: var(--bookbound-tint);
  font-weight: var(--ifm-font-weight-semibold);
  overflow-wrap: anywhere;
}

.bookbound q {
  display: -webkit-box;
  overflow: hidden;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  font-size: 0.85rem;
  font-style: italic;
  white-space: pre-line;
}

.bookbound-sentence,
.bookbound-refusal > p {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

.bookbound-sentence p {
  position: relative;
}

.bookbound-read-as {
  color: var(--ifm-color-emphasis-700);
  font-size: 0.85rem;
}

.bookbound-table,
.bookbound-sentence pre {
  overflow-x: auto;
}

.bookbound-table table {
  display: table;
  font-size: 0.85rem;
}

.bookbound-sentence figure {
  margin: 0 0 0.5rem;
}

.bookbound-sentence img {
  border-radius: var(--bookbound-radius);
  background: #fff;
}

.bookbound-citation .bookbound-cite {
  margin-inline-start: 0.25em;
  padding: 0.1em 0.5em;
  border-radius: var(--bookbound-radius);
  background: var(--ifm-color-emphasis-200);
  font-size: 0.75em;
}

.bookbound-excerpt {
  position: absolute;
  inset-inline: 0;
  inset-block-start: 100%;
  z-index: 1;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--bookbound-line);
  border-radius: var(--bookbound-radius);
  background: var(--bookbound-surface);
  box-shadow: var(--ifm-global-shadow-md);
  font-size: 0.85rem;
  white-space: normal;
}

.bookbound-excerpt strong {
  display: block;
}

.bookbound-note,
.bookbound-refusal,
.bookbound-problem {
  padding: 0.5rem 0.75rem;
  border-inline-start: 3px solid var(--ifm-color-primary);
  background: var(--bookbound-tint);
}

.bookbound-note ul {
  margin: 0;
}

.bookbound-problem,
.bookbound-answer[data-low="true"] > .bookbound-note:first-child {
  border-color: var(--ifm-color-warning);
}

.bookbound-actions {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  align-items: center;
}

.bookbound-sources ol {
  padding-inline-start: 1.5rem;
}

.bookbound-history ul {
  margin-block: 0.5rem;
  padding: 0;
  list-style: none;
}

.bookbound-history li,
.bookbound-feedback textarea {
  margin-block-end: 0.5rem;
}

.bookbound-sources blockquote {
  margin: 0.25rem 0 0.75rem;
  padding: 0 0.75rem;
  font-size: 0.85rem;
}

.bookbound-question {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0.5rem;
  align-items: center;
  border-block-start: 1px solid var(--bookbound-line);
}

.bookbound-question > :not(p, .bookbound-primary) {
  grid-column: 1 / -1;
}

.bookbound textarea {
  display: block;
  inline-size: 100%;
  padding: 0.5rem;
  border: 1px solid var(--ifm-color-emphasis-600);
  border-radius: var(--bookbound-radius);
  background: var(--bookbound-surface);
  color: inherit;
  font: inherit;
  resize: vertical;
}

.bookbound ::placeholder {
  color: inherit;
  opacity: 0.8;
}

/* The site's own colour for links need not stand out from the panel. */
.bookbound a {
  color: inherit;
  text-decoration: underline;
}

.bookbound-panel #bookbound-limits,
.bookbound-small {
  margin: 0;
  font-size: 0.8rem;
  overflow-wrap: anywhere;
}

#bookbound-limits[data-over="true"] {
  font-weight: bold;
  text-decoration: underline;
}

.bookbound-chip {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0.25rem;
  align-items: center;
  padding: 0.5rem;
  background: var(--bookbound-tint);
}

.bookbound-chip q {
  grid-column: 1 / -1;
}

/* A panel that is part of its page: the page scrolls, not the panel. */
.bookbound-panel[data-inline="true"] {
  position: relative;
  inset: auto;
  inline-size: auto;
  block-size: auto;
  border: 1px solid var(--bookbound-line);
  border-radius: var(--bookbound-radius);
}

.bookbound-panel[data-inline="true"] .bookbound-question {
  order: -1;
  border: 0;
}

/* Its page has a heading to be seen; this one keeps the order of headings. */
.bookbound-panel[data-inline="true"] .bookbound-head {
  position: absolute;
  clip-path: inset(50%);
}
`;
