"""Format of digest and tombstone, letter by letter, since later verifiers have to read them."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.audit.digest_format import (
    Digest,
    Listed,
    Sealed,
    Tombstone,
    digest_of,
    message,
    period_end,
    text_of,
    tombstone_of,
)
from testing.trails import day

DIGEST = Digest(
    number=2,
    start=day(1),
    end=day(2),
    made=day(2, 0, 20),
    previous="ab" * 32,
    expires={"feedback/": 365},
    objects=(Listed("records/ä.gz", "cd" * 32, 17, day(1, 9)),),
)
TOMBSTONE = Tombstone("records/a.gz", "ab" * 32, None, "erasure of a session on request", day(9))

moments = st.datetimes(timezones=st.just(UTC), min_value=datetime(2020, 1, 1)).map(
    lambda at: at.replace(microsecond=0)
)


@pytest.mark.rule("A1")
def test_a_digest_is_one_line_of_json_with_nothing_left_to_choice() -> None:
    """Its hash is the next one's `previous`, so no two texts may mean the same."""
    assert text_of(DIGEST) == (
        '{"end":"2026-03-02T00:00:00.000Z","expires":{"feedback/":365},"format":1,"kind":"digest",'
        '"made":"2026-03-02T00:20:00.000Z","number":2,"objects":[{"bytes":17,"key":"records/\\u00e4.gz",'
        f'"sha256":"{"cd" * 32}","written":"2026-03-01T09:00:00.000Z"}}],"previous":"{"ab" * 32}",'
        '"start":"2026-03-01T00:00:00.000Z"}'
    )
    assert DIGEST.name == "digests/year=2026/month=03/2026-03-01T00Z.json"


@pytest.mark.rule("A4")
def test_a_tombstone_names_content_and_reason_and_nobody() -> None:
    """The same erasure, tried again, has the same name."""
    assert json.loads(text_of(TOMBSTONE)) == {
        "kind": "tombstone",
        "format": 1,
        "key": "records/a.gz",
        "old_sha256": "ab" * 32,
        "new_sha256": None,
        "reason": "erasure of a session on request",
        "erased": "2026-03-09T00:00:00.000Z",
    }
    assert TOMBSTONE.name == replace(TOMBSTONE).name != replace(TOMBSTONE, key="records/b.gz").name


@given(st.lists(st.builds(Listed, st.text(), st.text(), st.integers(0), moments)).map(tuple), moments)
def test_a_digest_is_read_as_it_was_written(objects: tuple[Listed, ...], made: datetime) -> None:
    """The names of its objects do not matter."""
    digest = replace(DIGEST, objects=objects, made=made)
    assert digest_of(text_of(digest)) == digest
    assert tombstone_of(text_of(TOMBSTONE)) == TOMBSTONE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        text_of(TOMBSTONE),
        text_of(DIGEST).replace('"format":1', '"format":2'),
        text_of(DIGEST).replace('"number":2', '"number": 2'),
        text_of(DIGEST).replace('"number":2', '"note":"","number":2'),
    ],
)
def test_what_is_not_a_digests_own_text_is_none(text: str) -> None:
    """Neither a tombstone, nor another format, nor the same values written in another way."""
    with pytest.raises(ValueError, match=r"."):
        digest_of(text)


def test_what_is_signed_tells_kinds_apart_and_is_short() -> None:
    """KMS takes 4,096 bytes, for any day; a digest's signature is not valid for a tombstone."""
    long = text_of(replace(DIGEST, objects=DIGEST.objects * 1000))
    assert len(message("digest", long)) < 4096
    assert message("digest", long) != message("tombstone", long) != message("tombstone", long + " ")


def test_a_paper_is_kept_as_text_and_signature() -> None:
    """Two lines, each readable on its own."""
    sealed = Sealed(text_of(DIGEST), b"signature")
    text, seal = sealed.content.decode().splitlines()
    assert (text, json.loads(seal)) == (
        text_of(DIGEST),
        {"signature": base64.b64encode(b"signature").decode()},
    )
    assert Sealed.of(sealed.content) == sealed


@pytest.mark.parametrize("cut", [0, 1, 20, -1, -10])
def test_a_paper_that_is_cut_off_is_none(cut: int) -> None:
    """Wherever it ends; nor is one that goes on."""
    content = Sealed(text_of(DIGEST), b"signature").content
    for broken in (content[:cut], content + b"x", b"\xff" + content):
        with pytest.raises(ValueError, match=r"."):
            Sealed.of(broken)


@given(moments, st.sampled_from([1, 24]))
def test_a_period_ends_with_the_hour_or_the_day(start: datetime, hours: int) -> None:
    """After its start, and no later than a period's length."""
    end = period_end(start, hours)
    assert timedelta() < end - start <= timedelta(hours=hours)
    assert (end.minute, end.second, end.hour % hours) == (0, 0, 0)
