"""A book from its docs folder to its answers, embedded by Cohere and stored by a Qdrant server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from bookbound import ingest_wiring, wiring
from bookbound.deadline import Deadline
from bookbound.errors import BookboundError, DeadlineExceeded, Unavailable
from bookbound.index.run_report import IngestReport
from bookbound.local import asking
from bookbound.model import Answered, Result
from bookbound.settings import Settings
from testing.builders import question
from testing.hosting import aliases, collections, hosted, until
from testing.vendors.cohere import Cohere
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant

PAGES = {
    "intro.md": "# The Kestrel Robot\n\nThe Kestrel robot was built in 2019 by Dana Orlov.\n",
    "sensors.md": "# Sensors of Kestrel\n\nThe lidar of Kestrel scans at 12 Hz.\n",
    "safety.md": "# Safety Rules\n\nThe emergency stop of Kestrel is a red button on its back.\n",
}
QUESTION = "How often does the lidar of Kestrel scan?"


@pytest.fixture
def cohere() -> Iterator[Cohere]:
    with hosted(Cohere()) as server:
        yield server


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The book."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def settings(tmp_path: Path, cohere: Cohere, qdrant: Qdrant) -> Settings:
    """Return the settings that the environment gives in the cloud."""
    return Settings(
        data=tmp_path / "data",
        embedder="cohere",
        cohere_url=cohere.url,
        cohere_api_key=cohere.api_key,
        qdrant_url=qdrant.url,
        qdrant_api_key=qdrant.api_key,
    )


def ingest(settings: Settings, docs: Path) -> IngestReport:
    return ingest_wiring.ingest(settings, docs, "kestrel", None, lambda step, done, of: None)


async def ask(settings: Settings, question: str = QUESTION) -> Result:
    async with wiring.local(settings) as system:
        return await asking.ask(system.answer, question)


def text(result: Result) -> str:
    assert isinstance(result.outcome, Answered)
    return " ".join(sentence.text for sentence in result.outcome.sentences)


@pytest.mark.rule("I4", "R1")
def test_a_book_is_ingested_asked_changed_and_asked_again(
    settings: Settings, docs: Path, cohere: Cohere, qdrant: Qdrant
) -> None:
    """Only new text is embedded; what was pruned is gone from the server; nothing stays connected."""
    first = ingest(settings, docs)
    assert first.embedded > 0
    assert "12 Hz" in text(asyncio.run(ask(settings)))
    assert ingest(settings, docs).unchanged
    for rate in (15, 20, 25):
        (docs / "sensors.md").write_text(PAGES["sensors.md"].replace("12 Hz", f"{rate} Hz"))
        again = ingest(settings, docs)
        assert again.reused > again.embedded > 0
    assert "25 Hz" in text(asyncio.run(ask(settings)))
    assert len(collections(qdrant)) == 3
    assert aliases(qdrant)["kestrel"].startswith(f"kestrel-{again.version}-")
    asyncio.run(until(lambda: not cohere.connections and not qdrant.connections))


@pytest.mark.rule("I4")
@pytest.mark.parametrize("path", ["/v2/embed", "/collections/*"])
def test_an_ingest_that_breaks_off_leaves_the_old_book_serving(
    settings: Settings, docs: Path, cohere: Cohere, qdrant: Qdrant, path: str
) -> None:
    """A failure of any vendor raises an error of ours, and the next run goes through."""
    ingest(settings, docs)
    (docs / "sensors.md").write_text(PAGES["sensors.md"].replace("12 Hz", "15 Hz"))
    cohere.misbehaviour_at = qdrant.misbehaviour_at = {path: Misbehaviour.STATUS_403}
    with pytest.raises(BookboundError, match="status 403"):
        ingest(settings, docs)
    cohere.misbehaviour_at = qdrant.misbehaviour_at = {}
    assert "12 Hz" in text(asyncio.run(ask(settings)))
    ingest(settings, docs)
    assert "15 Hz" in text(asyncio.run(ask(settings)))


def test_one_system_answers_in_an_event_loop_for_each_request(settings: Settings, docs: Path) -> None:
    """The system is built once, outside any loop, as for a function behind a gateway."""
    ingest(settings, docs)
    system = wiring.build(settings)
    for _ in range(2):
        assert asyncio.run(system.ready())
        assert "12 Hz" in text(asyncio.run(asking.ask(system.answer, QUESTION)))
    asyncio.run(system.aclose())


@pytest.mark.rule("R7", "G13")
@pytest.mark.parametrize("vendor", ["cohere", "qdrant"])
def test_a_vendor_that_is_down_is_an_error_never_a_refusal(
    settings: Settings, docs: Path, cohere: Cohere, qdrant: Qdrant, vendor: str
) -> None:
    """The reader learns that the service failed, not that the book is silent."""
    ingest(settings, docs)
    (cohere if vendor == "cohere" else qdrant).misbehaviour = Misbehaviour.STATUS_503
    with pytest.raises(Unavailable, match="status 503"):
        asyncio.run(ask(settings))


@pytest.mark.rule("D2")
def test_a_question_that_runs_out_of_time_leaves_no_connection(
    settings: Settings, docs: Path, cohere: Cohere, qdrant: Qdrant
) -> None:
    """The search is really cancelled."""
    ingest(settings, docs)
    qdrant.misbehaviour_at = {"*/points/query/batch": Misbehaviour.LATE_HEADERS}

    async def hurried() -> None:
        async with wiring.local(settings) as system:
            # On a busy machine the time may be over before the search has begun.
            while not any(request.path.endswith("/points/query/batch") for request in qdrant.requests):
                with pytest.raises(DeadlineExceeded):
                    await system.answer(question(QUESTION), "kestrel", Deadline(0.6))
            await until(lambda: not qdrant.connections)

    asyncio.run(hurried())


def test_cohere_embeds_whole_passages_and_reads_them_by_a_map_of_its_own(settings: Settings) -> None:
    """Sizes and map depend on the embedder, not on its dimensions."""
    assert wiring.chunk_sizes(settings).window == wiring.chunk_sizes(settings).target == 512
    score_map = wiring.shipped_score_map("cohere-embed-v5.0-pro-512")
    assert score_map.model_id == "cohere-embed-v5.0-pro-512"
    assert "nothing fitted" in score_map.method
    assert (score_map(0.19) < 0.05, score_map(0.39), score_map(0.70) < 1) == (True, 0.7, True)
