"""Questions that fall into parts, and their parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.question.splitting import MOST_PARTS, parts
from bookbound.question.work_requests import task_of

QUESTIONS = Path(__file__).parents[2] / "sample_book" / "questions.jsonl"

SEPARABLE = {
    "What is a topic and what is a service?": ("What is a topic?", "what is a service?"),
    "What is a topic; what is a service?": ("What is a topic?", "what is a service?"),
    "What is a topic? What is a service?": ("What is a topic?", "What is a service?"),
    "What is a topic\nWhat is a service": ("What is a topic?", "What is a service?"),
    "What is a topic as well as what is a service?": ("What is a topic?", "what is a service?"),
    "What is SLAM and who invented ROS?": ("What is SLAM?", "who invented ROS?"),
    "Explain topics and tell me about services.": ("Explain topics", "tell me about services."),
    "Tell me what a topic is and who invented ROS.": ("Tell me what a topic is", "who invented ROS."),
    "What is Nav2 or what is SLAM?": ("What is Nav2?", "what is SLAM?"),
    "What is a service and what are the advantages of a topic?": (
        "What is a service?",
        "what are the advantages of a topic?",
    ),
    "Who leads the lab, and how do I start a bag for Gazebo?": (
        "Who leads the lab?",
        "how do I start a bag for Gazebo?",
    ),
}

RESOLVED = {
    "What is Nav2 and what does it cost?": ("What is Nav2?", "what does Nav2 cost?"),
    "What is the lidar, what does it cost and who makes it?": (
        "What is the lidar?",
        "what does the lidar cost?",
        "who makes the lidar?",
    ),
    "What's SLAM? And how does it work?": ("What's SLAM?", "how does SLAM work?"),
    "Explain SLAM. How is it used in Nav2?": ("Explain SLAM.", "How is SLAM used in Nav2?"),
    "What are nodes? How do they communicate?": ("What are nodes?", "How do nodes communicate?"),
    "What are publishers and subscribers and how do they work?": (
        "What are publishers and subscribers?",
        "how do publishers and subscribers work?",
    ),
    "What are nodes and what is their purpose in Gazebo?": (
        "What are nodes?",
        "what is nodes' purpose in Gazebo?",
    ),
    "What does the lidar see and what are its limits?": (
        "What does the lidar see?",
        "what are the lidar's limits?",
    ),
    "What does the lidar see and how heavy is Wren's head on its own?": (
        "What does the lidar see?",
        "how heavy is Wren's head on its own?",
    ),
    "What is a node and how long did it take to build Wren?": (
        "What is a node?",
        "how long did it take to build Wren?",
    ),
    "What is a node and how much would it cost to build Wren?": (
        "What is a node?",
        "how much would it cost to build Wren?",
    ),
    "What is a node and does it have a memory of its own?": (
        "What is a node?",
        "does a node have a memory of its own?",
    ),
    "What is a node and how do I write one?": ("What is a node?", "how do I write a node?"),
    "What is a package and how to build it?": ("What is a package?", "how to build a package?"),
    "How do I create a package in ROS and how do I build it?": (
        "How do I create a package in ROS?",
        "how do I build a package?",
    ),
    "Who built Wren and when was it built?": ("Who built Wren?", "when was Wren built?"),
    "What is an IMU used for and where is it mounted?": (
        "What is an IMU used for?",
        "where is an IMU mounted?",
    ),
    "What is a digital twin, and can it replace the robot?": (
        "What is a digital twin?",
        "can a digital twin replace the robot?",
    ),
    "Would the small model fit on a card? How much memory does it need?": (
        "Would the small model fit on a card?",
        "How much memory does the small model need?",
    ),
}

WITH_A_TASK = {
    "Explain topics and write me a node": ("Explain topics", "write me a node"),
    "Explain topics, then write a node that publishes.": ("Explain topics", "write a node that publishes."),
    "What is a topic? Then translate it into German.": ("What is a topic?", "translate it into German."),
    "How does a topic work and can you write me a node?": (
        "How does a topic work?",
        "can you write me a node?",
    ),
    "Can you explain topics and translate this chapter into Urdu?": (
        "Can you explain topics?",
        "translate this chapter into Urdu?",
    ),
    "Translate this chapter into Urdu and tell me what a topic is.": (
        "Translate this chapter into Urdu",
        "tell me what a topic is.",
    ),
    "My robot has wheels. Is that wise? Do my homework.": (
        "My robot has wheels. Is that wise?",
        "Do my homework.",
    ),
    "What is a topic and why not? Do my homework.": ("What is a topic and why not?", "Do my homework."),
    "What is a topic? What is the default? Do my homework.": (
        "What is a topic? What is the default?",
        "Do my homework.",
    ),
}

WHOLE = {
    "one thing": (
        "What is a topic?",
        "What are publishers and subscribers?",
        "What is the type and name of the topic?",
        "How and why does the robot stop?",
        "When and where is the exam held?",
        "Who invented the format, and in which year?",
        "Explain what a node is and what a topic is",
        "Is there a rule for people who are ill and who enter the lab?",
        "Which node is started first and is the master?",
    ),
    "a comparison": (
        "What is the difference between a topic and a service?",
        "How do topics and services compare, and which is faster?",
        "When should I take Isaac Sim and when is Gazebo the better pick?",
        "Is it a topic or is it a service?",
    ),
    "a condition or context": (
        "If the robot falls and the battery burns, what do I do and who do I call?",
        "When the robot falls, what do I do and who calls Dana?",
        "I have a robot with 12 joints. How many motors does it need?",
        "What is SLAM? I have two robots. How many lidars does Wren need?",
    ),
    "a noun that is uncertain": (
        "What sensors does Wren have and what do they cost?",
        "Which driver does the camera use and what does it cost?",
        "What are nodes and where is it written?",
        "What are nodes and how do I write one?",
        "Which robot is the tallest and how much does it weigh?",
        "What is meant by grounding and why does it matter?",
        "What is special about Nav2 and how does it work?",
        "What is SLAM and VIO and how does it work?",
        "How do I start nodes and how do I stop them?",
        "What is Nav2 and how long does it take to learn?",
        "Who is Dana and how do I reach her?",
    ),
    "what leans on the rest": (
        "What is Nav2 and how many parameters must be set?",
        "What is Nav2 and what is the default?",
        "What is Nav2 and what are some advantages?",
        "Which sensor is used and what is a typical rate?",
        "What is a node? Give me an example in Python.",
        "Which file must I not use, and why not?",
        "What is URDF and what is SDF, and which is newer?",
    ),
    "work alone": (
        "Write me a node. What does it do?",
        "Write me a node and then write me a test",
        "I have an error in my node. Fix my node.",
    ),
    "verbs of one question": (
        "How do I build a package and write a node that publishes?",
        "What do I need to record a bag and describe it?",
    ),
}


@pytest.mark.rule("R9")
@pytest.mark.parametrize(("question", "expected"), SEPARABLE.items())
def test_questions_that_name_their_own_subjects_are_parts(question: str, expected: tuple[str, ...]) -> None:
    """A joint before a new question separates, and each part keeps its words."""
    assert parts(question) == expected


@pytest.mark.rule("R9")
@pytest.mark.parametrize(("question", "expected"), RESOLVED.items())
def test_a_pronoun_becomes_what_it_stands_for(question: str, expected: tuple[str, ...]) -> None:
    """Every part holds the name that it asks about, so that it can be searched and judged alone."""
    assert parts(question) == expected


@pytest.mark.rule("R9", "G14")
@pytest.mark.parametrize(("question", "expected"), WITH_A_TASK.items())
def test_a_request_for_work_is_a_part_of_its_own(question: str, expected: tuple[str, ...]) -> None:
    """The knowledge next to it can be answered, and exactly one of the parts is a task."""
    assert parts(question) == expected
    assert sum(task_of(part) is not None for part in expected) == 1


@pytest.mark.rule("R9")
@pytest.mark.parametrize("question", [question for asked in WHOLE.values() for question in asked])
def test_what_is_not_certainly_separable_stays_whole(question: str) -> None:
    """One thing asked, a shared condition, an uncertain noun: one part, exactly as it was."""
    assert parts(question) == (question,)


@pytest.mark.rule("R9")
def test_there_are_at_most_four_parts() -> None:
    """Any further questions stay together in the last part."""
    question = " ".join(f"What is a {thing}?" for thing in ("node", "topic", "service", "bag", "frame"))
    assert parts(question) == (
        "What is a node?",
        "What is a topic?",
        "What is a service?",
        "What is a bag? What is a frame?",
    )


@pytest.mark.rule("R9")
def test_only_questions_that_ask_several_things_are_split_in_the_sample_book() -> None:
    """Only these four of all labelled questions hold parts that stand alone."""
    lines = map(json.loads, QUESTIONS.read_text("utf-8").splitlines())
    split = {line["id"]: len(parts(line["question"])) for line in lines}
    assert {name: count for name, count in split.items() if count > 1} == {
        "b107": 3,
        "b135": 2,
        "b138": 2,
        "b157": 2,
    }


WORDS = st.sampled_from([word for question in (*RESOLVED, *WITH_A_TASK) for word in question.split()])


@pytest.mark.rule("R9")
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=40).map(" ".join)))
def test_every_text_has_parts(text: str) -> None:
    """One to four; a text that is not split comes back as it was, and no part is blank."""
    found = parts(text)
    assert 1 <= len(found) <= MOST_PARTS
    assert found == (text,) or (len(found) > 1 and all(part.strip() for part in found))


@pytest.mark.rule("R9")
@given(st.text("abc ", min_size=1, max_size=50), st.text("abc ", max_size=50))
def test_what_asks_nothing_is_never_split(before: str, after: str) -> None:
    """A statement has no parts, however it is joined."""
    statement = f"x{before}, and {after}"
    assert parts(statement) == (statement,)
