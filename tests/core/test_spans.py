"""Spans: the grain at which evidence is judged and quoted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.inquiry import AnswerKind
from bookbound.model import Passage, PassageKind, Section, UnitKind
from bookbound.spans import MAX_UNITS, coverage, lead_ins, merit, spans
from bookbound.terms import content_stems
from tests.builders import candidate, passage

PROSE = passage("The battery holds 9 Ah.", "It lasts for 90 minutes.", "Charge it daily.", "Store it dry.")


def listed(*items: str) -> Passage:
    """A list: its lead-in sentence, then its items, one block."""
    found = passage(*items, kind=UnitKind.ITEM)
    lead, *rest = found.units
    return replace(found, units=(replace(lead, kind=UnitKind.SENTENCE), *rest))


def table(*rows: str, caption: str | None = None) -> Passage:
    """A table: caption if there is one, header, rows, one block."""
    found = replace(passage(*filter(None, (caption, *rows)), kind=UnitKind.ROW), kind=PassageKind.TABLE)
    first, *rest = found.units
    return replace(found, units=(replace(first, kind=UnitKind.SENTENCE), *rest)) if caption else found


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
    """What stands under another heading is another subject."""
    sections = (Section("Use", ("Power", "Use"), None), Section("Care", ("Power", "Care"), None))
    units = tuple(replace(unit, section=int(n > 1)) for n, unit in enumerate(PROSE.units))
    found = texts(replace(PROSE, sections=sections, units=units))
    assert "It lasts for 90 minutes. Charge it daily." not in found
    assert "Charge it daily. Store it dry." in found


@given(st.lists(st.sampled_from(["One.", "Two 2.", "Three three."]), min_size=1, max_size=8))
def test_spans_are_literal_and_short(sentences: list[str]) -> None:
    """Whatever the passage, a span's text is its text, of at most three units."""
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
    [sentence] = [span for span in spans([candidate(PROSE)]) if span.text == "Charge it daily."]
    assert sentence.context == set(content_stems("Power Batteries"))


@pytest.mark.rule("T1")
def test_what_introduces_a_unit() -> None:
    """A list's first unit, a table's caption and header, the header alone, nothing for a sentence."""
    assert lead_ins(listed("Steps:", "One.", "Two.")) == [(), (0,), (0,)]
    assert lead_ins(table("A | B", "1 | 2")) == [(0, 0), (0, 0)]
    assert lead_ins(table("A | B", "1 | 2", caption="C")) == [(), (0, 1), (0, 1)]
    assert lead_ins(PROSE) == [(), (), (), ()]


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


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("better", "worse", "kind"),
    [
        ("The battery lasts 90 minutes.", "The battery is blue.", AnswerKind.OPEN),
        ("The battery lasts nine minutes.", "The battery lasts some minutes.", AnswerKind.QUANTITY),
    ],
)
def test_merit_prefers_the_words_and_the_kind_of_answer(better: str, worse: str, kind: AnswerKind) -> None:
    """More of the question's words, and a number where one is asked for."""
    found = spans([candidate(passage(better, document="a.md")), candidate(passage(worse, document="b.md"))])
    merits = [merit(span, WEIGHTS, kind) for span in found]
    assert 1 >= merits[0] > merits[1] >= 0


def test_merit_lets_a_longer_span_earn_its_length() -> None:
    """A neighbour that adds no word of the question makes a span worse, one that adds a word better."""
    first, second, *_ = spans([candidate(passage("The battery.", "The plate."))])
    assert merit(first, WEIGHTS, AnswerKind.OPEN) > merit(second, WEIGHTS, AnswerKind.OPEN)
    first, second, *_ = spans([candidate(passage("The battery.", "Ninety minutes."))])
    assert merit(first, WEIGHTS, AnswerKind.OPEN) < merit(second, WEIGHTS, AnswerKind.OPEN)
