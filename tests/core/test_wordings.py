"""A question prepared for the search: always the original, plus a rewritten one (R4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.question.wordings import LONGEST_PHRASE, MOST_ADDED, Query, prepare
from bookbound.text.glossary import Glossary
from bookbound.text.terms import tokens

GLOSSARY = Glossary(
    equivalents={
        "can": ("controller area network",),
        "degree of freedom": ("DoF", "joint axis"),
        "dof": ("degree of freedom",),
        "emergency stop": ("E-stop", "stop button", "kill switch", "red button"),
        "imu": ("inertial measurement unit",),
        "inertial measurement unit": ("IMU",),
        "qos": ("quality of service",),
        "ros": ("Robot Operating System",),
        "wren": ("reference robot",),
    },
    everyday={"can": "CAN"},
    words={"battery": 9, "robot": 9, "without": 3, "the": 50},
)


@pytest.mark.rule("R4")
def test_a_question_that_needs_nothing_has_no_second_text() -> None:
    """The original alone is searched for."""
    asked = "How long does the battery last?"
    query = prepare(asked, GLOSSARY)
    assert query == Query(asked, asked)
    assert query.texts == (asked,)


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("What does QoS do?", "What does QoS (quality of service) do?"),
        ("what does qos do", "what does qos (quality of service) do"),
        ("Where are the IMUs?", "Where are the IMUs (inertial measurement unit)?"),
        ("How many degrees of freedom?", "How many degrees of freedom (DoF, joint axis)?"),
        ("Why is Wren's arm short?", "Why is Wren's (reference robot) arm short?"),
        ("Is IMU-based odometry good?", "Is IMU-based (inertial measurement unit) odometry good?"),
        ("Is ROS 2 needed?", "Is ROS 2 (Robot Operating System) needed?"),
        ("Is the IMU an IMU?", "Is the IMU (inertial measurement unit) an IMU?"),
    ],
)
def test_equivalents_stand_in_brackets_behind_their_phrase(question: str, rewritten: str) -> None:
    """The sentence keeps its meaning for a model, and both wordings count for the word search."""
    assert prepare(question, GLOSSARY).rewritten == rewritten


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What does QoS do?", "What does quality of service do?"),
        ("Why is Wren's arm short?", "Why is reference robot's arm short?"),
        ("Is ROS 2 needed?", "Is Robot Operating System 2 needed?"),
        ("Is the IMU an IMU?", "Is the inertial measurement unit an IMU?"),
        ("Walk wihtout emergency stop or IMU?", "Walk without E-stop or inertial measurement unit?"),
    ],
)
def test_a_reader_reads_the_books_words_in_place_of_the_askers(question: str, read: str) -> None:
    """Words in brackets are unlike any question that a model learned from."""
    assert prepare(question, GLOSSARY).in_book_words == read


@pytest.mark.rule("R4")
def test_slips_are_set_right_and_reported() -> None:
    """The original stays as it was typed."""
    query = prepare("can the robto walk wihtout DoF?", GLOSSARY)
    assert query == Query(
        original="can the robto walk wihtout DoF?",
        corrected="can the robot walk without DoF?",
        rewritten="can the robot walk without DoF (degree of freedom)?",
        in_book_words="can the robot walk without degree of freedom?",
        corrections=(("robto", "robot"), ("wihtout", "without")),
        equivalents=(("DoF", "degree of freedom"),),
    )
    assert query.texts == (query.original, query.rewritten)


def test_an_everyday_word_is_no_acronym() -> None:
    """ "can" asks, "CAN" is a bus."""
    assert prepare("can it walk?", GLOSSARY).rewritten is None
    assert prepare("Which CAN bus?", GLOSSARY).equivalents == (("CAN", "controller area network"),)


@pytest.mark.parametrize(
    "text", ["/imu/data", "imu_link", "imu.yaml", "ROS-TCP-Endpoint", "QoSProfile", "non-ROS"]
)
def test_parts_of_identifiers_are_no_phrases(text: str) -> None:
    """A name is left whole."""
    assert prepare(f"What is {text}?", GLOSSARY).rewritten is None


def test_what_the_question_says_itself_is_not_added() -> None:
    """Neither side of a pair that stands there already."""
    assert prepare("Is the IMU an inertial measurement unit?", GLOSSARY).rewritten is None


@pytest.mark.rule("R4")
def test_every_phrase_gets_its_first_equivalent_before_any_gets_a_second() -> None:
    """The rewritten text takes three in all; the rest is still known to mean the same."""
    query = prepare("Does the emergency stop reach the IMU?", GLOSSARY)
    expanded = "Does the emergency stop (E-stop, stop button) reach the IMU (inertial measurement unit)?"
    assert query.rewritten == expanded
    assert [other for _, other in query.equivalents] == [
        "E-stop",
        "inertial measurement unit",
        "stop button",
        "kill switch",
        "red button",
    ]


@pytest.mark.rule("R4", "G9")
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How big is the costmap inflation layer?", ("costmap inflation layer",)),
        ("Which joint limits are set in joint_limits.yaml?", ("joint limits", "joint_limits.yaml")),
        ("How big is the costmap?", ()),
    ],
)
def test_what_the_book_has_a_name_for_is_a_name_in_the_question(
    question: str, names: tuple[str, ...]
) -> None:
    """The name is as the reader wrote it, the longest that the book knows, and no part of one."""
    named = frozenset({"costmap inflation layer", "inflation layer", "joint limit", "joint limit yaml"})
    assert prepare(question, Glossary(names=named)).names == names


WORDS = [
    "can",
    "CAN",
    "emergency",
    "stop",
    "IMUs",
    "the",
    "robto",
    "ROS",
    "2",
    "wren's",
    "degrees",
    "of",
    "freedom",
    "?",
]


@pytest.mark.rule("R4")
@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_a_rewritten_question_keeps_every_word_that_was_no_slip(question: str) -> None:
    """Words are put right or added, none is dropped or moved."""
    query = prepare(question, GLOSSARY)
    right = dict(query.corrections)
    kept = iter(tokens(query.rewritten or question))
    assert all(right.get(word, word) in kept for word in tokens(question))
    assert len(tokens(query.rewritten or question)) - len(tokens(question)) <= MOST_ADDED * LONGEST_PHRASE
    assert len(set(query.equivalents)) == len(query.equivalents)


@given(st.text())
def test_any_text_gives_a_query_that_holds_it(question: str) -> None:
    """No text raises an error; without slips and equivalents nothing is rewritten."""
    query = prepare(question, GLOSSARY)
    assert query.original == question
    assert (query.rewritten is None) == (not query.corrections and not query.equivalents)
    assert (query.in_book_words is None) == (query.rewritten is None)


@pytest.mark.rule("R4")
def test_a_question_after_several_things_is_expanded_more() -> None:
    """A list is found by every name of what it lists."""
    others = tuple(f"other {letter}" for letter in "abcdefgh")
    glossary = Glossary(equivalents={"motor": others})
    one = prepare("Where is the motor?", glossary).rewritten
    several = prepare("Which types of motor are there?", glossary).rewritten
    assert one == f"Where is the motor ({', '.join(others[:3])})?"
    assert several == f"Which types of motor ({', '.join(others[:6])}) are there?"
