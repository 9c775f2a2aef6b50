"""A Qdrant server that misbehaves, and what lies at it of index versions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from qdrant_client import models

from bookbound import wiring
from bookbound.adapters.files.version_folder import COLLECTION_FILE
from bookbound.adapters.qdrant.point_locations import Points
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, IngestError, Throttled, Unavailable
from bookbound.model import Hit, Wanted
from bookbound.settings import Settings
from testing.hosting import collections, until
from testing.vendors.misbehaviours import CASES, Case, Misbehaviour
from testing.vendors.qdrant import Qdrant
from tests.adapters.versions import EAST, entries, manifest, windows

HARMLESS = {Misbehaviour.DEAD_CONNECTION, Misbehaviour.RESET_AFTER_BODY, Misbehaviour.NO_POINTS}
"""Faults that a reader need not notice: the next connection answers, or the answer was complete."""


def points_at(server: Qdrant) -> Points:
    """Return the points as the settings that name this server give them."""
    return wiring.index_folder(Settings(qdrant_url=server.url, qdrant_api_key=server.api_key)).points


def write(points: Points, folder: Path, *texts: str) -> Path:
    """A version's folder whose points are written."""
    folder.mkdir(exist_ok=True)
    found = windows(*texts)
    points.write(folder, manifest(folder.name, found), entries(found))
    return folder


async def search(points: Points, folder: Path) -> list[Hit]:
    [hits] = await points.open(folder).search([Wanted(EAST, {})], 5)
    return hits


@pytest.mark.rule("R7", "D2", "S5")
@pytest.mark.parametrize("case", [case for case in CASES if case.vendor == "qdrant"], ids=str)
async def test_whatever_goes_wrong_ends_a_search_in_time_with_a_clear_error(
    case: Case, tmp_path: Path
) -> None:
    """Never an empty result for an error, no key in the message; no connection is left."""
    async with Qdrant() as server:
        folder = await asyncio.to_thread(write, points_at(server), tmp_path / "v1", "The knee bends.")
        server.misbehaviour = case.misbehaviour
        points = points_at(server)
        try:
            async with Deadline().stage(0.5):
                for _ in range(2):
                    hits = await search(points, folder)
                    assert len(hits) == (0 if case.misbehaviour is Misbehaviour.NO_POINTS else 1)
            assert case.misbehaviour in HARMLESS
        except DeadlineExceeded:
            assert case.misbehaviour not in HARMLESS
        except Unavailable as error:
            assert case.misbehaviour is not Misbehaviour.DEAD_CONNECTION
            assert server.api_key not in str(error)
        finally:
            await points.aclose()
        await until(lambda: not server.connections)


@pytest.mark.rule("R3")
async def test_all_wordings_go_in_one_request(remote: Points, qdrant: Qdrant, tmp_path: Path) -> None:
    """Any question takes one round trip."""
    store = remote.open(write(remote, tmp_path / "v1", "The knee bends."))
    qdrant.requests.clear()
    await store.search([Wanted(EAST, {}), Wanted([0.0, 1.0], {1: 1.0})], 5)
    [request] = qdrant.requests
    assert (request.method, request.path.rpartition("/points")[2]) == ("POST", "/query/batch")


@pytest.mark.rule("R3")
async def test_a_server_holds_a_byte_per_value_and_scores_by_the_whole_vector(
    remote: Points, qdrant: Qdrant, tmp_path: Path
) -> None:
    """No window is missed for want of a graph's edge, and each cosine is the true one."""
    folder = await asyncio.to_thread(write, remote, tmp_path / "v1", "The knee bends.")
    await search(remote, folder)
    [made] = [one for one in qdrant.requests if one.method == "PUT" and "/points" not in one.path]
    dense = models.CreateCollection.model_validate(made.json).vectors["dense"]  # type: ignore[index]
    assert dense.hnsw_config == models.HnswConfigDiff(m=0)
    assert dense.on_disk
    assert dense.quantization_config.scalar.type is models.ScalarType.INT8
    assert dense.quantization_config.scalar.always_ram
    searches = models.QueryRequestBatch.model_validate(qdrant.requests[-1].json).searches
    rescored = models.QuantizationSearchParams(rescore=True, oversampling=2.0)
    assert [one.params and one.params.quantization for one in searches] == [rescored] * 2


@pytest.mark.rule("D3")
async def test_when_to_ask_again_is_handed_on(remote: Points, qdrant: Qdrant, tmp_path: Path) -> None:
    """The error carries the server's waiting time, and nothing sleeps here."""
    folder = write(remote, tmp_path / "v1", "The knee bends.")
    qdrant.misbehaviour = Misbehaviour.STATUS_429_RETRY_AFTER_60
    with pytest.raises(Throttled, match=r"status 429$") as caught:
        await search(remote, folder)
    assert caught.value.retry_after == 60


