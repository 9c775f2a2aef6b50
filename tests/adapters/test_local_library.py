"""The live books of this machine: the current version, whole, or a clear error."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.errors import BookNotFound, Unavailable
from bookbound.text.glossary import Glossary
from tests.adapters.versions import library, publish, texts

STORED = [
    "segments/*/segment.json",
    "segments/*/mutable_id_tracker.mappings",
    "segments/*/payload_storage/bitmask.dat",
    "segments/*/vector_storage-sparse/store/bitmask.dat",
]
"""Some of the files that a store consists of."""


@pytest.fixture
def index(tmp_path: Path) -> IndexFolder:
    return IndexFolder(tmp_path, EmbeddedPoints())


@pytest.mark.rule("I4")
async def test_an_open_book_reads_on_while_a_new_version_is_published(index: IndexFolder) -> None:
    """A request keeps the version that it began with; the next one gets the new version."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        before = await books.open(None)
        for version in ("v2", "v3", "v4"):
            publish(index, version, "The hip turns.")
        after = await books.open(None)
        assert await texts(before) == ["The knee bends."]
        assert await texts(after) == ["The hip turns."]
        assert (before.ref.version, after.ref.version) == ("v1", "v4")
        assert await books.open(None) is after


@pytest.mark.rule("R4")
async def test_a_book_is_opened_with_the_vocabulary_of_its_version(index: IndexFolder) -> None:
    """Every part of the glossary is read back as the ingest gathered it."""
    glossary = Glossary(
        equivalents={"imu": ("inertial measurement unit",), "größe": ("Abmessung", "size")},
        everyday={"can": "CAN"},
        names=frozenset({"range of motion"}),
        words={"knee": 3, "bends": 1},
    )
    publish(index, "v1", "The knee bends.", glossary=glossary)
    with library(index) as books:
        assert (await books.open(None)).glossary == glossary


@pytest.mark.rule("R4")
async def test_an_open_book_counts_the_words_of_its_windows(index: IndexFolder) -> None:
    """A stem that more windows hold tells less."""
    publish(index, "v1", "The knee bends.", "The knee hurts.")
    with library(index) as books:
        lexicon = (await books.open(None)).lexicon
    assert (lexicon.windows, lexicon.frequencies["knee"], lexicon.frequencies["bend"]) == (2, 2, 1)


@pytest.mark.rule("I4")
async def test_a_second_reader_does_not_need_the_lock(index: IndexFolder) -> None:
    """While one process holds the version open, another reads it as well."""
    publish(index, "v1", "The knee bends.")
    with library(index) as first, library(index) as second:
        one, other = await first.open(None), await second.open(None)
        assert await texts(one) == await texts(other) == ["The knee bends."]


@pytest.mark.rule("R7", "I4")
@pytest.mark.parametrize("damage", ["manifest.json", "current", "missing"])
async def test_a_damaged_version_is_an_error_for_readers_and_mended_by_an_ingest(
    index: IndexFolder, tmp_path: Path, damage: str
) -> None:
    """Readers get Unavailable, never an empty book; for the writer there is no live version."""
    publish(index, "v1", "The knee bends.")
    version = tmp_path / "kestrel" / "versions" / "v1"
    if damage == "manifest.json":
        (version / "manifest.json").write_text('{"book": ')
    elif damage == "current":
        (tmp_path / "kestrel" / "current").write_bytes(b"\x00\xff\x00")
    else:
        shutil.rmtree(version)
    with library(index) as books:
        with pytest.raises(Unavailable, match="ingest the book again"):
            await books.open(None)
        assert not await books.ready()
        assert index.current("kestrel") is None
        publish(index, "v1", "The knee bends.")
        assert await texts(await books.open(None)) == ["The knee bends."]


@pytest.mark.rule("R7")
@pytest.mark.parametrize("file", STORED)
@pytest.mark.parametrize("how", ["junk", "gone"])
async def test_a_damaged_store_is_an_error_that_names_what_to_delete(
    index: IndexFolder, tmp_path: Path, file: str, how: str
) -> None:
    """Junk or nothing where the points should be is Unavailable, never an empty book."""
    publish(index, "v1", "The knee bends.")
    [path] = (tmp_path / "kestrel" / "versions" / "v1" / "qdrant").glob(file)
    path.unlink()
    if how == "junk":
        path.write_bytes(b"{junk" * 1000)
    message = "versions/v1 is damaged; delete it and ingest the book again"
    with library(index) as books, pytest.raises(Unavailable, match=message):
        await books.open(None)


@pytest.mark.rule("R7")
async def test_what_the_engine_panics_at_is_an_error_as_well(index: IndexFolder, tmp_path: Path) -> None:
    """A file that is cut off is one: nothing of the engine's gets past the adapter."""
    publish(index, "v1", "The knee bends.")
    store = tmp_path / "kestrel" / "versions" / "v1" / "qdrant"
    [path] = store.glob("segments/*/vector_storage-dense/vectors/status.dat")
    path.write_bytes(path.read_bytes()[:4])
    with library(index) as books, pytest.raises(Unavailable, match="is damaged") as failed:
        await books.open(None)
    assert "Panic" in type(failed.value.__cause__).__name__


async def test_an_index_of_another_embedder_is_not_searched(index: IndexFolder) -> None:
    """Vectors of two models cannot be compared."""
    publish(index, "v1", "The knee bends.")
    with library(index, embedder="another") as books, pytest.raises(Unavailable, match="with fake"):
        await books.open("kestrel")


@pytest.mark.rule("S3")
async def test_which_book_is_meant(index: IndexFolder) -> None:
    """The named one, else the default, else the only one; several without a default are named."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        assert (await books.open(None)).ref.id == "kestrel"
        with pytest.raises(BookNotFound, match="no book 'heron'"):
            await books.open("heron")
        publish(index, "v1", "The wing flaps.", book_id="heron")
        assert (await books.open("heron")).ref.id == "heron"
        with pytest.raises(BookNotFound, match=r"several books.*BOOKBOUND_BOOK: heron, kestrel"):
            await books.open(None)
    with library(index, default="heron") as books:
        assert (await books.open(None)).ref.id == "heron"


async def test_without_any_book_the_reader_is_told_how_to_get_one(index: IndexFolder) -> None:
    """A missing ingest is not a failure of the store."""
    with library(index) as books:
        with pytest.raises(BookNotFound, match="bookbound ingest DOCS"):
            await books.open(None)
        assert not await books.ready()
    assert (index.books(), index.current("kestrel"), index.files("kestrel")) == ([], None, None)


async def test_questions_at_once_open_a_version_once(index: IndexFolder) -> None:
    """The first questions after a switch share one store."""
    publish(index, "v1", "The knee bends.")
    with library(index) as books:
        opened = await asyncio.gather(*(books.open(None) for _ in range(8)))
    assert len({id(book) for book in opened}) == 1
