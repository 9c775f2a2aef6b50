"""Cohere's embedder against a server that speaks its API, well or wrong."""

from __future__ import annotations

import asyncio
import math
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import httpx
import pytest
from cohere import AsyncClientV2
from cohere.core import RequestOptions

from bookbound.adapters.vendors.cohere import IN_A_STEP, INGESTING, PAUSE, CohereEmbedder
from bookbound.adapters.vendors.connections import LoopTransport
from bookbound.adapters.vendors.pacing import Pace, TokenBucket
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, Throttled, Unavailable, Unembeddable
from bookbound.text.scoring import cosine
from testing.hosting import until
from testing.vendors.cohere import Cohere
from testing.vendors.misbehaviours import CASES, Case, Misbehaviour
from testing.vendors.server import Reply, Request
from testing.vendors.vendor import Rejected

SECRET = "How heavy is the hidden payload?"
HARMLESS = {Misbehaviour.DEAD_CONNECTION, Misbehaviour.RESET_AFTER_BODY}
"""Faults that a reader need not notice: the next connection answers, or the answer was whole."""


@dataclass
class Remembering:
    """A pace that lets all through, and remembers what it was asked for."""

    taken: list[int] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    async def take(self, tokens: int) -> None:
        self.taken.append(tokens)

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


@asynccontextmanager
async def embedding(
    vendor: Cohere,
    pace: Pace | None = None,
    key: str | None = None,
    patience: RequestOptions = INGESTING,
) -> AsyncIterator[CohereEmbedder]:
    """An embedder at this vendor, closed afterwards."""
    client = AsyncClientV2(
        key or vendor.api_key, base_url=vendor.url, httpx_client=httpx.AsyncClient(transport=LoopTransport())
    )
    embedder = CohereEmbedder(
        client,
        model_id="cohere-embed-v5.0-pro-256",
        passages_model="embed-v5.0-pro",
        questions_model="embed-v5.0-fast",
        dimensions=256,
        pace=pace,
        patience=patience,
    )
    try:
        yield embedder
    finally:
        await embedder.aclose()


async def test_questions_and_passages_are_embedded_as_what_they_are() -> None:
    """Questions by the fast model as queries, passages by the other as documents; nothing is cut."""
    async with Cohere() as vendor, embedding(vendor) as embedder:
        await embedder.embed_questions(["How long does the battery last?"])
        await embedder.embed_passages(["The battery lasts for 90 minutes."])
    asked, told = (request.json for request in vendor.requests)
    assert (asked["model"], asked["input_type"]) == ("embed-v5.0-fast", "search_query")
    assert (told["model"], told["input_type"]) == ("embed-v5.0-pro", "search_document")
    for body in (asked, told):
        assert (body["output_dimension"], body["embedding_types"], body["truncate"]) == (
            256,
            ["float"],
            "NONE",
        )


async def test_vectors_come_in_order_and_normalised_however_many_texts() -> None:
    """Ninety-six texts a call; what shares its words is nearest."""
    texts = [f"Part {n} weighs {n * 7} grams." for n in range(150)]
    async with Cohere() as vendor, embedding(vendor) as embedder:
        passages = await embedder.embed_passages(texts)
        questions = await embedder.embed_questions(texts[100:103])
    assert [len(request.json["texts"]) for request in vendor.requests] == [96, 54, 3]
    assert [math.hypot(*vector) for vector in passages] == pytest.approx([1.0] * 150)
    assert [cosine(questions[n], passages[100 + n]) for n in range(3)] == pytest.approx([1.0] * 3)


async def test_nothing_to_embed_costs_no_call() -> None:
    """The API would refuse an empty list."""
    async with Cohere() as vendor, embedding(vendor) as embedder:
        assert await embedder.embed_questions([]) == await embedder.embed_passages([]) == []
    assert vendor.requests == []


@pytest.mark.rule("D3", "R7", "S5")
@pytest.mark.parametrize("case", [case for case in CASES if case.vendor == "cohere"], ids=str)
async def test_whatever_goes_wrong_ends_a_question_in_time_with_a_clear_error(case: Case) -> None:
    """Never tried twice by the SDK; no text, no key in the message; no connection is left."""
    async with Cohere(misbehaviour=case.misbehaviour) as vendor:
        async with embedding(vendor) as embedder:
            try:
                async with Deadline().stage(0.5):
                    first = await embedder.embed_questions([SECRET])
                    assert await embedder.embed_questions([SECRET]) == first
                assert case.misbehaviour in HARMLESS
            except DeadlineExceeded:
                assert case.misbehaviour not in HARMLESS
            except Unavailable as error:
                assert case.misbehaviour is not Misbehaviour.DEAD_CONNECTION
                assert not any(word in str(error) for word in ("payload", vendor.api_key))
                assert len(vendor.requests) <= 1 or case.misbehaviour in HARMLESS
        await until(lambda: not vendor.connections)


@pytest.mark.parametrize(
    ("wrong", "seconds"),
    [
        (Misbehaviour.STATUS_429, None),
        (Misbehaviour.STATUS_429_RETRY_AFTER_0, 0.0),
        (Misbehaviour.STATUS_429_RETRY_AFTER_60, 60.0),
        (Misbehaviour.STATUS_503, None),
    ],
)
async def test_when_to_ask_again_is_handed_on(wrong: Misbehaviour, seconds: float | None) -> None:
    """The error carries the vendor's waiting time, and nothing sleeps here."""
    async with Cohere(misbehaviour=wrong) as vendor, embedding(vendor) as embedder:
        with pytest.raises(Unavailable, match=f"status {wrong.status}$") as caught:
            await embedder.embed_questions([SECRET])
    assert caught.value.retry_after == seconds


