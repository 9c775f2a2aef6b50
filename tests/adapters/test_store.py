"""Qdrant as the passage store: the same contract for the embedded one and for a server."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid5

import pytest
from qdrant_edge import EdgeShard, ScrollRequest, UpdateOperation

from bookbound.adapters.qdrant.embedded import STORE, EmbeddedPoints, EmbeddedQdrant
from bookbound.adapters.qdrant.point_locations import OpenPoints, Points
from bookbound.adapters.qdrant.point_writer import POINTS_A_CALL
from bookbound.errors import Unavailable
from bookbound.index.manifest import Entry
from bookbound.model import Hit, Image, Passage, Section, SparseVector, UnitKind, Vector, Wanted, Window
from bookbound.text.terms import content_stems, passage_weights, query_stems, sparse
from testing.builders import passage, table
from tests.adapters.versions import manifest

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
PARTS = table("Part | Mass", "Shin | 900 g", caption="Table 1: Parts")
EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def window(found: Passage, first: int = 0, last: int | None = None) -> Window:
    """The window of units `first`–`last`, of all by default."""
    start, end = found.units[first].start, found.units[-1 if last is None else last].end
    return Window(uuid5(found.chunk_id, str(start)), found, start, end, found.text[start:end])


def words(text: str) -> SparseVector:
    """A text's words as the ingest stores them."""
    return sparse(passage_weights(content_stems(text)))


def entry(one: Window, dense: Vector) -> Entry:
    """A window as the ingest hands it over."""
    return Entry(one, dense, words(one.embedded_text))


WINDOWS = [window(BATTERY, 0, 0), window(BATTERY, 1, 1), window(KNEE), window(GRIPPER)]
ENTRIES = [entry(one, vector) for one, vector in zip(WINDOWS, [EAST, [0.8, 0.6], NORTH, WEST], strict=True)]


Holding = Callable[[Sequence[Entry]], AbstractContextManager[OpenPoints]]
"""Stores the entries as a version's points, and opens them."""


@pytest.fixture
def holding(points: Points, tmp_path: Path) -> Holding:
    """Over either place where points can be."""
    return partial(held, points, tmp_path)


def held(points: Points, folder: Path, entries: Sequence[Entry]) -> closing[OpenPoints]:
    written = points.write(folder, manifest("v1", [one.window for one in entries]), entries)
    assert written == len({one.window.window_id for one in entries})
    return closing(points.open(folder))


@pytest.fixture
def store(holding: Holding) -> Iterator[OpenPoints]:
    """Four windows of three passages."""
    with holding(ENTRIES) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An embedded store with the same four windows."""
    held(EmbeddedPoints(), tmp_path, ENTRIES).thing.close()
    return tmp_path / STORE


def wanted(direction: Vector, question: str = "") -> Wanted:
    """Return the store's request for a question that points in this direction."""
    return Wanted(direction, sparse(dict.fromkeys(query_stems(question), 1.0)))


def spans(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.text[hit.start : hit.end] for hit in hits]


class Counting:
    """A shard that remembers the calls which pass through it."""

    def __init__(self, shard: EdgeShard) -> None:
        self._shard = shard
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.calls.append(name)
        return getattr(self._shard, name)


@pytest.mark.rule("R3")
async def test_the_nearest_by_meaning_come_first(store: OpenPoints) -> None:
    """No word of the question stands in the book; the vectors decide."""
    [hits] = await store.search([wanted(EAST, "endurance")], 2)
    assert spans(hits) == ["The battery lasts for 90 minutes.", "Größe: 9 Ah “nominal”."]
    assert [hit.cosine for hit in hits] == pytest.approx([1.0, 0.8], abs=1e-6)


@pytest.mark.rule("R3")
async def test_what_only_the_words_find_is_found_in_the_same_call(store: OpenPoints) -> None:
    """The farthest by meaning comes in by its word, with its true cosine."""
    [hits] = await store.search([wanted(EAST, "hook")], 1)
    assert spans(hits) == ["The battery lasts for 90 minutes.", "pinch\nhook"]
    assert hits[1].cosine == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.rule("R3")
async def test_a_window_found_both_ways_is_one_hit(store: OpenPoints) -> None:
    """Every window appears once, found by either way or both."""
    [hits] = await store.search([wanted(EAST, "battery knee pinch")], 10)
    assert sorted(spans(hits)) == sorted(one.embedded_text for one in WINDOWS)


@pytest.mark.rule("R3")
async def test_all_that_is_wanted_is_found_in_one_round_trip(folder: Path) -> None:
    """The engine is called once for any number of wordings; each gets separate hits."""
    asked = [wanted(EAST, "endurance"), wanted(NORTH, "hook"), wanted(WEST)]
    with closing(EmbeddedQdrant(folder)) as store:
        alone = [(await store.search([one], 2))[0] for one in asked]
        store._shard = counting = Counting(store._shard)  # type: ignore[assignment]
        assert await store.search(asked, 2) == alone
        assert counting.calls == ["query_batch"]
        store._shard = counting._shard
    assert [spans(hits)[0] for hits in alone] == [WINDOWS[n].embedded_text for n in (0, 2, 3)]


async def test_nothing_wanted_is_nothing_found(store: OpenPoints) -> None:
    """An empty list is answered by an empty list."""
    assert await store.search([], 5) == []


def direction(degrees: float) -> Vector:
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]


ROUND = [
    entry(window(found), direction(30 * n))
    for n, found in enumerate(passage(f"Part {n} is here.", "Hook.", document=f"{n}.md") for n in range(12))
]
"""Windows all around."""


