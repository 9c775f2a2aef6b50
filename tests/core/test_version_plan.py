"""Names of versions, changes that count, and the batches that a book is cut into (I4)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.index.chunking import ChunkSizes
from bookbound.index.indexing import Counts, IndexDeps, index
from bookbound.index.manifest import Manifest
from bookbound.index.version_plan import (
    CHARACTERS_A_BATCH,
    FORMAT,
    PAGES_A_BATCH,
    Plan,
    Recipe,
    batches,
    page_key,
    plan,
)
from bookbound.model import BookRef
from bookbound.policy import book_policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page, ReadBook, SourceFile
from bookbound.text.scoring import IDENTITY
from testing.builders import plain_model
from testing.fakes import HashEmbedder, MemoryOfVectors
from tests.core import sample_index

MODEL = plain_model()
RECIPE = Recipe(ChunkSizes(), "fake", 2, IDENTITY, MODEL)
KNEE = "# Knee\n\nThe knee bends.\n\n| Joint | Range |\n|---|---|\n| Knee | 120° |\n"
HIP = "# Hip\n\nThe hip turns. It holds 40 kg.\n"


def pages(**texts: str) -> tuple[Page, ...]:
    """The pages of a book with these files."""
    files = [SourceFile(f"{name}.md", text.encode()) for name, text in texts.items()]
    return read_book(files, book_policy.DEFAULT, book_id="kestrel").pages


def planned(found: tuple[Page, ...], live: Manifest | None = None, recipe: Recipe = RECIPE) -> Plan:
    return plan(ReadBook(found, ()), (), book_policy.DEFAULT, book_id="kestrel", recipe=recipe, live=live)


def live(found: tuple[Page, ...]) -> Manifest:
    """A manifest with these pages; nothing else of it is looked at."""
    keys = {page.document: page_key(page) for page in found}
    empty: dict[str, object] = dict.fromkeys(Manifest.__dataclass_fields__)
    return Manifest(**empty | {"book": BookRef("kestrel", "v1"), "pages": keys})  # type: ignore[arg-type]


@pytest.mark.rule("I4")
def test_the_same_pages_are_the_same_version() -> None:
    """Wherever and however often they are read."""
    assert planned(pages(knee=KNEE, hip=HIP)) == planned(pages(hip=HIP, knee=KNEE))


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    "recipe",
    [
        replace(RECIPE, embedder="other"),
        replace(RECIPE, dimensions=3),
        replace(RECIPE, sizes=ChunkSizes(window=100)),
        replace(RECIPE, score_map=replace(IDENTITY, method="by hand")),
        replace(RECIPE, sufficiency=replace(MODEL, threshold=0.6)),
        replace(RECIPE, sufficiency=replace(MODEL, reader="other")),
    ],
    ids=["embedder", "dimensions", "sizes", "score map", "sufficiency", "reader"],
)
def test_another_recipe_is_another_version_of_the_same_text(recipe: Recipe) -> None:
    """Another embedding model gets an index next to the old one; no page counts as changed."""
    found = pages(knee=KNEE)
    other = planned(found, live(found), recipe)
    assert other.book.version != planned(found).book.version
    assert other.changed == ()


@pytest.mark.rule("I4")
def test_pages_are_told_apart_by_their_text() -> None:
    """New and edited ones are changed, missing ones removed, all others neither."""
    before = live(pages(knee=KNEE, hip=HIP, arm="# Arm\n\nIt lifts.\n"))
    found = planned(pages(knee=KNEE, hip=HIP + "\nIt is new.\n", foot="# Foot\n\nIt stands.\n"), before)
    assert set(found.changed) == {"hip.md", "foot.md"}
    assert found.removed == ("arm.md",)


@pytest.mark.rule("I4")
def test_a_page_that_moves_keeps_its_key_and_makes_another_version() -> None:
    """Its vectors still fit, but where it is cited from is new."""
    [here] = pages(knee=KNEE)
    [there] = pages(leg=KNEE)
    assert page_key(here) == page_key(there)
    assert planned((here,)).book != planned((there,)).book
    renumbered = replace(here, page=7)
    assert page_key(renumbered) == page_key(here)
    assert planned((renumbered,)).book != planned((here,)).book


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    "edited", [KNEE.replace("bends", "turns"), KNEE.replace("120", "130"), KNEE.replace("# Knee", "# Knees")]
)
def test_an_edit_of_text_table_or_heading_is_another_key(edited: str) -> None:
    """All embedded text counts."""
    [before], [after] = pages(knee=KNEE), pages(knee=edited)
    assert page_key(before) != page_key(after)


@pytest.mark.rule("I4")
def test_pictures_are_part_of_the_version() -> None:
    """A fixed drawing is published."""
    found = ReadBook(pages(knee=KNEE), ())
    versions = {
        plan(found, pictures, book_policy.DEFAULT, book_id="kestrel", recipe=RECIPE, live=None).book.version
        for pictures in ((), (SourceFile("img/a.svg", b"1"),), (SourceFile("img/a.svg", b"2"),))
    }
    assert len(versions) == 3


@given(st.lists(st.integers(0, 2 * CHARACTERS_A_BATCH), max_size=80))
def test_batches_hold_every_page_once_in_order_and_are_bounded(sizes: list[int]) -> None:
    """Only a page that is too large alone makes a batch larger than allowed."""
    [page] = pages(knee="# Knee\n\nIt bends.\n")
    [piece] = page.pieces
    book = [
        replace(page, document=str(n), pieces=(replace(piece, text="x" * size),))
        for n, size in enumerate(sizes)
    ]
    found = list(batches(book))
    assert [page for batch in found for page in batch] == book
    for batch in found:
        assert 1 <= len(batch) <= PAGES_A_BATCH
        held = sum(len(page.pieces[0].text) for page in batch)
        assert held <= CHARACTERS_A_BATCH or len(batch) == 1


@pytest.mark.rule("I4")
async def test_a_book_indexed_in_batches_is_the_book_indexed_at_once() -> None:
    """Any cut gives the same points and the same statistics."""
    found = pages(knee=KNEE, hip=HIP, arm="# Arm\n\nIt lifts. It bends.\n")

    async def indexed(*parts: tuple[Page, ...]) -> tuple[list[object], Counts]:
        deps = IndexDeps(HashEmbedder(), MemoryOfVectors(), lambda text: len(text.split()), ChunkSizes())
        done = [await index(part, "kestrel", deps) for part in parts]
        return [entry for one in done for entry in one.entries], Counts.merged([one.counts for one in done])

    assert await indexed(found) == await indexed(*((page,) for page in found))


@pytest.mark.rule("I4")
def test_the_same_pages_give_the_same_index_under_the_same_format() -> None:
    """A change to what pages become must raise FORMAT, or published books would keep old indexes."""
    recorded = json.loads(sample_index.RECORD.read_text("utf-8"))
    assert recorded == {"format": FORMAT, "digest": sample_index.digest()}, (
        "the sample book is indexed otherwise: raise planning.FORMAT, "
        "then run `python -m tests.core.sample_index`"
    )
