"""Questions that the book could not answer, those of one meaning together, the most asked first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bookbound.model import Vector

ALIKE = 0.82
"""The least cosine of a question to the one that its group is named after, for the bundled model. A lower one
joins what asks different things of one thing, such as its price and its weight."""

EXAMPLES = 4

_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Group:
    """Questions of one meaning.

    Attributes:
        question: the wording that was asked most.
        count: how often any of them was asked; `sessions` by how many sessions.
        examples: other wordings, the most asked first, at most EXAMPLES.
        wordings: how many there are in all.
        reasons: refusal reason → count. last: the day of the last one.
        book_id: of the book that was asked most.
    """

    question: str
    count: int
    sessions: int
    examples: tuple[str, ...]
    wordings: int
    reasons: Mapping[str, int]
    last: str
    book_id: str | None


def key_of(question: str) -> str:
    """Return the key of wordings that differ only in case, spaces and punctuation."""
    return _NO_WORD.sub(" ", question.casefold()).strip() or question


def wordings(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """The rows of each wording, the most asked first, then by the wording itself.

    Each row has question, session_id, refusal_reason, day and book_id.
    """
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        found[key_of(row["question"])].append(row)
    return dict(sorted(found.items(), key=lambda one: (-len(one[1]), one[0])))


def leaders(vectors: Sequence[Vector], alike: float = ALIKE) -> list[int]:
    """For each vector the index of the one that leads its group: itself, where none before is alike.

    One pass in the given order, so that what is asked most names its group; the nearest leader wins. With
    n vectors and g groups it takes n·g products.
    """
    if not vectors:
        return []
    all_vectors: npt.NDArray[np.float32] = np.asarray(vectors, dtype=np.float32)
    heads = np.empty_like(all_vectors)
    head_of: list[int] = []
    led: list[int] = []
    for index, vector in enumerate(all_vectors):
        closeness = heads[: len(led)] @ vector
        nearest = int(closeness.argmax()) if led else -1
        if nearest < 0 or closeness[nearest] < alike:
            heads[len(led)], nearest = vector, len(led)
            led.append(index)
        head_of.append(led[nearest])
    return head_of


def groups(asked: Mapping[str, Sequence[Mapping[str, Any]]], led_by: Sequence[int]) -> list[Group]:
    """The groups, the most asked first; `led_by` is what `leaders` says of the wordings in their order."""
    members: dict[int, list[Sequence[Mapping[str, Any]]]] = defaultdict(list)
    for leader, rows in zip(led_by, asked.values(), strict=True):
        members[leader].append(rows)
    found = [_group(of) for of in members.values()]
    return sorted(found, key=lambda group: (-group.count, group.question))


def _group(members: Sequence[Sequence[Mapping[str, Any]]]) -> Group:
    rows = [row for of in members for row in of]
    said = [_most(row["question"] for row in of) for of in members]
    return Group(
        question=said[0],
        count=len(rows),
        sessions=len({row["session_id"] for row in rows}),
        examples=tuple(said[1 : 1 + EXAMPLES]),
        wordings=len(members),
        reasons=dict(Counter(row["refusal_reason"] for row in rows).most_common()),
        last=max(row["day"] for row in rows),
        book_id=_most(row["book_id"] for row in rows),
    )


def _most(values: Iterable[Any]) -> Any:
    """The most frequent; of several the least."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], str(value)))
