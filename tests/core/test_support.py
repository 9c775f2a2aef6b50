"""Support of a claim by its passages, or the named fault of the claim."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.claims.checks import CHECKS
from bookbound.claims.likeness import AGAINST, LIKENESS
from bookbound.claims.support import BORNE_OUT, LONGEST, SupportModel, is_quotation, judged, shipped, support
from bookbound.claims.wording import listed
from testing.fakes import SURE, FakeReader

PACK = """The battery holds 9 Ah and lasts for 90 minutes.
Do not store a pack above 50 V for more than three days.
The wireless button has a range of 25 m indoors. Most teams use two packs.
Sensor | Place | Rate
Lidar | Chest | 10 Hz
IMU | Pelvis | 200 Hz"""


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    "claim",
    [
        "The battery holds 9 Ah and lasts for 90 minutes.",
        "It lasts for 90 minutes.",
        "The battery lasts 1.5 hours.",
        "A pack must not be stored above 50 V for more than three days.",
        "Packs must not be stored over 50 volts for longer than three days.",
        "Indoors the radio button has a range of 25 metres.",
        "The lidar in the chest has a rate of 10 Hz.",
        "Lidar | Chest | 10 Hz",
        "Most of the teams use 2 packs.",
    ],
)
def test_what_the_passage_says_is_supported(claim: str) -> None:
    """Word for word or in other words, with the unit converted, of a table's row, about an "it"."""
    found = support(claim, [PACK], SURE)
    assert (found.supported, found.missing) == (True, None)


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("The battery holds 9 Ah and lasts for 95 minutes.", "number 95 minutes"),
        ("The battery holds 9 Ah and lasts for 90 hours.", "unit 90 hours"),
        ("The wireless button has a range of 90 m indoors.", "unit 90 m"),
        ("The lidar in the chest has a rate of 200 Hz.", "number 200 Hz here"),
        ("The battery does not last for 90 minutes.", "the way it is put"),
        ("Do not store a pack below 50 V for more than three days.", "bound of 50 V"),
        ("All teams use two packs.", "the way it is put"),
        ("The moon was formed by a collision with another planet.", "unsupported: moon formed"),
    ],
)
def test_what_the_passage_does_not_say_falls_with_its_reason(claim: str, missing: str) -> None:
    """A number, unit or bound turned, or another world; without any, the reader alone objects."""
    found = support(claim, [PACK], -SURE)
    assert not found.supported
    assert found.missing is not None
    assert found.missing.startswith(missing)


@pytest.mark.rule("P4")
def test_literal_text_is_supported_by_definition() -> None:
    """Every line of the passage is supported, with any white space."""
    for line in PACK.split("\n"):
        assert support(line.replace(" ", "  "), [PACK], -SURE).score == 1.0


@pytest.mark.rule("P4")
def test_a_quotation_may_not_lose_its_negation() -> None:
    """The words stand there, after a "not"."""
    assert is_quotation("Do not store a pack above 50 V", PACK)
    assert not is_quotation("store a pack above 50 V", PACK)
    assert not is_quotation("ore a pack", PACK)
    assert not support("Store a pack above 50 V for more than three days.", [PACK], -SURE).supported


@pytest.mark.rule("P4")
def test_two_passages_bear_a_claim_out_together() -> None:
    """Neither says all of it."""
    pages = ["The capstone takes place in week 14.", "The capstone is judged by a jury of three people."]
    claim = "The capstone takes place in week 14 and is judged by a jury of three people."
    assert support(claim, pages, SURE).supported
    assert support(claim, pages, SURE).score > max(support(claim, [page], SURE).score for page in pages)


@pytest.mark.rule("P4")
@pytest.mark.parametrize("claim", ["", " \n ", "…", "🙂", "Of the and so on."])
def test_what_says_nothing_is_not_supported(claim: str) -> None:
    """No word to check, no support."""
    assert not support(claim, [PACK], SURE).supported


