"""The parts of a question brought together: evidence, brief, and the answer or refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer import assembly
from bookbound.answer.citations import cite
from bookbound.answer.confidence import BUILT_IN, shipped
from bookbound.answer.extraction import pointed
from bookbound.answer.verification import Verified
from bookbound.evidence.ladder import Climb, set_aside
from bookbound.evidence.sufficiency import FEATURES, SufficiencyModel
from bookbound.model import Answered, AnswerSentence, ConfidenceLevel, Draft, Hit, Passage, RefusalReason
from bookbound.policy import notices
from testing.builders import (
    assessor,
    book,
    climb_now,
    climb_selection_now,
    hit,
    part,
    passage,
    plain_model,
    question,
    table,
)

LASTS = "How long does the battery last?"
BENDS = "How far does the knee bend?"
WEIGHS = "How heavy is Wren?"
PACK = passage("The battery lasts for 90 minutes.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md")
PARTS = table("Part | Price", "Lidar | 90", "Camera | 20", document="parts.csv")
BOOK = book(hit(PACK, 0.9), hit(KNEE, 0.9))

SURE = replace(plain_model(), weights=dict.fromkeys(FEATURES, 0.0), intercept=3.0)
UNSURE = replace(SURE, intercept=0.0)
UNANSWERED = replace(SURE, intercept=-3.0)


def up(text: str, *found: Hit, model: SufficiencyModel = SURE, refuses: bool = False) -> Climb:
    """A part that found this in all of its wordings."""
    asked = part(text)
    judge = assessor(*found, model=model, refuses=refuses)
    return climb_now(asked, [found] * len(asked.query.texts), BOOK, judge)


def found_for(text: str, *passages: Passage) -> Climb:
    """A part that passed, these passages the best first."""
    return up(text, *(hit(one, 0.9 - n / 100) for n, one in enumerate(passages)))


def answered(*climbs: Climb, estimate: float | None = 0.9) -> Answered:
    """The answer that says the first sentence of every passage of the evidence."""
    text = " ".join(climb.part.text for climb in climbs)
    brief = assembly.brief(question(text), climbs, BOOK)
    sentences = tuple(
        AnswerSentence(said, (cite(said, exhibit),))
        for exhibit in brief.evidence.exhibits
        for said in [exhibit.passage.unit_text(exhibit.passage.units[-1])]
    )
    return assembly.answered(
        brief, Verified(sentences, (), 1.0, not_covered=False), draft(estimate), climbs, BUILT_IN
    )


def draft(estimate: float | None = 0.9, **other: str) -> Draft:
    return Draft((), estimate, "prompt", "raw", **other)


def numbered(name: str, count: int) -> list[Passage]:
    return [passage(f"{name} {n}.", document=f"{name}{n}.md") for n in range(count)]


PASSED, EMPTY = found_for(LASTS, PACK, KNEE), up(WEIGHS, hit(PACK, 0.1))
NEAR, JUDGED = up(WEIGHS, hit(PACK, 0.6)), up(WEIGHS, hit(PACK, 0.9), model=UNANSWERED)
OUT_OF_SCOPE = up("Which PWM frequency does the motor need?", hit(PACK, 0.9))
TASK = set_aside(part("Write me a node that blinks."))


# --- the brief ------------------------------------------------------------------------------------


@pytest.mark.rule("V4", "R9")
def test_a_question_that_passed_whole_is_briefed_word_for_word() -> None:
    """The parts are what was searched; the reader's words are what a generator reads."""
    text = f"{LASTS} And {BENDS}"
    brief = assembly.brief(question(text), [PASSED, found_for(BENDS, KNEE)], BOOK)
    assert brief.question == text
    assert [inquiry.text for inquiry in brief.inquiries] == [LASTS, BENDS]


@pytest.mark.rule("R9", "G8")
def test_a_part_that_did_not_pass_is_not_in_the_brief() -> None:
    """Neither its words, nor its analysis, nor what was found for it."""
    near = up(WEIGHS, hit(passage("Wren is small.", document="wren.md"), 0.6))
    brief = assembly.brief(question(f"{WEIGHS} {LASTS}"), [near, PASSED], BOOK)
    assert brief.question == LASTS
    assert [inquiry.text for inquiry in brief.inquiries] == [LASTS]
    assert {exhibit.passage.document for exhibit in brief.evidence.exhibits} == {PACK.document, KNEE.document}