@pytest.mark.rule("R3", "P3")
async def test_a_server_finds_what_the_embedded_store_finds(remote: Points, tmp_path: Path) -> None:
    """The same hits in the same order, with the same figures."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    asked = [wanted(direction(degrees), f"number {degrees % 12}") for degrees in range(4, 360, 25)]
    with (
        held(EmbeddedPoints(), tmp_path / "here", ROUND) as here,
        held(remote, tmp_path / "there", ROUND) as there,
    ):
        expected, found = await here.search(asked, 4), await there.search(asked, 4)
    for hits, same in zip(expected, found, strict=True):
        assert [hit.passage for hit in same] == [hit.passage for hit in hits]
        for figure in ("start", "end", "cosine"):
            values = [getattr(hit, figure) for hit in hits]
            assert [getattr(hit, figure) for hit in same] == pytest.approx(values, abs=1e-5)
        assert [dict(hit.terms) for hit in same] == [pytest.approx(dict(hit.terms), rel=1e-5) for hit in hits]


async def test_every_hit_brings_its_window_s_term_weights(store: OpenPoints) -> None:
    """They are what was stored, so that the lexical score can be computed from the hit alone."""
    [hits] = await store.search([wanted(EAST, "knee")], 10)
    assert len(hits) == len(WINDOWS)
    for hit in hits:
        expected = words(hit.passage.text[hit.start : hit.end])
        assert dict(hit.terms) == pytest.approx(dict(expected), rel=1e-6)


async def test_a_question_without_words_is_searched_by_meaning(store: OpenPoints) -> None:
    """No term is no error."""
    [hits] = await store.search([wanted(NORTH)], 1)
    assert spans(hits) == ["The knee joint bends by 120 degrees."]


@pytest.mark.rule("T1", "T2")
async def test_a_passage_comes_back_exactly(holding: Holding) -> None:
    """Sections, units, pictures, dates, a table's extent and letters of any kind survive the store."""
    with holding([*ENTRIES, entry(window(PARTS), EAST)]) as store:
        [hits] = await store.search([wanted(EAST)], 10)
    passages = {hit.passage.chunk_id: hit.passage for hit in hits}
    assert passages == {found.chunk_id: found for found in (BATTERY, KNEE, GRIPPER, PARTS)}
    assert passages[PARTS.chunk_id].rows_total == 1


@pytest.mark.rule("I2")
async def test_every_passage_is_given_once(holding: Holding) -> None:
    """Also one of several windows, and more than one request takes."""
    many = [passage(f"Sentence {number}.", document=f"{number}.md") for number in range(600)]
    entries = [*ENTRIES, *(entry(window(one), EAST) for one in many)]
    with holding(entries) as store:
        found = await store.passages()
    assert len(found) == len(many) + 3
    assert {BATTERY, KNEE, GRIPPER, *many} == set(found)
    assert next(one for one in found if one.chunk_id == BATTERY.chunk_id) == BATTERY


def test_the_metadata_stands_in_the_payload(folder: Path) -> None:
    """I2's fields can be read and filtered by without unpacking the passage."""
    with closing(EdgeShard.load(str(folder))) as shard:
        [point] = shard.retrieve([WINDOWS[1].window_id], with_payload=True, with_vector=False)
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
    held(EmbeddedPoints(), tmp_path, [entry(window(both, 0, 0), EAST), entry(window(both, 1, 1), NORTH)])
    with closing(EdgeShard.load(str(tmp_path / STORE))) as shard:
        points, _ = shard.scroll(ScrollRequest(with_payload=True))
    headings = {point.payload["window_start"]: point.payload["headings"] for point in points if point.payload}
    assert headings == {0: ["Power", "Care"], 17: ["Power", "Storage"]}


async def test_the_same_window_twice_is_one_point(holding: Holding) -> None:
    """Upserting again changes nothing."""
    with holding([ENTRIES[0], ENTRIES[0]]) as store:
        assert await store.count() == 1


async def test_more_than_one_call_takes_is_stored_whole(holding: Holding) -> None:
    """A large book goes in several calls, and no window is lost between two of them."""
    found = [passage(f"Part {n}.", document=f"{n}.md") for n in range(2 * POINTS_A_CALL + 3)]
    with holding([entry(window(one), NORTH) for one in found]) as store:
        assert await store.count() == len(found)


@pytest.mark.rule("R7")
def test_a_missing_store_is_an_error_not_an_empty_result(tmp_path: Path) -> None:
    """A reader learns that the store failed, never that the book is silent."""
    with pytest.raises(Unavailable):
        EmbeddedPoints().open(tmp_path)


@pytest.mark.rule("R7")
async def test_a_vector_of_another_model_is_an_error(store: OpenPoints) -> None:
    """Three dimensions cannot be compared with two; no wording is answered when one cannot be."""
    with pytest.raises(Unavailable):
        await store.search([wanted(EAST, "battery"), wanted([1.0, 0.0, 0.0], "battery")], 5)


@pytest.mark.rule("R7")
async def test_a_payload_that_is_no_passage_is_an_error(folder: Path) -> None:
    """A passage that cannot be rebuilt is not left out silently."""
    with closing(EdgeShard.load(str(folder))) as shard:
        shard.update(UpdateOperation.set_payload([WINDOWS[2].window_id], {"passage": "{}"}))
    with closing(EmbeddedQdrant(folder)) as store, pytest.raises(Unavailable):
        await store.search([wanted(NORTH)], 1)
