"""Choosing the book's own sentences that answer a question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer.extraction import (
    MAX_LISTED,
    MAX_SENTENCES,
    MAX_SPANS,
    MOST_MERIT,
    SHORTLIST,
    Rated,
    Selected,
    estimate,
    select,
    shortlist,
)
from bookbound.evidence.spans import spans
from bookbound.generator_input import GeneratorInput
from bookbound.model import Passage, UnitKind
from bookbound.text.glossary import Glossary
from testing.builders import evidence, inquiry, listed, passage, table

BATTERY = passage("The battery holds 9 Ah.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md", page=1, section="Joints")


def brief(question: str, *passages: Passage) -> GeneratorInput:
    """A brief in which every term of the question is as telling as another."""
    asked = inquiry(question)
    return GeneratorInput(question, (asked,), evidence(*passages), "Power", dict.fromkeys(asked.terms, 1.0))


def chosen(asked: GeneratorInput) -> tuple[Selected, ...]:
    [only] = asked.inquiries
    return select(shortlist(asked, only), asked, only)


def texts(asked: GeneratorInput) -> list[str]:
    return [selected.text for selected in chosen(asked)]


def quoted(found: Passage, unit: str, question: str) -> list[str]:
    """The texts of the selection when this unit is the only span that is worth quoting."""
    asked = brief(question, found)
    [span] = [span for span in spans([asked.evidence.exhibits[0].candidate]) if span.text == unit]
    return [selected.text for selected in select([Rated(span, 1.0)], asked, asked.inquiries[0])]


@pytest.mark.rule("P3")
def test_the_sentence_that_answers_is_chosen_word_for_word() -> None:
    """A neighbouring sentence that says nothing of the matter is left out."""
    assert texts(brief("How far does the knee bend?", BATTERY, KNEE)) == ["The knee bends by 120 degrees."]


@pytest.mark.rule("P3")
def test_parts_of_a_question_are_answered_in_reading_order() -> None:
    """The page that is first in the book is first in the answer, even if its span is worse."""
    both = chosen(brief("How many Ah does the battery hold and how far does the knee bend?", BATTERY, KNEE))
    in_order = ["The knee bends by 120 degrees.", "The battery holds 9 Ah."]
    assert [selected.text for selected in both] == in_order
    assert [selected.passage for selected in both] == [KNEE, BATTERY]


@pytest.mark.rule("P3")
def test_a_list_that_is_asked_for_comes_whole() -> None:
    """One item that meets the question brings its lead-in and its neighbours."""
    steps = listed("To charge the pack:", "Open the plate.", "Lift the battery out.", "Plug it in.")
    assert texts(brief("Which steps lift the battery?", steps)) == [
        "To charge the pack:",
        "Open the plate.",
        "Lift the battery out.",
        "Plug it in.",
    ]


@pytest.mark.rule("P3")
def test_one_fact_of_a_list_comes_with_its_lead_in_only() -> None:
    """A question for one thing is not answered with the whole list."""
    limits = listed("The limits of the pack:", "Voltage 54.6 V.", "Current 3 A.", "Heat 60 °C.")
    assert quoted(limits, "Current 3 A.", "What is the current?") == [
        "The limits of the pack:",
        "Current 3 A.",
    ]


@pytest.mark.rule("P3", "T1")
def test_a_row_comes_with_its_caption_and_header() -> None:
    """A row alone is numbers without a meaning."""
    prices = table("Part | Price", "Lidar | 90", "Camera | 20", caption="Parts list")
    shown = ["Parts list", "Part | Price", "Camera | 20"]
    assert quoted(prices, "Camera | 20", "What is the price of the camera?") == shown


def test_a_sentence_that_stands_in_two_passages_is_said_once() -> None:
    """Passages overlap; an answer does not repeat itself."""
    again = passage("The battery holds 9 Ah.", document="power/again.md")
    assert texts(brief("How many Ah does the battery hold?", BATTERY, again)) == ["The battery holds 9 Ah."]


def test_the_shortlist_is_best_first_and_bounded() -> None:
    """Only so many spans are compared by meaning, each text once, for any size of the book."""
    many = [passage(*(f"Joint {n} of leg {leg}." for n in range(9)), document=f"{leg}.md") for leg in "abc"]
    asked = brief("Which joint has leg b?", *many)
    rated = shortlist(asked, asked.inquiries[0])
    assert len(rated) == SHORTLIST
    assert [entry.merit for entry in rated] == sorted((entry.merit for entry in rated), reverse=True)
    assert len({entry.span.text for entry in rated}) == SHORTLIST


@pytest.mark.rule("P3", "R4")
def test_a_sentence_in_the_book_s_own_word_is_chosen() -> None:
    """The glossary tells that the book says "battery" for "accumulator"."""
    glossary = Glossary(equivalents={"accumulator": ("battery",)})
    asked = inquiry("accumulator ah", glossary)
    other = passage("It holds many Ah.", document="power/other.md", section="Other")
    told = GeneratorInput(
        asked.text, (asked,), evidence(other, BATTERY), "Power", dict.fromkeys(asked.terms, 1.0)
    )
    best, *_ = shortlist(told, asked)
    assert best.span.text == "The battery holds 9 Ah."


@pytest.mark.rule("R9", "P3")
def test_each_part_of_a_question_chooses_for_itself() -> None:
    """Words that the other part asks for have no merit."""
    both = (inquiry("How many Ah does the battery hold?"), inquiry("How far does the knee bend?"))
    weights = dict.fromkeys((term for one in both for term in one.terms), 1.0)
    told = GeneratorInput("Both?", both, evidence(BATTERY, KNEE), "Power", weights)
    selections = [select(shortlist(told, one), told, one) for one in both]
    assert [[one.text for one in selection] for selection in selections] == [
        ["The battery holds 9 Ah."],
        ["The knee bends by 120 degrees."],
    ]


WORDS = st.sampled_from(["battery", "knee", "90 minutes", "charge it", "which steps", "list all"])
UNITS = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=14, unique=True)
KINDS = st.sampled_from(UnitKind)


@pytest.mark.rule("P3")
@given(question=st.lists(WORDS, min_size=1).map(" ".join), units=UNITS, kind=KINDS, cut=st.integers(1, 14))
def test_a_selection_is_never_empty_never_long_and_always_literal(
    question: str, units: list[str], kind: UnitKind, cut: int
) -> None:
    """Any question gives up to 5 units, or 8 if it wants several, each once, in reading order."""
    found = passage(*units, kind=kind, blocks=[1 + (n >= cut) for n in range(len(units))])
    selection = chosen(brief(question, found))
    several = "which" in question or "list" in question
    assert 1 <= len(selection) <= (MAX_LISTED if several else MAX_SENTENCES)
    assert all(selected.text in units for selected in selection)
    places = [selected.unit for selected in selection]
    assert places == sorted(set(places))


@pytest.mark.rule("F1")
@given(question=st.lists(WORDS, min_size=1).map(" ".join), units=UNITS, meaning=st.floats(0, 1))
def test_an_estimate_lies_between_0_and_1(question: str, units: list[str], meaning: float) -> None:
    """This holds for any question and any text."""
    asked = brief(question, passage(*units))
    ranked = [replace(entry, meaning=meaning) for entry in shortlist(asked, asked.inquiries[0])]
    assert 0 <= estimate(ranked, asked) <= 1


@pytest.mark.rule("P3")
def test_a_long_list_is_given_from_the_item_that_meets_the_question() -> None:
    """At most eight units, and the item that was meant is among them."""
    long = listed("All ports:", *(f"Port {n}." for n in range(12)), "Battery port.", *"abcd")
    given_back = quoted(long, "Battery port.", "List the battery ports.")
    assert given_back == ["All ports:", "Battery port.", "a", "b", "c", "d"]
    assert len(quoted(long, "Port 2.", "List the ports.")) == MAX_LISTED


def test_few_spans_make_an_answer() -> None:
    """With each question word in a separate passage, a limited number is quoted."""
    names = ["alpha", "beta", "gamma", "delta", "epsilon"]
    many = [passage(f"The {name} joint is number {n}.", document=f"{n}.md") for n, name in enumerate(names)]
    assert len(texts(brief("Where are alpha beta gamma delta epsilon?", *many))) == MAX_SPANS


def rated(found: GeneratorInput, *merits: tuple[str, float, float]) -> list[Rated]:
    """The spans of these texts, with their merit by words and by meaning, best first."""
    by_text = {span.text: span for span in spans([one.candidate for one in found.evidence.exhibits])}
    entries = [Rated(by_text[text], by_words, meaning) for text, by_words, meaning in merits]
    return sorted(entries, key=lambda entry: -entry.merit)


@pytest.mark.rule("F1")
def test_the_estimate_is_half_merit_and_half_agreement() -> None:
    """All agree here: retrieval's first passage, the best by words, the best by meaning."""
    asked = brief("Any?", BATTERY, KNEE)
    [best, other] = BATTERY.text, KNEE.text
    sure = estimate(rated(asked, (best, 1.3, 1.0), (other, 0.1, 0.1)), asked)
    less = estimate(rated(asked, (best, 0.65, 0.5), (other, 0.1, 0.1)), asked)
    assert (sure, less) == (pytest.approx(1.0), pytest.approx(0.75))


