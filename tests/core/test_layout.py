"""Heads of entries and code, as places of words."""

from __future__ import annotations

import pytest

from bookbound.claims.layout import codes, heads
from bookbound.claims.wording import wording

TEXT = """Main topics: see below.
1. Rest pose: the arms hang down, and it ends there: so far.
Call `walk_to` or /wren/stop with --fast; walk_to may be cancelled."""


def test_what_stands_before_a_colon_heads_its_line() -> None:
    """Once in a line, and its number aside."""
    text = wording(TEXT)
    assert [text.words[place].text for place in sorted(heads(text))] == ["Main", "topics", "Rest", "pose"]


def test_code_is_found_by_its_marks() -> None:
    """Also where it stands once more without them."""
    text = wording(TEXT)
    found = [text.words[place].text for place in sorted(codes(text)) if text.words[place].text != "/"]
    assert found == ["walk", "to", "wren", "stop", "fast", "walk", "to"]


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("Run --fast.", "option"),
        ('Say "red".', "quoted"),
        ("See a_b.", "identifier"),
        ("Go /a/b.", "identifier"),
    ],
)
def test_code_has_a_sort(text: str, sort: str) -> None:
    """By its first mark."""
    assert {code.sort for code in codes(wording(text)).values()} == {sort}


def test_a_text_without_layout_has_none() -> None:
    """Nor has an empty one."""
    for text in ("", "The arms hang down."):
        assert not heads(wording(text))
        assert not codes(wording(text))
