"""Labelled questions: what a reader asks, and what a right outcome looks like."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bookbound.evaluation import records
from bookbound.evaluation.records import InputError
from bookbound.model import RefusalReason


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage that answers: `file` relative to the docs folder, `quote` with its Markdown marks."""

    file: str
    quote: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question with its expected outcome.

    Attributes:
        kind: groups the figures; fact, concept, list … to answer, near_miss, far, injection … to refuse.
        refusal_reasons: the reasons that would be right, empty when any would.
        evidence, also_in: quotes of the book, each of which alone answers the question.
        answer_points: what a full answer says, a few words each.
    """

    id: str
    kind: str
    question: str
    expect: Literal["answer", "refuse"]
    selected_text: str | None = None
    refusal_reasons: tuple[RefusalReason, ...] = ()
    evidence: tuple[Quote, ...] = ()
    answer_points: tuple[str, ...] = ()
    also_in: tuple[Quote, ...] = ()

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """Every quote that counts as evidence."""
        return self.evidence + self.also_in


def load(path: Path) -> list[Labelled]:
    """The labelled questions of a JSON-lines file, in order.

    Raises InputError, with the line, for what does not fit and for an id that occurs twice; OSError.
    """
    labelled = records.load(path, Labelled)
    [(most_frequent, count)] = Counter(question.id for question in labelled).most_common(1)
    if count > 1:
        raise InputError(f"{path}: id {most_frequent!r} occurs {count} times")
    return labelled
