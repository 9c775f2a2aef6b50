"""The last look before a response leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bookbound.answer import assembly
from bookbound.answer.confidence import BUILT_IN
from bookbound.answer.self_check import check_answer, check_refusal
from bookbound.errors import IntegrityBreach
from bookbound.evidence.ladder import Climb
from bookbound.model import Answered, Citation, Draft, DraftSentence, Refused
from testing.builders import assessor, book, climb_now, climb_selection_now, hit, part, question, verified
from tests.core.asking import CHARGE, FOUND, INSUFFICIENT, LASTS, PACK, SUFFICIENT

ASKED = "How long does the battery last?"
LIVE = book(*FOUND)
JUDGE = assessor(*FOUND, model=SUFFICIENT)
PASSED = climb_now(part(ASKED), [FOUND], LIVE, JUDGE)
BRIEF = assembly.brief(question(ASKED), [PASSED], LIVE)
DRAFT = Draft((DraftSentence(LASTS, ("S1",)),), 0.9, "prompt", "raw")
VERIFIED = verified(DRAFT, BRIEF.evidence)
ANSWER = assembly.answered(BRIEF, VERIFIED, DRAFT, [PASSED], BUILT_IN)
[SENTENCE] = ANSWER.sentences
[CITATION] = SENTENCE.citations


def cited(*citations: Citation) -> Answered:
    """The answer with other citations."""
    return replace(ANSWER, sentences=(replace(SENTENCE, citations=citations),))


@pytest.mark.rule("P6")
def test_an_answer_that_keeps_every_promise_leaves() -> None:
    """Retrieved, admitted, verified, cited in place."""
    assert check_answer(ANSWER, VERIFIED, BRIEF, [PASSED]) is ANSWER


@pytest.mark.rule("P6", "C2", "P2")
@pytest.mark.parametrize(
    "broken",
    [
        cited(),
        cited(CITATION, CITATION, CITATION),
        cited(replace(CITATION, source_id="S7")),
        cited(replace(CITATION, excerpt="The battery lasts for ever.")),
        cited(replace(CITATION, excerpt="…")),
        replace(ANSWER, sources=()),
    ],
    ids=["no citation", "three citations", "unknown source", "not literal", "empty excerpt", "no sources"],
)
def test_an_answer_with_a_false_citation_stops(broken: Answered) -> None:
    """A citation that is missing, of nothing given, or not in the book's words is a breach."""
    kept = replace(VERIFIED, sentences=broken.sentences)
    with pytest.raises(IntegrityBreach):
        check_answer(broken, kept, BRIEF, [PASSED])


@pytest.mark.rule("P6", "P4")
def test_a_sentence_that_nobody_verified_stops() -> None:
    """However well it is cited."""
    more = replace(ANSWER, sentences=(*ANSWER.sentences, replace(SENTENCE, text="It flies.")))
    with pytest.raises(IntegrityBreach, match="not verified"):
        check_answer(more, VERIFIED, BRIEF, [PASSED])


@pytest.mark.rule("P6", "G8")
def test_evidence_that_no_search_found_stops() -> None:
    """Retrieval comes first, and store sources only."""
    elsewhere = climb_now(part(ASKED), [(hit(CHARGE, 0.9),)], LIVE, JUDGE)
    with pytest.raises(IntegrityBreach, match="no search found"):
        check_answer(ANSWER, VERIFIED, BRIEF, [elsewhere])


STRICT = assessor(*FOUND, model=INSUFFICIENT)
BARRED = climb_now(part(ASKED), [FOUND], LIVE, STRICT)
SELECTION = climb_selection_now(part(ASKED), [PACK], LIVE, STRICT)


@pytest.mark.rule("P6", "R6")
@pytest.mark.parametrize("climbed", [BARRED, SELECTION], ids=["book", "selection"])
def test_not_found_is_said_only_after_every_rung(climbed: Climb) -> None:
    """A ladder that broke off is a fault of ours, not a refusal."""
    refused = assembly.refused(question(ASKED), [climbed], LIVE)
    assert isinstance(refused, Refused)
    assert check_refusal(refused, [climbed]) is refused
    with pytest.raises(IntegrityBreach, match="every rung"):
        check_refusal(refused, [replace(climbed, tried=climbed.tried[:-1])])


@pytest.mark.rule("P6", "R6", "D2")
def test_not_found_is_said_of_what_there_was_time_for() -> None:
    """A ladder that ends with the retrieval budget is no fault: a part says so."""
    short = replace(BARRED, tried=BARRED.tried[:1], spent=True)
    refused = assembly.refused(question(ASKED), [short], LIVE)
    assert isinstance(refused, Refused)
    assert check_refusal(refused, [short]) is refused


@pytest.mark.rule("P6", "G4")
def test_what_is_out_of_scope_needs_no_further_rung() -> None:
    """No other wording lets it in."""
    pwm = climb_now(part("How do I write a PWM motor driver?"), [FOUND], LIVE, JUDGE)
    refused = assembly.refused(question("How do I write a PWM motor driver?"), [pwm], LIVE)
    assert isinstance(refused, Refused)
    assert check_refusal(refused, [pwm]) is refused
