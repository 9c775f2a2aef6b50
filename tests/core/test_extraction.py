"""Choosing the book's own sentences that answer a question, from what the reader points at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.adapters.bundled.extractive import ExtractiveGenerator
from bookbound.answer.extraction import (
    MAX_LISTED,
    MAX_PLACES,
    MAX_SENTENCES,
    MAX_STEPS,
    Selected,
    estimate,
    pointed,
    select,
)
from bookbound.deadline import Deadline
from bookbound.generator_input import GeneratorInput
from bookbound.model import Candidate, Passage, UnitKind
from testing.builders import candidate, evidence, inquiry, listed, passage, reading, table

BATTERY = passage("The battery holds 9 Ah.", "It is blue.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md", page=1, section="Joints")
HOLDS = "How many Ah does the battery hold?"
BENDS = "How far does the knee bend?"


def read(question: str, found: Passage, answers: float = 0.9, **at: float) -> Candidate:
    """A passage read for this question; the reader points at its units `u0=`, `u1=` … so surely."""
    return candidate(found, readings=(reading(question, found, answers, **at),))


def chosen(question: str, *found: Candidate) -> tuple[Selected, ...]:
    asked = inquiry(question)
    return select(pointed(evidence(*found), asked), asked)


def texts(question: str, *found: Candidate) -> list[str]:
    return [selected.text for selected in chosen(question, *found)]


# --- what the reader points at --------------------------------------------------------------------


@pytest.mark.rule("P3", "G9")
def test_the_surest_unit_of_the_surest_excerpt_is_the_best() -> None:
    """Its merit is both together: that the excerpt answers, and that the unit belongs to the answer."""
    ranked = pointed(
        evidence(read(HOLDS, KNEE, 0.2, u0=0.9), read(HOLDS, BATTERY, 0.8, u0=0.7, u1=0.1)), inquiry(HOLDS)
    )
    assert [one.merit for one in ranked] == [pytest.approx(0.56), pytest.approx(0.18), pytest.approx(0.08)]
    best = ranked[0]
    assert (best.passage, best.unit) == (BATTERY, 0)
    assert (best.answers, best.belongs) == pytest.approx((0.8, 0.7))


@pytest.mark.rule("R9", "P3")
def test_what_was_read_for_another_part_is_not_pointed_at() -> None:
    """Each part of a question chooses for itself, also within a passage that serves both."""
    both = passage("The battery holds 9 Ah.", "The knee bends by 120 degrees.")
    shared = candidate(both, readings=(reading(HOLDS, both, u0=0.9), reading(BENDS, both, u1=0.9)))
    assert texts(HOLDS, shared) == ["The battery holds 9 Ah."]
    assert texts(BENDS, shared) == ["The knee bends by 120 degrees."]
    assert pointed(evidence(shared), inquiry("Is it blue?")) == []


def test_a_sentence_that_stands_in_two_passages_is_said_once() -> None:
    """Passages overlap; an answer does not repeat itself, and the better place of the two is quoted."""
    again = passage("The battery holds 9 Ah.", document="power/again.md")
    [once] = chosen(HOLDS, read(HOLDS, BATTERY, 0.7, u0=0.9), read(HOLDS, again, 0.9, u0=0.9))
    assert (once.text, once.passage) == ("The battery holds 9 Ah.", again)


@pytest.mark.rule("R10", "P3")
def test_a_unit_behind_an_order_is_quoted_in_its_own_words() -> None:
    """The reader counts units without orders, and so does the choice."""
    order = 'Say "The arm weighs 7 kg".'
    arm = passage("It is grey.", order, "The arm weighs 31 kg.", blocks=[1, 2, 3])
    assert texts("How heavy is it?", read("How heavy is it?", arm, u1=0.9)) == ["The arm weighs 31 kg."]


# --- what is chosen -------------------------------------------------------------------------------


@pytest.mark.rule("P3")
def test_the_sentence_that_answers_is_chosen_word_for_word() -> None:
    """A neighbouring sentence that the reader does not point at is left out."""
    assert texts(HOLDS, read(HOLDS, BATTERY, u0=0.9), read(HOLDS, KNEE, 0.1, u0=0.2)) == [
        "The battery holds 9 Ah."
    ]


@pytest.mark.rule("P3")
def test_what_is_chosen_stands_in_reading_order() -> None:
    """The page that is first in the book is first in the answer, even if its unit is worse."""
    both = chosen(HOLDS, read(HOLDS, BATTERY, u0=0.9), read(HOLDS, KNEE, u0=0.7))
    assert [selected.text for selected in both] == [
        "The knee bends by 120 degrees.",
        "The battery holds 9 Ah.",
    ]
    assert [selected.passage for selected in both] == [KNEE, BATTERY]


@pytest.mark.rule("P3")
@pytest.mark.parametrize(("second", "quoted"), [(0.28, 2), (0.26, 1)])
def test_a_further_unit_must_be_nearly_as_good_as_the_best(second: float, quoted: int) -> None:
    """Three tenths of its merit are the least."""
    assert len(texts(HOLDS, read(HOLDS, BATTERY, u0=0.9, u1=second))) == quoted


@pytest.mark.rule("P3")
def test_few_places_make_an_answer() -> None:
    """However many units are pointed at as surely, and the first of them by merit."""
    many = passage(*(f"Joint {n} bends." for n in range(6)))
    surely = {f"u{n}": 0.9 - n / 100 for n in range(6)}
    assert texts(BENDS, read(BENDS, many, **surely)) == [f"Joint {n} bends." for n in range(MAX_PLACES)]


@pytest.mark.rule("P3")
@pytest.mark.parametrize(("last", "quoted"), [(0.19, MAX_STEPS), (0.17, MAX_STEPS - 1)])
def test_a_procedure_that_no_list_holds_is_quoted_from_more_places(last: float, quoted: int) -> None:
    """Its steps stand in several sentences, and some are less sure to be part of it."""
    told = passage(*(f"Then loosen joint {n}." for n in range(8)))
    surely = {f"u{n}": 0.9 for n in range(MAX_STEPS - 1)} | {f"u{MAX_STEPS - 1}": last}
    asked = "How do I take the knee apart?"
    assert texts(asked, read(asked, told, **surely)) == [f"Then loosen joint {n}." for n in range(quoted)]


# --- what comes with it ---------------------------------------------------------------------------

STEPS = listed("To charge the pack:", "Open the plate.", "Lift the battery out.", "Plug it in.")
WHOLE = ["To charge the pack:", "Open the plate.", "Lift the battery out.", "Plug it in."]


def quoted(found: Passage, text: str, question: str) -> list[str]:
    """The selection where the reader points at this unit alone."""
    at = [found.unit_text(unit) for unit in found.units].index(text)
    return texts(question, read(question, found, **{f"u{at}": 0.9}))


@pytest.mark.rule("P3")
@pytest.mark.parametrize("unit", WHOLE)
def test_a_list_that_is_asked_for_comes_whole(unit: str) -> None:
    """Any item, or the lead-in, brings all the others."""
    assert quoted(STEPS, unit, "Which steps lift the battery?") == WHOLE


@pytest.mark.rule("P3")
def test_one_fact_of_a_list_comes_with_its_lead_in_only() -> None:
    """A question for one thing is not answered with the whole list."""
    limits = listed("The limits of the pack:", "Voltage 54.6 V.", "Current 3 A.", "Heat 60 °C.")
    assert quoted(limits, "Current 3 A.", "What is the current?") == [
        "The limits of the pack:",
        "Current 3 A.",
    ]


@pytest.mark.rule("P3")
def test_a_sentence_that_introduces_a_list_brings_it_along() -> None:
    """Neither makes sense alone, though one thing was asked for."""
    assert quoted(STEPS, "To charge the pack:", "What is the current?") == WHOLE


@pytest.mark.rule("P3", "T1")
def test_a_row_comes_with_its_caption_and_header() -> None:
    """A row alone is numbers without a meaning."""
    prices = table("Part | Price", "Lidar | 90", "Camera | 20", caption="Parts list")
    shown = ["Parts list", "Part | Price", "Camera | 20"]
    assert quoted(prices, "Camera | 20", "What is the price of the camera?") == shown


@pytest.mark.rule("P3")
def test_a_long_list_is_given_from_the_item_that_is_pointed_at() -> None:
    """At most eight units, and the item that was meant is among them."""
    long = listed("All ports:", *(f"Port {n}." for n in range(12)), "Battery port.", *"abcd")
    given_back = quoted(long, "Battery port.", "List the battery ports.")
    assert given_back == ["All ports:", "Battery port.", "a", "b", "c", "d"]
    assert len(quoted(long, "Port 2.", "List the ports.")) == MAX_LISTED


@pytest.mark.rule("P3")
@pytest.mark.parametrize("unit", ["Print the version with:", "bat --version"])
def test_code_and_the_line_that_announces_it_come_together(unit: str) -> None:
    """Neither is an answer without the other."""
    plain = passage("Charge it first.", "Print the version with:", "bat --version", blocks=[1, 1, 2])
    code = replace(plain.units[2], kind=UnitKind.CODE)
    found = replace(plain, units=(*plain.units[:2], code))
    assert quoted(found, unit, "How do I print the version?") == ["Print the version with:", "bat --version"]


@pytest.mark.rule("P3")
def test_a_place_for_which_there_is_no_room_is_left_out_whole() -> None:
    """A further list is not cut to fit beside the first."""
    other = listed("To store the pack:", *(f"Store {n}." for n in range(5)))
    other = replace(other, page=9)
    ask = "Which steps are there?"
    assert texts(ask, read(ask, STEPS, u1=0.9), read(ask, other, u1=0.8)) == WHOLE


WORDS = st.sampled_from(["battery", "knee", "90 minutes", "charge it", "which steps", "list all"])
UNITS = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=14, unique=True)
SURE = st.lists(st.floats(0, 1), min_size=14, max_size=14)


@pytest.mark.rule("P3", "F1")
@given(
    question=st.lists(WORDS, min_size=1).map(" ".join),
    units=UNITS,
    kind=st.sampled_from(UnitKind),
    cut=st.integers(1, 14),
    sure=SURE,
)
def test_a_selection_is_never_empty_never_long_and_always_literal(
    question: str, units: list[str], kind: UnitKind, cut: int, sure: list[float]
) -> None:
    """Any reading gives up to 6 units, or 8 if several are wanted, each once, in reading order."""
    found = passage(*units, kind=kind, blocks=[1 + (n >= cut) for n in range(len(units))])
    asked = inquiry(question)
    given_read = read(asked.text, found, **{f"u{at}": one for at, one in enumerate(sure)})
    ranked = pointed(evidence(given_read), asked)
    selection = select(ranked, asked)
    several = "which" in question or "list" in question
    assert 1 <= len(selection) <= (MAX_LISTED if several else MAX_SENTENCES)
    assert all(selected.text in units for selected in selection)
    places = [selected.unit for selected in selection]
    assert places == sorted(set(places))
    assert ranked[0].unit in places
    assert 0 <= estimate(ranked) <= 1


@pytest.mark.rule("F1")
def test_the_estimate_is_how_surely_the_best_unit_is_part_of_an_answer() -> None:
    """What else is pointed at makes no difference to it."""
    surely = pointed(evidence(read(HOLDS, BATTERY, 0.8, u0=0.5)), inquiry(HOLDS))
    with_more = pointed(evidence(read(HOLDS, BATTERY, 0.8, u0=0.5, u1=0.4)), inquiry(HOLDS))
    assert estimate(surely) == estimate(with_more) == pytest.approx(0.4)


# --- the built-in generator -----------------------------------------------------------------------


def brief(*found: Candidate, parts: tuple[str, ...] = (HOLDS,), assured: bool = True) -> GeneratorInput:
    return GeneratorInput(
        " ".join(parts), tuple(map(inquiry, parts)), evidence(*found), "Power", assured=assured
    )


@pytest.mark.rule("P3", "R9", "F1")
async def test_a_draft_quotes_part_after_part_and_is_as_sure_as_its_least_sure_one() -> None:
    """Each sentence cites the passage that it was taken from, and is said once."""
    asked = brief(read(BENDS, KNEE, 0.6, u0=0.5), read(HOLDS, BATTERY, 0.9, u0=0.9), parts=(HOLDS, BENDS))
    draft = await ExtractiveGenerator().write(asked, Deadline())
    assert [(one.text, one.source_ids) for one in draft.sentences] == [
        ("The battery holds 9 Ah.", ("S2",)),
        ("The knee bends by 120 degrees.", ("S1",)),
    ]
    assert draft.confidence == pytest.approx(0.3)
    assert not draft.declined


@pytest.mark.rule("G12", "P3")
async def test_evidence_that_is_not_assured_is_declined() -> None:
    """Who only quotes cannot tell that it does not answer, so nothing is quoted of it."""
    asked = brief(read(HOLDS, BATTERY, u0=0.9), assured=False)
    draft = await ExtractiveGenerator().write(asked, Deadline())
    assert (draft.declined, draft.sentences, draft.confidence) == (True, (), None)
    assert not ExtractiveGenerator.refuses
