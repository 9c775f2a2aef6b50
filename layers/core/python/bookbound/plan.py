"""What a question comes down to before anything is searched: its parts, each prepared (R4, R9, G14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.glossary import Glossary
from bookbound.inquiry import Inquiry, analyse
from bookbound.parts import parts
from bookbound.query import Query, prepare
from bookbound.tasks import task_of


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question that is searched, judged and answered by itself (R9).

    Attributes:
        text: the reader's words, able to stand alone.
        task: what kind of work it asks to be done, None for a knowledge question (G14).
    """

    text: str
    task: str | None
    query: Query
    inquiry: Inquiry


def plan(question: str, glossary: Glossary) -> tuple[Part, ...]:
    """The parts of a question in order, at least one."""
    return tuple(_part(text, glossary) for text in parts(question))


def searched(parts: Sequence[Part]) -> list[Part]:
    """The parts that the book is searched for: all but requests for work (G14)."""
    return [part for part in parts if part.task is None]


def _part(text: str, glossary: Glossary) -> Part:
    query = prepare(text, glossary)
    return Part(text, task_of(text), query, analyse(query))