@pytest.mark.rule("G12", "R9")
def test_a_brief_is_assured_where_every_part_that_passed_is() -> None:
    """One part that suffices only for a generator that can refuse is enough; one that failed is not."""
    lenient = replace(UNSURE, threshold=0.6, with_refusals=0.4)
    perhaps = up(BENDS, hit(KNEE, 0.9), hit(PACK, 0.8), model=lenient, refuses=True)
    assert (perhaps.passed, perhaps.assured) == (True, False)
    assert assembly.brief(question(), [PASSED], BOOK).assured
    assert assembly.brief(question(), [PASSED, NEAR, JUDGED, TASK], BOOK).assured
    assert not assembly.brief(question(), [PASSED, perhaps], BOOK).assured


@pytest.mark.rule("R2", "R5")
def test_what_was_judged_stands_before_what_supports_it() -> None:
    """The table that answers comes first, however much nearer the prose behind it is; five together."""
    prose = numbered("price", 6)
    asked = up("How much does the lidar cost?", hit(PARTS, 0.8), *(hit(one, 0.95) for one in prose))
    brief = assembly.brief(question(), [asked], BOOK)
    first, *rest = [exhibit.passage for exhibit in brief.evidence.exhibits]
    assert first == PARTS
    assert len(rest) == 4
    assert all(one in prose for one in rest)


@pytest.mark.rule("R2", "R9")
def test_the_parts_take_turns_in_the_evidence() -> None:
    """Each one's best before any one's second, five together."""
    ours, theirs = numbered("battery", 5), numbered("knee", 2)
    brief = assembly.brief(question(), [found_for(LASTS, *ours), found_for(BENDS, *theirs)], BOOK)
    wanted = [ours[0], theirs[0], ours[1], theirs[1], ours[2]]
    assert [exhibit.passage for exhibit in brief.evidence.exhibits] == wanted


@pytest.mark.rule("R2", "R9")
def test_a_passage_that_two_parts_share_stands_once_at_its_first_turn() -> None:
    """The best passage of one part is not lost for being another one's last."""
    shared, *ours = numbered("battery", 4)
    theirs = numbered("knee", 3)
    brief = assembly.brief(
        question(), [found_for(LASTS, shared, *ours), found_for(BENDS, *theirs, shared)], BOOK
    )
    wanted = [shared, theirs[0], ours[0], theirs[1], ours[1]]
    assert [exhibit.passage for exhibit in brief.evidence.exhibits] == wanted


@pytest.mark.rule("R9", "G9")
def test_a_passage_that_two_parts_share_brings_what_was_read_for_each() -> None:
    """Whichever part it came from, the reader's hints for all of them are there."""
    both = [found_for(LASTS, PACK, KNEE), found_for(BENDS, KNEE, PACK)]
    brief = assembly.brief(question(f"{LASTS} {BENDS}"), both, BOOK)
    assert [exhibit.passage for exhibit in brief.evidence.exhibits] == [PACK, KNEE]
    for exhibit in brief.evidence.exhibits:
        assert {reading.question for reading in exhibit.candidate.readings} == {LASTS, BENDS}
    for inquiry, best in zip(brief.inquiries, (PACK, KNEE), strict=True):
        ranked = pointed(brief.evidence, inquiry)
        assert {one.passage for one in ranked} == {PACK, KNEE}
        assert ranked[0].passage == best


@pytest.mark.rule("R2", "R9")
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5, unique=True), min_size=1, max_size=4))
def test_evidence_is_each_passage_once_and_five_at_most(found: list[list[int]]) -> None:
    """However many parts share it; every part's best is in it."""
    passages = numbered("any", 7)
    climbs = [found_for(LASTS, *(passages[n] for n in one)) for one in found]
    exhibits = assembly.brief(question(), climbs, BOOK).evidence.exhibits
    chosen = [passages.index(exhibit.passage) for exhibit in exhibits]
    assert len(chosen) == len(set(chosen)) == min(5, len({n for one in found for n in one}))
    assert {best for best, *_ in found} <= set(chosen)


# --- the answer -----------------------------------------------------------------------------------


@pytest.mark.rule("R9", "G14")
def test_what_no_part_passed_for_is_named_as_unavailable() -> None:
    """In the reader's words and order, work asked for as well."""
    outcome = answered(NEAR, PASSED, TASK)
    assert outcome.unavailable == (WEIGHS, "Write me a node that blinks.")
    assert PACK.text in [sentence.text for sentence in outcome.sentences]
    assert answered(PASSED).unavailable == ()


