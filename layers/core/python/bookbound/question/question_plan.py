"""Plan of a question before anything is searched: its parts, each prepared (R4, R9, G14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.question.inquiry import Inquiry, analyse
from bookbound.question.splitting import parts
from bookbound.question.wordings import Query, prepare
from bookbound.question.work_requests import task_of
from bookbound.text.glossary import Glossary


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question that is searched, judged and answered separately (R9).

    Attributes:
        text: the reader's words, able to stand alone.
        task: kind of work that it requests, None for a knowledge question (G14).
    """

    text: str
    task: str | None
    query: Query
    inquiry: Inquiry


def plan(question: str, glossary: Glossary) -> tuple[Part, ...]:
    """The parts of a question in order, at least one."""
    return tuple(whole(text, glossary) for text in parts(question))


def searched(parts: Sequence[Part]) -> list[Part]:
    """Return the parts that the book is searched for: all except requests for work (G14)."""
    return [part for part in parts if part.task is None]


def whole(text: str, glossary: Glossary) -> Part:
    """A question as one part."""
    query = prepare(text, glossary)
    return Part(text, task_of(text), query, analyse(query))
