"""Readers who ask all the while, as a book is ingested again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from trials.reingest.loop import reingest

pytestmark = pytest.mark.long

EDITIONS = 3


@pytest.mark.rule("I4", "R7")
def test_readers_get_whole_answers_while_a_book_is_ingested(tmp_path: Path) -> None:
    """No error, no answer that mixes editions; a reader who keeps a version is answered from it."""
    outcome = reingest(tmp_path, EDITIONS)
    assert outcome.good
    usual, hurried, one, two = outcome.readers
    assert {answer.version for answer in hurried.answers} == {one.version for one in outcome.published}
    assert {answer.version for answer in usual.answers} >= {outcome.published[-1].version}
    assert all(len(reader.answers) >= 2 for reader in (one, two))
