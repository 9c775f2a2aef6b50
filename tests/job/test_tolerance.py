"""Number of pages that may fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.source.pages import Skipped
from ingest_job.tolerance import too_many


def failed(count: int) -> list[Skipped]:
    return [Skipped(f"page{number}.md", "damaged") for number in range(count)]


@pytest.mark.rule("I4")
@given(pages=st.integers(0, 2000), bad=st.integers(0, 200))
def test_one_page_or_one_in_twenty_may_fail(pages: int, bad: int) -> None:
    """More fail the run."""
    tolerated = bad <= 1 or 20 * bad <= pages + bad
    assert (too_many(pages, failed(bad)) is None) == tolerated


def test_what_was_left_out_on_purpose_is_no_failure() -> None:
    """Drafts, and what the policy excludes."""
    assert too_many(1, [Skipped(f"page{n}.md", "draft", failed=False) for n in range(99)]) is None


def test_the_first_of_them_are_named() -> None:
    """With their reasons, on a line that has an end."""
    assert too_many(2, failed(2)) == "2 of 4 pages failed, more than 5%: page0.md: damaged; page1.md: damaged"
    many = too_many(2, failed(1000))
    assert many is not None
    assert many.endswith("page4.md: damaged; …")
