"""Many questions at once: who gets a turn, who is turned away, and what that leaves behind."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

import httpx
import pytest

from bookbound.api.app import create_app
from bookbound.api.arrival import Arrival
from bookbound.api.deps import ApiDeps
from bookbound.api.entry import OpenEntry
from bookbound.deadline import Deadline
from bookbound.local.concurrency_limit import WAITING_FOR_A_VENDOR, Bulkhead, places
from bookbound.model import Question, Result
from bookbound.settings import Settings
from testing.fakes import FakeFeedback, FakeIndex
from tests.api.samples import ANSWER_ID, ANSWERED, result_of
from tests.api.test_bad_input import assert_problem

AT_ONCE_OR_NEVER = 0.0
LONG_ENOUGH = 60.0


@dataclass
class HeldAnswers:
    """Holds each question back until it is let go; tells when so many are begun, and remembers them."""

    places: int
    full: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    begun: list[str] = field(default_factory=list)
    under_way: int = 0
    most: int = 0

    async def __call__(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        self.begun.append(question.text)
        if len(self.begun) == self.places:
            self.full.set()
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.let_go.wait()
        finally:
            self.under_way -= 1
        return result_of(ANSWERED)


class CountingEntry(OpenEntry):
    """An entry that lets every caller in, and counts their calls."""

    def __init__(self) -> None:
        self.calls = 0

    async def count(self, grant: object, call: str) -> None:
        self.calls += 1


@dataclass
class Crowd:
    """A server with some places, and readers who ask at the same time."""

    places: int
    patience: float
    answers: HeldAnswers = field(init=False)
    entry: CountingEntry = field(default_factory=CountingEntry)
    seen: list[Arrival] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.answers = HeldAnswers(self.places)

    def client(self) -> httpx.AsyncClient:
        turn = Bulkhead(self.places, self.patience).turn
        deps = ApiDeps(
            self.answers, FakeIndex().ready, FakeFeedback({ANSWER_ID}), entry=self.entry, turn=turn
        )
        app = create_app(deps, observers=[lambda arrival, status: self.seen.append(arrival)])
        return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://book.test")

    async def begin(self, client: httpx.AsyncClient, *questions: str) -> list[asyncio.Task[httpx.Response]]:
        """The questions under way, with every place taken."""
        asked = [
            asyncio.create_task(client.post("/v1/chat", json={"question": question}))
            for question in questions
        ]
        await self.answers.full.wait()
        return asked


async def test_a_question_that_gets_no_turn_is_503_and_says_when_to_come_back() -> None:
    """The caller learns it as a problem, like every other fault."""
    crowd = Crowd(places=1, patience=AT_ONCE_OR_NEVER)
    async with crowd.client() as client:
        [first] = await crowd.begin(client, "first?")
        turned_away = await client.post("/v1/chat", json={"question": "second?"})
        crowd.answers.let_go.set()
        assert (await first).status_code == 200
    assert_problem(turned_away, 503, "More is being asked")
    assert int(turned_away.headers["retry-after"]) > 0
    assert crowd.answers.begun == ["first?"]


@pytest.mark.rule("A1")
async def test_a_question_that_gets_no_turn_is_no_question_yet(caplog: pytest.LogCaptureFixture) -> None:
    """The book is not asked: no record, nothing counted against the caller; the log shows it."""
    caplog.set_level(logging.INFO, "bookbound.api")
    crowd = Crowd(places=1, patience=AT_ONCE_OR_NEVER)
    async with crowd.client() as client:
        [first] = await crowd.begin(client, "first?")
        await client.post("/v1/chat", json={"question": "second?"})
        crowd.answers.let_go.set()
        await first
    assert crowd.entry.calls == 1
    assert [(one.asked, one.outcome) for one in crowd.seen] == [(False, "Overloaded"), (True, "answered")]
    assert [record.outcome for record in caplog.records] == ["Overloaded", "answered"]  # type: ignore[attr-defined]


async def test_never_are_more_answered_at_once_than_there_are_places() -> None:
    """Questions that wait get a turn in the order in which they came."""
    crowd = Crowd(places=2, patience=LONG_ENOUGH)
    async with crowd.client() as client:
        asked = await crowd.begin(client, *map(str, range(8)))
        crowd.answers.let_go.set()
        responses = await asyncio.gather(*asked)
    assert {response.status_code for response in responses} == {200}
    assert (crowd.answers.most, crowd.answers.begun) == (2, list(map(str, range(8))))


async def test_a_turn_ends_with_its_question_however_that_ends() -> None:
    """A reader who goes away, and one whose time is up, leave their place to others."""
    bulkhead = Bulkhead(1, AT_ONCE_OR_NEVER)
    entered = asyncio.Event()

    async def ask() -> None:
        async with bulkhead.turn():
            entered.set()
            await asyncio.Event().wait()

    gone = asyncio.create_task(ask())
    await entered.wait()
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    with pytest.raises(ZeroDivisionError):
        async with bulkhead.turn():
            1 / 0  # noqa: B018
    async with bulkhead.turn():
        pass


async def test_who_leaves_while_waiting_takes_no_place_along() -> None:
    """A place that gets free goes to a caller who still waits."""
    bulkhead = Bulkhead(1, LONG_ENOUGH)
    served: list[str] = []

    async def ask(name: str) -> None:
        async with bulkhead.turn():
            served.append(name)

    async with bulkhead.turn():
        leaving, staying = asyncio.create_task(ask("leaving")), asyncio.create_task(ask("staying"))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
    await staying
    assert served == ["staying"]


async def test_other_calls_need_no_turn() -> None:
    """A monitor of the server gets its answer under any load."""
    crowd = Crowd(places=1, patience=AT_ONCE_OR_NEVER)
    async with crowd.client() as client:
        [first] = await crowd.begin(client, "first?")
        health = await client.get("/v1/health")
        verdict = await client.post("/v1/feedback", json={"answer_id": str(ANSWER_ID), "verdict": "correct"})
        crowd.answers.let_go.set()
        await first
    assert (health.status_code, verdict.status_code) == (200, 202)


def test_places_go_by_processors_and_by_who_does_the_work() -> None:
    """Waiting for a vendor leaves room for others; a setting has the last word."""
    here = places(Settings())
    cohere = Settings(embedder="cohere", cohere_api_key="key")
    claude = Settings(generator="claude", claude_api_key="key")
    assert here >= 1
    assert places(Settings(generator="ollama")) == here
    assert places(cohere) == places(claude) == WAITING_FOR_A_VENDOR * here
    assert places(Settings(questions_at_once=7)) == 7