def test_each_request_may_have_an_event_loop_of_its_own(
    remote: Points, qdrant: Qdrant, tmp_path: Path
) -> None:
    """An adapter that starts a loop per request works."""
    folder = write(remote, tmp_path / "v1", "The knee bends.")
    for _ in range(3):
        [hit] = asyncio.run(search(remote, folder))
        assert hit.passage.text == "The knee bends."
    asyncio.run(until(lambda: not qdrant.connections))


@pytest.mark.rule("R7")
async def test_a_collection_that_is_gone_is_an_error(remote: Points, tmp_path: Path) -> None:
    """Neither none nor nothing found."""
    folder = write(remote, tmp_path / "v1", "The knee bends.")
    remote.drop(folder)
    assert not remote.holds(folder, 1)
    with pytest.raises(Unavailable, match="status 404"):
        await remote.open(folder).count()
    with pytest.raises(Unavailable, match="status 404"):
        await search(remote, folder)


def test_a_folder_that_names_no_collection_has_no_points(remote: Points, tmp_path: Path) -> None:
    """This holds for a folder that was ingested before there was a server."""
    assert not remote.holds(tmp_path, 1)
    with pytest.raises(Unavailable, match="ingest the book again"):
        remote.open(tmp_path)
    remote.drop(tmp_path)


@pytest.mark.rule("I4")
def test_a_collection_that_two_versions_share_goes_with_the_last(
    remote: Points, qdrant: Qdrant, tmp_path: Path
) -> None:
    """Another map over the same points is a separate version."""
    first, second = write(remote, tmp_path / "v1", "The knee bends."), tmp_path / "v2"
    second.mkdir()
    (second / COLLECTION_FILE).write_bytes((first / COLLECTION_FILE).read_bytes())
    remote.drop(first)
    assert len(collections(qdrant)) == 1
    (first / COLLECTION_FILE).unlink()
    remote.drop(second)
    assert collections(qdrant) == []


@pytest.mark.rule("I4")
@pytest.mark.parametrize("call", ["write", "holds", "publish", "drop"])
def test_a_server_that_fails_an_ingest_says_so_in_a_line(
    remote: Points, qdrant: Qdrant, tmp_path: Path, call: str
) -> None:
    """And that what is live is untouched."""
    folder = write(remote, tmp_path / "v1", "The knee bends.")
    qdrant.misbehaviour = Misbehaviour.STATUS_500
    calls = {
        "write": lambda: write(remote, tmp_path / "v2", "The hip turns."),
        "holds": lambda: remote.holds(folder, 1),
        "publish": lambda: remote.publish(folder, "kestrel"),
        "drop": lambda: remote.drop(folder),
    }
    with pytest.raises(IngestError, match=r"^the Qdrant server failed: status 500; the live index stays"):
        calls[call]()


@pytest.mark.rule("I4")
def test_windows_are_there_when_the_server_says_so(remote: RemotePoints, qdrant: Qdrant) -> None:
    """Made and stored twice, they are one collection and one set of points for the next count."""
    found = entries(windows("The knee bends.", "The hip turns."))
    for _ in range(2):
        remote.make("kestrel-v1", 2)
        remote.store("kestrel-v1", found)
    assert (remote.count("kestrel-v1"), remote.has_all("kestrel-v1", 2)) == (2, True)
    upserts = [request for request in qdrant.requests if request.path.endswith("/points")]
    assert {request.query["wait"] for request in upserts} == {"true"}


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    ("wrong", "kind", "wait"),
    [
        (Misbehaviour.STATUS_429, Throttled, None),
        (Misbehaviour.STATUS_429_RETRY_AFTER_60, Throttled, 60),
        (Misbehaviour.STATUS_503, Unavailable, None),
        (Misbehaviour.RESET_BEFORE_HEADERS, Unavailable, None),
        (Misbehaviour.EMPTY_BODY, Unavailable, None),
    ],
)
def test_who_stores_windows_is_told_what_to_wait_for(
    remote: RemotePoints, qdrant: Qdrant, wrong: Misbehaviour, kind: type[Unavailable], wait: float | None
) -> None:
    """A limit wants more patience than a fault; either may be gone at the next try."""
    remote.make("kestrel-v1", 2)
    qdrant.misbehaviour = wrong
    with pytest.raises(Unavailable, match=r"^the Qdrant server failed: ") as caught:
        remote.store("kestrel-v1", entries(windows("The knee bends.")))
    assert (type(caught.value), caught.value.retry_after) == (kind, wait)
