"""The ladder of attempts: rewrite, the other source, widen, until the evidence suffices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.ladder import Climb, climb, climb_selection, rungs, set_aside
from bookbound.evidence.sufficiency import FEATURES, SufficiencyModel
from bookbound.model import Attempt, Candidate, Hit, Passage, RefusalReason
from bookbound.question.question_plan import Part
from bookbound.text.glossary import Glossary
from testing.builders import book, candidate, hit, part, passage, table

GLOSSARY = Glossary(equivalents={"knee": ("leg joint",)})
FAR = "How far does the knee bend?"
REWRITTEN = "How far does the knee (leg joint) bend?"
ONE_WORDING = "How long does the battery last?"

TABLE = table("Joint | Angle", "Knee | 120", document="body/joints.csv")
PROSE = passage("The knee bends by 120 degrees.", document="body/knee.md")
OTHER = passage("It is driven by a belt.", document="body/belt.md")

SUFFICIENT, INSUFFICIENT, EMPTY = "sufficient", "insufficient_context", "empty_retrieval"


@dataclass(frozen=True)
class Judging(SufficiencyModel):
    """Evidence suffices from a nearest sentence of cosine 0.75 on; remembers what it judged."""

    weights: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(FEATURES, 0.0) | {"sentence_similarity": 100.0}
    )
    intercept: float = -75.0
    threshold: float = 0.5
    judged: list[dict[str, float]] = field(default_factory=list)

    def score(self, features: dict[str, float]) -> float:
        self.judged.append(features)
        return super().score(features)


def answering(found: Passage) -> Hit:
    """A hit that suffices."""
    return hit(found, 0.8, sentence_cosine=0.8)


def near(found: Passage) -> Hit:
    """A hit that qualifies as evidence and does not suffice."""
    return hit(found, 0.9, sentence_cosine=0.7)


def below(found: Passage) -> Hit:
    """A hit that is near, not near enough to qualify."""
    return hit(found, 0.6)


def climbed(asked: Part | str, *found: Sequence[Hit], model: SufficiencyModel | None = None) -> Climb:
    """A part up the ladder; the last list of hits serves all further wordings."""
    asked = part(asked, GLOSSARY) if isinstance(asked, str) else asked
    hits = [found[min(n, len(found) - 1)] for n in range(len(asked.query.texts))]
    held = {one.passage.chunk_id: one for one in chain.from_iterable(hits)}
    return climb(asked, hits, book(*held.values()), model or Judging())


def outcomes(climb: Climb) -> list[tuple[str, str, int, str]]:
    return [(one.query, "+".join(one.sources), one.breadth, one.outcome) for one in attempts(climb)]


def attempts(climb: Climb) -> list[Attempt]:
    return [tried.attempt for tried in climb.tried]


@pytest.mark.rule("R3", "R5", "R6")
@pytest.mark.parametrize(
    ("question", "order"),
    [
        (
            "How long does the battery last?",
            ["table 30", "table+prose 30", "table 50", "table+prose 50", "table 100", "table+prose 100"],
        ),
        ("What is a battery?", ["prose 50", "prose+table 50", "prose 100", "prose+table 100"]),
        ("How do arms and legs differ?", ["table 50", "table+prose 50", "table 100", "table+prose 100"]),
        ("List the sensors.", ["table 100", "table+prose 100"]),
    ],
    ids=["fact", "concept", "comparison", "list"],
)
def test_the_kind_of_question_decides_where_it_starts(question: str, order: list[str]) -> None:
    """The kind sets the first source and breadth; then come the other source and more breadth."""
    tried = ["+".join(rung.sources) + f" {rung.breadth}" for rung in rungs(part(question, GLOSSARY))]
    assert tried == order


@pytest.mark.rule("R4", "R6")
def test_the_rewritten_question_is_tried_before_the_other_source() -> None:
    """And the other source before a wider look; the original wording is always the first."""
    order = [(rung.text, len(rung.sources), rung.breadth) for rung in rungs(part(FAR, GLOSSARY))]
    assert order[:5] == [
        (FAR, 1, 30),
        (REWRITTEN, 1, 30),
        (FAR, 2, 30),
        (REWRITTEN, 2, 30),
        (FAR, 1, 50),
    ]


@pytest.mark.rule("R5", "R6")
def test_the_first_rung_that_suffices_is_the_last() -> None:
    """A table that answers is enough: it alone is judged, and qualifying prose stands behind it."""
    model = Judging()
    up = climbed(FAR, [answering(TABLE), near(PROSE), below(OTHER)], model=model)
    assert outcomes(up) == [(FAR, "table", 30, SUFFICIENT)]
    assert up.passed
    assert len(model.judged) == 1
    assert [one.passage for one in up.admitted] == [TABLE, PROSE]


@pytest.mark.rule("R6", "R4")
def test_the_book_s_words_are_tried_next() -> None:
    """The rewritten wording may find what the reader's wording did not."""
    up = climbed(FAR, [near(TABLE), answering(PROSE)], [answering(TABLE)])
    assert outcomes(up) == [(FAR, "table", 30, INSUFFICIENT), (REWRITTEN, "table", 30, SUFFICIENT)]
    assert up.decisive is up.tried[-1]


