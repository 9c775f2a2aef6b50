"""Documents that the steps of a run hand on to each other, as JSON in the run's folder.

request.json             what was asked for
report.json              what came of it
ROUND/plan.json          the version that the round makes; none where the upload is superseded
ROUND/pages/NNNN.json    the pages of a batch, and where their vectors are
ROUND/batches.json       the numbers of the batches, for the state machine's map
ROUND/discovered.json    what the round begins with; written last of these, and once
ROUND/deaths/NNNN.json   how often a batch's step died on a page, or is at it
ROUND/indexed/NNNN.json  what a batch came to
ROUND/poison.json        the pages that the next round leaves out
ROUND/superfluous.json   the versions that are not needed once this one is live
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import TypeAdapter

from bookbound.adapters.aws.bucket_pointer import Pointer
from bookbound.adapters.aws.uploads import Upload
from bookbound.index.indexing import Counts
from bookbound.index.version_plan import Plan
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Page, Skipped

Decision = Literal["index", "unchanged", "superseded"]


@dataclass(frozen=True, slots=True)
class Request:
    """Request of a run: an upload to be ingested, or the live version to be rebuilt.

    Attributes:
        key, version_id: of the upload; no key where there is none, no version where it is the newest.
        begun: when the run began.
    """

    book_id: str
    key: str | None
    version_id: str | None
    begun: datetime


@dataclass(frozen=True, slots=True)
class Planned:
    """Plan of the round for the book, and the policy that it goes by."""

    plan: Plan
    policy: Policy


@dataclass(frozen=True, slots=True)
class Discovered:
    """Start of the round.

    Attributes:
        before: the pointer that the run may replace.
        batches: how many there are.
    """

    decision: Decision
    before: Pointer
    batches: int


@dataclass(frozen=True, slots=True)
class Work:
    """A page of a batch: `key` is its `planning.page_key`, `earlier` that of the live page of its name."""

    page: Page
    key: str
    earlier: str | None


@dataclass(frozen=True, slots=True)
class Indexed:
    """Result of a batch; `poison` are its pages that cannot be indexed."""

    counts: Counts
    poison: tuple[Skipped, ...]


REQUEST = TypeAdapter(Request)
UPLOAD = TypeAdapter(Upload)
PLANNED = TypeAdapter(Planned)
DISCOVERED = TypeAdapter(Discovered)
WORKS = TypeAdapter(list[Work])
BATCHES = TypeAdapter(list[dict[str, int]])
DEATHS = TypeAdapter(dict[str, int])
INDEXED = TypeAdapter(Indexed)
SKIPPED = TypeAdapter(tuple[Skipped, ...])
NAMES = TypeAdapter(tuple[str, ...])
