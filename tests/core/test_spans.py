"""Spans: the grain at which evidence is judged and quoted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.spans import MAX_UNITS, answers_kind, coverage, lead_ins, merit, spans
from bookbound.model import Passage, Section, UnitKind
from bookbound.text.glossary import Glossary
from bookbound.text.terms import content_stems
from testing.builders import candidate, inquiry, listed, passage, table

PROSE = passage("The battery holds 9 Ah.", "It lasts for 90 minutes.", "Charge it daily.", "Store it dry.")


def texts(found: Passage) -> list[str]:
    return [span.text for span in spans([candidate(found)])]


@pytest.mark.rule("G9")
def test_a_span_is_one_to_three_neighbouring_units() -> None:
    """Every run of them, literal, in reading order."""
    found = texts(PROSE)
    assert len(found) == 4 + 3 + 2
    assert found[:3] == [
        "The battery holds 9 Ah.",
        "The battery holds 9 Ah. It lasts for 90 minutes.",
        "The battery holds 9 Ah. It lasts for 90 minutes. Charge it daily.",
    ]
    assert found[-1] == "Store it dry."


def test_a_span_stays_under_one_heading() -> None:
    """Text under another heading is another subject."""
    sections = (Section("Use", ("Power", "Use"), None), Section("Care", ("Power", "Care"), None))
    units = tuple(replace(unit, section=int(n > 1)) for n, unit in enumerate(PROSE.units))
    found = texts(replace(PROSE, sections=sections, units=units))
    assert "It lasts for 90 minutes. Charge it daily." not in found
    assert "Charge it daily. Store it dry." in found


@given(st.lists(st.sampled_from(["One.", "Two 2.", "Three three."]), min_size=1, max_size=8))
def test_spans_are_literal_and_short(sentences: list[str]) -> None:
    """For any passage, a span's text is part of its text and has at most three units."""
    found = passage(*sentences)
    for span in spans([candidate(found)]):
        assert span.text in found.text
        assert 0 <= span.last - span.first < MAX_UNITS


@pytest.mark.rule("G9", "T1")
def test_the_context_is_what_a_reader_sees_above() -> None:
    """Headings for all; the lead-in for a list's items; caption and header for a table's rows."""
    steps = listed("To charge the pack:", "Open the plate.", "Plug it in.")
    [plug] = [span for span in spans([candidate(steps)]) if span.text == "Plug it in."]
    assert plug.context == set(content_stems("Power Batteries charge pack"))
    prices = table("Part | Price", "Lidar | 90", "Camera | 20", caption="Parts list")
    [camera] = [span for span in spans([candidate(prices)]) if span.text == "Camera | 20"]
    assert camera.context == set(content_stems("Power Batteries parts list part price"))
    assert (camera.lead, plug.lead) == ("Parts list | Part | Price", "")
    [sentence] = [span for span in spans([candidate(PROSE)]) if span.text == "Charge it daily."]
    assert sentence.context == set(content_stems("Power Batteries"))


@pytest.mark.rule("T1")
def test_what_introduces_a_unit() -> None:
    """A list's first unit, a table's caption and header, the header alone, nothing for a sentence."""
    assert lead_ins(listed("Steps:", "One.", "Two.")) == [(), (0,), (0,)]
    assert lead_ins(table("A | B", "1 | 2")) == [(0,), (0,)]
    assert lead_ins(table("A | B", "1 | 2", caption="C")) == [(), (0, 1), (0, 1)]
    assert lead_ins(PROSE) == [(), (), (), ()]


@pytest.mark.rule("T1")
def test_a_row_of_a_later_chunk_keeps_its_header() -> None:
    """A long table is cut between rows; caption and header stand above those of each chunk."""
    whole = table("Part | Price", "Lidar | 90", "Camera | 20", caption="Parts list")
    later = replace(whole, units=(*whole.units[:2], whole.units[3]))
    assert lead_ins(later) == [(), (0, 1), (0, 1)]


def test_two_lists_have_their_own_lead_ins() -> None:
    """An item belongs to its own block."""
    found = passage("a", "b", "c", "d", kind=UnitKind.ITEM, blocks=[1, 1, 2, 2])
    assert lead_ins(found) == [(0,), (0,), (2,), (2,)]


WEIGHTS = {"batteri": 3.0, "minut": 1.0}


def test_coverage_is_the_weighted_share_that_is_present() -> None:
    """A rare word counts more; with nothing to look for, all of it is there."""
    assert coverage(WEIGHTS, ["batteri", "knee"]) == 0.75
    assert coverage(WEIGHTS, []) == 0
    assert coverage({}, []) == 1


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 10)),
    st.sets(st.sampled_from("abcdef")),
    st.sets(st.sampled_from("abcdef")),
)
def test_more_words_never_cover_less(weights: dict[str, float], some: set[str], more: set[str]) -> None:
    """Coverage grows with what is present and stays in [0, 1]."""
    assert 0 <= coverage(weights, some) <= coverage(weights, some | more) <= 1 + 1e-9


OPEN = inquiry("battery minutes")


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("battery minutes", "The battery lasts 90 minutes.", "The battery is blue."),
        (
            "How many minutes does the battery last?",
            "The battery lasts nine minutes.",
            "The battery lasts some minutes.",
        ),
    ],
)
def test_merit_prefers_the_words_and_the_kind_of_answer(question: str, better: str, worse: str) -> None:
    """More of the question's words, and a number where one is asked for."""
    found = spans([candidate(passage(better, document="a.md")), candidate(passage(worse, document="b.md"))])
    merits = [merit(span, WEIGHTS, inquiry(question)) for span in found]
    assert 1 >= merits[0] > merits[1] >= 0


def test_merit_lets_a_longer_span_earn_its_length() -> None:
    """A neighbour that adds no word of the question makes a span worse, one that adds a word better."""
    first, second, *_ = spans([candidate(passage("The battery.", "The plate.", section="Use"))])
    assert merit(first, WEIGHTS, OPEN) > merit(second, WEIGHTS, OPEN)
    first, second, *_ = spans([candidate(passage("The battery.", "Ninety minutes.", section="Use"))])
    assert merit(first, WEIGHTS, OPEN) < merit(second, WEIGHTS, OPEN)


@pytest.mark.rule("R4", "G9")
def test_merit_counts_what_the_book_calls_by_another_name() -> None:
    """An equivalent of the question's word is as good as the word."""
    glossary = Glossary(equivalents={"pack": ("battery",)})
    [span] = spans([candidate(passage("The battery.", section="Use"))])
    weights = {"pack": 1.0}
    assert (
        merit(span, weights, inquiry("the pack", glossary)) > merit(span, weights, inquiry("the pack")) == 0
    )


@pytest.mark.rule("G9", "T1")
def test_a_row_shows_the_kind_of_answer_under_its_header() -> None:
    """The header names the measure, the row has the number."""
    prices = spans([candidate(table("Part | Price", "Lidar | 90"))])
    [row] = [span for span in prices if span.text == "Lidar | 90"]
    assert answers_kind(row, inquiry("How much does the lidar cost?"))
    assert not answers_kind(row, inquiry("How heavy is the lidar?"))


@pytest.mark.rule("G9")
def test_a_question_in_the_book_answers_none() -> None:
    """A heading-like "What is a battery?" holds every word that is asked for, and says nothing."""
    assert texts(passage("What is a battery?", "Why charge it?")) == []
    assert "What is a battery? A store of energy." in texts(
        passage("What is a battery?", "A store of energy.")
    )
