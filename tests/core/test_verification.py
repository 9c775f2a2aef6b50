"""A sentence leaves only when its passages support it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bookbound.confidence import level
from bookbound.errors import IntegrityBreach
from bookbound.model import Answered, Citation, Draft, DraftSentence
from bookbound.verification import self_check, support, verify
from tests.builders import evidence, passage

PACK = passage("The battery holds 9 Ah and lasts for 90 minutes.", "In general, charge it slowly.")
EVIDENCE = evidence(PACK)


def draft(*sentences: tuple[str, tuple[str, ...]]) -> Draft:
    return Draft(tuple(DraftSentence(text, ids) for text, ids in sentences), None, "prompt", "raw")


@pytest.mark.rule("P4")
def test_unsupported_sentences_go_and_the_draft_is_measured_with_them() -> None:
    """Attribution is that of the draft before anything is removed."""
    verified = verify(
        draft(
            ("The battery lasts for 90 minutes.", ("S1",)),
            ("It was invented in Sweden by accident.", ("S1",)),
        ),
        EVIDENCE,
    )
    assert [sentence.text for sentence in verified.sentences] == ["The battery lasts for 90 minutes."]
    assert verified.attribution == 0.5
    assert not verified.stands


@pytest.mark.rule("P4", "C2")
@pytest.mark.parametrize("ids", [(), ("S9",), ("S1", "S9")])
def test_a_sentence_without_a_real_citation_goes(ids: tuple[str, ...]) -> None:
    """No id, or one that was never given out: not supported."""
    assert verify(draft(("The battery lasts for 90 minutes.", ids)), EVIDENCE).sentences == ()


@pytest.mark.rule("P4")
def test_a_number_must_be_the_books() -> None:
    """Nine words of ten in common do not excuse a wrong number."""
    assert support("The battery holds 9 Ah and lasts for 90 minutes.", [PACK.text]).supported
    assert not support("The battery holds 9 Ah and lasts for 95 minutes.", [PACK.text]).supported


@pytest.mark.rule("G11")
def test_a_prohibited_pattern_is_dropped_unless_it_is_the_books_own() -> None:
    """The generator may not speak from experience; the book may."""
    verified = verify(
        draft(
            ("Typically, the battery lasts for 90 minutes.", ("S1",)),
            ("In general, charge it slowly.", ("S1",)),
        ),
        EVIDENCE,
    )
    assert [sentence.text for sentence in verified.sentences] == ["In general, charge it slowly."]


@pytest.mark.rule("G12")
@pytest.mark.parametrize(
    "wording",
    [
        "This question is not covered in the provided book excerpts.",
        "I can only answer questions from the textbook content",
        "The indexed documentation does not contain this information.",
    ],
)
def test_the_models_own_refusal_is_a_refusal(wording: str) -> None:
    """In any of the sources' wordings, even beside a supported sentence."""
    verified = verify(draft(("The battery lasts for 90 minutes.", ("S1",)), (wording, ("S1",))), EVIDENCE)
    assert verified.not_covered
    assert not verified.stands


def test_an_empty_draft_does_not_stand() -> None:
    """Nothing was said, so nothing is answered."""
    assert not verify(draft(), EVIDENCE).stands


@pytest.mark.rule("P6")
def test_the_self_check_stops_what_has_no_place_in_the_evidence() -> None:
    """A missing citation, one of an unknown source and one that is not literal never leave."""
    [sentence] = verify(draft(("The battery lasts for 90 minutes.", ("S1",))), EVIDENCE).sentences
    answered = Answered((sentence,), (), 0.9, level(0.9), low_confidence=False, attribution_coverage=1.0)
    assert self_check(answered, EVIDENCE) is answered
    invented = Citation("S1", "Batteries", 3, "The battery lasts for ever.", "/docs")
    for citations in ((), (replace(invented, source_id="S7"),), (invented,)):
        broken = replace(answered, sentences=(replace(sentence, citations=citations),))
        with pytest.raises(IntegrityBreach):
            self_check(broken, EVIDENCE)