class Dated(Cohere):
    """Vendor that says in custom words until when it is busy."""

    until = ""

    def error(self, status: int, message: str | None = None) -> Reply:
        return replace(super().error(status, message), headers=(("retry-after", self.until),))


@pytest.mark.parametrize(
    ("date", "seconds"),
    [("Fri, 01 Jan 2100 00:00:00 GMT", None), ("Sat, 01 Jan 2000 00:00:00 GMT", 0.0), ("soon", None)],
)
async def test_a_date_is_turned_into_seconds(date: str, seconds: float | None) -> None:
    """None are left of one that is past; one that is far off, or no date, says nothing."""
    async with Dated(misbehaviour=Misbehaviour.STATUS_503) as vendor, embedding(vendor) as embedder:
        vendor.until = date
        with pytest.raises(Unavailable) as caught:
            await embedder.embed_questions([SECRET])
    assert caught.value.retry_after == seconds


@pytest.mark.rule("S5")
async def test_a_refused_key_is_not_shown() -> None:
    """Not even in the chain of causes that a log writes out."""
    async with Cohere() as vendor, embedding(vendor, key="a-wrong-key") as embedder:
        with pytest.raises(Unavailable, match="status 401") as caught:
            await embedder.embed_questions([SECRET])
    written = "".join(traceback.format_exception(caught.value))
    assert "a-wrong-key" not in written
    assert SECRET not in written


@pytest.mark.rule("I4")
async def test_passages_are_sent_again_when_the_vendor_was_too_busy() -> None:
    """An ingest has time: the SDK waits as the vendor asks, and goes on."""
    busy = Misbehaviour.STATUS_429_RETRY_AFTER_1
    async with Cohere(misbehaviour=busy) as vendor, embedding(vendor) as embedder:
        waiting = asyncio.create_task(embedder.embed_passages(["The knee bends."]))
        await until(lambda: bool(vendor.requests))
        vendor.misbehaviour = None
        assert len(await waiting) == 1
    assert len(vendor.requests) == 2


async def test_passages_are_paced_and_questions_are_not() -> None:
    """Passages beyond the burst wait; a reader's question never does."""
    slow = TokenBucket(0.001, 100)
    async with Cohere() as vendor, embedding(vendor, slow) as embedder:
        await embedder.embed_passages(["The knee bends."] * 96)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await embedder.embed_passages(["The hip turns."] * 5)
        await embedder.embed_questions(["Does it bend?"] * 96)
    assert [request.json["input_type"] for request in vendor.requests] == ["search_document", "search_query"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    ("wrong", "told", "paused"),
    [
        (Misbehaviour.STATUS_429, None, PAUSE),
        (Misbehaviour.STATUS_429_RETRY_AFTER_0, 0.0, 0.0),
        (Misbehaviour.STATUS_429_RETRY_AFTER_60, 60.0, 60.0),
    ],
)
async def test_a_step_does_not_sleep_through_its_time(
    wrong: Misbehaviour, told: float | None, paused: float
) -> None:
    """The vendor's limit ends it at once, and makes all who share the pace slow down."""
    pace = Remembering()
    async with Cohere(misbehaviour=wrong) as vendor, embedding(vendor, pace, patience=IN_A_STEP) as embedder:
        with pytest.raises(Throttled, match=r"status 429$") as caught:
            await embedder.embed_passages(["The knee bends."])
    assert (caught.value.retry_after, pace.taken, pace.pauses) == (told, [1], [paused])
    assert len(vendor.requests) == 1


class Refusing(Cohere):
    """Takes no text with a certain word, for good."""

    status = 400

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        if any("payload" in text for text in request.json["texts"]):
            raise Rejected(self.status, "too many tokens: a text cannot exceed 512 - received 600.")
        return await super().answer(request, wrong)


@pytest.mark.rule("I4", "S5")
@pytest.mark.parametrize("status", [400, 413, 422, 498])
async def test_a_text_that_is_refused_for_good_is_told_from_an_outage(status: int) -> None:
    """The rest of the book goes on without it; the message does not quote it."""
    async with Refusing() as vendor, embedding(vendor, patience=IN_A_STEP) as embedder:
        vendor.status = status
        with pytest.raises(Unembeddable, match=f"status {status}: it takes no such text$"):
            await embedder.embed_passages(["The knee bends.", SECRET])
        assert len(await embedder.embed_passages(["The knee bends."])) == 1


@pytest.mark.parametrize("wrong", [Misbehaviour.STATUS_401, Misbehaviour.STATUS_404, Misbehaviour.STATUS_500])
async def test_an_outage_is_no_refusal_of_a_text(wrong: Misbehaviour) -> None:
    """A wrong key or model is no page's fault."""
    pace = Remembering()
    async with Cohere(misbehaviour=wrong) as vendor, embedding(vendor, pace, patience=IN_A_STEP) as embedder:
        with pytest.raises(Unavailable, match=f"status {wrong.status}$") as caught:
            await embedder.embed_passages([SECRET])
    assert (type(caught.value), pace.pauses) == (Unavailable, [])


@pytest.mark.rule("R7")
async def test_a_question_that_is_refused_is_an_outage_to_its_reader() -> None:
    """No page is to blame, and the reader cannot mend it."""
    async with Refusing() as vendor, embedding(vendor) as embedder:
        with pytest.raises(Unavailable, match=r"status 400$"):
            await embedder.embed_questions([SECRET])
