"""Follow-up questions: what is taken, and what is refused of what authors write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from bookbound.question.follow_up import readings
from training.authors import checked
from training.follow_ups import follow_up, is_meant
from training.lines import Line


def drafted(**changed: object) -> Line:
    """A follow-up as an author writes it."""
    draft = {
        "previous": "What does the IMU module cost?",
        "question": "how heavy is it?",
        "meant": "How heavy is the IMU module?",
        "ask": "pronoun",
        "terms": ["imu|module", "heavy"],
    }
    return draft | changed


def test_a_follow_up_is_kept_with_what_it_is_for() -> None:
    """All follow-ups of one first question are in the same split."""
    kept = follow_up(drafted())
    assert {name: kept[name] for name in drafted()} == drafted()
    other = follow_up(drafted(question="is it heavy, then?", meant="Is the IMU module heavy?"))
    assert kept["id"] != other["id"]
    assert kept["split"] == other["split"]


def test_what_stands_alone_is_meant_as_it_stands() -> None:
    """A new topic is left alone."""
    question = "what is a usury law?"
    alone = drafted(question=question, meant=question, ask="alone", terms=["usury"])
    assert follow_up(alone)["meant"] == question
    with pytest.raises(ValueError, match="not all terms"):
        follow_up(alone | {"meant": "What is a usury law for IMU modules?"})


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"ask": "mood"}, "no kind of follow-ups"),
        ({"terms": []}, "terms are words"),
        ({"terms": ["imu|", "heavy"]}, "terms are words"),
        ({"terms": ["lidar"]}, "not all terms"),
        ({"terms": ["heavy"]}, "nothing that is left out"),
        ({"previous": "What " * 1000}, "characters"),
    ],
)
def test_what_teaches_nothing_is_refused(changed: Line, fault: str) -> None:
    """An unknown kind, terms that are wrong or already said, and a text that is no question."""
    with pytest.raises(ValueError, match=fault):
        follow_up(drafted(**changed))


def meant_of(previous: str, question: str, meant: str, ask: str, terms: list[str]) -> list[str]:
    """The completions that count as what is meant."""
    line = {"question": question, "meant": meant, "ask": ask, "terms": terms}
    return [one.text for one in readings(question, previous).all if is_meant(line, one)]


def test_an_attribute_does_not_stand_in_the_place_of_a_thing_nor_a_thing_for_an_attribute() -> None:
    """Such a completion has all terms too, and asks for something else."""
    attribute = meant_of(
        "How do I clean the lidar?",
        "and the weight?",
        "What is the lidar's weight?",
        "attribute",
        ["lidar", "weight"],
    )
    assert attribute == ["What is the weight of the lidar?"]
    meant = "What is the range of the camera?"
    terms = ["camera", "range"]
    assert meant_of("What is the range of the lidar?", "and the camera?", meant, "swap", terms) == [meant]


def test_what_says_what_is_meant_word_for_word_is_meant_in_any_form() -> None:
    """An attribute that takes the place of another one of the same thing."""
    meant = "What is the weight of the lidar?"
    found = meant_of(
        "What is the range of the lidar?", "and the weight?", meant, "attribute", ["lidar", "weight"]
    )
    assert meant in found


def test_a_line_that_is_wrong_is_named_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong with it."""
    wrong = [drafted(ask="mood"), drafted(meant=None)]
    text = "\n".join(map(json.dumps, [drafted(), *wrong]))
    (tmp_path / "01.jsonl").write_text(text + "\nno JSON", "utf-8")
    with pytest.raises(typer.Exit):
        checked(tmp_path, lambda _: follow_up)
    assert [line.split(": ")[0] for line in capsys.readouterr().err.splitlines()] == [
        "01.jsonl:2",
        "01.jsonl:3",
        "01.jsonl:4",
    ]
