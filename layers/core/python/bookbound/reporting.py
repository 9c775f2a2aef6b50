"""What a run of the ingest job leaves for whoever started it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from bookbound.ingesting import IngestReport

Outcome = Literal["published", "unchanged", "superseded", "failed"]


@dataclass(frozen=True, slots=True)
class RunReport:
    """How a run ended.

    Attributes:
        run: its name.
        outcome: "superseded" when a later upload of the book went live meanwhile.
        error: of a failed run, one line that says what to do.
        source: the key of the upload; None when the live version was built anew.
        report: what the ingest did, as far as it came.
        seconds: since the run began.
    """

    book_id: str
    run: str
    outcome: Outcome
    error: str | None
    source: str | None
    report: IngestReport | None
    seconds: float


RUN_REPORT_JSON = TypeAdapter(RunReport)
"""Reads and writes a report; raises ValueError for what is none."""
