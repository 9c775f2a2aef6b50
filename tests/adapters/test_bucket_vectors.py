"""Vectors stored next to a stage's books: those of a page's texts, computed once."""

from __future__ import annotations

import hashlib
import json
import struct
import time
from typing import Any
from uuid import uuid4

import boto3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bookbound.adapters.aws.bucket_vectors import SPARED_SECONDS, BucketVectors
from bookbound.errors import Unavailable
from testing.staged import objects


@pytest.fixture
def vectors(bucket: str) -> BucketVectors:
    return BucketVectors(boto3.client("s3"), bucket, "kestrel", "model")


def parts(key: str, model: str = "model") -> dict[str, bytes]:
    """Return the objects in the bucket that hold a page's vectors."""
    return objects("books", f"books/kestrel/vectors/{model}/{key}/")


@pytest.mark.rule("I4")
def test_what_is_kept_is_recalled_by_the_next_process(vectors: BucketVectors, bucket: str) -> None:
    """Each batch is a separate part; unknown texts are left out of the answer."""
    memory = vectors.memory("page1", None)
    memory.keep({"knee": [1.0, 0.0], "battery": [0.0, 1.0]})
    memory.keep({"gripper": [0.5, 0.5]})
    assert len(parts("page1")) == 2
    later = BucketVectors(boto3.client("s3"), bucket, "kestrel", "model").memory("page1", None)
    assert later.recall(["battery", "gripper", "wheel"]) == {"battery": [0.0, 1.0], "gripper": [0.5, 0.5]}


def test_a_part_is_a_line_of_json_and_then_numbers(vectors: BucketVectors) -> None:
    """Any program can read it; keeping the same again is the same part."""
    for _ in range(2):
        vectors.memory("page1", None).keep({"knee": [1.0, -2.0]})
    [(key, content)] = parts("page1").items()
    line, _, numbers = content.partition(b"\n")
    assert json.loads(line) == [hashlib.sha256(b"knee").hexdigest()[:32]]
    assert struct.unpack("<2f", numbers) == (1.0, -2.0)
    assert key.rpartition("/")[2] == hashlib.sha256(content).hexdigest()[:32]


@pytest.mark.rule("I4")
def test_a_changed_page_takes_over_what_it_still_says(vectors: BucketVectors) -> None:
    """Vectors are copied, so they outlive the earlier text; present ones are not copied again."""
    vectors.memory("before", None).keep({"knee": [1.0], "battery": [2.0]})
    memory = vectors.memory("after", "before")
    assert memory.recall(["knee", "wheel"]) == {"knee": [1.0]}
    memory.keep({"wheel": [3.0]})
    there = parts("after")
    assert vectors.memory("after", "before").recall(["knee", "wheel"]) == {"knee": [1.0], "wheel": [3.0]}
    assert parts("after") == there
    assert vectors.memory("after", None).recall(["knee", "battery", "wheel"]) == {
        "knee": [1.0],
        "wheel": [3.0],
    }


def test_each_model_and_each_book_has_vectors_of_its_own(vectors: BucketVectors, bucket: str) -> None:
    """The same text means another vector to another model; and a book is deleted whole."""
    vectors.memory("page1", None).keep({"knee": [1.0]})
    s3 = boto3.client("s3")
    for other in (BucketVectors(s3, bucket, "kestrel", "other"), BucketVectors(s3, bucket, "heron", "model")):
        assert other.memory("page1", None).recall(["knee"]) == {}


@pytest.mark.rule("I4")
def test_two_who_write_at_once_do_not_lose_each_others(vectors: BucketVectors) -> None:
    """The same text has one of both vectors, as when an abandoned step is still running."""
    for vector in ([1.0], [2.0]):
        vectors.memory("page1", None).keep({"knee": vector, f"own {vector}": vector})
    found = vectors.memory("page1", None).recall(["knee", "own [1.0]", "own [2.0]"])
    assert found.pop("knee") in ([1.0], [2.0])
    assert found == {"own [1.0]": [1.0], "own [2.0]": [2.0]}


