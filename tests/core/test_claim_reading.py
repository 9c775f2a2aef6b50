"""What is read with a claim."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bookbound.claims.reading import ROOM, claim_read, units, without_number

LINES = st.lists(st.text(min_size=1, max_size=400), max_size=12)


def test_short_passages_are_read_whole() -> None:
    """In their own order."""
    texts = ["The arm is long.", "The battery lasts for 90 minutes.", "It is red."]
    assert claim_read("The battery lasts long.", "Power", texts).texts == tuple(texts)


def test_of_long_passages_the_units_nearest_to_the_claim_are_read() -> None:
    """Those that share its rare words, with their neighbours, in reading order."""
    filler = [f"The robot walks through room {number}, and then it waits there. " * 3 for number in range(20)]
    told = "The battery lasts for 90 minutes. " * 2
    found = claim_read("The battery lasts for 90 minutes.", "", [*filler[:10], told, *filler[10:]]).texts
    assert told in found
    assert {filler[9], filler[10]} & set(found)
    assert sum(map(len, found)) <= ROOM


@given(st.text(max_size=100), LINES)
def test_reading_leaves_the_order_and_has_a_limit(claim: str, texts: list[str]) -> None:
    """What is read is some of the units; more than ROOM only where one alone is longer."""
    found = [*claim_read(claim, "", texts).texts]
    rest = iter(texts)
    assert all(any(one == other for other in rest) for one in found)
    assert sum(map(len, found)) <= ROOM or len(found) == 1


def test_a_line_is_a_unit_of_its_own() -> None:
    """A heading or a row has no full stop."""
    assert units("Rates\nLidar | 10 Hz\nIt turns. It hums.") == [
        "Rates",
        "Lidar | 10 Hz",
        "It turns.",
        "It hums.",
    ]


def test_the_number_of_a_list_s_item_claims_nothing() -> None:
    """A number that says something stays."""
    assert without_number("3. Wait for the motors.") == "Wait for the motors."
    assert without_number("3.5 V is enough.") == "3.5 V is enough."


CLAIM = [
    "the",
    "red",
    "lidar",
    "of",
    "the",
    "walking",
    "robot",
    "scans",
    "the",
    "long",
    "corridor",
    "at",
    "night",
]


@given(st.permutations(CLAIM))
def test_the_order_of_a_claims_words_does_not_decide_what_is_read(words: list[str]) -> None:
    """Sums over sets come to the same in every process."""
    texts = [f"The {one} {other} is here." for one in CLAIM for other in ("robot", "corridor", "night")] * 4
    assert claim_read(" ".join(words), "", texts).texts == claim_read(" ".join(CLAIM), "", texts).texts
