"""Is a new version of the API no worse than the one that answers now? Two questions tell, before traffic.

Pure: what came of the questions goes in, a reason to stop the release comes out. A vendor that is down
must not stop one, and a version that falls behind the live one must.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bookbound.api.problems import THROTTLED
from bookbound.index.known_questions import OUT_OF_BOOK


class Came(StrEnum):
    """What came of a question."""

    ANSWERED = "answered"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    """A vendor, the store or the budget: the version itself is not to blame (503)."""
    THROTTLED = "throttled"
    """A vendor's limit is reached (503): that says nothing about any version."""
    FAILED = "failed"
    """Anything else: a fault, a timeout, no response at all."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, and what is to come of it."""

    question: str
    wanted: Came


Ask = Callable[[str], Came]
"""Asks one version a question."""


def trials(known: str | None) -> tuple[Trial, ...]:
    """Return the questions: one that the book answers, if one is known, and one that no book does."""
    inside = (Trial(known, Came.ANSWERED),) if known else ()
    return (*inside, Trial(OUT_OF_BOOK, Came.REFUSED))


def reasons(asked: tuple[Trial, ...], new: Ask, live: Ask) -> list[str]:
    """Return why the new version must get no traffic; none when it may.

    The live version is asked where the new one does not do as wanted: what both do is no fault of the
    release. A new version that fails is stopped all the same. It is asked twice, since its first call also
    starts it.
    """
    found = []
    for trial in asked:
        came = new(trial.question)
        if came in (Came.FAILED, Came.UNAVAILABLE):
            came = new(trial.question)
        if came in (trial.wanted, Came.THROTTLED):
            continue
        before = live(trial.question)
        if came is Came.FAILED or (came is not before and before is trial.wanted):
            found.append(
                f"{came} where {trial.wanted} was wanted, and the live version {before}: {trial.question}"
            )
    return found


def came_of(payload: Mapping[str, Any] | None, *, crashed: bool) -> Came:
    """Read a proxy response of the API's function; None or a crash is a failure."""
    if crashed or payload is None:
        return Came.FAILED
    status, body = payload.get("statusCode"), _object(payload.get("body"))
    if status == 503:
        return Came.THROTTLED if body.get("detail") == THROTTLED else Came.UNAVAILABLE
    if status != 200 or "was_refusal" not in body:
        return Came.FAILED
    return Came.REFUSED if body["was_refusal"] else Came.ANSWERED


def _object(text: Any) -> Mapping[str, Any]:
    """A JSON object; an empty one for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}
