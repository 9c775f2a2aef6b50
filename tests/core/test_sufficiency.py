"""Do these passages answer this question? Each feature by a small example."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.sufficiency import (
    CONFIRMED,
    FEATURES,
    FIRST,
    LOOKED_AT,
    Assessor,
    Line,
    Sufficiency,
    SufficiencyModel,
    shipped,
)
from bookbound.model import Candidate, Excerpt, Passage
from bookbound.question.inquiry import Inquiry
from bookbound.text.glossary import Glossary
from testing.builders import candidate, inquiry, passage, plain_model, reading, table
from testing.fakes import FakeReader, logit_of

PACK = passage("The battery lasts for 90 minutes.", "Charge it daily.")
KNEE = passage("Wren bends its knee by 120 degrees.", document="body/knee.md", section="Joints")
LASTS = "How long does the battery last?"


def judged(
    asked: str | Inquiry,
    *found: Candidate,
    model: SufficiencyModel | None = None,
    reader: FakeReader | None = None,
) -> Sufficiency:
    asked = inquiry(asked) if isinstance(asked, str) else asked
    everything = [each for one in found for each in one.readings]
    assessor = Assessor(reader or FakeReader(), model or plain_model(), refuses=False)
    return asyncio.run(assessor.judge(asked, asked.text, found, everything))


class LookingTwice(FakeReader):
    """Confirms passages with these logits, others with the lowest; remembers what it looked at."""

    def __init__(self, logits: Mapping[Passage, float]) -> None:
        super().__init__()
        self.logits = logits
        self.looked: list[Excerpt] = []

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        self.looked += excerpts
        return [self.logits.get(one.passage, -9.0) for one in excerpts]


def read(found: Passage, answers: float = 0.9, **pointed: float) -> Candidate:
    """A candidate of which this was read."""
    return candidate(found, readings=(reading(LASTS, found, answers, **pointed),))


def features(asked: str | Inquiry, *found: Candidate) -> dict[str, float]:
    return judged(asked, *found).features


# --- the features ---------------------------------------------------------------------------------


@pytest.mark.rule("G9")
def test_the_best_excerpt_counts_and_what_is_usual() -> None:
    """They count in any order of the passages; usual is the mean logit."""
    near, far = read(PACK, 0.9), read(KNEE, 0.2)
    for found in ((near, far), (far, near)):
        told = features(LASTS, *found)
        assert told["answers"] == pytest.approx(logit_of(0.9))
        assert told["usual"] == pytest.approx((logit_of(0.9) + logit_of(0.2)) / 2)


@pytest.mark.rule("G9")
def test_what_is_usual_is_told_by_the_first_places_of_the_search() -> None:
    """A search that goes deeper finds what is further off, which does not make an answer stand out."""
    last = replace(reading(LASTS, KNEE, 0.1), place=FIRST - 1)
    told = features(LASTS, read(PACK, 0.9), candidate(KNEE, readings=(last,)))
    assert told["usual"] == pytest.approx((logit_of(0.9) + logit_of(0.1)) / 2)
    beyond = replace(last, place=FIRST)
    assert features(LASTS, read(PACK, 0.9), candidate(KNEE, readings=(beyond,)))["usual"] == logit_of(0.9)


@pytest.mark.rule("G9")
def test_an_excerpt_s_logit_is_less_the_later_the_search_had_its_window() -> None:
    """The first place costs nothing, and each doubling of the places the same."""
    model = replace(plain_model(), place=0.5)
    costs = [
        1.0 - model.placed(replace(reading(LASTS, PACK), answers=1.0, place=place)).answers
        for place in (0, 1, 3, 7)
    ]
    assert costs == pytest.approx([0.0, *(0.5 * n * math.log(2) for n in (1, 2, 3))])


@pytest.mark.rule("G9")
def test_names_are_looked_for_in_the_best_excerpt() -> None:
    """One of three stands there, and what stands in another passage does not help."""
    imu = passage("The IMU is in the pelvis.", document="imu.md")
    told = features("How far does Wren bend near IMU and EKF?", read(KNEE, 0.9), read(imu, 0.8))
    assert told["names"] == pytest.approx(1 / 3)


@pytest.mark.rule("G9", "T1")
@pytest.mark.parametrize(
    ("question", "share"),
    [("How heavy is the Joints chapter?", 1.0), ("Where is the Lidar?", 0.0)],
)
def test_a_name_may_stand_in_the_headings_above(question: str, share: float) -> None:
    """A reader sees them too."""
    assert features(question, read(KNEE))["names"] == share


@pytest.mark.rule("G9", "T1")
def test_a_name_may_stand_in_the_column_s_name_or_the_caption() -> None:
    """A row is read below its caption, with the column's name before each cell."""
    prices = table("Part | LiPo", "Pack | 90", caption="Prices in EUR")
    assert features("What is the EUR price by LiPo?", read(prices))["names"] == 1.0


@pytest.mark.rule("G9")
def test_a_question_that_names_nothing_misses_no_name() -> None:
    """There is nothing to look for."""
    assert features("how far does the knee bend", read(KNEE))["names"] == 1.0


@pytest.mark.rule("G9", "R4")
def test_an_equivalent_is_as_good_as_the_question_s_own_name() -> None:
    """The glossary tells that the book says "Wren" for "Kestrel"."""
    asked = "How far does Kestrel bend?"
    told = inquiry(asked, Glossary(equivalents={"kestrel": ("Wren",)}))
    assert features(told, read(KNEE))["names"] == 1.0
    assert features(asked, read(KNEE))["names"] == 0.0


# --- the score ------------------------------------------------------------------------------------


