"""Index versions, with points in a folder or at a server: readers see a whole one or none."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.version_folder import PICTURES, read_manifest
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.adapters.qdrant.point_locations import Points
from bookbound.errors import BookNotFound, IngestError
from bookbound.index.canaries import Canary
from bookbound.index.manifest import MANIFEST_JSON, Entry, Manifest
from bookbound.index.version_history import History
from bookbound.model import BookRef, RefusalReason
from bookbound.policy import book_policy
from bookbound.source.pages import SourceFile
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import IDENTITY, ScoreMap
from tests.adapters.versions import PICTURE, entries, kept, library, manifest, publish, read, texts, windows

REFITTED = ScoreMap("fake", ((0.2, 0.0), (0.8, 1.0)), "by hand")


@pytest.fixture
def index(tmp_path: Path, points: Points) -> IndexFolder:
    return IndexFolder(tmp_path, points)


@pytest.mark.rule("I4")
async def test_what_was_published_is_what_is_read(index: IndexFolder) -> None:
    """Manifest, points, pictures and the book's own files, under the version's name."""
    publish(index, "v1", "The knee bends.", "The battery lasts.")
    live = index.current("kestrel")
    assert live is not None
    assert (live.book, live.windows) == (BookRef("kestrel", "v1"), 2)
    assert live.policy == book_policy.DEFAULT
    assert await read(index) == ["The battery lasts.", "The knee bends."]
    files = index.files("kestrel")
    assert files is not None
    assert (files / "page0.md").read_text() == "The knee bends."
    assert (files.parent / PICTURES / PICTURE.path).read_bytes() == PICTURE.content


@pytest.mark.rule("I4")
async def test_a_new_version_takes_over_whole(index: IndexFolder) -> None:
    """Readers get no text of the old version."""
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


class DroppingPoints(EmbeddedPoints):
    """A store that loses a window on the way in."""

    def write(self, folder: Path, manifest: Manifest, entries: Sequence[Entry]) -> int:
        return super().write(folder, manifest, entries[1:])


@pytest.mark.rule("I4")
async def test_a_store_that_drops_a_window_is_not_published(tmp_path: Path) -> None:
    """The arrived windows are counted before the version can go live."""
    index = IndexFolder(tmp_path / "books", EmbeddedPoints())
    publish(index, "v1", "The knee bends.")
    dropping = IndexFolder(tmp_path / "books", DroppingPoints())
    with pytest.raises(IngestError, match="1 of 2 windows arrived; the live index stays as it was"):
        publish(dropping, "v2", "The hip turns.", "The arm lifts.")
    assert await read(index) == ["The knee bends."]


@pytest.mark.rule("I4")
def test_the_pointer_is_on_disk_before_it_takes_the_old_ones_place(
    index: IndexFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every step of the switch there is the old pointer or the new one, whole and synced."""
    publish(index, "v1", "The knee bends.")
    pointer = next(tmp_path.rglob("current"))
    before, steps = pointer.read_bytes(), []
    fsync, replace_file = os.fsync, os.replace

    def synced(file: int) -> None:
        fsync(file)
        steps.append(("synced", os.fstat(file).st_ino, pointer.read_bytes()))

    def replaced(source: Path, target: Path) -> None:
        file = Path(source).stat().st_ino
        replace_file(source, target)
        steps.append((Path(target).name, file, pointer.read_bytes()))

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    publish(index, "v2", "The hip turns.")
    after = pointer.read_bytes()
    *earlier, (_, synced_file, kept_so_far), (name, file, switched) = steps
    assert (name, file, switched, kept_so_far) == ("current", synced_file, after, before)
    assert {content for *_, content in earlier} <= {before}


