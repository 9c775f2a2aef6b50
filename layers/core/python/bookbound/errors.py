"""What can go wrong. Refusals are outcomes and stand in `model`; these mean that the world failed.

BookboundError
├── InvalidRequest          the caller's input breaks a rule (V1–V5); carries the HTTP status
├── Forbidden               the key or token is good, but not for this; or the site is not known (403, S4)
├── TokenNotNeeded          a browser token asked of a service that takes none (404)
├── BookNotFound            no such book, or none ingested yet (404)
├── AnswerNotFound          feedback on an answer that nobody gave (404)
├── Unavailable             the store or a vendor failed (503, R7)
├── DeadlineExceeded        the time ran out (504, D1)
├── IntegrityBreach         our own self-check failed (500, P6)
├── PolicyError             bookbound.yaml is wrong; names the line
└── IngestError             the ingest cannot go on; the old index keeps serving (I4)
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


class Forbidden(BookboundError):
    """The caller may not do that; the message says why, to the caller too (S4)."""


class TokenNotNeeded(BookboundError):
    """This service takes no browser tokens: everybody may ask it."""


class BookNotFound(BookboundError):
    """No such book, or none ingested yet."""


class AnswerNotFound(BookboundError):
    """Feedback on an answer that is not on record."""


class Unavailable(BookboundError):
    """The store or a vendor failed; an error, never an empty result (R7).

    `retry_after` is in how many seconds the vendor wants to be asked again, None when it did not say.
    """

    def __init__(self, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class DeadlineExceeded(BookboundError):
    """The request's time ran out (D1)."""


class IntegrityBreach(BookboundError):
    """The self-check before a response leaves found a breach (P6)."""


class PolicyError(BookboundError):
    """bookbound.yaml is wrong; the message names file and line."""


class IngestError(BookboundError):
    """The ingest cannot go on; the index that serves is untouched (I4)."""