@pytest.mark.rule("R5", "R6")
def test_the_other_source_is_asked_before_a_wider_look() -> None:
    """Each result is judged before the next source joins in."""
    up = climbed(ONE_WORDING, [below(TABLE), answering(PROSE)])
    assert outcomes(up) == [
        (ONE_WORDING, "table", 30, INSUFFICIENT),
        (ONE_WORDING, "table+prose", 30, SUFFICIENT),
    ]
    assert [one.passage for one in up.admitted] == [PROSE]


@pytest.mark.rule("R3", "R6")
def test_a_rung_sees_no_more_than_its_breadth() -> None:
    """A passage behind thirty windows of another comes into sight at fifty."""
    behind = hit(OTHER, 0.65, sentence_cosine=0.8)
    up = climbed(ONE_WORDING, [*[near(PROSE)] * 30, behind])
    seen = [(one.breadth, one.candidates, one.outcome) for one in attempts(up) if "prose" in one.sources]
    assert seen == [(30, 1, INSUFFICIENT), (50, 2, SUFFICIENT)]


@pytest.mark.rule("R3")
def test_what_is_near_by_its_words_is_within_the_breadth_too() -> None:
    """Thirty windows by meaning and thirty by words, so that a rare word is not crowded out."""
    battery = passage("The battery lasts 90 minutes.", document="power/battery.md")
    behind = hit(battery, 0.65, sentence_cosine=0.8)
    up = climbed(ONE_WORDING, [*[near(OTHER)] * 30, behind])
    assert outcomes(up)[-1] == (ONE_WORDING, "table+prose", 30, SUFFICIENT)


@pytest.mark.rule("R5")
def test_prose_does_not_crowd_tables_out() -> None:
    """The breadth counts windows of the asked source alone."""
    up = climbed(ONE_WORDING, [*[near(PROSE)] * 90, hit(TABLE, 0.65, sentence_cosine=0.8)])
    assert outcomes(up) == [(ONE_WORDING, "table", 30, SUFFICIENT)]


@pytest.mark.rule("G4", "R6")
def test_out_of_scope_is_final() -> None:
    """A change of wording, source or breadth does not let in what the policy leaves out."""
    asked = "Which PWM frequency does the motor need?"
    up = climbed(asked, [answering(PROSE)])
    assert outcomes(up) == [(asked, "table", 30, EMPTY), (asked, "table+prose", 30, "out_of_scope")]
    assert not up.passed
    assert up.decisive is up.tried[-1]


@pytest.mark.rule("R6", "R9")
def test_the_rung_that_came_furthest_decides_the_refusal() -> None:
    """One that was judged before one that was barred earlier, wherever it stood on the ladder."""
    up = climbed(FAR, [below(TABLE), below(PROSE)], [below(TABLE), near(PROSE)])
    assert not up.passed
    assert (up.decisive.attempt.query, up.decisive.attempt.sources) == (REWRITTEN, ("table", "prose"))
    assert up.decisive.judged is not None
    assert [one.passage for one in up.candidates] == [PROSE, TABLE]
    assert (up.admitted, up.weak) == ((), False)


@pytest.mark.rule("R6")
@pytest.mark.parametrize("found", [[], [hit(TABLE, 0.1)], [below(PROSE)], [near(TABLE), near(PROSE)]])
def test_not_found_is_said_only_after_every_rung(found: list[Hit]) -> None:
    """For no, far, near or failing hits, all wordings, sources and breadths are tried in order."""
    up = climbed(FAR, found)
    wanted = [(rung.text, "+".join(rung.sources), rung.breadth) for rung in rungs(part(FAR, GLOSSARY))]
    assert [one[:3] for one in outcomes(up)] == wanted
    assert len(wanted) == 12


@pytest.mark.rule("R6")
def test_the_same_passages_are_judged_once() -> None:
    """However many rungs come to them."""
    model = Judging()
    up = climbed(FAR, [near(TABLE)], model=model)
    assert len(up.tried) == 12
    assert len(model.judged) == 1
    model = Judging()
    climbed(ONE_WORDING, [near(TABLE), near(PROSE)], model=model)
    assert len(model.judged) == 2


