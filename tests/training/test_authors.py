"""What authors wrote, read back: all of it, or every fault by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from training.authors import lay_out, taken
from training.drafts import Line


def kept(draft: Line, passage: Line) -> tuple[int, str]:
    """A draft's number and its passage; refuses what is not even."""
    if draft["n"] % 2:
        raise ValueError(f"{draft['n']} is odd")
    return draft["n"], passage["text"]


def laid_out(drafts: Path, *lines: str) -> Path:
    """Two passages for one author, who wrote these lines."""
    lay_out(drafts, [{"text": "one"}, {"text": "two"}], 2, lambda at, one: f"=== {at}\n{one['text']}")
    (drafts / "01.jsonl").write_text("\n".join(lines), "utf-8")
    return drafts


def test_each_draft_comes_back_with_its_passage(tmp_path: Path) -> None:
    """By the number under which the passage was laid out."""
    drafts = laid_out(tmp_path, json.dumps({"p": 1, "n": 2}), json.dumps({"p": 0, "n": 4}))
    assert (drafts / "01.txt").read_text("utf-8") == "=== 0\none\n=== 1\ntwo"
    assert taken(drafts, kept) == [(2, "two"), (4, "one")]


def test_every_wrong_line_is_named_and_nothing_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be read, a passage that is not there, and what is refused."""
    lines = ["{", json.dumps({"p": 7, "n": 2}), json.dumps({"p": 0, "n": 3}), json.dumps({"p": 0, "n": 4})]
    with pytest.raises(typer.Exit) as ended:
        taken(laid_out(tmp_path, *lines), kept)
    assert ended.value.exit_code == 1
    told = capsys.readouterr().err
    assert [line.split(": ")[0] for line in told.splitlines()] == ["01.jsonl:1", "01.jsonl:2", "01.jsonl:3"]
