"""Citations: literal text, 30 to 50 words, with a link that opens the passage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer.citations import CUT, cite, excerpt, images, is_literal, link, source, supporting_units
from bookbound.model import Image
from testing.builders import evidence, passage

SHORT = passage("The battery holds 9 Ah.", "It lasts for 90 minutes.", "Charge it at 54.6 V.")
WORDY = passage(*(f"Sentence {n} has exactly eight words in it." for n in range(12)))


def words(text: str) -> int:
    return len(text.replace(CUT, " ").split())


@pytest.mark.rule("C1")
def test_a_citation_reads_as_the_format_says() -> None:
    """[Source: Section Title (Page X) - "excerpt"]."""
    [exhibit] = evidence(SHORT).exhibits
    citation = cite("It lasts for 90 minutes.", exhibit)
    assert str(citation) == (
        "[Source: Batteries (Page 3) - "
        '"The battery holds 9 Ah. It lasts for 90 minutes. Charge it at 54.6 V."]'
    )


@pytest.mark.rule("C1")
@given(st.integers(0, 11))
def test_an_excerpt_has_30_to_50_words_where_the_passage_has_as_many(unit: int) -> None:
    """It grows by whole neighbours around the sentence, and holds that sentence."""
    text = excerpt(WORDY, unit, unit)
    assert 30 <= words(text) <= 50
    assert f"Sentence {unit} has" in text


@pytest.mark.rule("C1")
def test_a_longer_sentence_is_cut_with_a_mark() -> None:
    """Fifty words, and the cut is shown."""
    text = excerpt(passage(" ".join(f"w{n}" for n in range(80)) + "."), 0, 0)
    assert text.endswith(f"w49 {CUT}")
    assert words(text) == 50


@pytest.mark.rule("C1")
def test_the_seam_between_two_blocks_is_marked() -> None:
    """Between blocks the book may hold a table or a picture that the passage leaves out."""
    found = passage("One block.", "Another block.", blocks=(1, 2))
    assert excerpt(found, 0, 0) == f"One block. {CUT} Another block."


@pytest.mark.rule("C1", "P6")
@given(
    st.lists(st.text(alphabet="ab .\n", min_size=1, max_size=40).filter(str.strip), min_size=1, max_size=8)
)
def test_every_piece_of_an_excerpt_is_literal(sentences: list[str]) -> None:
    """For any text, the piece between two cuts is the passage's text."""
    found = passage(*sentences)
    pieces = excerpt(found, 0, 0).split(CUT)
    assert all(is_literal(piece, found) for piece in pieces if piece.strip())


def test_a_sentence_is_found_whatever_its_white_space() -> None:
    """Literal means equal as a reader sees it."""
    assert is_literal("It  lasts for\n90 minutes.", SHORT)
    assert supporting_units("It lasts for\n90 minutes.", SHORT) == (1, 1)
    assert not is_literal("It lasts for 95 minutes.", SHORT)
    assert not is_literal("  ", SHORT)


def test_a_paraphrase_is_traced_to_the_sentence_that_shares_most_words() -> None:
    """A model's own words are cited where the book says them."""
    assert supporting_units("Ninety minutes is what it lasts.", SHORT) == (1, 1)


@pytest.mark.rule("C3")
def test_the_link_opens_the_page_at_the_heading_and_marks_the_passage() -> None:
    """Permalink, heading anchor, and a text fragment whose hyphens are escaped."""
    [section] = SHORT.sections
    assert (
        link(SHORT, section, "A pick-up, two")
        == "/docs/power/batteries#batteries:~:text=A%20pick%2Dup%2C%20two"
    )
    long = " ".join(f"w{n}" for n in range(20))
    assert link(SHORT, section, long).endswith(
        ":~:text=w0%20w1%20w2%20w3%20w4%20w5,w14%20w15%20w16%20w17%20w18%20w19"
    )


@pytest.mark.rule("T4", "C3")
def test_a_picture_comes_with_the_sentence_that_it_belongs_to() -> None:
    """Only that sentence's, and once in the source's list."""
    picture = Image("/img/pack.svg", "The pack")
    found = passage("The battery holds 9 Ah.", "It lasts.", images={1: (picture,)})
    assert images("It lasts.", found) == (picture,)
    assert images("The battery holds 9 Ah.", found) == ()
    [exhibit] = evidence(found).exhibits
    assert source(exhibit, ["It lasts.", "It lasts."]).images == (picture,)
