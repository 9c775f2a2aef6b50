"""What judges who saw no label said of answers to the open books' questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.asked_books import Outcome
from training import lines as written
from training.pointers import digest

READ = Path("evaluation/answers-read.jsonl")
GRADES = ("full", "part", "none")


@dataclass(frozen=True, slots=True)
class Reading:
    """What both judges said of an answer.

    Attributes:
        answer: hash of its sentences, so that another answer to the question is not taken for it.
        said: a grade of each judge, of GRADES.
    """

    book: str
    id: str
    answer: str
    said: tuple[str, ...]


Readings = Mapping[tuple[str, str], Reading]
"""By book and question."""


def stored(path: Path = READ) -> Readings:
    """What was read."""
    lines = written.stored(path) if path.exists() else ()
    return {(line["book"], line["id"]): Reading(**line | {"said": tuple(line["said"])}) for line in lines}


def answer_of(texts: Iterable[str]) -> str:
    """The hash of an answer's sentences."""
    return digest("\n".join(texts))


def said_of(outcome: Outcome, book: str, known: Readings) -> tuple[str, ...]:
    """What the judges said of this very answer; nothing where they read another one, or none."""
    one = known.get((book, outcome.id))
    same = one and one.answer == answer_of(shown.text for shown in outcome.shown)
    return one.said if one and same else ()