@pytest.mark.rule("G9")
def test_what_was_not_read_answers_nothing() -> None:
    """Without passages, and with unread ones alone, the score is 0, for any model."""
    sure = SufficiencyModel(0.0, Line(1.0, 0.0), dict.fromkeys(FEATURES, 0.0), 9.0, 0.5, 0.5, reader="fake")
    nothing = Sufficiency(0.0, dict.fromkeys(FEATURES, 0.0))
    assert judged(LASTS, model=sure) == nothing
    assert judged(LASTS, candidate(PACK, readings=()), model=sure) == nothing
    assert judged(LASTS, read(PACK), model=sure).score > 0.9


@pytest.mark.rule("G9")
def test_an_unread_passage_beside_a_read_one_changes_nothing() -> None:
    """It is not counted as a second one."""
    alone = judged(LASTS, read(PACK))
    assert judged(LASTS, read(PACK), candidate(KNEE, readings=())) == alone


@pytest.mark.rule("G9")
def test_the_score_is_the_logistic_of_the_weighted_features() -> None:
    """Readable: intercept plus each weight times its feature."""
    model = SufficiencyModel(
        place=0.0,
        similarity=Line(1.0, 0.0),
        weights={"answers": 2.0, "usual": 0.5, "names": 3.0},
        intercept=-1.0,
        threshold=0.5,
        with_refusals=0.5,
        reader="fake",
    )
    told = {"answers": 1.0, "usual": -2.0, "names": 0.5}
    assert model.score(told) == pytest.approx(1 / (1 + math.exp(-(-1.0 + 2.0 - 1.0 + 1.5))))


@pytest.mark.rule("G9")
def test_a_second_look_at_the_best_excerpts_weighs_with_the_first() -> None:
    """The best few are looked at and nothing else is; the highest logit is told, and adds to the score."""
    plain = plain_model()
    model = replace(plain, weights=plain.weights | {CONFIRMED: 2.0})
    far = [read(passage(f"Wren waits {n} days.", document=f"{n}.md"), 0.1) for n in range(LOOKED_AT)]
    reader = LookingTwice({KNEE: -1.0, PACK: -3.0})
    told = judged(LASTS, read(KNEE, 0.2), *far, read(PACK, 0.9), model=model, reader=reader)
    assert [one.passage for one in reader.looked[:2]] == [PACK, KNEE]
    assert len(reader.looked) == LOOKED_AT
    assert told.features[CONFIRMED] == -1.0
    assert logit_of(told.score) == pytest.approx(logit_of(0.9) - 2.0)


@pytest.mark.rule("G9")
def test_a_model_without_a_second_look_takes_none() -> None:
    """Nothing is read twice, and the score is that of the features."""
    reader = LookingTwice({})
    assert judged(LASTS, read(PACK), reader=reader).score == pytest.approx(0.9)
    assert not reader.looked


PROBABILITIES = st.floats(0, 1)


@pytest.mark.rule("G9")
@given(
    st.sampled_from([LASTS, "Wren", "how far", "Which LiPo holds Wren?", ""]),
    st.tuples(PROBABILITIES, PROBABILITIES),
    PROBABILITIES,
)
def test_any_reading_gives_every_feature_and_a_probability(
    question: str, answers: tuple[float, float], weight: float
) -> None:
    """The names of the features are FEATURES, and the score lies in [0, 1] for any weights."""
    found = judged(
        question,
        read(PACK, answers[0]),
        read(KNEE, answers[1]),
        model=plain_model(**dict.fromkeys(FEATURES, 100 * weight)),
    )
    assert tuple(found.features) == FEATURES
    assert found.features["answers"] >= found.features["usual"]
    assert 0 <= found.features["names"] <= 1
    assert 0 <= found.score <= 1


@pytest.mark.rule("G9", "R1")
@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0.01, 5), st.floats(-5, 5))
def test_similarity_is_a_probability_that_never_falls_with_the_logit(
    one: float, other: float, slope: float, intercept: float
) -> None:
    """For any line that rises; it is logistic of the scaled logit."""
    line = Line(slope, intercept)
    low, high = sorted((one, other))
    assert 0 <= line(low) <= line(high) <= 1
    assert Line(2.0, -1.0)(0.5) == pytest.approx(0.5)


# --- how much is enough ---------------------------------------------------------------------------


@pytest.mark.rule("G9", "G12")
@pytest.mark.parametrize(
    ("own", "quotes", "refuses"),
    [(None, 0.6, 0.4), (0.7, 0.7, 0.5), (0.5, 0.5, 0.3), (0.1, 0.1, 0.0), (math.inf, math.inf, math.inf)],
)
def test_a_book_s_own_threshold_shifts_that_of_a_refusing_generator(
    own: float | None, quotes: float, refuses: float
) -> None:
    """Both are as far apart as the model's, and neither is below 0."""
    model = plain_model(0.6, with_refusals=0.4)
    assert model.bar(own, refuses=False) == quotes
    assert model.bar(own, refuses=True) == pytest.approx(refuses)


@pytest.mark.rule("G9", "G12")
def test_the_model_that_ships_can_be_used_as_it_is() -> None:
    """It weighs every feature, names its reader, and asks no more of a generator that can refuse."""
    model = shipped()
    assert set(model.weights) == {*FEATURES, CONFIRMED}
    assert model.similarity.slope > 0
    assert 0 < model.with_refusals <= model.threshold < 1
    assert model.reader


@pytest.mark.rule("G9")
def test_the_model_that_ships_names_its_data() -> None:
    """What it learned from is on record, and what fits it again."""
    model = shipped()
    assert model.fitted_on
    assert all(data.name and data.count > 0 and len(data.sha256) == 64 for data in model.fitted_on)
    assert model.command