@pytest.mark.rule("I4")
@pytest.mark.parametrize("broken", ["dimensions", "disk"])
async def test_a_build_that_fails_leaves_the_old_version(
    index: IndexFolder, tmp_path: Path, broken: str
) -> None:
    """The pointer stays, and nothing half-built is left behind."""
    publish(index, "v1", "The knee bends.")
    live = index.current("kestrel")
    assert live is not None
    changed = replace(live, book=BookRef("kestrel", "v2"))
    stored = entries(windows("The hip turns."))
    if broken == "dimensions":
        stored = [replace(entry, dense=[1.0, 0.0, 0.0]) for entry in stored]
    # A file's name that is a folder's already stands for a disk that refuses to be written.
    files = [SourceFile("a/b.md", b""), SourceFile("a", b"")] if broken == "disk" else []
    failed = pytest.raises((OSError, ValueError, IngestError))
    with failed, index.building(changed, stored, files, pictures=[]) as fresh:
        fresh.publish(changed)
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
async def test_the_last_versions_are_kept(index: IndexFolder, tmp_path: Path) -> None:
    """The live one, the one before it, which a request may still be reading, and one more to go back to."""
    for version in ("v1", "v2", "v3", "v4"):
        publish(index, version, f"Version {version}.")
    assert kept(tmp_path) == ["v2", "v3", "v4"]
    assert [(one.version, one.state) for one in index.versions("kestrel")] == [
        ("v4", "live"),
        ("v3", "earlier"),
        ("v2", "earlier"),
    ]


@pytest.mark.rule("I4")
async def test_an_open_book_follows_a_rollback(index: IndexFolder) -> None:
    """To the version before, and back again; a question that began before ends where it began."""
    publish(index, "v1", "The knee bends.")
    publish(index, "v2", "The hip turns.")
    with library(index) as books:
        before = await books.open(None)
        await asyncio.to_thread(index.rollback, "kestrel", None, "fake")
        assert await texts(before) == ["The hip turns."]
        assert await texts(await books.open(None)) == ["The knee bends."]
        await asyncio.to_thread(index.rollback, "kestrel", "v2", "fake")
        assert await texts(await books.open(None)) == ["The hip turns."]


