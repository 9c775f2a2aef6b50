"""Parts that all steps of a run share: the job that they work for, and the way Lambda calls them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from pydantic import TypeAdapter

from bookbound.adapters.aws.fresh_version import FreshVersion
from ingest_job.documents import PLANNED, Planned
from ingest_job.wiring import Job, job

logger = Logger(service="ingest")
copy_config_to_registered_loggers(logger, include={"bookbound"})

Document = TypeVar("Document")
Event = Mapping[str, Any]
Result = dict[str, Any]


class Context(Protocol):
    """Lambda's information for a function about its run."""

    def get_remaining_time_in_millis(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a run, and what its steps work with."""

    job: Job
    book_id: str
    run: str
    number: int

    def read(self, name: str, kind: TypeAdapter[Document]) -> Document:
        """A document of the round. Raises IngestError when there is none, Unavailable."""
        return self.job.folder(self.book_id, self.run).read(self._path(name), kind)

    def write(self, name: str, kind: TypeAdapter[Document], document: Document) -> None:
        """Write a document of the round. Raises Unavailable."""
        self.job.folder(self.book_id, self.run).write(self._path(name), kind, document)

    def write_once(self, name: str, kind: TypeAdapter[Document], document: Document) -> None:
        """Write a document of the round unless there is one of that name. Raises Unavailable."""
        self.job.folder(self.book_id, self.run).write_once(self._path(name), kind, document)

    def has(self, name: str) -> bool:
        """Return whether the round has a document of that name. Raises Unavailable."""
        return name in self.names(name)

    def names(self, prefix: str) -> list[str]:
        """The names of the round's documents that begin so. Raises Unavailable."""
        found = self.job.folder(self.book_id, self.run).names(self._path(prefix))
        return [name.partition("/")[2] for name in found]

    def key(self, name: str) -> str:
        """Return the key of a document of the round in the bucket."""
        return f"{self.job.folder(self.book_id, self.run).prefix}{self._path(name)}"

    def planned(self) -> Planned:
        """Return the round's plan. Raises IngestError before it is known, Unavailable."""
        return self.read("plan.json", PLANNED)

    def fresh(self) -> FreshVersion:
        """The version that the round makes, the same for every step, and however often one runs.

        Raises IngestError before it is known, Unavailable.
        """
        own = hashlib.sha256(self.run.encode()).hexdigest()[:8]
        return self.job.index.fresh(self.book_id, f"{self.planned().plan.book.version}-{own}")

    def rounds(self) -> list[Round]:
        """The run's rounds so far, this one last."""
        return [replace(self, number=number) for number in range(1, self.number + 1)]

    def _path(self, name: str) -> str:
        return f"{self.number}/{name}"


def batch_file(folder: str, batch: int) -> str:
    """The name of a batch's document."""
    return f"{folder}/{batch:04}.json"


def called(
    handle: Callable[[Event, Job, Context], Coroutine[Any, Any, Result]],
) -> Callable[[Any, Any], Result]:
    """A function of Lambda's; each of its log lines tells the run."""

    @logger.inject_lambda_context(log_event=False, clear_state=True)
    def handler(event: Any, context: Any) -> Result:
        logger.append_keys(book=event.get("book"), run=event["run"], round=event.get("round"))
        return asyncio.run(handle(event, job(), context))

    return handler


def step(
    work: Callable[[Round, Event, Context], Coroutine[Any, Any, Result]],
) -> Callable[[Any, Any], Result]:
    """The same, of a step that works on a book: it does so only while its run has the book's lease."""

    async def handle(event: Event, job: Job, context: Context) -> Result:
        job.leases.hold(event["book"], event["run"])
        return await work(Round(job, event["book"], event["run"], event["round"]), event, context)

    return called(handle)
