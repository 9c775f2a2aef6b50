"""The gates before any generator call."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence import gates
from bookbound.evidence.gates import Admitted, Barred
from bookbound.evidence.sufficiency import Sufficiency
from bookbound.model import Candidate, RefusalReason
from bookbound.policy import book_policy, notices
from testing.builders import candidate, passage

IN_SCOPE = "How long does the battery last?"


def scored(*similarities: float, lexical: float = 0.5) -> tuple[Candidate, ...]:
    return tuple(
        candidate(passage(f"Sentence number {number}."), similarity, lexical)
        for number, similarity in enumerate(similarities)
    )


def admit(candidates: tuple[Candidate, ...], question: str = IN_SCOPE) -> Admitted | Barred:
    return gates.admit(question, candidates, book_policy.DEFAULT)


@pytest.mark.rule("G1")
@pytest.mark.parametrize("similarities", [(), (0.0,), (0.49, 0.31)])
def test_nothing_at_a_half_is_empty_retrieval(similarities: tuple[float, ...]) -> None:
    """No candidate reaches 0.5: the book has nothing on it."""
    barred = admit(scored(*similarities))
    assert isinstance(barred, Barred)
    assert barred.reason is RefusalReason.EMPTY_RETRIEVAL


@pytest.mark.rule("G2")
@pytest.mark.parametrize("similarities", [(0.5,), (0.69, 0.6)])
def test_nothing_at_seven_tenths_is_insufficient(similarities: tuple[float, ...]) -> None:
    """Something is near, nothing is near enough."""
    barred = admit(scored(*similarities))
    assert isinstance(barred, Barred)
    assert barred.reason is RefusalReason.INSUFFICIENT_CONTEXT


@pytest.mark.rule("G3")
def test_what_stands_between_the_rungs_is_warned_of_and_left_out() -> None:
    """0.5 ≤ similarity < 0.7 is logged and kept out of the context; below 0.5 is ignored."""
    candidates = scored(0.9, 0.8, 0.69, 0.5, 0.49)
    admitted = admit(candidates)
    assert isinstance(admitted, Admitted)
    assert admitted.candidates == candidates[:2]
    assert gates.warned(candidates, book_policy.DEFAULT.thresholds) == candidates[2:4]


@pytest.mark.rule("G4")
def test_scope_is_looked_at_after_the_ladder() -> None:
    """An out-of-scope question is refused as such only when the book has something on it (G4)."""
    asked = "How do I write a PWM motor driver?"
    passed, unpassed = admit(scored(0.9, 0.8), asked), admit(scored(0.4), asked)
    assert isinstance(passed, Barred)
    assert isinstance(unpassed, Barred)
    assert (passed.reason, unpassed.reason) == (RefusalReason.OUT_OF_SCOPE, RefusalReason.EMPTY_RETRIEVAL)
    assert passed.topic is not None


@pytest.mark.rule("G6")
def test_the_blend_must_exceed_its_floor_too() -> None:
    """0.85 × 0.7 + 0.15 × 0 = 0.595: similar enough, yet not evidence."""
    barred = admit(scored(0.7, lexical=0.0))
    assert isinstance(barred, Barred)
    assert barred.reason is RefusalReason.INSUFFICIENT_CONTEXT
    assert isinstance(admit(scored(0.7, lexical=0.1)), Admitted)


@pytest.mark.rule("G6")
def test_a_blend_that_equals_its_floor_is_left_out() -> None:
    """The score has to exceed 0.60; one that is exactly there does not."""
    [found] = scored(0.75)
    thresholds = book_policy.DEFAULT.thresholds
    at, below = (replace(thresholds, blend=floor) for floor in (found.score, found.score - 1e-9))
    barred = gates.admit(IN_SCOPE, (found,), replace(book_policy.DEFAULT, thresholds=at))
    assert isinstance(barred, Barred)
    assert isinstance(
        gates.admit(IN_SCOPE, (found,), replace(book_policy.DEFAULT, thresholds=below)), Admitted
    )


@pytest.mark.rule("G7")
def test_one_passage_is_weak_evidence() -> None:
    """Fewer than two passages are flagged, or refused where the policy says so."""
    alone = admit(scored(0.9))
    assert isinstance(alone, Admitted)
    assert alone.weak
    assert not alone.findings[-1].passed
    strict = gates.admit(IN_SCOPE, scored(0.9), replace(book_policy.DEFAULT, weak_evidence="refuse"))
    assert isinstance(strict, Barred)
    assert strict.reason is RefusalReason.INSUFFICIENT_CONTEXT


@pytest.mark.rule("G7")
def test_a_passage_of_the_other_source_supports_too() -> None:
    """A qualifying passage next to the asked source counts, apart from those judged."""
    found = scored(0.9, 0.8, 0.6)
    supported = gates.admit(IN_SCOPE, found[:1], book_policy.DEFAULT, beside=found)
    assert isinstance(supported, Admitted)
    assert (supported.candidates, supported.beside, supported.weak) == (found[:1], found[1:2], False)
    alone = gates.admit(IN_SCOPE, found[:1], book_policy.DEFAULT, beside=(found[0], found[2]))
    assert isinstance(alone, Admitted)
    assert (alone.beside, alone.weak) == ((), True)
    strict = replace(book_policy.DEFAULT, weak_evidence="refuse")
    assert isinstance(gates.admit(IN_SCOPE, found[:1], strict, beside=found), Admitted)


@pytest.mark.rule("G1", "G2")
def test_what_was_found_beside_lifts_nothing_over_the_ladder() -> None:
    """The rungs read the asked source alone."""
    found = scored(0.9, 0.8, 0.6)
    barred = gates.admit(IN_SCOPE, found[2:], book_policy.DEFAULT, beside=found)
    assert isinstance(barred, Barred)
    assert barred.reason is RefusalReason.INSUFFICIENT_CONTEXT


@pytest.mark.rule("G9", "G6")
def test_what_was_not_read_is_no_evidence() -> None:
    """However near it is, it is neither judged nor beside, and it counts for no support."""
    [read] = scored(0.8)
    unread = candidate(passage("Nobody read this sentence."), 0.95, readings=())
    alone = admit((unread,))
    assert isinstance(alone, Barred)
    assert alone.reason is RefusalReason.EMPTY_RETRIEVAL
    both = gates.admit(IN_SCOPE, (read, unread), book_policy.DEFAULT, beside=(read, unread))
    assert isinstance(both, Admitted)
    assert (both.candidates, both.beside, both.weak) == ((read,), (), True)


@pytest.mark.rule("R2")
def test_five_passages_at_most_are_admitted() -> None:
    """However many qualify, five reach the generator."""
    admitted = admit(scored(*[0.9] * 9))
    assert isinstance(admitted, Admitted)
    assert len(admitted.candidates) == 5


@pytest.mark.rule("G5", "G4", "G7", "S6")
def test_a_selection_is_exempt_from_ladder_scope_and_count_but_must_be_the_books() -> None:
    """Selected text alone is the context; text from elsewhere is none."""
    one = scored(0.1)
    admitted = gates.admit_selection(one, book_policy.DEFAULT)
    assert isinstance(admitted, Admitted)
    assert (admitted.candidates, admitted.weak) == (one, False)
    barred = gates.admit_selection((), book_policy.DEFAULT)
    assert isinstance(barred, Barred)
    assert (barred.reason, barred.notice) == (RefusalReason.SELECTED_TEXT_INSUFFICIENT, notices.NOT_IN_BOOK)


@pytest.mark.rule("G14")
def test_a_request_to_do_work_is_out_of_scope_without_a_topic() -> None:
    """The template's topic paragraph would name nothing that is known."""
    barred = gates.task("writing code")
    assert (barred.reason, barred.topic, barred.notice) == (RefusalReason.OUT_OF_SCOPE, None, None)
    assert [(finding.value, finding.passed) for finding in barred.findings] == [("writing code", False)]