@pytest.mark.rule("F1")
def test_each_disagreement_takes_a_quarter_from_the_estimate() -> None:
    """The best span is not where retrieval looked first; words and meaning choose different ones."""
    asked = brief("Any?", BATTERY, KNEE)
    [first, second] = BATTERY.text, KNEE.text
    elsewhere = estimate(rated(asked, (second, 1.3, 1.0), (first, 0.1, 0.1)), asked)
    divided = estimate(rated(asked, (first, 1.3, 0.9), (second, 0.1, 1.0)), asked)
    assert elsewhere == pytest.approx(0.75)
    assert divided == pytest.approx(0.75 - 0.15 / MOST_MERIT / 2)


@pytest.mark.rule("F1")
def test_spans_that_share_a_unit_are_the_same_choice() -> None:
    """A sentence, and the same one with its neighbour."""
    pair = passage("The battery holds 9 Ah.", "It lasts.")
    asked = brief("Any?", pair)
    ranked = rated(asked, (pair.text, 1.3, 0.9), ("The battery holds 9 Ah.", 1.0, 1.0))
    assert estimate(ranked, asked) > 0.9
    apart = rated(asked, ("It lasts.", 1.3, 0.9), ("The battery holds 9 Ah.", 1.0, 1.0))
    assert estimate(apart, asked) == pytest.approx(estimate(ranked, asked) - 0.25)


@pytest.mark.rule("P3")
@pytest.mark.parametrize("unit", ["Print the version with:", "bat --version"])
def test_code_and_the_line_that_announces_it_come_together(unit: str) -> None:
    """Neither is an answer without the other."""
    plain = passage("Charge it first.", "Print the version with:", "bat --version", blocks=[1, 1, 2])
    code = replace(plain.units[2], kind=UnitKind.CODE)
    found = replace(plain, units=(*plain.units[:2], code))
    assert quoted(found, unit, "How do I print the version?") == ["Print the version with:", "bat --version"]
