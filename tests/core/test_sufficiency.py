"""Do these passages answer this question? Each feature by a small example."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.sufficiency import FEATURES, Sufficiency, SufficiencyModel, judge, shipped
from bookbound.model import Candidate, Passage
from bookbound.question.inquiry import Inquiry
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import Lexicon
from bookbound.text.terms import content_stems
from testing.builders import candidate, inquiry, passage, table

EVEN = SufficiencyModel(dict.fromkeys(FEATURES, 0.0), intercept=0.0, threshold=0.5)
PACK = passage("The battery lasts for 90 minutes.", "Charge it daily.")
KNEE = passage("Wren bends its knee by 120 degrees.", document="body/knee.md", section="Joints")


def features(asked: str | Inquiry, *found: Passage | Candidate) -> dict[str, float]:
    """The features of this question and these passages, in a book that holds nothing else."""
    candidates = [one if isinstance(one, Candidate) else candidate(one) for one in found]
    lexicon = Lexicon.of(content_stems(one.passage.text) for one in candidates)
    asked = inquiry(asked) if isinstance(asked, str) else asked
    return judge(asked, candidates, lexicon, EVEN).features


@pytest.mark.rule("G9")
def test_sentence_similarity_is_the_nearest_sentence_s() -> None:
    """All passages count; a sentence that points away counts as no nearer than none."""
    near, far = candidate(PACK, sentence_cosine=0.6), candidate(KNEE, sentence_cosine=0.2)
    assert features("How long does the battery last?", far, near)["sentence_similarity"] == 0.6
    away = replace(far, sentence_cosine=-0.3)
    assert features("How long does the battery last?", away)["sentence_similarity"] == 0.0


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Does the battery last?", 1.0),
        ("Does the power last?", 1.0),
        ("What is the warranty period?", 0.0),
    ],
)
def test_coverage_is_of_the_best_span_and_the_headings_above_it(question: str, share: float) -> None:
    """ "Power" stands in no sentence, but above all of them."""
    assert features(question, PACK)["coverage_context"] == pytest.approx(share)


@pytest.mark.rule("G9")
def test_coverage_weighs_what_is_telling() -> None:
    """The missing word is one that the book does not hold, so more than half is missing."""
    assert 0 < features("battery warranty", PACK, KNEE)["coverage_context"] < 0.5


@pytest.mark.rule("G9", "R4")
def test_an_equivalent_covers_the_question_s_own_word() -> None:
    """The glossary tells that the book says "battery" for "accumulator"."""
    glossary = Glossary(equivalents={"accumulator": ("battery",)})
    asked = "Does the accumulator last?"
    assert features(inquiry(asked, glossary), PACK)["coverage_context"] == pytest.approx(1.0)
    assert features(asked, PACK)["coverage_context"] < 1


@pytest.mark.rule("G9")
def test_names_are_looked_for_in_the_span_and_in_all_passages() -> None:
    """Both of two, one of two where the other stands in another passage, none."""
    asked = "How far does Wren bend near IMU and EKF?"
    imu = passage("The IMU is in the pelvis.", document="imu.md")
    found = features(asked, KNEE, imu)
    assert found["names_span"] == pytest.approx(1 / 3)
    assert found["names_passages"] == pytest.approx(2 / 3)


@pytest.mark.rule("G9")
def test_a_question_that_names_nothing_misses_no_name() -> None:
    """There is nothing to look for."""
    found = features("how far does the knee bend", KNEE)
    assert (found["names_span"], found["names_passages"]) == (1.0, 1.0)


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How long does the battery last?", 1.0),
        ("How heavy is the battery?", 0.0),
        ("Why does the battery last?", 0.0),
        ("battery", 1.0),
    ],
)
def test_the_kind_of_answer_is_shown_or_not(question: str, shown: float) -> None:
    """Minutes for "how long", no kilogram for "how heavy", anything for an open question."""
    assert features(question, passage("The battery lasts for 90 minutes."))["kind_shown"] == shown


@pytest.mark.rule("G9", "T1")
def test_a_row_is_read_under_its_header() -> None:
    """The header covers the question's words and names the measure of the number."""
    found = features("What is the price of the lidar?", table("Part | Price", "Lidar | 90"))
    assert found["coverage_context"] == pytest.approx(1.0)
    assert found["kind_shown"] == 1.0


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Which knee does Wren bend?", 1.0),
        ("Which wavelength does Wren bend?", 0.0),
        ("does Wren bend", 1.0),
    ],
)
def test_the_thing_asked_after_is_spoken_of_or_not(question: str, share: float) -> None:
    """A passage that shares every name and not the thing itself leaves the question open."""
    assert features(question, KNEE)["focus_shown"] == pytest.approx(share)


@pytest.mark.rule("G9")
def test_no_passage_answers_nothing() -> None:
    """Without evidence the score is 0, for any model."""
    sure = replace(EVEN, intercept=9.0)
    assert judge(inquiry("battery"), [], Lexicon(0), sure) == Sufficiency(0.0, dict.fromkeys(FEATURES, 0.0))


@pytest.mark.rule("G9")
def test_the_score_is_the_logistic_of_the_weighted_features() -> None:
    """Readable: intercept plus each weight times its feature."""
    model = SufficiencyModel(
        dict.fromkeys(FEATURES, 0.0) | {"kind_shown": 2.0}, intercept=-1.0, threshold=0.5
    )
    judged = judge(inquiry("How long?"), [candidate(PACK)], Lexicon(1), model)
    assert judged.score == pytest.approx(1 / (1 + math.exp(1.0 - 2.0)))


WORDS = ["battery", "Wren", "90 minutes", "why", "how long", "which knee", "degrees"]


@pytest.mark.rule("G9")
@given(st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join), st.floats(-1, 1))
def test_every_feature_lies_between_0_and_1(question: str, cosine: float) -> None:
    """This holds for any question and passages, and the names of the features are FEATURES."""
    found = features(
        question, candidate(PACK, sentence_cosine=cosine), candidate(KNEE, sentence_cosine=cosine)
    )
    assert tuple(found) == FEATURES
    assert all(0 <= value <= 1 + 1e-9 for value in found.values())


@pytest.mark.rule("G9")
def test_the_model_that_ships_weighs_every_feature_and_names_its_data() -> None:
    """No feature speaks against its own evidence, and what it learned from is on record."""
    model = shipped()
    assert set(model.weights) == set(FEATURES)
    assert all(weight >= 0 for weight in model.weights.values())
    assert 0 < model.threshold < 1
    assert all(data.name and data.count > 0 and len(data.sha256) == 64 for data in model.fitted_on)
    assert model.fitted_on