@pytest.mark.rule("C2", "C3")
def test_only_what_is_cited_is_a_source() -> None:
    """A passage that no sentence used is not shown with the answer."""
    brief = assembly.brief(question(), [PASSED], BOOK)
    first, second = brief.evidence.exhibits
    said = AnswerSentence(second.passage.text, (cite(second.passage.text, second),))
    verified = Verified((said,), (), 1.0, not_covered=False)
    outcome = assembly.answered(brief, verified, draft(), [PASSED], BUILT_IN)
    assert [source.source_id for source in outcome.sources] == ["S2"]
    assert outcome.sources[0].passage == second.passage != first.passage


@pytest.mark.rule("F1", "R9")
def test_an_answer_is_as_sure_as_its_least_sure_part() -> None:
    """The lowest sufficiency counts, with the generator's estimate; parts that failed don't."""
    less = up(BENDS, hit(KNEE, 0.9), hit(PACK, 0.8), model=UNSURE)
    assert less.sufficiency == pytest.approx(0.5)
    assert answered(PASSED, less).confidence == shipped(BUILT_IN).confidence(less.sufficiency, 0.9, 1.0)
    assert answered(PASSED, less).confidence < answered(PASSED).confidence
    assert answered(PASSED, NEAR, TASK).confidence == answered(PASSED).confidence


@pytest.mark.rule("F1", "P3")
def test_an_estimate_is_worth_what_its_generator_s_are() -> None:
    """The same figure of another generator is another confidence."""
    brief = assembly.brief(question(), [PASSED], BOOK)
    told = {
        name: assembly.answered(brief, Verified((), (), 1.0, not_covered=False), draft(), [PASSED], name)
        for name in ("extractive", "claude")
    }
    for name, outcome in told.items():
        assert outcome.confidence == shipped(name).confidence(PASSED.sufficiency, 0.9, 1.0)
    assert told["extractive"].confidence != told["claude"].confidence


@pytest.mark.rule("F1", "P3")
def test_a_draft_by_another_generator_is_read_as_that_one_s() -> None:
    """And what its reader is to be told stands in front of all other notices."""
    brief = assembly.brief(question(), [PASSED], BOOK)
    written = draft(0.0, generator="extractive", notice=notices.BUDGET_SPENT)
    outcome = assembly.answered(brief, Verified((), (), 1.0, not_covered=False), written, [PASSED], "claude")
    assert outcome.confidence == shipped("extractive").confidence(PASSED.sufficiency, 0.0, 1.0)
    assert outcome.notice == f"{notices.BUDGET_SPENT} {notices.LOW_CONFIDENCE}"


@pytest.mark.rule("F2", "G7")
def test_low_confidence_and_weak_evidence_are_flagged() -> None:
    """Weak evidence is the more telling reason."""
    unsure = answered(up(BENDS, hit(KNEE, 0.9), hit(PACK, 0.8), model=UNSURE), estimate=0.5)
    assert (unsure.low_confidence, unsure.notice) == (True, notices.LOW_CONFIDENCE)
    assert unsure.confidence_level is ConfidenceLevel.LOW
    weak = answered(PASSED, found_for(BENDS, KNEE))
    assert (weak.low_confidence, weak.notice) == (True, notices.WEAK_EVIDENCE)


@pytest.mark.rule("F3")
def test_the_surest_answer_there_is_has_the_highest_level_that_its_generator_is_given() -> None:
    """It is flagged where that is low: a level that was not kept is not given."""
    certain = replace(SURE, intercept=20.0)
    outcome = answered(up(BENDS, hit(KNEE, 0.9), hit(PACK, 0.8), model=certain), estimate=1.0)
    highest = shipped(BUILT_IN).level(1.0)
    assert outcome.confidence_level is highest
    assert outcome.low_confidence == (highest is ConfidenceLevel.LOW)


@pytest.mark.rule("T2", "T3")
def test_rows_that_are_left_out_are_told_beside_the_answer() -> None:
    """Behind what else there is to tell."""
    told = "parts.csv has 2 rows: 1 shown, 1 left out."
    assert answered(found_for("List the prices.", PARTS, PACK)).notice == f"{notices.LOW_CONFIDENCE} {told}"
    assert answered(found_for("List the prices.", PARTS)).notice == f"{notices.WEAK_EVIDENCE} {told}"


# --- the refusal ----------------------------------------------------------------------------------


@pytest.mark.rule("R9")
def test_one_part_that_passed_is_enough_for_an_answer() -> None:
    """The fate of the others does not matter."""
    assert assembly.refused(question(), [NEAR, PASSED, TASK], BOOK) is None


