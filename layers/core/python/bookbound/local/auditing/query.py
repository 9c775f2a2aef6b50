"""Filter of the records that a reader of the trail asks for (A1, E3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from bookbound.local.auditing.trail import KEPT, Row, Trail

_CONDITIONS = {
    "session": "session_id = $session",
    "client": "client_id = $client",
    "reason": "refusal_reason = $reason",
    "feedback": "answer_id IN (SELECT answer_id FROM verdicts WHERE verdict = $feedback)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions on a record; None asks for nothing.

    Attributes:
        reason: of its refusal. feedback: the last verdict on its answer.
    """

    session: str | None = None
    client: str | None = None
    reason: str | None = None
    feedback: str | None = None
    since: date | None = None

    @property
    def values(self) -> dict[str, Any]:
        """Those that are asked for, by name."""
        return {name: value for name in _CONDITIONS if (value := getattr(self, name)) is not None}


def select(trail: Trail, wanted: Filter) -> list[Row]:
    """The records with verdict and comment of the last feedback on each, the newest first."""
    trail.keep("*", " AND ".join(_CONDITIONS[name] for name in wanted.values) or "TRUE", wanted.values)
    return trail.rows(
        f"SELECT {KEPT}.*, verdict, comment FROM {KEPT} LEFT JOIN "
        "(SELECT answer_id, verdict, comment FROM verdicts) USING (answer_id) "
        "ORDER BY timestamp DESC, log_id"
    )
