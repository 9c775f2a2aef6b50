"""Spelling slips: set right by the book's words, and never a real word bent into one of them (R4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.text.spelling import corrected, corrections, is_english

BOOK = """
    robot behind should without folders button version something happens build filter orbit called sensor
    necessary navigation launch controller radius render least radar different which
"""
WORDS = dict.fromkeys(BOOK.split(), 5)


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("robto", "robot"),
        ("wihtout", "without"),
        ("behnd", "behind"),
        ("foldrs", "folders"),
        ("robbot", "robot"),
        ("buton", "button"),
        ("bild", "build"),
        ("navigatiom", "navigation"),
        ("neccesary", "necessary"),
    ],
    ids=[
        "swap",
        "swap-late",
        "left-out",
        "left-out-late",
        "doubled",
        "single",
        "short",
        "replaced",
        "two-slips",
    ],
)
def test_a_slip_becomes_the_word_that_the_book_uses(typed: str, meant: str) -> None:
    """Swapped, missing, doubled and, in long words, other letters are recognised."""
    assert corrected(f"is the {typed} ok?", WORDS) == f"is the {meant} ok?"


@pytest.mark.rule("R4")
@pytest.mark.parametrize("word", ["vendor", "yeast", "lidar", "falter", "difference", "lisbon", "tender"])
def test_a_real_word_that_the_book_lacks_stays(word: str) -> None:
    """A question on something else must be refused, not turned into one on the book."""
    assert corrected(f"which {word} is best", WORDS) == f"which {word} is best"


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    "word", ["unboxing", "reheated", "dishwasher", "doesnt", "yeasty", "toppled", "sensors"]
)
def test_words_made_of_known_ones_stay(word: str) -> None:
    """Inflections, derivations and compounds are words as well."""
    assert corrections(word, {**WORDS, "doesn": 9, "boxing": 9, "heated": 9, "sensor": 9}) == {}


@pytest.mark.parametrize(
    "text", ["Robto", "robto_node", "robto.py", "/robto", "--robto", "e-robto", "robto2", "rob"]
)
def test_names_identifiers_and_short_words_stay(text: str) -> None:
    """Only whole words of lower-case letters are looked at."""
    assert corrected(text, WORDS) == text


def test_two_words_that_are_equally_near_leave_it_as_typed() -> None:
    """No guess between two words of the book."""
    assert corrections("costmp", {"costmap": 5}) == {"costmp": "costmap"}
    assert corrections("costmp", {"costmap": 5, "costmop": 5}) == {}


def test_an_english_word_as_near_as_the_books_leaves_it_as_typed() -> None:
    """ "farme" may be meant for "frame"; what the reader means need not be in the book."""
    assert corrections("farmr", {"farmer": 5}) == {"farmr": "farmer"}
    assert corrections("farme", {"farmer": 5}) == {}


def test_a_word_that_the_book_uses_once_corrects_nothing() -> None:
    """It may be a slip itself."""
    assert corrections("robto", {"robot": 1}) == {}


def test_an_inflection_of_a_word_of_the_book_is_known() -> None:
    """Stems decide, for words that no dictionary holds."""
    assert corrections("costmapped", {"costmap": 9, "costmapper": 9}) == {}


def test_english_words_are_known_as_such() -> None:
    """The bundled vocabulary holds whole words, not fragments or slips."""
    assert is_english("yeast")
    assert not is_english("robto")


@given(st.text(), st.dictionaries(st.text(alphabet="robtsen", min_size=3, max_size=8), st.integers(1, 9)))
def test_any_text_is_taken_and_only_reported_words_change(question: str, words: dict[str, int]) -> None:
    """A word that is not reported as corrected stays as it was."""
    found = corrections(question, words)
    assert all(right in words and wrong not in words for wrong, right in found.items())
    assert (corrected(question, words) == question) == (not found)


@given(st.lists(st.sampled_from(sorted(WORDS)), min_size=1))
def test_a_question_in_the_books_words_stays(said: list[str]) -> None:
    """No word of the book is a slip."""
    assert corrections(" ".join(said), WORDS) == {}