@pytest.mark.rule("R6", "A1")
def test_an_attempt_tells_what_it_looked_at_and_how_near_it_was() -> None:
    """Passages, not windows; the highest similarity; the sufficiency where it was judged."""
    first, second, *_ = attempts(climbed(ONE_WORDING, [below(TABLE), hit(PROSE, 0.75), hit(PROSE, 0.7)]))
    assert first == Attempt(ONE_WORDING, ONE_WORDING, ("table",), 30, 1, 0.6, None, INSUFFICIENT)
    assert (second.candidates, second.similarity, second.sufficiency) == (2, 0.75, 0.5)
    nothing, *_ = attempts(climbed(ONE_WORDING, []))
    assert (nothing.candidates, nothing.similarity, nothing.outcome) == (0, None, EMPTY)


@pytest.mark.rule("G7", "R5")
def test_support_is_counted_over_both_sources() -> None:
    """A table that answers is weak alone, and not weak if a passage of prose qualifies too."""
    assert climbed(FAR, [answering(TABLE)]).weak
    assert climbed(FAR, [answering(TABLE), below(PROSE)]).weak
    assert not climbed(FAR, [answering(TABLE), near(PROSE)]).weak


@pytest.mark.rule("G9")
def test_a_book_s_own_threshold_goes_before_the_model_s() -> None:
    """Its canary questions moved it."""
    asked, found = part(ONE_WORDING), [answering(TABLE)]
    assert climb(asked, [found], book(*found), Judging()).passed
    assert not climb(asked, [found], book(*found, sufficiency_threshold=0.999), Judging()).passed
    assert climb(asked, [[near(TABLE)]], book(*found, sufficiency_threshold=0.0), Judging()).passed


@pytest.mark.rule("F1")
def test_how_likely_the_evidence_answers_is_known_where_it_was_judged() -> None:
    """0 where every gate before barred the way."""
    assert climbed(ONE_WORDING, [answering(TABLE)]).sufficiency > 0.9
    assert 0 < climbed(ONE_WORDING, [near(TABLE)]).sufficiency < 0.1
    assert climbed(ONE_WORDING, [below(TABLE)]).sufficiency == 0.0


COSINES = st.sampled_from([0.1, 0.6, 0.7, 0.74, 0.76, 0.9])
HITS = st.builds(hit, st.sampled_from([TABLE, PROSE, OTHER]), COSINES, COSINES)
QUESTIONS = st.sampled_from([FAR, ONE_WORDING, "What is a knee?", "List the knee parts.", "the knee PWM"])


@pytest.mark.rule("R6", "G4")
@given(QUESTIONS, st.lists(HITS, max_size=6), st.lists(HITS, max_size=6))
def test_every_climb_ends_by_success_by_scope_or_at_the_top(
    question: str, original: list[Hit], rewritten: list[Hit]
) -> None:
    """For any hits, the last rung decides if the climb ends before the top."""
    up = climbed(question, original, rewritten)
    order = list(rungs(up.part))
    assert [one.query for one in attempts(up)] == [rung.text for rung in order][: len(up.tried)]
    assert not any(tried.passed for tried in up.tried[:-1])
    assert up.passed == up.tried[-1].passed
    if len(up.tried) < len(order):
        assert up.decisive is up.tried[-1]
        assert up.tried[-1].attempt.outcome in (SUFFICIENT, "out_of_scope")


def selected(sentence_cosine: float) -> tuple[Candidate, ...]:
    return (candidate(PROSE, 0.1, sentence_cosine=sentence_cosine),)


@pytest.mark.rule("G5", "R6")
def test_for_a_selection_only_the_wording_changes() -> None:
    """No ladder of sources and breadths: the selection is all there is."""
    asked = part(FAR, GLOSSARY)
    up = climb_selection(asked, [selected(0.1), selected(0.9)], book(), Judging())
    assert outcomes(up) == [
        (FAR, "selection", 1, "selected_text_insufficient"),
        (REWRITTEN, "selection", 1, SUFFICIENT),
    ]
    assert (up.admitted, up.candidates, up.weak) == (selected(0.9), selected(0.9), False)
    first = climb_selection(asked, [selected(0.9), selected(0.1)], book(), Judging())
    assert outcomes(first) == [(FAR, "selection", 1, SUFFICIENT)]


@pytest.mark.rule("G5", "S6")
def test_a_selection_that_is_not_the_book_s_has_nothing_to_judge() -> None:
    """Neither wording gets to see a passage."""
    model = Judging()
    up = climb_selection(part(FAR, GLOSSARY), [(), ()], book(), model)
    assert [(one.candidates, one.similarity) for one in attempts(up)] == [(0, None), (0, None)]
    assert (up.passed, up.candidates, model.judged) == (False, (), [])


@pytest.mark.rule("G14")
def test_work_is_set_aside_without_a_rung() -> None:
    """It is not searched, judged or found."""
    up = set_aside(part("Write me a node that blinks."))
    assert (up.passed, up.tried, up.candidates, up.sufficiency) == (False, (), (), 0.0)
    assert up.decisive.attempt.outcome == RefusalReason.OUT_OF_SCOPE
