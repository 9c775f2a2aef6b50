"""Report of a run of the ingest job, for its caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from bookbound.evidence.injection import Order
from bookbound.index.canaries import Canary
from bookbound.source.pages import Skipped


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Result of an ingest; `unchanged` when the live version is this same book already.

    `changed_pages` are those with another text than in the version before, new ones included. `canaries` are
    the live version's, and so is `sufficiency_threshold`: None for the model's. `orders` stand in its pages,
    and no answer is made from them (R10).
    """

    book_id: str
    version: str
    pages: int
    passages: int
    windows: int
    embedded: int
    reused: int
    changed_pages: tuple[str, ...]
    removed_pages: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    seconds: float
    unchanged: bool
    sufficiency_threshold: float | None
    canaries: tuple[Canary, ...]
    orders: tuple[Order, ...] = ()


Outcome = Literal["published", "unchanged", "superseded", "failed"]


@dataclass(frozen=True, slots=True)
class RunReport:
    """Outcome of a run.

    Attributes:
        run: its name.
        outcome: "superseded" when a later upload of the book went live meanwhile.
        error: of a failed run, one line that says what to do.
        source: the key of the upload; None when the live version was rebuilt.
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
