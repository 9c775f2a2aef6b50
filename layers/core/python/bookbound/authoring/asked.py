"""Records as their author may read them: without what might tell who somebody is (A4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bookbound.audit.personal_data import found_in

COLUMNS = tuple(
    """log_id answer_id session_id book_id timestamp personal_data user_query_text read_as source_mode success
    was_refusal refusal_reason error_message confidence_level citations""".split()  # noqa: SIM905 -- a list of words reads best as words
)
"""Fields of a record that are read."""

Ending = Literal["answered", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was asked, and how that went.

    Attributes:
        question: as it was understood; None where the record may hold personal data.
        session: only to be counted, never shown.
        reason: of a refusal; of a fault its kind.
        level: of an answer's confidence. about_all: False where it was about a selected passage.
        verdict: the reader's last one, "correct" or "incorrect". comment: None where it may be personal.
        shown: the sections that an answer cited, each once.
    """

    day: str
    question: str | None
    session: str
    book_id: str | None
    ending: Ending
    reason: str | None
    level: str | None
    about_all: bool
    verdict: str | None
    comment: str | None
    shown: tuple[str, ...]


def readable(records: Iterable[Mapping[str, Any]], verdicts: Iterable[Mapping[str, Any]]) -> list[Asked]:
    """Each record once, by its log_id, with the last verdict on its answer; oldest first.

    A record without the flag for personal data counts as flagged, and so does one whose text is found to hold
    such data now: what is looked for may have grown since the record was made.
    """
    last = {one["answer_id"]: one for one in sorted(verdicts, key=lambda one: str(one["timestamp"]))}
    once = {record["log_id"]: record for record in records}
    made = sorted(once.values(), key=lambda record: (str(record["timestamp"]), str(record["log_id"])))
    return [_asked(record, last.get(record["answer_id"], {})) for record in made]


def _asked(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> Asked:
    text = record.get("read_as") or record["user_query_text"]
    personal = record.get("personal_data") is not False or _personal(text)
    comment = verdict.get("comment")
    return Asked(
        day=str(record["timestamp"])[:10],
        question=None if personal else text,
        session=str(record["session_id"]),
        book_id=record["book_id"],
        ending=_ending(record),
        reason=record["refusal_reason"] or (record["error_message"] or "").partition(":")[0] or None,
        level=record["confidence_level"],
        about_all=record["source_mode"] == "full-book",
        verdict=verdict.get("verdict"),
        comment=None if personal or not comment or _personal(comment) else comment,
        shown=tuple(
            dict.fromkeys(f"{one['section']} (page {one['page']})" for one in record["citations"] or ())
        ),
    )


def _ending(record: Mapping[str, Any]) -> Ending:
    if not record["success"]:
        return "failed"
    return "refused" if record["was_refusal"] else "answered"


def _personal(text: str) -> bool:
    return bool(found_in(text))
