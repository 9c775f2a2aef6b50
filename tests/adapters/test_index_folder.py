"""Index versions on disk: readers see a whole one or none, whatever happens to a writer."""

from __future__ import annotations

import asyncio
import fcntl
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bookbound import policy
from bookbound.adapters.index_folder import PICTURES, IndexFolder
from bookbound.errors import BookNotFound, IngestError
from bookbound.model import BookRef, Window
from bookbound.pages import SourceFile
from bookbound.scoring import IDENTITY, ScoreMap
from tests.adapters.versions import PICTURE, kept, library, publish, read, texts, windows

REFITTED = ScoreMap("fake", ((0.2, 0.0), (0.8, 1.0)), "by hand")


@pytest.fixture
def index(tmp_path: Path) -> IndexFolder:
    return IndexFolder(tmp_path)


@pytest.mark.rule("I4")
async def test_what_was_published_is_what_is_read(index: IndexFolder) -> None:
    """Manifest, points, pictures and the book's own files, under the version's name."""
    publish(index, "v1", "The knee bends.", "The battery lasts.")
    manifest = index.current("kestrel")
    assert manifest is not None
    assert (manifest.book, manifest.windows) == (BookRef("kestrel", "v1"), 2)
    assert manifest.policy == policy.DEFAULT
    assert await read(index) == ["The battery lasts.", "The knee bends."]
    files = index.files("kestrel")
    assert files is not None
    assert (files / "page0.md").read_text() == "The knee bends."
    assert (files.parent / PICTURES / PICTURE.path).read_bytes() == PICTURE.content


@pytest.mark.rule("I4")
async def test_a_new_version_takes_over_whole(index: IndexFolder) -> None:
    """Nothing of the old version is left in what readers get."""
    publish(index, "v1", "The knee bends.")
    publish(index, "v2", "The hip turns.")
    assert await read(index) == ["The hip turns."]


@pytest.mark.rule("I4")
async def test_readers_see_a_whole_version_at_every_moment(index: IndexFolder) -> None:
    """While a version is built and switched to, each read finds all of the old one or all of the new one."""
    old, new = ([f"{name} {n}" for n in range(100)] for name in ("old", "new"))
    publish(index, "v1", *old)
    done = threading.Event()

    def write() -> None:
        publish(index, "v2", *new)
        done.set()

    writer = asyncio.create_task(asyncio.to_thread(write))
    with library(index) as books:
        while not done.is_set():
            assert await texts(await books.open(None)) in (sorted(old), sorted(new))
        assert await texts(await books.open(None)) == sorted(new)
    await writer


@pytest.mark.rule("I4")
@pytest.mark.parametrize("broken", ["dimensions", "disk"])
async def test_a_build_that_fails_leaves_the_old_version(
    index: IndexFolder, tmp_path: Path, broken: str
) -> None:
    """The pointer stays, and nothing half-built is left behind."""
    publish(index, "v1", "The knee bends.")
    manifest = index.current("kestrel")
    assert manifest is not None
    changed = replace(manifest, book=BookRef("kestrel", "v2"))
    vector = [1.0, 0.0] if broken == "disk" else [1.0, 0.0, 0.0]
    # A file's name that is a folder's already stands for a disk that refuses to be written.
    files = [SourceFile("a/b.md", b""), SourceFile("a", b"")] if broken == "disk" else []
    with pytest.raises((OSError, ValueError)):
        index.publish(changed, windows("The hip turns."), [vector], [{}], files, pictures=[])
    assert await read(index) == ["The knee bends."]
    assert kept(tmp_path) == ["v1"]


@pytest.mark.rule("I4")
def test_leftovers_of_a_killed_build_are_cleared_by_the_next(index: IndexFolder, tmp_path: Path) -> None:
    """A process that was killed could not clean up behind itself."""
    leftover = tmp_path / "kestrel" / "versions" / ".building-dead"
    leftover.mkdir(parents=True)
    (leftover / "manifest.json").write_text("{")
    publish(index, "v1", "The knee bends.")
    assert kept(tmp_path) == ["v1"]


@pytest.mark.rule("I4")
async def test_the_live_version_and_the_one_before_it_are_kept(index: IndexFolder, tmp_path: Path) -> None:
    """A request may still be reading the one before; older ones go."""
    for version in ("v1", "v2", "v3", "v4"):
        publish(index, version, f"Version {version}.")
    assert kept(tmp_path) == ["v3", "v4"]


@pytest.mark.rule("I4")
async def test_a_version_can_be_published_again_while_it_is_open(index: IndexFolder) -> None:
    """Back from v2 to v1: the folder that a reader holds open is replaced under it."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        held = await books.open(None)
        publish(index, "v2", "The hip turns.")
        publish(index, "v1", "The knee bends.")
        assert await texts(held) == ["The knee bends."]
    assert await read(index) == ["The knee bends."]


@pytest.mark.rule("I4")
def test_two_writers_at_once_are_refused(index: IndexFolder, tmp_path: Path) -> None:
    """The second is told to wait; another book is no obstacle."""
    publish(index, "v1", "The knee bends.")
    with (tmp_path / "kestrel" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(IngestError, match="another ingest of 'kestrel' is running"):
            publish(index, "v2", "The hip turns.")
        publish(index, "v1", "The wing flaps.", book_id="heron")
    publish(index, "v2", "The hip turns.")
    assert index.books() == ["heron", "kestrel"]


@pytest.mark.rule("I4")
async def test_recalibrating_publishes_the_same_points_with_another_map(index: IndexFolder) -> None:
    """The map is live at once, and kept for later ingests with this embedder."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        assert (await books.open(None)).score_map == IDENTITY
        index.recalibrate("kestrel", REFITTED, "v1-refitted")
        book = await books.open(None)
        assert (book.score_map, book.ref.version) == (REFITTED, "v1-refitted")
        assert await texts(book) == ["The knee bends."]
    assert index.refitted_map("kestrel", "fake") == REFITTED
    assert index.refitted_map("kestrel", "another") is None
    files = index.files("kestrel")
    assert files is not None
    assert (files / "page0.md").is_file()


def test_recalibrating_needs_a_book(index: IndexFolder) -> None:
    """There is nothing to publish anew."""
    with pytest.raises(BookNotFound, match="no book 'kestrel'"):
        index.recalibrate("kestrel", REFITTED, "v2")
    assert index.refitted_map("kestrel", "fake") is None


def test_a_damaged_map_is_named(index: IndexFolder, tmp_path: Path) -> None:
    """An ingest says which file, rather than falling back to another map in silence."""
    publish(index, "v1", "The knee bends.")
    index.recalibrate("kestrel", REFITTED, "v2")
    (tmp_path / "kestrel" / "score_map.json").write_text("{")
    with pytest.raises(IngestError, match=r"score_map\.json is unreadable; delete it"):
        index.refitted_map("kestrel", "fake")


def test_windows_and_vectors_must_be_as_many(index: IndexFolder) -> None:
    """A vector that is missing cannot shift the others onto wrong texts."""
    publish(index, "v1", "The knee bends.")
    manifest = index.current("kestrel")
    assert manifest is not None
    two: Sequence[Window] = windows("The knee bends.", "The hip turns.")
    with pytest.raises(ValueError, match="shorter"):
        index.publish(manifest, two, [[1.0, 0.0]], [{}, {}], [], pictures=[])
