"""Errors. Refusals are outcomes and stand in `model`; these mean that something failed.

BookboundError
├── InvalidRequest          the caller's input breaks a rule (V1–V5); carries the HTTP status
├── Unauthenticated         no client's key or browser's token, or an invalid one (401, S1)
├── Forbidden               the key or token is valid, but not for this; or the site is not known (403, S4)
├── RateLimited             the caller has used up the limit per minute (429, S2)
├── TokenNotNeeded          a browser token asked of a service that takes none (404)
├── BookNotFound            no such book, or none ingested yet (404)
├── AnswerNotFound          feedback on an answer that was never given (404)
├── SectionNotFound         no section of the book at that address (404); the message says what there is
├── Unavailable             the store or a vendor failed (503, R7)
│   ├── TurnedAway          a vendor did not take the call, which therefore costs nothing
│   │   └── Throttled       a vendor's limit, or our own below it, is reached: later it goes on
│   ├── BudgetSpent         the day's tokens are used up, and nothing else may write the answer
│   ├── Overloaded          more is asked at once than can be answered in time
│   └── NotSettled          the store has all points, and still orders them
├── DeadlineExceeded        the time ran out (504, D1)
├── IntegrityBreach         our own self-check failed (500, P6)
├── PolicyError             bookbound.yaml is wrong; names the line
├── Unfinished              a step of an ingest has no time left; the next try goes on where it stopped
└── IngestError             the ingest cannot go on; the old index keeps serving (I4)
    ├── Unembeddable        the vendor permanently refuses this text
    ├── LeaseTaken          another run has the book
    ├── LeaseLost           this run had the book, and no longer
    └── Raced               another caller published or rolled back the book meanwhile
"""

from __future__ import annotations


class BookboundError(Exception):
    """Base of every error of ours."""


class InvalidRequest(BookboundError):
    """The request breaks a validation rule; `status` is 400, 413, 415 or 422."""

    def __init__(self, detail: str, status: int = 422) -> None:
        super().__init__(detail)
        self.detail = detail
        self.status = status


class Unauthenticated(BookboundError):
    """Unknown caller; the reason is never given, since it would help an attacker who tries keys (S1)."""


class Forbidden(BookboundError):
    """The caller may not do that; the message says why, to the caller too (S4)."""


class RateLimited(BookboundError):
    """The limit of this minute is reached; the next one begins in `retry_after` seconds (S2)."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"the limit is reached for {retry_after} seconds")
        self.retry_after = retry_after


class TokenNotNeeded(BookboundError):
    """Request for a browser token where this service takes none: any caller may ask it."""


class BookNotFound(BookboundError):
    """No such book, or none ingested yet."""


class AnswerNotFound(BookboundError):
    """Feedback on an answer that is not on record."""


class SectionNotFound(BookboundError):
    """No section of the book has the address; the message says so to the caller, and where to find one."""


class Unavailable(BookboundError):
    """The store or a vendor failed; an error, never an empty result (R7).

    `retry_after` is in how many seconds the vendor wants to be asked again, None when it did not say.
    """

    def __init__(self, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class TurnedAway(Unavailable):
    """A vendor could not be reached, or answered with an error: it wrote nothing, and bills nothing."""


class Throttled(TurnedAway):
    """A vendor's limit, or our own below it, is reached; trying again at once makes it worse."""


class BudgetSpent(Unavailable):
    """Daily use of a model is exhausted; `retry_after` is in how many seconds the next day begins."""


class Overloaded(Unavailable):
    """More is asked at once than can be answered in time: the next caller already waits too long."""


class NotSettled(Unavailable):
    """The store has every point of a fresh version, and still orders them: a search may miss some."""


class DeadlineExceeded(BookboundError):
    """The request's time ran out (D1)."""


class IntegrityBreach(BookboundError):
    """The self-check before a response leaves found a breach (P6)."""


class PolicyError(BookboundError):
    """bookbound.yaml is wrong; the message names file and line."""


class IngestError(BookboundError):
    """The ingest cannot go on; the index that serves is untouched (I4)."""


class Unembeddable(IngestError):
    """The vendor refuses this very text, however often it is asked."""


class LeaseTaken(IngestError):
    """Another run has the book; it ends, or its lease does."""


class LeaseLost(IngestError):
    """This run took too long, and another may have the book by now."""


class Raced(IngestError):
    """Publication or rollback of the book by another caller since this run looked."""


class Unfinished(BookboundError):
    """A step of an ingest has no time left; what is done is kept, and the next try goes on."""