@pytest.mark.rule("R9", "G10", "G13")
@pytest.mark.parametrize(
    ("climbs", "reason"),
    [
        ([EMPTY], "empty_retrieval"),
        ([EMPTY, NEAR], "insufficient_context"),
        ([NEAR, EMPTY], "insufficient_context"),
        ([NEAR, JUDGED], "insufficient_context"),
        ([EMPTY, OUT_OF_SCOPE, NEAR], "out_of_scope"),
        ([TASK], "out_of_scope"),
        ([TASK, NEAR], "insufficient_context"),
    ],
)
def test_the_reason_is_that_of_the_part_which_came_furthest(climbs: list[Climb], reason: str) -> None:
    """One reason for the whole question, in the words of its template."""
    refused = assembly.refused(question(), climbs, BOOK)
    assert refused is not None
    assert refused.reason is RefusalReason(reason)


@pytest.mark.rule("G14", "G10")
def test_work_is_refused_without_the_paragraph_that_names_a_topic() -> None:
    """A topic that the policy leaves out is named; work is none."""
    work = assembly.refused(question(), [TASK], BOOK)
    scope = assembly.refused(question(), [OUT_OF_SCOPE], BOOK)
    assert work is not None
    assert scope is not None
    assert work.message.startswith("This topic is outside the scope of this course.")
    assert "please refer to specialized resources" not in work.message
    assert "please refer to specialized resources" in scope.message


GERMAN = "Wie lange hält der Akku und wie wird er geladen?"


@pytest.mark.rule("G10", "G13")
@pytest.mark.parametrize("climbs", [[EMPTY], [PASSED], [PASSED, NEAR]], ids=["nothing", "all", "some"])
def test_another_language_is_refused_whatever_was_found(climbs: list[Climb]) -> None:
    """The book speaks one language; the notice names both."""
    refused = assembly.refused(question(GERMAN), climbs, BOOK, "de")
    assert refused is not None
    assert refused.notice == notices.other_language("German", "English")
    assert refused.reason in (RefusalReason.EMPTY_RETRIEVAL, RefusalReason.INSUFFICIENT_CONTEXT)


def test_a_book_can_be_asked_in_its_own_language() -> None:
    """The policy names it."""
    german = replace(BOOK, policy=replace(BOOK.policy, language="de"))
    assert assembly.refused(question(GERMAN), [PASSED], german) is None
    refused = assembly.refused(question(LASTS), [PASSED], german, "en")
    assert refused is not None
    assert refused.notice == notices.other_language("English", "German")


@pytest.mark.rule("G5", "S6")
def test_a_selection_that_does_not_answer_is_refused_as_one() -> None:
    """With a notice when it is not the book's."""
    asked = question(LASTS, selected_text="Some text.")
    located = climb_selection_now(part(LASTS), [PACK], BOOK, assessor(model=UNANSWERED))
    foreign = climb_selection_now(part(LASTS), [], BOOK, assessor(model=SURE))
    for climbed, notice in ((located, None), (foreign, notices.NOT_IN_BOOK)):
        refused = assembly.refused(asked, [climbed], BOOK)
        assert refused is not None
        assert (refused.reason, refused.notice) == (RefusalReason.SELECTED_TEXT_INSUFFICIENT, notice)


@pytest.mark.rule("G5", "P4")
def test_a_draft_that_does_not_hold_is_refused_in_the_words_of_its_mode() -> None:
    """The passages did not answer after all; nor did the selection."""
    assert assembly.insufficient(question()) is RefusalReason.INSUFFICIENT_CONTEXT
    selected = question(selected_text="Some text.")
    assert assembly.insufficient(selected) is RefusalReason.SELECTED_TEXT_INSUFFICIENT


@pytest.mark.rule("G10")
def test_a_refusal_for_want_of_evidence_names_the_nearest_places() -> None:
    """Up to three sections, best first, with page and link and no text; no other refusal has any (X19)."""
    found = [passage(f"The knee {n} bends.", section=f"Knee {n}", document=f"k{n}.md") for n in range(5)]
    near = up(BENDS, *(hit(one, 0.72 + n / 100) for n, one in enumerate(found)), model=UNANSWERED)
    refused = assembly.refused(question(BENDS), [near], BOOK)
    assert refused and [place.section for place in refused.related] == ["Knee 4", "Knee 3", "Knee 2"]
    assert refused.related[0].url == "/docs/k4#knee-4"
    for other in (EMPTY, OUT_OF_SCOPE, TASK):
        assert assembly.refused(question(WEIGHS), [other], BOOK).related == ()


def test_a_book_may_hide_its_places() -> None:
    """The policy's `related: hide` leaves the refusal as it is."""
    hiding = replace(BOOK, policy=replace(BOOK.policy, related="hide"))
    assert assembly.refused(question(LASTS), [JUDGED], BOOK).related
    assert assembly.refused(question(LASTS), [JUDGED], hiding).related == ()
