"""Prompt of a language model: one template for every generator, passages and question as data (P1)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from unicodedata import normalize

from bookbound.errors import Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Exhibit, Passage

MOST_TOKENS = 65_536
"""Tokens of a prompt to a model. Five passages of prose have a quarter; more is data, not text."""

ANSWER_TOKENS = 700
"""Tokens that a model may write by default; an answer of six sentences takes some 300."""

MARKS = 100
"""Tokens that a model's wire format may add to a prompt's own: a few for each message."""

_SECOND_DRAFT = "===== second draft =====\n"


@dataclass(frozen=True, slots=True)
class Template:
    """The template file; `version` names its content, for the audit record."""

    first: str
    second: str
    version: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system's text with the book's, and the reader's text separately.

    The question is a separate message, word for word, so that there is no mark to break out of (V4).
    """

    system: str
    question: str
    version: str

    def __str__(self) -> str:
        """Both, for the audit record."""
        return f"{self.system}\n\n{self.question}"

    @property
    def tokens_at_most(self) -> int:
        """Maximum number of tokens for any model.

        A token stands for a byte of UTF-8 or for more, in each tokenizer that can spell every text; and some
        first convert the text to its compatible form (NFKC), which can be longer.
        """
        text = str(self)
        return max(len(form.encode()) for form in (text, normalize("NFKC", text))) + MARKS


@cache
def template() -> Template:
    """The one prompt template, data/prompt.txt (P1)."""
    text = (resources.files("bookbound") / "data" / "prompt.txt").read_text("utf-8")
    first, second = text.split(_SECOND_DRAFT)
    return Template(first, second, hashlib.sha256(text.encode()).hexdigest()[:12])


def prompt(brief: GeneratorInput) -> Prompt:
    """Return the prompt for a brief; a stricter brief adds what a second draft must heed (P4).

    Raises Unavailable for one that may have more than MOST_TOKENS.
    """
    words = template()
    key = _key(brief)
    context = "\n\n".join(_document(exhibit, key) for exhibit in brief.evidence.exhibits)
    title = " ".join(brief.book_title.split())
    system = words.first.format(title=title, key=key, context=context)
    told = Prompt(system + words.second if brief.strict else system, brief.question, words.version)
    if told.tokens_at_most > MOST_TOKENS:
        raise Unavailable("the passages are too long for a prompt: a page holds something else than text")
    return told


def _key(brief: GeneratorInput) -> str:
    """64 bits of hash over all that is data here: to forge a mark, a text must hold its own hash."""
    passages = [exhibit.passage for exhibit in brief.evidence.exhibits]
    texts = [brief.question, *map(_place, passages), *(passage.text for passage in passages)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _document(exhibit: Exhibit, key: str) -> str:
    """A passage between marks, with the id to cite (P2)."""
    passage = exhibit.passage
    return f"<passage {key} id={exhibit.source_id}>\n{_place(passage)}\n\n{passage.text}\n</passage {key}>"


def _place(passage: Passage) -> str:
    """The headings that the passage begins under, on one line."""
    section = passage.sections[passage.units[0].section]
    return " ".join(f"{' > '.join(section.path)} (page {passage.page})".split())
