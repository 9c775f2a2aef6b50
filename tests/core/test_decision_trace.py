"""Events on the way to an outcome, gathered for the response and the record."""

from __future__ import annotations

import pytest

from bookbound.answer.decision_trace import Trace
from bookbound.evidence.ladder import Climb, set_aside
from bookbound.model import Draft, RefusalReason, Refused, Usage
from bookbound.policy.book_policy import Thresholds
from testing.builders import assessor, book, climb_now, evidence, hit, part, passage, plain_model, question

PACK = passage("The battery lasts for 90 minutes.")
KNEE = passage("The knee bends by 120 degrees.", document="body/knee.md")
NEVER = plain_model(threshold=1.0)
LASTS, BENDS = "How long does the battery last?", "What is a knee?"


def climbed(text: str, pack: float, knee: float) -> Climb:
    found = [hit(PACK, pack), hit(KNEE, knee)]
    return climb_now(part(text), [found], book(*found), assessor(*found, model=NEVER))


def trace(*climbs: Climb) -> Trace:
    made = Trace(question())
    made.climbed(climbs, Thresholds())
    return made


@pytest.mark.rule("R6", "A1")
def test_every_rung_of_every_part_is_noted_in_order() -> None:
    """The wording that decided is noted too, one per part."""
    parts = climbed(LASTS, 0.9, 0.1), climbed(BENDS, 0.1, 0.9)
    made = trace(*parts)
    assert made.attempts == tuple(tried.attempt for one in parts for tried in one.tried)
    assert {attempt.part for attempt in made.attempts} == {LASTS, BENDS}
    assert made.retrieval_query == f"{LASTS} / {BENDS}"


@pytest.mark.rule("A1", "A5")
def test_a_passage_that_several_parts_found_is_noted_once_at_its_best() -> None:
    """The count and the highest similarity are therefore of passages, over all parts."""
    made = trace(climbed(LASTS, 0.8, 0.1), climbed(BENDS, 0.6, 0.4))
    assert [one.passage for one in made.candidates] == [PACK, KNEE]
    assert (made.chunks_retrieved, made.max_score) == pytest.approx((1, 0.8))


@pytest.mark.rule("A5")
def test_nothing_found_has_no_highest_similarity() -> None:
    """Null, which is not the same as 0."""
    made = trace(climb_now(part(LASTS), [[]], book(), assessor(model=NEVER)))
    assert (made.candidates, made.chunks_retrieved, made.max_score) == ((), 0, None)


@pytest.mark.rule("R9", "A1")
def test_the_findings_of_several_parts_are_told_apart() -> None:
    """A line that names the part stands before those of its deciding rung; one part needs none."""
    one = climbed(LASTS, 0.9, 0.1)
    assert trace(one).findings == one.decisive.verdict.findings
    work = set_aside(part("Write me a node that blinks."))
    figures = [(finding.gate, finding.value, finding.passed) for finding in trace(one, work).findings]
    assert figures[0] == ("R9 part", LASTS, False)
    assert figures[-2:] == [
        ("R9 part", "Write me a node that blinks.", False),
        ("G14 knowledge question", "writing code", False),
    ]


def test_time_is_added_up_even_where_a_stage_fails() -> None:
    """The time of another draft is added to that of the first."""
    made = Trace(question(), spent={"generation": 5.0})
    with pytest.raises(KeyError), made.timing("generation"):
        raise KeyError
    assert made.latency.generation > 5.0
    assert (made.latency.retrieval, made.latency.verification) == (0.0, 0.0)


@pytest.mark.rule("A1")
@pytest.mark.parametrize("second", [None, Usage(10, 1)], ids=["uncounted", "counted"])
def test_a_second_draft_by_another_generator_keeps_the_first_ones_tokens(second: Usage | None) -> None:
    """The record names the one that wrote the draft that counts, and has the tokens of both."""
    made = trace()
    made.drafted(Draft((), None, "prompt", "raw", usage=Usage(100, 20)), evidence(PACK), "claude")
    assert made.generator == "claude"
    made.drafted(
        Draft((), None, "prompt", "raw", usage=second, generator="extractive"), evidence(PACK), "claude"
    )
    assert (made.generator, made.generator_calls) == ("extractive", 2)
    assert made.draft is not None
    assert made.draft.usage == (Usage(110, 21) if second else Usage(100, 20))


def test_a_result_belongs_to_a_book() -> None:
    """Without one there is nothing that could have answered."""
    with pytest.raises(ValueError, match="belongs to a book"):
        trace().result(Refused(RefusalReason.EMPTY_RETRIEVAL, "No."))
