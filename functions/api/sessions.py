"""Tokens for the pages of allowed sites, which cannot keep a key (S4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from bookbound.access import TOKEN_SECONDS, Grant
from bookbound.errors import Forbidden
from functions.api.schemas import SessionResponse


@dataclass(frozen=True)
class Sessions:
    """Gives tokens to pages of `origins`, spelt as browsers send them.

    `sign` makes a token of a grant from `clock`'s epoch seconds on; raises Unavailable.
    """

    sign: Callable[[Grant, int], str]
    origins: Collection[str]
    clock: Callable[[], float]

    def open(self, origins: Sequence[str], book_id: str) -> SessionResponse:
        """A token for that book, for the one site that the request's Origin headers name; else Forbidden.

        Each token is a client of its own in the audit records, and by its name no holder of a key.
        """
        if len(origins) != 1 or origins[0] not in self.origins:
            raise Forbidden("Pages of this site get no token here.")
        now = int(self.clock())
        grant = Grant(f"browser-{uuid4()}", (book_id,), origins[0])
        expires_at = datetime.fromtimestamp(now + TOKEN_SECONDS, UTC)
        return SessionResponse(token=self.sign(grant, now), expires_at=expires_at)