@pytest.mark.rule("I4")
@pytest.mark.parametrize("damage", [b"", b"cut", b'["x"', None])
def test_a_part_that_is_damaged_counts_as_none(
    vectors: BucketVectors, bucket: str, damage: bytes | None
) -> None:
    """Its texts are embedded again, and then it is whole."""
    memory = vectors.memory("page1", None)
    memory.keep({"knee": [1.0, 0.0]})
    memory.keep({"wheel": [0.0, 1.0]})
    [key] = [key for key, content in parts("page1").items() if content.endswith(struct.pack("<2f", 1, 0))]
    content = parts("page1")[key]
    boto3.client("s3").put_object(Bucket=bucket, Key=key, Body=content[:-4] if damage is None else damage)
    assert memory.recall(["knee", "wheel"]) == {"wheel": [0.0, 1.0]}
    memory.keep({"knee": [1.0, 0.0]})
    assert memory.recall(["knee"]) == {"knee": [1.0, 0.0]}


def test_a_part_that_is_pruned_while_it_is_looked_for_counts_as_none(bucket: str) -> None:
    """It was listed, and is gone."""

    class Late:
        """A client of S3 whose objects are deleted before they are read."""

        def __init__(self) -> None:
            self._s3 = boto3.client("s3")
            self.exceptions = self._s3.exceptions
            self.put_object = self._s3.put_object
            self.get_paginator = self._s3.get_paginator

        def get_object(self, **wanted: Any) -> Any:
            self._s3.delete_object(**wanted)
            return self._s3.get_object(**wanted)

    late: Any = Late()
    memory = BucketVectors(late, bucket, "kestrel", "model").memory("page1", None)
    memory.keep({"knee": [1.0]})
    assert memory.recall(["knee"]) == {}


def test_no_texts_are_no_vectors(vectors: BucketVectors) -> None:
    """For no texts, nothing is recalled and nothing is written."""
    vectors.memory("page1", None).keep({})
    assert vectors.memory("page1", "page0").recall([]) == {}
    assert parts("page1") == {}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    given_vectors=st.integers(1, 4).flatmap(
        lambda size: st.dictionaries(
            st.text(), st.lists(st.floats(-1, 1, width=32), min_size=size, max_size=size), max_size=4
        )
    )
)
def test_vectors_come_back_as_they_were(
    vectors: BucketVectors, given_vectors: dict[str, list[float]]
) -> None:
    """For any texts, every single-precision number survives with its sign."""
    memory = vectors.memory(uuid4().hex, None)
    memory.keep(given_vectors)
    found = memory.recall(given_vectors)
    assert {text: repr(found[text]) for text in given_vectors} == {
        text: repr(vector) for text, vector in given_vectors.items()
    }


@pytest.mark.rule("I4")
def test_what_no_kept_version_needs_is_pruned_when_it_is_a_day_old(bucket: str) -> None:
    """Vectors of every model are pruned; new ones stay, since an unfinished run may need them."""
    s3, now = boto3.client("s3"), time.time()
    for model in ("model", "another"):
        for page in ("kept", "gone"):
            BucketVectors(s3, bucket, "kestrel", model).memory(page, None).keep({"knee": [1.0]})
    BucketVectors(s3, bucket, "kestrel-2", "model").memory("gone", None).keep({"knee": [1.0]})
    for late, left in ((-60.0, 1), (60.0, 0)):
        at = now + SPARED_SECONDS + late
        BucketVectors(s3, bucket, "kestrel", "model", clock=lambda at=at: at).prune({"kept"})
        assert (len(parts("gone")), len(parts("gone", "another"))) == (left, left)
        assert (len(parts("kept")), len(parts("kept", "another"))) == (1, 1)
    assert len(objects(bucket, "books/kestrel-2/")) == 1


def test_a_bucket_that_cannot_be_used_is_an_error(vectors: BucketVectors, bucket: str) -> None:
    """It says what failed."""
    boto3.client("s3").delete_bucket(Bucket=bucket)
    memory = vectors.memory("page1", None)
    with pytest.raises(Unavailable, match=r"^listing the bucket books failed \(NoSuchBucket\)$"):
        memory.recall(["knee"])
    with pytest.raises(Unavailable, match=r"^writing to the bucket books failed \(NoSuchBucket\)$"):
        memory.keep({"knee": [1.0]})
