"""The API in a separate process, forked from one that has everything imported.

The book is a small one with its embedded index, the generator the extractive one. Vectors that were computed
once are remembered, as are readings, so that a question costs milliseconds and the audit's path dominates.
"""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from uuid import uuid4

from bookbound import ingest_wiring, wiring
from bookbound.adapters.bundled.extractive import ExtractiveGenerator
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.audit_folder import AuditFolder
from bookbound.adapters.lazy import EmbedderAtFirstUse
from bookbound.app import App
from bookbound.cloud_wiring import Cloud
from bookbound.deadline import GENERATION, Deadline
from bookbound.errors import Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, Question, Vector
from bookbound.ports import Generator
from bookbound.settings import Settings
from testing.small_book import PAGES
from trials.deadline.service import serving_api

Vectors = dict[str, Vector]

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["trials.audited_service.served"])


class Remembering:
    """Fits ports.Embedder: the bundled model, asked once for each text."""

    def __init__(self, vectors: Vectors) -> None:
        self.model_id, self.dimensions = MiniLmEmbedder.model_id, MiniLmEmbedder.dimensions
        self._inner = EmbedderAtFirstUse(self.model_id, self.dimensions, MiniLmEmbedder)
        self.vectors = vectors

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        return await self.embed_passages(texts)

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The model makes no difference between the two."""
        if new := [text for text in texts if text not in self.vectors]:
            self.vectors.update(zip(new, await self._inner.embed_passages(new), strict=True))
        return [self.vectors[text] for text in texts]


class Wayward:
    """Fits ports.Generator; of a share of its drafts, half fail (503) and half come too late (504)."""

    def __init__(self, inner: Generator, share: float, seed: int) -> None:
        self.name, self.refuses = inner.name, inner.refuses
        self._inner, self._share, self._draw = inner, share, random.Random(seed)

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        drawn = self._draw.random()
        if drawn < self._share / 2:
            raise Unavailable("the generator is down")
        if drawn < self._share:
            await asyncio.sleep(2 * GENERATION)
        return await self._inner.write(brief, deadline)


class KeepingNothing:
    """Fits ports.AuditSink: what auditing is compared with."""

    async def put(self, record: Mapping[str, Any]) -> None:
        """Let it go."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A sink of a stage; `environment` says where its AWS is."""

    settings: Settings
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Folder:
    """A sink of this machine."""

    root: Path


@dataclass(frozen=True, slots=True)
class Served:
    """Setup of a process's service.

    Attributes:
        data: where the book is.
        sinks: an app for each, by name; None keeps nothing.
        log: takes the lines of the log that `lines` gives back.
        vectors: remembered vectors; None embeds each time.
        wayward: the share of drafts that fail or come too late.
    """

    data: Path
    sinks: Mapping[str, Stream | Folder | None]
    log: Path
    vectors: Vectors | None = None
    wayward: float = 0.0


@dataclass(frozen=True, slots=True)
class Running:
    """A process that serves; an URL for each sink."""

    pid: int
    urls: Mapping[str, str]
    kill: Callable[[], None]


def ingest(data: Path) -> None:
    """Make the small book's index."""
    docs = data / "site" / "docs"
    docs.mkdir(parents=True)
    for name, text in PAGES.items():
        (docs / name).write_text(text, encoding="utf-8")
    ingest_wiring.ingest(Settings(data=data), docs, "kestrel", None, lambda *_: None)


def vectors_of(data: Path, questions: Iterable[Mapping[str, Any]]) -> Vectors:
    """Return the bundled model's vectors of the texts that these questions need."""

    async def answer_all(app: App) -> None:
        for body in questions:
            asked = Question(body["question"], uuid4(), uuid4(), body.get("selected_text"))
            await app.answer(asked, None, Deadline(pace=100))
        await app.aclose()

    embedder = Remembering({})
    app = _embedding_with(embedder, wiring.build(Settings(data=data)), wayward=0.0)
    asyncio.run(answer_all(replace(app, deps=replace(app.deps, audit=KeepingNothing()))))
    return embedder.vectors


@contextmanager
def serving(served: Served) -> Iterator[Running]:
    """The process, which is killed at the end of the block at the latest."""
    ours, theirs = _FORKING.Pipe()
    process = _FORKING.Process(target=_run, args=(served, theirs), daemon=True)
    process.start()
    assert process.pid is not None
    try:
        yield Running(process.pid, ours.recv(), process.kill)
    finally:
        process.kill()
        process.join()


def lines(log: Path, message: str) -> list[dict[str, Any]]:
    """The lines of a log that say this."""
    found = (json.loads(line) for line in log.read_text().splitlines()) if log.exists() else ()
    return [line for line in found if line["message"] == message]


class _Lines(logging.Handler):
    """Writes the lines looked at later, at once: a killed process has written them."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def emit(self, record: logging.LogRecord) -> None:
        known = record.__dict__
        if "log_id" in known:
            self._write({"message": record.getMessage(), "log_id": known["log_id"]})
        elif "latency_ms" in known:
            self._write({"message": "request", "seconds": known["latency_ms"] / 1000})

    def _write(self, line: Mapping[str, Any]) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")


def _run(served: Served, ready: Connection) -> None:
    log = logging.getLogger("bookbound")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(_Lines(served.log))
    asyncio.run(_serve(served, ready))


async def _serve(served: Served, ready: Connection) -> None:
    base = _base(served)
    await base.deps.library.open(None)
    async with AsyncExitStack() as stack:
        apps = {name: _with(base, sink) for name, sink in served.sinks.items()}
        ready.send({name: await stack.enter_async_context(serving_api(app)) for name, app in apps.items()})
        await asyncio.Event().wait()


def _base(served: Served) -> App:
    app = wiring.build(Settings(data=served.data))
    if served.vectors is None:
        return app
    return _embedding_with(Remembering(dict(served.vectors)), app, served.wayward)


def _embedding_with(embedder: Remembering, app: App, wayward: float) -> App:
    generator = Wayward(ExtractiveGenerator(), wayward, seed=7)
    return replace(app, deps=replace(app.deps, embedder=embedder, generator=generator))


def _with(base: App, sink: Stream | Folder | None) -> App:
    match sink:
        case Stream(settings, environment):
            os.environ |= environment
            cloud = Cloud(settings)
            return replace(base, deps=replace(base.deps, audit=cloud.audit()), feedback=cloud.feedback())
        case Folder(root):
            return replace(base, deps=replace(base.deps, audit=AuditFolder(root)))
        case None:
            return replace(base, deps=replace(base.deps, audit=KeepingNothing()))
