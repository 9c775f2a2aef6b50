"""Searching the book and looking into it, over fakes."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from uuid import UUID

import pytest

from bookbound.audit.record_schema import audit_record_json
from bookbound.consulting import MOST_PASSAGES, Found, Shelf, search
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, Unavailable
from bookbound.model import Hit, Question
from testing.builders import FixedStore, book, passage
from testing.fakes import FakeAudit, FakeGenerator, FakeLibrary, FakeReader
from tests.core.asking import SUPPORTED, deps

QUERY = Question("battery life", UUID(int=1), UUID(int=2), client_id="campus")
FOUND = [
    passage(f"The battery number {n} lasts for 90 minutes.", section=f"Pack {n}", document=f"{n}.md")
    for n in range(7)
]
HITS = [Hit(one, 0, len(one.text), 0.9, {}) for one in FOUND]


@pytest.mark.rule("R2", "G8")
async def test_the_best_passages_come_first_and_nothing_is_written() -> None:
    """At most five, by the score that ranks them for an answer too."""
    similar = {one.chunk_id: 0.55 + 0.05 * n for n, one in enumerate(FOUND)}
    generator = FakeGenerator([SUPPORTED])
    built = deps(book(*HITS), reader=FakeReader(similar), generator=generator)
    found = await search(QUERY, None, Deadline(), built)
    assert [one.passage.document for one in found.passages] == ["6.md", "5.md", "4.md", "3.md", "2.md"]
    assert len(found.passages) == MOST_PASSAGES
    assert generator.briefs == []


@pytest.mark.rule("G1", "G3")
async def test_what_is_under_the_empty_threshold_is_ignored() -> None:
    """None is an outcome."""
    built = deps(book(*HITS), reader=FakeReader({one.chunk_id: 0.49 for one in FOUND}))
    assert (await search(QUERY, None, Deadline(), built)).passages == ()


async def test_a_section_is_shown_once() -> None:
    """Of two passages that share it, the better one."""
    first, second = FOUND[0], replace(FOUND[0], chunk_id=UUID(int=9))
    built = deps(book(*(Hit(one, 0, len(one.text), 0.9, {}) for one in (first, second))))
    assert len((await search(QUERY, None, Deadline(), built)).passages) == 1


@pytest.mark.rule("A1", "A4", "S1")
async def test_a_search_is_on_record_as_what_it_is() -> None:
    """Who asked what, and the passages that were shown; neither answered nor refused."""
    audit = FakeAudit()
    found = await search(QUERY, None, Deadline(), deps(book(*HITS), audit=audit))
    [record] = audit.records
    audit_record_json().validate_json(json.dumps(record))
    assert (record["asked_for"], record["success"], record["was_refusal"]) == ("passages", True, False)
    assert (record["user_query_text"], record["client_id"]) == ("battery life", "campus")
    assert record["session_id"] == str(QUERY.session_id)
    assert (record["answer_id"], record["answer_text"], record["generator_calls"]) == (None, None, 0)
    shown = [str(one.passage.chunk_id) for one in found.passages]
    assert [one["chunk_id"] for one in record["chunks_returned"]] == shown
    assert record["personal_data"] is False


@pytest.mark.rule("A4")
async def test_a_search_for_a_person_is_deleted_after_retention() -> None:
    """As a question is."""
    audit = FakeAudit()
    query = replace(QUERY, text="mail of ada.lovelace@example.org")
    await search(query, None, Deadline(), deps(book(*HITS), audit=audit))
    assert audit.records[0]["personal_data"] is True


@pytest.mark.rule("R7", "D4")
@pytest.mark.parametrize("error", [Unavailable("the store failed"), DeadlineExceeded("late")])
async def test_a_search_that_fails_is_on_record_too(error: Exception) -> None:
    """An error is never an empty result."""
    audit = FakeAudit()
    built = deps(book(*HITS, store=FixedStore(*HITS, error=error)), audit=audit)
    with pytest.raises(type(error)):
        await search(QUERY, None, Deadline(), built)
    [record] = audit.records
    assert (record["asked_for"], record["success"]) == ("passages", False)
    assert record["error_message"].startswith(type(error).__name__)


@pytest.mark.rule("A2")
async def test_a_lost_record_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    """The passages are given, and an alarm tells of the record."""
    caplog.set_level(logging.ERROR, logger="bookbound")
    built = deps(book(*HITS), audit=FakeAudit(error=Unavailable("the stream")))
    found = await search(QUERY, None, Deadline(), built)
    assert isinstance(found, Found) and "audit record lost" in caplog.text


async def test_the_contents_are_put_together_once_for_each_version() -> None:
    """A new version is another book."""
    shelf, built = Shelf(), deps(book(*HITS))
    _, first = await shelf.contents(None, Deadline(), built)
    _, again = await shelf.contents(None, Deadline(), built)
    assert again is first
    newer = replace(built, library=FakeLibrary(book(*HITS[:2])))
    _, third = await shelf.contents(None, Deadline(), newer)
    assert [one.title for one in third.parts] == ["Pack 0", "Pack 1"]


@pytest.mark.rule("R7")
async def test_contents_that_cannot_be_read_are_an_error() -> None:
    """And the next call tries again."""
    shelf = Shelf()
    failing = deps(book(*HITS, store=FixedStore(*HITS, error=Unavailable("the store failed"))))
    with pytest.raises(Unavailable):
        await shelf.contents(None, Deadline(), failing)
    ref, _ = await shelf.contents(None, Deadline(), deps(book(*HITS)))
    assert ref.id == "demo"
