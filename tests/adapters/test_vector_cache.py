"""Vectors that were computed once are not computed again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.adapters.files.vector_cache import VectorCache
from bookbound.errors import IngestError


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VectorCache]:
    opened = VectorCache(tmp_path, "model")
    yield opened
    opened.close()


@pytest.mark.rule("I4")
def test_what_is_kept_is_recalled_by_the_next_process(tmp_path: Path, cache: VectorCache) -> None:
    """A batch is on disk as soon as it is kept; unknown texts are left out of the answer."""
    cache.keep({"knee": [1.0, 0.0], "battery": [0.0, 1.0]})
    later = VectorCache(tmp_path, "model")
    assert later.recall(["battery", "gripper"]) == {"battery": [0.0, 1.0]}
    later.close()


def test_each_model_has_vectors_of_its_own(tmp_path: Path, cache: VectorCache) -> None:
    """The same text means another vector to another model."""
    cache.keep({"knee": [1.0]})
    other = VectorCache(tmp_path, "other-model")
    assert other.recall(["knee"]) == {}
    other.close()


def test_the_last_vector_of_a_text_counts(cache: VectorCache) -> None:
    """Keeping a text again replaces its vector."""
    cache.keep({"knee": [1.0]})
    cache.keep({"knee": [0.5]})
    assert cache.recall(["knee"]) == {"knee": [0.5]}


def test_no_texts_are_no_vectors(cache: VectorCache) -> None:
    """For no texts, nothing is recalled."""
    cache.keep({})
    assert cache.recall([]) == {}


@given(text=st.text(), vector=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=8))
def test_a_vector_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, text: str, vector: list[float]
) -> None:
    """For any text, every single-precision number survives."""
    cache = VectorCache(tmp_path_factory.getbasetemp() / "shared", "model")
    cache.keep({text: vector})
    assert np.array_equal(cache.recall([text])[text], vector)
    cache.close()


@pytest.mark.rule("I4")
def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    """The message says which file, and what to do about it."""
    (tmp_path / "model.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(IngestError, match=r"model\.sqlite: .*delete it"):
        VectorCache(tmp_path, "model")
