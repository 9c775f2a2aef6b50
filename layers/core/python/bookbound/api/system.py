"""The wired system behind the API, built by the first request that needs it."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from bookbound.access.credentials import Grant
from bookbound.deadline import Deadline
from bookbound.model import BookRef, Question, Result
from bookbound.settings import Settings

if TYPE_CHECKING:
    from bookbound.answer.contents import Contents
    from bookbound.app import App, StageAccess
    from bookbound.consulting import Found


class System:
    """`app.App`, which imports the core: what is rejected before it is asked for waits for none of that.

    Fits ports.FeedbackSink too, and snapshot.Warmable; of a stage also entry.Signer and ports.Counters.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def answer(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        return await (await self._built()).answer(question, book_id, deadline)

    async def search(self, question: Question, book_id: str | None, deadline: Deadline) -> Found:
        return await (await self._built()).search(question, book_id, deadline)

    async def contents(self, book_id: str | None, deadline: Deadline) -> tuple[BookRef, Contents]:
        return await (await self._built()).contents(book_id, deadline)

    async def ready(self) -> bool:
        return await (await self._built()).ready()

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        await (await self._built()).feedback.put(answer_id, verdict, comment)

    def sign(self, grant: Grant, now: int) -> str:
        return self._access.sign(grant, now)

    def address(self, address: str) -> str:
        return self._access.address(address)

    def add(self, name: str, amount: int, expires_at: int) -> int:
        return self._access.add(name, amount, expires_at)

    async def warm(self) -> None:
        await (await self._built()).warm()
        await asyncio.to_thread(_load_protocol)

    async def renew(self) -> None:
        await (await self._built()).renew()

    @property
    def _access(self) -> StageAccess:
        assert self._app.access is not None
        return self._app.access

    async def _built(self) -> App:
        """In a thread, so that the request's time can run out meanwhile (D1)."""
        return await asyncio.to_thread(lambda: self._app)

    @cached_property
    def _app(self) -> App:
        from bookbound import wiring  # noqa: PLC0415

        return wiring.build(self._settings)


def _load_protocol() -> None:
    """What the first assistant would wait for."""
    from bookbound.api.mcp import server  # noqa: F401, PLC0415