@pytest.mark.rule("G9")
@pytest.mark.parametrize(("score", "passes"), [(0.61, True), (0.6, True), (0.59, False)])
def test_evidence_suffices_from_the_threshold_on(score: float, passes: bool) -> None:
    """The judgement and every feature stand among the findings, passed or not."""
    admitted = admit(scored(0.9, 0.8))
    assert isinstance(admitted, Admitted)
    verdict = gates.suffices(admitted, Sufficiency(score, {"names": 1.0}), 0.6)
    assert isinstance(verdict, Admitted) == passes
    *_, feature, last = verdict.findings
    assert (feature.figure, feature.value, feature.passed) == ("names", 1.0, True)
    assert (last.figure, last.value, last.threshold, last.passed) == ("sufficiency", score, 0.6, passes)


@pytest.mark.rule("G9", "G5")
def test_what_does_not_suffice_is_refused_in_the_words_of_its_mode() -> None:
    """A selection that does not answer is a selection's refusal."""
    weak = Sufficiency(0.1, {})
    for admitted, reason in (
        (admit(scored(0.9, 0.8)), RefusalReason.INSUFFICIENT_CONTEXT),
        (gates.admit_selection(scored(0.1), book_policy.DEFAULT), RefusalReason.SELECTED_TEXT_INSUFFICIENT),
    ):
        assert isinstance(admitted, Admitted)
        verdict = gates.suffices(admitted, weak, 0.6)
        assert isinstance(verdict, Barred)
        assert verdict.reason is reason


@pytest.mark.rule("G1", "G2", "G3", "G6")
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=8))
def test_every_admitted_passage_meets_both_floors(pairs: list[tuple[float, float]]) -> None:
    """With any scores, no passage under 0.7 similarity or 0.60 score is ever admitted."""
    candidates = tuple(candidate(passage(f"Sentence {n}."), s, lex) for n, (s, lex) in enumerate(pairs))
    admitted = admit(candidates)
    if isinstance(admitted, Admitted):
        assert all(found.similarity >= 0.7 and found.score > 0.6 for found in admitted.candidates)
    assert all(finding.passed for finding in admitted.findings[:-1] if finding.gate != "G7 enough passages")