@pytest.mark.rule("I4")
def test_docs_that_were_rolled_back_do_not_come_again_by_themselves(
    index: IndexFolder, tmp_path: Path
) -> None:
    """The version before is live, and stays it; the next one follows it, and takes the faulty one away."""
    for version in ("v1", "v2"):
        publish(index, version, f"Version {version}.")
    assert index.rollback("kestrel", None, "fake") == History(("v1",), ("v2",))
    with pytest.raises(IngestError, match=r"version v2, which was rolled back; .*books rollback BOOK v2"):
        publish(index, "v2", "Version v2.")
    assert asyncio.run(read(index)) == ["Version v1."]
    publish(index, "v3", "Version v3.")
    assert kept(tmp_path) == ["v1", "v3"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("damage", ["manifest", "gone", "points", "embedder"])
def test_a_version_that_is_not_whole_is_not_rolled_back_to(
    index: IndexFolder, tmp_path: Path, damage: str
) -> None:
    """No file changes; the list shows an unreadable manifest as such."""
    for version in ("v1", "v2"):
        publish(index, version, f"Version {version}.")
    folder = tmp_path / "kestrel" / "versions" / "v1"
    before = (tmp_path / "kestrel" / "current").read_bytes()
    if damage == "manifest":
        (folder / "manifest.json").write_text("{")
    elif damage == "gone":
        shutil.rmtree(folder)
    elif damage == "points":
        described = replace(read_manifest(folder), windows=9)
        (folder / "manifest.json").write_bytes(MANIFEST_JSON.dump_json(described))
    with pytest.raises(IngestError, match="version v1 cannot go live again, nothing was changed: "):
        index.rollback("kestrel", None, "another" if damage == "embedder" else "fake")
    assert (tmp_path / "kestrel" / "current").read_bytes() == before
    unreadable = [one.version for one in index.versions("kestrel") if one.manifest is None]
    assert unreadable == (["v1"] if damage in {"manifest", "gone"} else [])


def test_a_rollback_waits_for_an_ingest(index: IndexFolder, tmp_path: Path) -> None:
    """One writer a book."""
    for version in ("v1", "v2"):
        publish(index, version, f"Version {version}.")
    with (tmp_path / "kestrel" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(IngestError, match="another ingest of 'kestrel' is running"):
            index.rollback("kestrel", None, "fake")


def test_a_book_that_is_not_here_has_no_versions(index: IndexFolder, tmp_path: Path) -> None:
    """To show or to go back to; and asking leaves nothing behind."""
    with pytest.raises(BookNotFound, match="no book 'wren'"):
        index.versions("wren")
    with pytest.raises(BookNotFound, match="no book 'wren'"):
        index.rollback("wren", None, "fake")
    assert not (tmp_path / "wren").exists()


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
    """The second writer gets an error, and another book is no obstacle."""
    publish(index, "v1", "The knee bends.")
    with (tmp_path / "kestrel" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(IngestError, match="another ingest of 'kestrel' is running"):
            publish(index, "v2", "The hip turns.")
        publish(index, "v1", "The wing flaps.", book_id="heron")
    publish(index, "v2", "The hip turns.")
    assert index.books() == ["heron", "kestrel"]


@pytest.mark.rule("I4")
async def test_a_fresh_version_can_be_searched_before_it_is_live(index: IndexFolder) -> None:
    """Readers have the old one until it is published."""
    publish(index, "v1", "The knee bends.")
    found = windows("The hip turns.")
    changed = manifest("v2", found)
    with index.building(changed, entries(found), [], pictures=[]) as fresh:
        with fresh.open() as store:
            assert await texts(changed.over(store)) == ["The hip turns."]
        assert await read(index) == ["The knee bends."]
        fresh.publish(changed)
        assert await read(index) == ["The hip turns."]


@pytest.mark.rule("I4")
async def test_a_fresh_version_that_is_not_published_is_gone(index: IndexFolder, tmp_path: Path) -> None:
    """Leaving it for any reason leaves the old version live."""
    publish(index, "v1", "The knee bends.")
    found = windows("The hip turns.")
    with index.building(manifest("v2", found), entries(found), [], pictures=[]):
        pass
    assert await read(index) == ["The knee bends."]
    assert kept(tmp_path) == ["v1"]


@pytest.mark.rule("I4")
async def test_the_live_version_can_be_published_with_another_manifest(index: IndexFolder) -> None:
    """The same points, pictures and files, under another name."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        assert (await books.open(None)).score_map == IDENTITY
        with index.copying("kestrel") as fresh:
            changed = replace(read_manifest(fresh.path), book=BookRef("kestrel", "v2"), score_map=REFITTED)
            fresh.publish(changed)
        book = await books.open(None)
        assert (book.score_map, book.ref.version) == (REFITTED, "v2")
        assert await texts(book) == ["The knee bends."]
    files = index.files("kestrel")
    assert files is not None
    assert (files / "page0.md").is_file()


def test_copying_needs_a_book(index: IndexFolder) -> None:
    """There is no version to publish again."""
    with pytest.raises(BookNotFound, match="no book 'kestrel'"), index.copying("kestrel"):
        pass


async def test_what_was_settled_for_a_version_is_kept_with_it(index: IndexFolder) -> None:
    """Its own threshold, its glossary, and what came of its canary questions."""
    found = windows("The knee bends.")
    canary = Canary(
        "Does it bend?", "refuse", True, RefusalReason.OUT_OF_SCOPE, "G4 in scope", 0.25, "narrow the pattern"
    )
    written = replace(
        manifest("v1", found),
        glossary=Glossary(
            {"dof": ("degree of freedom",)}, {"can": "CAN"}, frozenset({"knee joint"}), {"knee": 2}
        ),
        sufficiency_threshold=0.625,
        canaries=(
            canary,
            replace(canary, answered=False, reason=None, gate=None, sufficiency=None, remedy=None),
        ),
    )
    with index.building(written, entries(found), [], pictures=[]) as fresh:
        fresh.publish(written)
    assert index.current("kestrel") == written
    with library(index) as books:
        book = await books.open(None)
        assert (book.sufficiency_threshold, book.glossary) == (0.625, written.glossary)


def test_a_refitted_map_is_kept_for_its_book_and_embedder(index: IndexFolder) -> None:
    """Later ingests find it, those with another embedder don't."""
    publish(index, "v1", "The knee bends.")
    assert index.refitted_map("kestrel", "fake") is None
    index.keep_map("kestrel", REFITTED)
    assert index.refitted_map("kestrel", "fake") == REFITTED
    assert index.refitted_map("kestrel", "another") is None


def test_a_damaged_map_is_named(index: IndexFolder, tmp_path: Path) -> None:
    """An ingest says which file, rather than falling back to another map in silence."""
    publish(index, "v1", "The knee bends.")
    index.keep_map("kestrel", REFITTED)
    (tmp_path / "kestrel" / "score_map.json").write_text("{")
    with pytest.raises(IngestError, match=r"score_map\.json is unreadable; delete it"):
        index.refitted_map("kestrel", "fake")
