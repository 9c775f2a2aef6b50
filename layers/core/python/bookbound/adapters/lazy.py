"""Adapters that are made when they are first used, so that what is never used is never imported."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from uuid import UUID

from bookbound.book import Book, Library
from bookbound.deadline import Deadline
from bookbound.errors import Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import ClaimRead, Draft, Excerpt, Reading, Vector
from bookbound.ports import AuditSink, Closing, Embedder, FeedbackSink, Generator, Reader, Renewing

Made = TypeVar("Made")


class AtFirstUse(Generic[Made]):
    """Result of `make`: made in a thread, once for all who ask; a caller after a failure tries again.

    `made` is None until then.
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._making = threading.Lock()
        self.made: Made | None = None

    async def get(self) -> Made:
        """Return what was made; an event loop goes on meanwhile. Raises what `make` raises."""
        return self.made if self.made is not None else await asyncio.to_thread(self)

    def __call__(self) -> Made:
        """The same, for threads."""
        with self._making:
            if self.made is None:
                self.made = self._make()
            return self.made

    async def warm(self) -> None:
        """Make it before it is used."""
        await self.get()

    async def renew(self) -> None:
        """Renew what was made, if it supports it."""
        if isinstance(self.made, Renewing):
            await self.made.renew()

    async def aclose(self) -> None:
        """Close what was made, if it supports it."""
        if isinstance(self.made, Closing):
            await self.made.aclose()


class EmbedderAtFirstUse(AtFirstUse[Embedder]):
    """Fits ports.Embedder; what it is called is known before it is made."""

    def __init__(self, model_id: str, dimensions: int, make: Callable[[], Embedder]) -> None:
        super().__init__(make)
        self.model_id = model_id
        self.dimensions = dimensions

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        return await (await self.get()).embed_questions(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return await (await self.get()).embed_passages(texts)


class ReaderAtFirstUse(AtFirstUse[Reader]):
    """Fits ports.Reader."""

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        return await (await self.get()).read(question, excerpts)

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        return await (await self.get()).confirm(question, excerpts)

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        return await (await self.get()).judge(claims)

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        return await (await self.get()).read_tables(question, excerpts)


class GeneratorAtFirstUse(AtFirstUse[Generator]):
    """Fits ports.Generator; what it is called, and whether it refuses, is known before it is made."""

    def __init__(self, name: str, make: Callable[[], Generator], *, refuses: bool) -> None:
        super().__init__(make)
        self.name = name
        self.refuses = refuses

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        return await (await self.get()).write(brief, deadline)


class LibraryAtFirstUse(AtFirstUse[Library]):
    """Fits ports.Library."""

    async def open(self, book_id: str | None) -> Book:
        return await (await self.get()).open(book_id)

    async def ready(self) -> bool:
        try:
            return await (await self.get()).ready()
        except Unavailable:
            return False

    async def warm(self) -> None:
        """Open the default book before it is asked for."""
        await self.open(None)

    def close(self) -> None:
        if self.made is not None:
            self.made.close()


class AuditAtFirstUse(AtFirstUse[AuditSink]):
    """Fits ports.AuditSink."""

    async def put(self, record: Mapping[str, Any]) -> None:
        await (await self.get()).put(record)


class FeedbackAtFirstUse(AtFirstUse[FeedbackSink]):
    """Fits ports.FeedbackSink."""

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        await (await self.get()).put(answer_id, verdict, comment)
