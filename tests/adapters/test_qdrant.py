"""Qdrant as the passage store, the real embedded client on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid5

import pytest
from qdrant_client import QdrantClient

from bookbound.adapters.qdrant import COLLECTION, EmbeddedQdrant, create_collection, upsert
from bookbound.errors import Unavailable
from bookbound.model import Hit, Image, Passage, Section, SparseVector, UnitKind, Window
from bookbound.terms import content_stems, passage_weights, query_stems, sparse
from tests.builders import passage

BATTERY = replace(
    passage(
        "The battery lasts for 90 minutes.",
        "Größe: 9 Ah “nominal”.",
        images={1: (Image("/img/pack.svg", "The pack"),)},
    ),
    last_update="2026-01-31",
)
KNEE = passage("The knee joint bends by 120 degrees.", section="Joints", document="body/knee.md", page=7)
GRIPPER = passage("pinch", "hook", kind=UnitKind.ITEM, document="body/gripper.md", page=8)
EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def window(found: Passage, first: int = 0, last: int | None = None) -> Window:
    """The window of units `first`–`last`, of all by default."""
    start, end = found.units[first].start, found.units[-1 if last is None else last].end
    return Window(uuid5(found.chunk_id, str(start)), found, start, end, found.text[start:end])


def words(text: str) -> SparseVector:
    """A text's words as the ingest stores them."""
    return sparse(passage_weights(content_stems(text)))


WINDOWS = [window(BATTERY, 0, 0), window(BATTERY, 1, 1), window(KNEE), window(GRIPPER)]
VECTORS = [EAST, [0.8, 0.6], NORTH, WEST]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with four windows of three passages."""
    fill(tmp_path / "store", WINDOWS, VECTORS)
    return tmp_path / "store"


def fill(folder: Path, windows: Sequence[Window], vectors: Sequence[list[float]]) -> None:
    with closing(QdrantClient(path=str(folder))) as client:
        create_collection(client, COLLECTION, 2)
        upsert(client, COLLECTION, windows, vectors, [words(one.embedded_text) for one in windows])


@pytest.fixture
def store(folder: Path) -> Iterator[EmbeddedQdrant]:
    with closing(EmbeddedQdrant(folder)) as opened:
        yield opened


def asked(question: str) -> SparseVector:
    return sparse(dict.fromkeys(query_stems(question), 1.0))


def spans(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.text[hit.start : hit.end] for hit in hits]


@pytest.mark.rule("R3")
async def test_the_nearest_by_meaning_come_first(store: EmbeddedQdrant) -> None:
    """No word of the question stands in the book; the vectors decide."""
    hits = await store.search(EAST, asked("endurance"), 2)
    assert spans(hits) == ["The battery lasts for 90 minutes.", "Größe: 9 Ah “nominal”."]
    assert [hit.cosine for hit in hits] == pytest.approx([1.0, 0.8], abs=1e-6)


@pytest.mark.rule("R3")
async def test_what_only_the_words_find_is_found_in_the_same_call(store: EmbeddedQdrant) -> None:
    """The farthest by meaning comes in by its word, with its true cosine."""
    hits = await store.search(EAST, asked("hook"), 1)
    assert spans(hits) == ["The battery lasts for 90 minutes.", "pinch\nhook"]
    assert hits[1].cosine == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.rule("R3")
async def test_a_window_found_both_ways_is_one_hit(store: EmbeddedQdrant) -> None:
    """Every window once, whatever found it."""
    hits = await store.search(EAST, asked("battery knee pinch"), 10)
    assert sorted(spans(hits)) == sorted(one.embedded_text for one in WINDOWS)


async def test_every_hit_brings_its_window_s_term_weights(store: EmbeddedQdrant) -> None:
    """They are what was stored, so that the lexical score can be computed from the hit alone."""
    for hit in await store.search(EAST, asked("knee"), 10):
        expected = words(hit.passage.text[hit.start : hit.end])
        assert dict(hit.terms) == pytest.approx(dict(expected), rel=1e-6)


async def test_a_question_without_words_is_searched_by_meaning(store: EmbeddedQdrant) -> None:
    """No term is no error."""
    assert spans(await store.search(NORTH, {}, 1)) == ["The knee joint bends by 120 degrees."]


async def test_a_passage_comes_back_exactly(store: EmbeddedQdrant) -> None:
    """Sections, units, pictures, dates and letters of any kind survive the store."""
    hits = await store.search(EAST, {}, 10)
    assert {hit.passage.chunk_id: hit.passage for hit in hits} == {
        found.chunk_id: found for found in (BATTERY, KNEE, GRIPPER)
    }


@pytest.mark.rule("I2")
def test_the_metadata_stands_in_the_payload(folder: Path) -> None:
    """I2's fields can be read and filtered by without unpacking the passage."""
    with closing(QdrantClient(path=str(folder))) as client:
        [point] = client.retrieve(COLLECTION, [str(WINDOWS[1].window_id)])
    payload = dict(point.payload or {})
    assert payload.pop("passage")
    assert payload == {
        "chunk_id": str(BATTERY.chunk_id),
        "parent_document_id": str(BATTERY.document_id),
        "source_path": "power/batteries.md",
        "kind": "prose",
        "headings": ["Power", "Batteries"],
        "chunk_index": 0,
        "start_page": 3,
        "end_page": 3,
        "start_sentence": 1,
        "end_sentence": 2,
        "revision": "r1",
        "last_update": "2026-01-31",
        "window_start": 34,
        "window_end": 56,
    }


