"""Admission, rate limits, and the way a page of a site gets a token (S1, S2, S4)."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol
from uuid import uuid4

from starlette.requests import Request

from bookbound.access import quotas
from bookbound.access.credentials import TOKEN_SECONDS, Grant
from bookbound.access.quotas import Rates
from bookbound.access.rate_limiter import RateLimiter
from bookbound.api.arrival import arrival_of
from bookbound.api.schemas import SessionResponse
from bookbound.errors import Forbidden, TokenNotNeeded, Unauthenticated
from bookbound.question import validation
from bookbound.settings import Settings


class Signer(Protocol):
    """Makes tokens, and what stands for a network address in them. Both block, and raise Unavailable."""

    def sign(self, grant: Grant, now: int) -> str: ...

    def address(self, address: str) -> str: ...


class OpenEntry:
    """Entry for any caller, as often as they like."""

    async def admit(self, request: Request, *books: str | None) -> Grant:
        """Return the grant of any caller."""
        return Grant()

    async def count(self, grant: Grant, call: str) -> None:
        """Count nothing."""

    async def open_session(self, request: Request, book_id: str | None) -> SessionResponse:
        """Raises TokenNotNeeded."""
        raise TokenNotNeeded


@dataclass(frozen=True)
class Entry:
    """Lets callers in one by one, within their limits.

    Attributes:
        origins: of the sites whose pages get tokens, spelt as browsers send them.
        clock: tells epoch seconds.
        known: who that is, by the Authorization headers, or None; raises Unavailable. Where a gateway's
            authorizer has told already who asks, there is nothing to find out, and it is None itself.
    """

    limiter: RateLimiter
    rates: Rates
    signer: Signer
    origins: Collection[str]
    clock: Callable[[], float]
    known: Callable[[Sequence[str]], Grant | None] | None = None

    async def admit(self, request: Request, *books: str | None) -> Grant:
        """Return the rights of a caller who wants something of those books.

        Raises Unauthenticated, Forbidden, Unavailable.
        """
        grant = arrival_of(request).grant or await self._grant(request)
        if grant is None:
            raise Unauthenticated
        grant.require_origin(request.headers.getlist("origin"))
        for book_id in books:
            grant.require_book(book_id)
        return grant

    async def count(self, grant: Grant, call: str) -> None:
        """Count a call of an admitted caller. Raises RateLimited, Unavailable."""
        await self.limiter.take(quotas.asking(grant, call, self.rates))

    async def open_session(self, request: Request, book_id: str | None) -> SessionResponse:
        """Return a token for that book, for the one site that the request's Origin headers name.

        Each token is a separate client in the audit records, and by its name no holder of a key.
        Raises Forbidden for other sites, BookNotFound for what is no book's id, RateLimited, Unavailable.
        """
        book = validation.book_id(book_id or "")
        origins = request.headers.getlist("origin")
        if len(origins) != 1 or origins[0] not in self.origins:
            raise Forbidden("Pages of this site get no token here.")
        address = await to_thread(self.signer.address, arrival_of(request).address)
        await self.limiter.take(quotas.minting(address, self.rates))
        now = int(self.clock())
        grant = Grant(f"browser-{uuid4()}", (book,), (origins[0],), address=address)
        token = await to_thread(self.signer.sign, grant, now)
        return SessionResponse(token=token, expires_at=datetime.fromtimestamp(now + TOKEN_SECONDS, UTC))

    async def _grant(self, request: Request) -> Grant | None:
        if self.known is None:
            return None
        return await to_thread(self.known, request.headers.getlist("authorization"))


def rates(settings: Settings) -> Rates:
    """The limits that the settings name."""
    return Rates(settings.questions_per_session, settings.questions_per_address, settings.tokens_per_address)
