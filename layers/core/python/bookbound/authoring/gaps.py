"""Questions that the book could not answer, those of one meaning together, the most asked first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bookbound.model import RefusalReason

EXAMPLES = 4

_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Group:
    """Questions of one meaning.

    Attributes:
        question: the wording that was asked most; of several the one in the middle.
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


def groups(
    asked: Mapping[str, Sequence[Mapping[str, Any]]], together: Sequence[Sequence[int]]
) -> list[Group]:
    """The groups, the most asked first; `together` has the places of the wordings of each.

    Questions to which nothing in the book is near count last: they are mostly about something else.
    """
    rows = list(asked.values())
    found = [
        _group(sorted((rows[place] for place in places), key=lambda of: -len(of))) for places in together
    ]
    return sorted(found, key=lambda group: (-_near(group), -group.count, group.question))


def _near(group: Group) -> int:
    return group.count - group.reasons.get(RefusalReason.EMPTY_RETRIEVAL, 0)


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
