"""A text as words with their place and kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.claims.wording import Kind, wording


def kinds(text: str) -> dict[str, Kind]:
    return {word.text: word.kind for word in wording(text).words}


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("Wren uses Gazebo.", "Gazebo", Kind.NAME),
        ("Gazebo simulates.", "Gazebo", Kind.CONTENT),
        ("IMU data drifts.", "IMU", Kind.NAME),
        ("It takes 4.2 ms.", "4.2", Kind.NUMBER),
        ("It is at -5 °C.", "-5", Kind.NUMBER),
        ("The robot walks.", "The", Kind.FUNCTION),
        ("The robot walks.", "walks", Kind.CONTENT),
    ],
)
def test_a_word_is_of_a_kind(text: str, word: str, kind: Kind) -> None:
    """A capital names inside a sentence only; capitals alone name everywhere."""
    assert kinds(text)[word] is kind


def test_sentences_and_clauses_are_numbered_through() -> None:
    """A line ends a sentence; a comma or a conjunction ends a clause."""
    words = wording("It walks, but it falls. It rests\nIt ends").words
    assert [word.sentence for word in words if word.lower == "it"] == [0, 0, 1, 2]
    assert len({word.clause for word in words}) >= 4


def test_a_row_knows_its_columns_and_its_header() -> None:
    """Cells under a heading share its column; prose has none."""
    text = wording("The sensors:\nSensor | Rate\nLidar | 10 Hz")
    column = {word.text: word.column for word in text.words}
    assert (column["Rate"], column["10"], column["Lidar"], column["sensors"]) == (1, 1, 0, None)
    assert text.headers == {1}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("goal = Walk.Goal()", 1),
        ("It walks", 1),
        ("It walks. It falls", 2),
        ("Why? It fell!", 2),
        ("…\nIt fell", 1),
    ],
)
def test_a_line_is_one_sentence_unless_one_ends_within_it(text: str, sentences: int) -> None:
    """A dot inside a name ends nothing; a line without words is no sentence."""
    assert len({word.sentence for word in wording(text).words}) == sentences


@given(st.text(max_size=500))
def test_places_are_where_the_words_stand(text: str) -> None:
    """Every word is found again by its stem, and places are in order."""
    found = wording(text)
    assert all(place in found.places[word.stem] for place, word in enumerate(found.words))
    assert all(list(places) == sorted(places) for places in found.places.values())