@pytest.mark.rule("P4")
def test_a_claim_longer_than_a_sentence_is_supported_where_it_is_literal_only() -> None:
    """However long, it takes no time."""
    long = "The battery lasts for 90 minutes. " * 3_000
    assert support(long, [PACK], SURE).missing == "length"
    assert support(long, [f"Before. {long} After."], -SURE).supported
    assert len(long) > LONGEST


@given(st.text(max_size=300), st.lists(st.text(max_size=300), max_size=2), st.floats(-1e6, 1e6))
def test_any_text_gets_a_verdict(claim: str, passages: list[str], logit: float) -> None:
    """A score in [0, 1], a reason exactly where support is denied, and the same twice."""
    found = support(claim, passages, logit)
    assert 0 <= found.score <= 1
    assert (found.missing is None) == found.supported
    assert found == support(claim, passages, logit)


WORDS = st.sampled_from(
    sorted(listed("battery lidar 90 minutes not 25 m most teams never 1,000 chest rate than | \n ."))
)


@given(st.lists(WORDS, min_size=1, max_size=30).map(" ".join), st.lists(WORDS, max_size=60).map(" ".join))
def test_every_feature_lies_between_0_and_1(claim: str, passage: str) -> None:
    """The score of the shipped model is a probability, for any words."""
    assert 0 <= support(claim, [passage, PACK], 0.0).score <= 1


def test_an_objection_discounts_the_score() -> None:
    """The logistic of likeness, times exp(-d) of each check that objects."""
    model = SupportModel({"in_passages": 2.0}, -1.0, {"wrong_unit": 0.5}, threshold=0.5)
    found = {"in_passages": 0.5, "wrong_unit": 0.0}
    assert model.score(found) == pytest.approx(0.5)
    assert model.score(found | {"wrong_unit": 1.0}) == pytest.approx(0.5 * math.exp(-0.5))


@pytest.mark.rule("P4")
def test_the_model_that_ships_speaks_no_feature_against_its_sense_and_names_its_data() -> None:
    """Likeness helps, what speaks against a claim and every objection hurts."""
    model = shipped()
    assert set(model.weights) == {*LIKENESS, BORNE_OUT}
    assert set(model.discounts) == set(CHECKS)
    assert all(weight <= 0 if name in AGAINST else weight >= 0 for name, weight in model.weights.items())
    assert all(discount >= 0 for discount in model.discounts.values())
    assert 0 < model.threshold < 1
    assert model.fitted_on
    assert all(data.name and data.count > 0 and len(data.sha256) == 64 for data in model.fitted_on)


@pytest.mark.rule("P4")
def test_what_the_passages_hardly_say_falls_whatever_the_reader_makes_of_it() -> None:
    """A reader may be wrong; a sentence that shares no word with the book is none of its."""
    claim = "The moon was formed by a collision with another planet."
    assert not support(claim, [PACK], SURE).supported
    assert support(claim, [PACK], SURE).score < shipped().threshold


@pytest.mark.rule("P4")
def test_the_number_of_a_list_s_item_claims_nothing() -> None:
    """A model may number its steps otherwise than the book; a number that says something stays one."""
    passage = "Press the red button. Wait for the motors to stop. The robot has 2 arms."
    step = "The motors must come to a stop; wait for that."
    assert support(f"3. {step}", [passage], SURE).score == support(step, [passage], SURE).score
    assert support("2. Wait for the motors to stop.", [passage], -SURE).supported
    assert not support("The robot has 3 arms.", [passage], -SURE).supported


@pytest.mark.rule("P4")
def test_the_readers_judgement_counts() -> None:
    """The same words score higher where it takes them for borne out."""
    claim = "Teams mostly use two packs."
    assert support(claim, [PACK], SURE).score > support(claim, [PACK], -SURE).score


async def test_plain_texts_are_read_with_the_claim() -> None:
    """By whoever reads; the number of a list's item is no part of it."""
    found = await judged("2. The lidar in the chest has a rate of 10 Hz.", [PACK], FakeReader())
    assert found.supported
