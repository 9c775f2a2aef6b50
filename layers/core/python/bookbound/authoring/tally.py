"""What a period's questions come to, as plain values for a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from bookbound.authoring.asked import Asked

NOT_IN_THE_BOOK = ("empty_retrieval", "insufficient_context")
"""The reasons that say that the book does not answer; the others are about scope and selections."""

LEVELS = ("high", "medium", "low")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a period.

    Attributes:
        hidden: questions whose words are not shown, because they may hold personal data.
        days: a row a day, those without a question included: day, answered, refused, failed.
        reasons: refusals first, then faults, the most frequent first: name, n, refusal, share of all.
        levels: level, answers, correct, incorrect.
        wrong: what readers called incorrect, the newest first; those with hidden words left out.
    """

    questions: int
    answered: int
    refused: int
    failed: int
    sessions: int
    hidden: int
    days: Sequence[Row]
    reasons: Sequence[Row]
    levels: Sequence[Row]
    wrong: Sequence[Asked]


def tally(asked: Sequence[Asked]) -> Tally:
    """Count questions, each once."""
    endings = Counter(one.ending for one in asked)
    return Tally(
        questions=len(asked),
        answered=endings["answered"],
        refused=endings["refused"],
        failed=endings["failed"],
        sessions=len({one.session for one in asked}),
        hidden=sum(one.question is None for one in asked),
        days=_days(asked),
        reasons=_reasons(asked),
        levels=[row for level in LEVELS if (row := _level(level, asked))["answers"]],
        wrong=[one for one in reversed(asked) if one.verdict == "incorrect" and one.question],
    )


def in_vain(asked: Iterable[Asked]) -> list[Row]:
    """Rows as `gaps.wordings` takes them: the questions to the whole book that it does not answer."""
    return [
        {
            "question": one.question,
            "session_id": one.session,
            "refusal_reason": one.reason,
            "day": one.day,
            "book_id": one.book_id,
        }
        for one in asked
        if one.question and one.about_all and one.ending == "refused" and one.reason in NOT_IN_THE_BOOK
    ]


def every_day(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Return a row per day from the first to the last, those without a question included."""
    if not rows:
        return []
    known = {date.fromisoformat(row["day"]): dict(row) for row in rows}
    first, last = min(known), max(known)
    every = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return [
        known.get(day) or {"day": day.isoformat(), "answered": 0, "refused": 0, "failed": 0} for day in every
    ]


def weeks(rows: Sequence[Row]) -> list[Row]:
    """The days added up seven by seven, each under the name of its first; the last may have fewer."""
    counts = ("answered", "refused", "failed")
    sevens = [rows[start : start + 7] for start in range(0, len(rows), 7)]
    return [
        {"day": of[0]["day"]} | {count: sum(row[count] for row in of) for count in counts} for of in sevens
    ]


def _days(asked: Sequence[Asked]) -> list[Row]:
    counts = Counter[tuple[str, str]]((one.day, one.ending) for one in asked)
    endings = ("answered", "refused", "failed")
    return every_day(
        [
            {"day": day} | {ending: counts[day, ending] for ending in endings}
            for day in sorted({one.day for one in asked})
        ]
    )


def _reasons(asked: Sequence[Asked]) -> list[Row]:
    counts = Counter(
        (one.ending == "refused", one.reason or "unknown") for one in asked if one.ending != "answered"
    )
    ordered = sorted(counts.items(), key=lambda row: (not row[0][0], -row[1], row[0][1]))
    return [
        {"name": name, "n": n, "refusal": refusal, "share": n / len(asked)} for (refusal, name), n in ordered
    ]


def _level(level: str, asked: Iterable[Asked]) -> Row:
    of = [one for one in asked if one.level == level and one.ending == "answered"]
    said = Counter(one.verdict for one in of)
    return {
        "level": level,
        "answers": len(of),
        "correct": said["correct"],
        "incorrect": said["incorrect"],
    }
