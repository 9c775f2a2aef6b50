"""Pairs of claims and twins of questions that teach the reader, and what is read with each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.reader import claims, twins

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