@pytest.mark.rule("I2")
def test_the_heading_hierarchy_is_that_of_the_windows_own_section(tmp_path: Path) -> None:
    """A passage over two sections names, for each window, the headings above that window."""
    sections = (
        Section("Care", ("Power", "Care"), "care"),
        Section("Storage", ("Power", "Storage"), "storage"),
    )
    one, two = passage("Charge it daily.", "Keep it dry.").units
    both = replace(
        passage("Charge it daily.", "Keep it dry."), sections=sections, units=(one, replace(two, section=1))
    )
    fill(tmp_path / "store", [window(both, 0, 0), window(both, 1, 1)], [EAST, NORTH])
    with closing(QdrantClient(path=str(tmp_path / "store"))) as client:
        points, _ = client.scroll(COLLECTION)
    headings = {point.payload["window_start"]: point.payload["headings"] for point in points if point.payload}
    assert headings == {0: ["Power", "Care"], 17: ["Power", "Storage"]}


def test_the_same_window_twice_is_one_point(tmp_path: Path) -> None:
    """Upserting again changes nothing."""
    fill(tmp_path / "store", [WINDOWS[0], WINDOWS[0]], [EAST, EAST])
    with closing(EmbeddedQdrant(tmp_path / "store")) as store:
        assert store.count() == 1


@pytest.mark.rule("R7")
async def test_a_missing_collection_is_an_error_not_an_empty_result(tmp_path: Path) -> None:
    """A reader is told that the store failed, never that the book is silent."""
    with closing(EmbeddedQdrant(tmp_path / "empty")) as store:
        assert store.count() == 0
        with pytest.raises(Unavailable):
            await store.search(EAST, asked("battery"), 5)


@pytest.mark.rule("R7")
async def test_a_vector_of_another_model_is_an_error(store: EmbeddedQdrant) -> None:
    """Three dimensions cannot be compared with two."""
    with pytest.raises(Unavailable):
        await store.search([1.0, 0.0, 0.0], asked("battery"), 5)


@pytest.mark.rule("R7")
async def test_a_payload_that_is_no_passage_is_an_error(folder: Path) -> None:
    """What cannot be rebuilt is not left out in silence."""
    with closing(QdrantClient(path=str(folder))) as client:
        client.set_payload(COLLECTION, {"passage": "{}"}, points=[str(WINDOWS[2].window_id)])
    with closing(EmbeddedQdrant(folder)) as store, pytest.raises(Unavailable):
        await store.search(NORTH, {}, 1)
