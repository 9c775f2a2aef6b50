"""The application over fakes, spoken to over ASGI in process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from functions.api.app import create_app
from functions.api.deps import ApiDeps
from tests.api.samples import ANSWER_ID, ANSWERED, result_of
from tests.fakes import FakeAnswers, FakeFeedback, FakeIndex


@dataclass
class World:
    """The fakes behind the application, to be set up and looked at."""

    answers: FakeAnswers
    index: FakeIndex
    feedback: FakeFeedback

    def app(self) -> FastAPI:
        return create_app(ApiDeps(self.answers, self.index.ready, self.feedback))


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
