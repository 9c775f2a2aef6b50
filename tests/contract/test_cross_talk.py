"""No session ever sees another one's text: neither in a response, nor in a prompt."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import httpx
import pytest

from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.app import App
from testing.builders import book, hit, passage
from testing.fakes import FakeAudit, FakeFeedback
from testing.vendors.models import Model, Quoting
from tests.contract.staging import VENDORS, generator
from tests.core.asking import deps

READERS = tuple(f"reader{letter}{number}" for letter in "abcdef" for number in range(4))
FACTS = {
    reader: f"The battery of unit {number} lasts for {100 + number} minutes."
    for number, reader in enumerate(READERS)
}
BOOK = book(hit(passage(*FACTS.values()), 0.9))


class Remembering:
    """A model that says what it was told before behind what it quotes, as if it had a memory."""

    def __init__(self) -> None:
        self.told = ""

    def __call__(self, system: str, question: str) -> str:
        before, self.told = self.told, question
        quoted = Quoting()(system, question)
        return f"{quoted.splitlines()[0]}\nSomebody asked before: {before} [S1]"


Asked = tuple[str, Mapping[str, Any]]


async def asked_at_once(name: str, model: Model) -> tuple[list[Asked], list[str]]:
    """Return each reader's result, all asking at once, and all prompts; each selects a fact."""
    async with VENDORS[name](model) as vendor:
        system = App(deps(BOOK, generator=generator(vendor), audit=FakeAudit()), FakeFeedback())
        api = create_app(ApiDeps(system.answer, system.ready, system.feedback))
        transport = httpx.ASGITransport(api)
        async with httpx.AsyncClient(transport=transport, base_url="http://book.test") as client:

            async def ask(reader: str) -> Asked:
                body = {
                    "question": f"How long does the battery of the unit of {reader} last?",
                    "selected_text": FACTS[reader],
                    "session_id": str(uuid4()),
                }
                response = await client.post("/v1/chat", json=body)
                answer = response.json()
                assert answer["session_id"] == body["session_id"]
                return reader, answer

            got = await asyncio.gather(*map(ask, READERS))
        await system.aclose()
        return list(got), [request.body.decode() for request in vendor.requests]


@pytest.mark.rule("R8", "V1")
@pytest.mark.parametrize("name", VENDORS)
async def test_readers_who_ask_at_once_get_their_own(name: str) -> None:
    """Each prompt holds one reader's question and selection, each response what this reader selected."""
    answers, prompts = await asked_at_once(name, Quoting())
    for reader, answer in answers:
        assert [one["text"] for one in answer["sentences"]] == [FACTS[reader]]
        assert mentioned(json.dumps(answer)) == {reader}
    assert sorted(map(mentioned, prompts), key=sorted) == [{reader} for reader in READERS]


@pytest.mark.rule("R8", "P4")
@pytest.mark.parametrize("name", VENDORS)
async def test_a_model_that_tells_what_it_heard_before_tells_no_reader(name: str) -> None:
    """Another session's question is no text of the book."""
    answers, _ = await asked_at_once(name, Remembering())
    assert all(mentioned(json.dumps(answer)) <= {reader} for reader, answer in answers)


def mentioned(text: str) -> set[str]:
    """The readers whose name or selected fact stands in a text."""
    return {reader for reader, fact in FACTS.items() if reader in text or fact in text}
