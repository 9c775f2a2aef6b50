"""The application over fakes, spoken to over ASGI in process."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import pytest
from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from fastapi import FastAPI

from bookbound.api.app import create_app
from bookbound.api.arrival import Arrival
from bookbound.api.deps import ApiDeps, Turn
from bookbound.api.entry import Entry, OpenEntry
from testing.fakes import FakeAnswers, FakeConsult, FakeFeedback, FakeIndex
from tests.api.samples import ANSWER_ID, ANSWERED, result_of


@dataclass
class World:
    """The fakes behind the application, to be set up and looked at."""

    answers: FakeAnswers
    index: FakeIndex
    feedback: FakeFeedback
    consult: FakeConsult = field(default_factory=FakeConsult)
    seen: list[tuple[Arrival, int]] = field(default_factory=list)

    def app(self, entry: Entry | OpenEntry = OpenEntry(), turn: Turn = nullcontext) -> FastAPI:  # noqa: B008
        deps = ApiDeps(
            self.answers, self.index.ready, self.feedback, entry=entry, turn=turn, consult=self.consult
        )
        return create_app(deps, observers=[lambda arrival, status: self.seen.append((arrival, status))])


@dataclass
class Api:
    """A client of the application."""

    client: httpx.AsyncClient
    world: World

    async def chat(self, **body: Any) -> httpx.Response:
        return await self.client.post("/v1/chat", json=body)

    async def post(self, content: Any, content_type: str = "application/json") -> httpx.Response:
        return await self.client.post("/v1/chat", content=content, headers={"content-type": content_type})


@pytest.fixture
def world() -> World:
    return World(FakeAnswers(result_of(ANSWERED)), FakeIndex(), FakeFeedback({ANSWER_ID}))


@pytest.fixture
async def api(world: World) -> AsyncIterator[Api]:
    transport = httpx.ASGITransport(world.app())
    async with httpx.AsyncClient(transport=transport, base_url="http://book.test") as client:
        yield Api(client, world)


@pytest.fixture
def loop() -> Iterator[None]:
    """Lambda's one event loop: the adapter takes the thread's."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def structured_log() -> Iterator[io.StringIO]:
    """Yield what Powertools writes of our loggers' lines."""
    stream = io.StringIO()
    ours = logging.getLogger("bookbound")
    before = (ours.handlers, ours.propagate, ours.level)
    # Powertools keeps a logger by its name, and with it its stream.
    copy_config_to_registered_loggers(Logger(service=str(uuid4()), stream=stream), include={"bookbound"})
    yield stream
    ours.handlers, ours.propagate = before[0], before[1]
    ours.setLevel(before[2])
