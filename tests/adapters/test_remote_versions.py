"""Index versions whose points are at a Qdrant server: what is there, and what becomes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.version_folder import read_manifest
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.adapters.qdrant.point_locations import Points
from bookbound.errors import IngestError, Unavailable
from bookbound.model import BookRef
from bookbound.text.scoring import ScoreMap
from testing.hosting import aliases, collections
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant
from tests.adapters.versions import entries, kept, library, manifest, publish, read, texts, windows


@pytest.fixture
def index(tmp_path: Path, remote: Points) -> IndexFolder:
    return IndexFolder(tmp_path, remote)


def named(root: Path, version: str) -> str:
    """The collection that a version's folder names."""
    return (root / "kestrel" / "versions" / version / "collection").read_text()


@pytest.mark.rule("I4")
async def test_the_collections_are_those_of_the_versions_that_are_kept(
    index: IndexFolder, qdrant: Qdrant, tmp_path: Path
) -> None:
    """No others of the book; for other clients the book's id is the live one's alias."""
    for version in ("v1", "v2", "v3", "v4"):
        publish(index, version, f"Version {version}.")
    publish(index, "v1", "Another book.", book_id="kestrel-2")
    assert kept(tmp_path) == ["v2", "v3", "v4"]
    others = [name for name in collections(qdrant) if not name.startswith("kestrel-2-")]
    assert others == [named(tmp_path, version) for version in kept(tmp_path)]
    assert aliases(qdrant)["kestrel"] == named(tmp_path, "v4")
    with library(index, default="kestrel") as books:
        assert await texts(await books.open(None)) == ["Version v4."]


@pytest.mark.rule("I4")
def test_the_alias_follows_a_rollback(index: IndexFolder, qdrant: Qdrant, tmp_path: Path) -> None:
    """Before the pointer: a server that is down keeps both."""
    for version in ("v1", "v2"):
        publish(index, version, f"Version {version}.")
    qdrant.misbehaviour_at = {"/collections/aliases": Misbehaviour.STATUS_503}
    with pytest.raises(IngestError, match="status 503"):
        index.rollback("kestrel", None, "fake")
    assert aliases(qdrant)["kestrel"] == named(tmp_path, "v2")
    qdrant.misbehaviour_at = {}
    index.rollback("kestrel", None, "fake")
    assert aliases(qdrant)["kestrel"] == named(tmp_path, "v1")


@pytest.mark.rule("I4")
async def test_a_build_that_fails_leaves_no_collection(index: IndexFolder, qdrant: Qdrant) -> None:
    """There is neither one that the server would not fill, nor one that was not published."""
    publish(index, "v1", "The knee bends.")
    before = collections(qdrant), aliases(qdrant)
    found = windows("The hip turns.")
    qdrant.misbehaviour_at = {"/collections/*/points": Misbehaviour.STATUS_500}
    with (
        pytest.raises(IngestError, match="status 500"),
        index.building(manifest("v2", found), entries(found), [], pictures=[]),
    ):
        pass
    qdrant.misbehaviour_at = {}
    with index.building(manifest("v2", found), entries(found), [], pictures=[]):
        assert len(collections(qdrant)) == 2
    assert (collections(qdrant), aliases(qdrant)) == before
    assert await read(index) == ["The knee bends."]


@pytest.mark.rule("I4")
async def test_a_switch_that_fails_leaves_the_old_version(index: IndexFolder, qdrant: Qdrant) -> None:
    """The alias is the first step; without it there is no second one."""
    publish(index, "v1", "The knee bends.")
    qdrant.misbehaviour_at = {"/collections/aliases": Misbehaviour.STATUS_503}
    with pytest.raises(IngestError, match="status 503"):
        publish(index, "v2", "The hip turns.")
    assert await read(index) == ["The knee bends."]
    assert len(collections(qdrant)) == 1


@pytest.mark.rule("I4")
def test_what_a_killed_run_left_at_the_server_goes_with_the_next(
    index: IndexFolder, qdrant: Qdrant, tmp_path: Path
) -> None:
    """The folder was there before the collection, and names it."""
    leftover = tmp_path / "kestrel" / "versions" / ".building-dead"
    leftover.mkdir(parents=True)
    found = windows("Half of a book.")
    index.points.write(leftover, manifest("v1", found), entries(found))
    publish(index, "v1", "The knee bends.")
    assert collections(qdrant) == [named(tmp_path, "v1")]
    assert kept(tmp_path) == ["v1"]


