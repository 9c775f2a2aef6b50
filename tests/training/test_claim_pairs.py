"""Pairs of claims and twins of questions that teach the reader, and what is read with each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bookbound.question.meant import ABOVE
from training.reader import claims, twins
from training.reader.table_examples import Asked

EVIDENCE = ["The duke sold the mill to the abbey."]


@pytest.fixture
def support(tmp_path: Path) -> Path:
    """Public files, of which one has two true claims and a false one about the same evidence."""
    rows = [
        ("t1", "It rained in June.", True),
        ("t2", "The abbey bought the mill from the duke.", True),
        ("f1", "The duke bought the mill from the abbey.", False),
    ]
    made = [
        {
            "id": name,
            "claim": claim,
            "evidence": EVIDENCE,
            "label": label,
            "kind": "supported" if label else "refuted",
            "split": "train",
        }
        for name, claim, label in rows
    ]
    alone = made[2] | {"id": "f2", "evidence": ["Nothing true was ever said of this."]}
    for name in claims.PAIRED:
        (tmp_path / f"{name}.jsonl").write_text("", "utf-8")
    text = "\n".join(json.dumps(one) for one in [*made, alone])
    (tmp_path / f"{claims.PAIRED[0]}.jsonl").write_text(text, "utf-8")
    return tmp_path


def test_a_false_public_claim_stands_behind_the_true_one_most_like_it(support: Path) -> None:
    """They share their evidence; a false claim that has no true counterpart makes no pair."""
    found = claims.public_pairs(support, "train", 0)
    assert [(one["claim"], one["supported"]) for one in found] == [
        ("The abbey bought the mill from the duke.", 1),
        ("The duke bought the mill from the abbey.", 0),
    ]
    assert all(one["texts"] == EVIDENCE for one in found)


def test_pairs_about_passages_are_read_with_their_passage(tmp_path: Path) -> None:
    """Both claims of a pair, true first, with the text of the row that they are about."""
    line = {"true": "It sold the mill.", "false": "It bought the mill.", "kind": "noun"}
    (tmp_path / "qed.jsonl").write_text(json.dumps({"id": "r1", "passage": EVIDENCE[0]}), "utf-8")
    for way in claims.passage_pairs(tmp_path, [line | {"file": "qed", "row": "r1"}]):
        assert [(one["claim"], one["supported"]) for one in way] == [
            ("It sold the mill.", 1),
            ("It bought the mill.", 0),
        ]
        assert all(one["texts"] == EVIDENCE for one in way)


def test_twins_are_read_with_their_passage(tmp_path: Path) -> None:
    """The answered question first, and both with the same text."""
    line = {"answered": "Who sold the mill?", "near": "Who built the mill?", "kind": "attribute"}
    (tmp_path / "qed.jsonl").write_text(json.dumps({"id": "r1", "passage": EVIDENCE[0]}), "utf-8")
    found = twins.examples(tmp_path, tmp_path, [line | {"file": "qed", "row": "r1"}])
    assert [(one["claim"], one["supported"], one["texts"]) for one in found] == [
        ("Who sold the mill?", 1, EVIDENCE),
        ("Who built the mill?", 0, EVIDENCE),
    ]


def test_completions_that_are_not_meant_stand_next_to_one_that_is() -> None:
    """Both are read with the two questions, as the product reads them."""
    line = {
        "previous": "What does the lidar cost?",
        "question": "and its weight?",
        "ask": "pronoun",
        "terms": ["lidar", "weight"],
    }
    found = claims.readings_of([line])
    assert [one["supported"] for one in found] == [1, 0] * (len(found) // 2)
    assert found[0]["claim"] == "What is the lidar's weight?"
    assert {one["claim"] for one in found[1::2]} >= {"and its weight?"}
    assert all(one["texts"] == ["What does the lidar cost", "and its weight?"] for one in found)
    assert {one["above"] for one in found} == {ABOVE}


def test_a_follow_up_of_which_no_completion_is_right_teaches_nothing() -> None:
    """There is nothing to put a wrong one next to."""
    asked = {"previous": "What is a lidar?", "question": "and its weight?"}
    line = asked | {"ask": "pronoun", "terms": ["camera"]}
    assert claims.readings_of([line]) == []


def to_parts(question: str, rows: list[int], lacks: str | None = None, extreme: str = "none") -> Asked:
    """A question to a table of four parts, of which a window holds three."""
    cells = [("Lidar", "190"), ("Camera", "72"), ("Hub", "40"), ("Fan", "31")]
    return Asked(question, "Parts", ("Part", "Mass (g)"), cells, [""] * 4, rows, 1, lacks, extreme)


def test_twins_to_a_table_are_read_with_a_window_of_its_rows() -> None:
    """What a column lacks is asked of the rows that it is about, what a row lacks of the other one's."""
    found = twins.of_tables(
        [
            to_parts("How heavy is the lidar?", [0]),
            to_parts("How heavy is the fan?", [3]),
            to_parts("What does the fan cost?", [3], "column"),
            to_parts("How heavy is the radar?", [], "row"),
        ]
    )
    fan = ["Part: Fan | Mass (g): 31"]
    read = [(one["claim"], one["supported"], one["texts"] == fan) for one in found]
    assert read[:2] == [("How heavy is the fan?", 1, True), ("What does the fan cost?", 0, True)]
    read = [(one["claim"], one["supported"]) for one in found[2:]]
    assert read == [("How heavy is the fan?", 1), ("How heavy is the radar?", 0)]
    assert found[2]["texts"] == found[3]["texts"] == fan


def test_what_a_few_rows_cannot_tell_is_no_twin() -> None:
    """An extreme, a list, and rows that are apart."""
    near = to_parts("What does the fan cost?", [3], "column")
    for one in (
        to_parts("Which is the lightest?", [0], extreme="lowest"),
        to_parts("Which parts are there?", []),
        to_parts("Is the lidar heavier than the fan?", [0, 3]),
    ):
        assert twins.of_tables([one, near]) == []
