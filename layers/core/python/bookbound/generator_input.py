"""Input of a generator: all that it gets to know (R8)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bookbound.model import Evidence
from bookbound.question.inquiry import Inquiry


@dataclass(frozen=True, slots=True)
class GeneratorInput:
    """All that a generator gets to know (R8).

    Attributes:
        question: the reader's words, as data; of a question in parts those that the book answers (R9).
        inquiries: the same, analysed, one a part.
        book_title: for the prompt's first line.
        assured: False where the evidence suffices only for a generator that can refuse by itself (G12).
        strict: True when a first draft was not supported well enough (P4).
    """

    question: str
    inquiries: tuple[Inquiry, ...]
    evidence: Evidence
    book_title: str
    assured: bool = True
    strict: bool = False

    def stricter(self) -> GeneratorInput:
        """Return the same brief for a second, stricter draft."""
        return replace(self, strict=True)