@pytest.mark.rule("I4")
def test_what_could_not_be_deleted_now_is_deleted_by_the_next_ingest(
    index: IndexFolder, qdrant: Qdrant, tmp_path: Path
) -> None:
    """The new version is live all the same; the old one's folder stays until its collection is gone."""
    for version in ("v1", "v2", "v3"):
        publish(index, version, f"Version {version}.")
    qdrant.misbehaviour_at = {f"/collections/{named(tmp_path, 'v1')}*": Misbehaviour.STATUS_500}
    publish(index, "v4", "The wrist rolls.")
    assert kept(tmp_path) == ["v1", "v2", "v3", "v4"]
    qdrant.misbehaviour_at = {}
    publish(index, "v5", "The neck nods.")
    assert kept(tmp_path) == ["v3", "v4", "v5"]
    assert len(collections(qdrant)) == 3


@pytest.mark.rule("I4")
async def test_another_manifest_over_the_same_points_shares_their_collection(
    index: IndexFolder, qdrant: Qdrant, tmp_path: Path
) -> None:
    """A calibrated version is such a manifest; the collection outlives its first version."""
    publish(index, "v1", "The knee bends.")
    for number in (2, 3, 4, 5):
        with index.copying("kestrel") as fresh:
            score_map = ScoreMap("fake", ((0.0, 0.0), (1.0, number / 10)), "by hand")
            ref = BookRef("kestrel", f"v{number}")
            fresh.publish(replace(read_manifest(fresh.path), book=ref, score_map=score_map))
        assert await read(index) == ["The knee bends."]
    assert kept(tmp_path) == ["v3", "v4", "v5"]
    assert collections(qdrant) == [named(tmp_path, "v5")] == list(aliases(qdrant).values())


@pytest.mark.rule("I4")
async def test_an_open_book_notices_that_its_version_was_published_again(index: IndexFolder) -> None:
    """From v1 to v2 and back between two questions: the folder is v1's as before, its collection is new."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        before = await books.open(None)
        publish(index, "v2", "The hip turns.")
        publish(index, "v1", "The knee bends.")
        after = await books.open(None)
        assert after is not before
        publish(index, "v1", "The knee bends.")
        publish(index, "v1", "The knee bends.")
        assert await texts(await books.open(None)) == ["The knee bends."]


@pytest.mark.rule("R7", "I4")
async def test_points_that_the_server_lost_are_an_error_until_the_next_ingest(
    index: IndexFolder, tmp_path: Path
) -> None:
    """Readers never get half a book for a whole one; for the writer there is no live version."""
    publish(index, "v1", "The knee bends.", "The hip turns.")
    path = tmp_path / "kestrel" / "versions" / "v1" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"windows": 3}))
    with library(index) as books:
        for _ in range(2):
            with pytest.raises(Unavailable, match=r"lacks points .* ingest the book again"):
                await books.open(None)
        assert not await books.ready()
        assert index.current("kestrel") is None
        publish(index, "v1", "The knee bends.", "The hip turns.")
        assert await texts(await books.open(None)) == ["The hip turns.", "The knee bends."]
        assert index.current("kestrel") is not None


@pytest.mark.rule("I4")
def test_a_book_of_this_machine_is_not_at_the_server(remote: Points, tmp_path: Path) -> None:
    """A user who changes to a server ingests once more to have it there, and likewise back."""
    here, there = IndexFolder(tmp_path, EmbeddedPoints()), IndexFolder(tmp_path, remote)
    publish(here, "v1", "The knee bends.")
    assert there.current("kestrel") is None
    publish(there, "v1", "The knee bends.")
    assert there.current("kestrel") is not None
    assert here.current("kestrel") is None


async def test_a_server_that_is_down_is_noticed_by_ready(index: IndexFolder, qdrant: Qdrant) -> None:
    """Also when the book was opened before."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        await books.open(None)
        assert await books.ready()
        qdrant.misbehaviour = Misbehaviour.STATUS_503
        assert not await books.ready()
